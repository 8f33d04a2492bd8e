import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject, writeIn } from '../../test/support/bare-project.ts';
import { journalIn, putToy, runtimeIn, SESSION, toysWith } from '../../test/support/stop-here.ts';
import type { Runtime } from '../engine/context.ts';
import { leaveDriverToken } from '../engine/driver/token.ts';
import type { Project } from '../engine/project.ts';
import { DRIVER_VARIABLE } from '../store/environment.ts';
import { tryHold } from '../store/lock.ts';
import type { Waiting } from '../store/records.ts';
import { readSession, readSidecar, writeSidecar } from '../store/sidecars.ts';
import { SILENT } from './call.ts';
import { preCompactHook } from './pre-compact.ts';
import { sessionStartHook } from './session-start.ts';

let project: Project;
beforeEach(() => {
  project = bareProject(Date.now());
});

type Called = { named?: string; runtime?: Partial<Runtime>; input?: string | null };

const call = (payload: object, { named = 'claude-code', runtime = {}, input }: Called) => ({
  input:
    input === undefined
      ? JSON.stringify({ session_id: SESSION, cwd: project.root, prompt_id: 'p1', ...payload })
      : input,
  ...{ named, limitS: null, runtime: runtimeIn(project, runtime) },
});
const start = async (payload: object = {}, called: Called = {}): Promise<unknown> => {
  const { stdout, ...rest } = await sessionStartHook(call(payload, called));
  expect(rest).toEqual({ stderr: '', exitCode: 0 });
  return stdout === '' ? null : JSON.parse(stdout);
};
const compact = (called: Called = {}) => preCompactHook(call({ hook_event_name: 'PreCompact' }, called));

const UNCLAIMED =
  "Holdfast: toy:a is unfinished here but is not this session's. To go on with it: holdfast adopt toy:a";

describe('at a session’s start', () => {
  it('the user is shown how to take over what is not the session’s, once', async () => {
    putToy(project, 'toy:a', {}, null);
    expect(await start({ source: 'clear' })).toEqual({ systemMessage: UNCLAIMED });
    expect(await start({ source: 'clear' })).toBeNull();
    expect(readSidecar(project.root, 'toy:a').sessions).toEqual([]);
  });

  it.each([
    ['no session', JSON.stringify({ cwd: '/' })],
    ['no object', '[]'],
    ['no JSON', '{'],
    ['too much', null],
  ])('nothing is said to %s', async (_, input) => {
    putToy(project, 'toy:a', {}, null);
    expect(await sessionStartHook(call({}, { input }))).toEqual(SILENT);
    expect(await preCompactHook(call({}, { input }))).toEqual(SILENT);
  });

  it('nothing is said where no run is near', async () => {
    expect(await start()).toBeNull();
    expect(await compact()).toEqual(SILENT);
    expect(fs.readdirSync(project.root)).toEqual([]);
  });

  describe('after a compaction', () => {
    it('the agent is given back what its runs wrote down before it', async () => {
      putToy(project, 'toy:a');
      putToy(project, 'toy2:b');
      expect(await start({ source: 'compact' })).toBeNull();
      expect(await compact()).toEqual(SILENT);
      expect(readSidecar(project.root, 'toy:a').saved).toBe('anchored');
      expect(fs.readFileSync(path.join(project.root, '.toy/a.anchor'), 'utf8')).toBe('anchor\n');
      expect(await start({ source: 'compact' })).toEqual({
        hookSpecificOutput: {
          hookEventName: 'SessionStart',
          additionalContext: 'the toy goes on\n\nthe toy goes on',
        },
      });
      expect(await start({ source: 'startup' })).toBeNull();
    });

    it('it is also told of a question that is open, once', async () => {
      const times = { since: project.now, until: project.now + 3_600_000 };
      const waiting: Waiting = { for: 'person', ...times, what: 'Which one?', shown: null };
      for (const name of ['toy:a', 'toy2:b']) {
        putToy(project, name);
        writeSidecar(project.root, { ...readSidecar(project.root, name), waiting });
      }
      await compact({ runtime: { registry: toysWith({ beforeCompaction: () => null }, 'toy2') } });
      expect(readSidecar(project.root, 'toy2:b').saved).toBeUndefined();
      expect(await start({ source: 'compact' })).toEqual({
        hookSpecificOutput: {
          hookEventName: 'SessionStart',
          additionalContext:
            'the toy goes on\n\nYou have asked the user: "Which one?" They are shown it when you end your turn.',
        },
      });
    });

    it('it is not told of what else is waited for', async () => {
      putToy(project, 'toy:a');
      const waiting: Waiting = { for: 'limit', since: project.now, until: null, what: 'rate_limit' };
      writeSidecar(project.root, { ...readSidecar(project.root, 'toy:a'), waiting });
      expect(await start({ source: 'compact' })).toBeNull();
    });

    it('both are said, to the user and to the agent', async () => {
      putToy(project, 'toy2:b');
      putToy(project, 'toy:a', {}, null);
      await compact();
      expect(await start({ source: 'compact' })).toEqual({
        systemMessage: UNCLAIMED,
        hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'the toy goes on' },
      });
    });

    it('it is given back also where others’ runs cannot be shown, since another process has the lock', async () => {
      putToy(project, 'toy2:b');
      putToy(project, 'toy:a', {}, null);
      await compact();
      const other = tryHold(path.join(project.home, 'lock'));
      try {
        expect(await start({ source: 'compact' }, { runtime: { lockPatienceMs: 1 } })).toEqual({
          hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'the toy goes on' },
        });
      } finally {
        other?.release();
      }
      expect(journalIn(project)).toMatchObject([{ run: null, error: expect.stringMatching(/^LockBusy: /) }]);
      expect(await start({ source: 'startup' })).toEqual({ systemMessage: UNCLAIMED });
    });

    it('one run’s trouble does not cost the others theirs', async () => {
      putToy(project, 'toy:a');
      putToy(project, 'toy2:b');
      const breaks = {
        beforeCompaction() {
          throw new Error('no disk');
        },
        afterCompaction() {
          throw new Error('no words');
        },
      };
      const runtime = { registry: toysWith(breaks) };
      expect(await compact({ runtime })).toEqual(SILENT);
      expect(await start({ source: 'compact' }, { runtime })).toEqual({
        hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'the toy goes on' },
      });
      expect(journalIn(project)).toMatchObject([
        { workflow: 'toy', run: 'a', error: 'Error: no disk' },
        { workflow: 'toy', run: 'a', error: 'Error: no words' },
      ]);
    });

    it('nothing is written for a run that is another session’s by now', async () => {
      putToy(project, 'toy:a');
      writeSidecar(project.root, { ...readSidecar(project.root, 'toy:a'), sessions: ['another'] });
      await compact();
      expect(readSidecar(project.root, 'toy:a').saved).toBeUndefined();
      expect(fs.existsSync(path.join(project.root, '.toy/a.anchor'))).toBe(false);
      expect(await start({ source: 'compact' })).toEqual({ systemMessage: UNCLAIMED });
    });

    it('what a run writes stays within its own folder', async () => {
      putToy(project, 'toy:a');
      const outside = path.join(path.dirname(project.root), 'outside');
      fs.mkdirSync(outside);
      const file = path.join(outside, 'anchor');
      const commit = { writes: [{ kind: 'replace' as const, path: file, content: 'x' }], stateHash: '' };
      const within = (folder?: string) => ({
        registry: toysWith({
          beforeCompaction: () => ({ ...commit, saved: 'x', ...(folder && { within: folder }) }),
        }),
      });
      await compact({ runtime: within() });
      expect(fs.existsSync(file)).toBe(false);
      await compact({ runtime: within(outside) });
      expect(fs.readFileSync(file, 'utf8')).toBe('x');
    });
  });

  describe('by `holdfast run`', () => {
    const driven = (more: object = {}) => {
      const { env } = leaveDriverToken(project, 'toy:a', { session: null, fresh: false, ...more });
      return { env: { ...project.env, ...env } };
    };
    const owner = (): readonly string[] => readSidecar(project.root, 'toy:a').sessions;

    it('its run is bound to the session', async () => {
      putToy(project, 'toy:a', {}, null);
      expect(await start({ source: 'startup' }, { runtime: driven() })).toBeNull();
      expect(owner()).toEqual([SESSION]);
      expect(readSession(project.root, SESSION)?.runs).toEqual(['toy:a']);
    });

    it.each([
      ['clear', {}],
      ['compact', {}],
      ['resume', {}],
      ['startup', { forks: true }],
    ])('a start by %s with %j binds nothing', async (source, more) => {
      putToy(project, 'toy:a', {}, null);
      await start({ source }, { runtime: driven(more) });
      expect(owner()).toEqual([]);
    });

    it('a fork of the run’s session has it', async () => {
      putToy(project, 'toy:a', {}, null);
      await start({ source: 'resume' }, { runtime: driven({ forks: true }) });
      expect(owner()).toEqual([SESSION]);
    });

    it('without a token nothing is bound', async () => {
      putToy(project, 'toy:a', {}, null);
      await start({ source: 'startup' });
      await start({ source: 'startup' }, { runtime: { env: { ...project.env, [DRIVER_VARIABLE]: 'x' } } });
      expect(owner()).toEqual([]);
    });

    it('trouble with it is in the journal, and nothing fails', async () => {
      putToy(project, 'toy:a', {}, null);
      await start({ source: 'clear' });
      const other = tryHold(path.join(project.home, 'lock'));
      try {
        const runtime = { ...driven(), lockPatienceMs: 1 };
        expect(await start({ source: 'startup' }, { runtime })).toBeNull();
      } finally {
        other?.release();
      }
      expect(owner()).toEqual([]);
      expect(journalIn(project)).toMatchObject([{ run: null, error: expect.stringMatching(/^LockBusy: /) }]);
    });
  });

  it('an agent whose client shows no notices is told to pass them on', async () => {
    putToy(project, 'toy:a', {}, null);
    const TOLD =
      'Your client shows the user no messages of Holdfast. Pass this on to them, in your own words, when you end your turn:';
    expect(await start({ source: 'startup' }, { named: 'copilot' })).toEqual({
      systemMessage: UNCLAIMED,
      additionalContext: `${TOLD}\n${UNCLAIMED}`,
    });
    putToy(project, 'toy2:b');
    writeIn(project, '.toy2/b.json', '{"phase":"done"}');
    await compact({ named: 'copilot' });
    expect(await start({ source: 'compact' }, { named: 'copilot' })).toEqual({
      additionalContext: 'the toy goes on',
    });
  });
});
