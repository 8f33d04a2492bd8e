// The hooks around a compaction and a session's start, where a run is in trouble or another process is in the way; the
// rest is test/hook/session-hooks.test.ts, at the built hook.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { bareProject } from '../../test/support/bare-project.ts';
import { journalIn, putToy, runtimeIn, SESSION, toysWith } from '../../test/support/stop-here.ts';
import type { Runtime } from '../engine/context.ts';
import type { Project } from '../engine/project.ts';
import { tryHold } from '../store/lock.ts';
import type { Waiting } from '../store/records.ts';
import { readSidecar, writeSidecar } from '../store/sidecars.ts';
import { SILENT } from './call.ts';
import { preCompactHook } from './pre-compact.ts';
import { sessionStartHook } from './session-start.ts';

let project: Project;
beforeEach(() => {
  project = bareProject(Date.now());
  putToy(project, 'toy:a');
  putToy(project, 'toy2:b');
});
const call = (payload: object, runtime: Partial<Runtime> = {}, named = 'claude-code') => ({
  input: JSON.stringify({ session_id: SESSION, cwd: project.root, prompt_id: 'p1', ...payload }),
  ...{ named, limitS: null, runtime: runtimeIn(project, runtime) },
});
const compact = async (runtime: Partial<Runtime> = {}): Promise<void> =>
  expect(await preCompactHook(call({ hook_event_name: 'PreCompact' }, runtime))).toEqual(SILENT);
const start = async (source: string, runtime: Partial<Runtime> = {}, named?: string): Promise<unknown> => {
  const { stdout, ...rest } = await sessionStartHook(call({ source }, runtime, named));
  expect(rest).toEqual({ stderr: '', exitCode: 0 });
  return stdout === '' ? null : JSON.parse(stdout);
};
const given = (...texts: string[]) => ({
  hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: texts.join('\n\n') },
});
const BACK = 'the toy goes on';
const UNCLAIMED =
  "Holdfast: toy:c is unfinished here but is not this session's. To go on with it: holdfast adopt toy:c";
const saved = (name = 'toy:a') => readSidecar(project.root, name).saved;
const lockTaken = async <T>(work: () => Promise<T>): Promise<T> => {
  const other = tryHold(path.join(project.home, 'lock'));
  try {
    return await work();
  } finally {
    other?.release();
  }
};

it('each run gives back after a compaction what it wrote down before it, and at no other start', async () => {
  expect(await start('compact')).toBeNull();
  await compact();
  putToy(project, 'toy:c', {}, null);
  expect(await start('compact')).toEqual({ systemMessage: UNCLAIMED, ...given(BACK, BACK) });
  expect(await start('startup')).toBeNull();
});

it('an open question is given back too, once, and nothing else that is waited for', async () => {
  const times = { since: project.now, until: project.now + 3_600_000 };
  const ask = (waiting: Partial<Waiting>): void => {
    for (const name of ['toy:a', 'toy2:b'])
      writeSidecar(project.root, {
        ...readSidecar(project.root, name),
        waiting: { for: 'person', ...times, what: 'Which one?', shown: null, ...waiting },
      });
  };
  ask({});
  const question = 'You have asked the user: "Which one?" They are shown it when you end your turn.';
  expect(await start('compact')).toEqual(given(question));
  for (const waiting of [{ for: 'limit' as const }, { until: project.now }]) {
    ask(waiting);
    expect(await start('compact')).toBeNull();
  }
});

it('one run’s trouble does not cost the others theirs', async () => {
  const fails = (): never => {
    throw new Error('no luck');
  };
  const registry = toysWith({ beforeCompaction: fails, afterCompaction: fails });
  await compact({ registry });
  expect(await start('compact', { registry })).toEqual(given(BACK));
  expect(journalIn(project)).toMatchObject([1, 2].map(() => ({ workflow: 'toy', error: 'Error: no luck' })));
});

it('nothing is written for a run that is another session’s by now, nor by one that has nothing to write', async () => {
  writeSidecar(project.root, { ...readSidecar(project.root, 'toy:a'), sessions: ['another'] });
  await compact({ registry: toysWith({ beforeCompaction: () => null }, 'toy2') });
  expect([saved(), saved('toy2:b'), fs.readdirSync(path.join(project.root, '.toy'))]).toEqual([
    ...[undefined, undefined, ['a.json']],
  ]);
});

it('what a run writes stays within its own folder', async () => {
  const outside = path.join(path.dirname(project.root), 'outside');
  fs.mkdirSync(outside);
  const write = { kind: 'replace' as const, path: path.join(outside, 'anchor'), content: 'x' };
  const commit = { writes: [write], stateHash: '', saved: 'x' };
  await compact({ registry: toysWith({ beforeCompaction: () => commit }) });
  expect(fs.existsSync(write.path)).toBe(false);
  await compact({ registry: toysWith({ beforeCompaction: () => ({ ...commit, within: outside }) }) });
  expect(fs.readFileSync(write.path, 'utf8')).toBe('x');
});

it('while another process has the lock nothing is written, and what was written before is given back', async () => {
  const runtime = { lockPatienceMs: 1 };
  await lockTaken(() => compact(runtime));
  expect(saved()).toBeUndefined();
  await compact();
  putToy(project, 'toy:c', {}, null);
  expect(await lockTaken(() => start('compact', runtime))).toEqual(given(BACK, BACK));
  expect(journalIn(project).map(({ run }) => run)).toEqual(['a', 'b', null]);
  expect(await start('startup')).toEqual({ systemMessage: UNCLAIMED });
});

it('an agent whose client shows no notices is told to pass them on', async () => {
  putToy(project, 'toy:c', {}, null);
  expect(await start('startup', {}, 'copilot')).toEqual({
    systemMessage: UNCLAIMED,
    additionalContext: expect.stringMatching(
      /^Your client shows the user no messages of Holdfast\.[\s\S]*toy:c/,
    ),
  });
  await compact();
  expect(await start('compact', {}, 'copilot')).toEqual({ additionalContext: `${BACK}\n\n${BACK}` });
});
