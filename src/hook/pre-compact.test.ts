import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { bareProject, writeIn } from '../../test/support/bare-project.ts';
import { journalIn, putToy, runtimeIn, SESSION, toysWith } from '../../test/support/stop-here.ts';
import type { Runtime } from '../engine/context.ts';
import type { Project } from '../engine/project.ts';
import { tryHold } from '../store/lock.ts';
import { readSidecar } from '../store/sidecars.ts';
import { SILENT } from './call.ts';
import { preCompactHook } from './pre-compact.ts';

let project: Project;
beforeEach(() => {
  project = bareProject(Date.now());
});
const compact = (runtime: Partial<Runtime> = {}, session = SESSION) =>
  preCompactHook({
    input: JSON.stringify({ session_id: session, cwd: project.root, hook_event_name: 'PreCompact' }),
    ...{ named: 'claude-code', limitS: null, runtime: runtimeIn(project, runtime) },
  });
const anchor = (name: string): boolean => fs.existsSync(path.join(project.root, `.toy/${name}.anchor`));

it('only the session’s own runs write down what must survive a compaction', async () => {
  putToy(project, 'toy:a');
  putToy(project, 'toy:b', {}, 'another');
  expect(await compact()).toEqual(SILENT);
  expect([anchor('a'), anchor('b')]).toEqual([true, false]);
  expect(readSidecar(project.root, 'toy:a')).toMatchObject({ saved: 'anchored', sessions: [SESSION] });
  expect(readSidecar(project.root, 'toy:b').saved).toBeUndefined();
  expect(journalIn(project)).toEqual([]);
});

it('nothing is made for a session without a run', async () => {
  writeIn(project, '.toy/a.json', '{}');
  expect(await compact({}, 'another')).toEqual(SILENT);
  expect(fs.existsSync(project.home)).toBe(false);
});

it('a run may write in a folder of its own choice, and nothing at all', async () => {
  putToy(project, 'toy:a');
  putToy(project, 'toy2:b');
  const within = path.join(path.dirname(project.root), 'elsewhere');
  fs.mkdirSync(within);
  const write = { kind: 'replace', path: path.join(within, 'kept'), content: 'x' } as const;
  const registry = toysWith({
    beforeCompaction: () => ({ writes: [write], stateHash: 'h', saved: 'kept', within }),
  });
  expect(await compact({ registry })).toEqual(SILENT);
  expect(journalIn(project)).toEqual([]);
  expect(fs.readFileSync(write.path, 'utf8')).toBe('x');
  expect(readSidecar(project.root, 'toy:a').saved).toBe('kept');
  const silent = toysWith({ beforeCompaction: () => null });
  await compact({ registry: silent });
  expect(readSidecar(project.root, 'toy:a').saved).toBe('kept');
  expect(anchor('a')).toBe(false);
});

it('nothing is written while another process holds the lock, and the journal says so', async () => {
  putToy(project, 'toy:a');
  const held = tryHold(path.join(project.home, 'lock'));
  expect(await compact({ lockPatienceMs: 10 })).toEqual(SILENT);
  held?.release();
  expect([anchor('a'), readSidecar(project.root, 'toy:a').saved]).toEqual([false, undefined]);
  expect(journalIn(project)).toMatchObject([{ workflow: 'toy', run: 'a', error: expect.any(String) }]);
});
