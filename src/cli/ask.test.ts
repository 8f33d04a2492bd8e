// What `ask` prints, refuses and notes. test/cli/ask.test.ts plays it as an agent does, with the stops after it.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { emptyFolder, NOW, projectIn, writeIn } from '../../test/support/bare-project.ts';
import { called, callIn, type Given } from '../../test/support/call.ts';
import { DEFAULT_CONFIG } from '../config/config.ts';
import type { Project } from '../engine/project.ts';
import { journalFromEnd } from '../store/journal.ts';
import { NO_WAITS, type Sidecar, type Waiting } from '../store/records.ts';
import { bind, readSidecar, writeSidecar } from '../store/sidecars.ts';
import { loop } from '../workflows/idle/cli/loop.ts';
import { ask } from './ask.ts';
import { cancel } from './cancel.ts';

const LOOP = `idle:loop-${NOW / 1000}-${process.pid}`;
const DAY = 24 * 3_600_000;
const USED_UP =
  '3 questions in a row, with no work between them: decide yourself, write down what you decided and why, and go on.';
const NO_RUN =
  'this session has no live run, so nothing holds you: put the question into your last message and end your turn.';

let project: Project;
beforeEach(() => {
  project = projectIn(emptyFolder(), { env: { CLAUDE_CODE_SESSION_ID: 's1' } });
});

const as = (session: string | null): Project => ({
  ...project,
  env: { ...project.env, CLAUDE_CODE_SESSION_ID: session ?? undefined },
});
const start = async (whose = project): Promise<void> => {
  expect((await called(loop, whose, { words: ['a task'] }))[0]).toBe('0');
};
const plan = (sessions: readonly string[]): void => {
  writeIn(project, '.taskie/plans/p/plan.md', '# Plan\n');
  bind(project.root, 'taskie:p', sessions);
};
const asked = (what: string | Given, by = project): Promise<string[]> =>
  called(ask, by, typeof what === 'string' ? { words: [what] } : what);
const noted = (run = LOOP): Sidecar => readSidecar(project.root, run);
const note = (more: Partial<Sidecar>, run = LOOP): void =>
  writeSidecar(project.root, { ...noted(run), ...more });
const questions = () => [...journalFromEnd(project.root)].filter(({ event }) => event === 'question');

const person = (what: string, shown: Waiting['shown'] = null): Waiting => ({
  ...{ for: 'person', since: NOW, until: NOW + 7 * DAY, what, shown },
});
const isDone = (runs: string): string[] => [
  '0',
  `Asked. End your turn now: the question is shown to the user, and ${runs} for the answer.`,
];

describe('a question', () => {
  it('is noted with its time, journaled once, and the agent is told to end its turn', async () => {
    await start();
    const before = noted();
    expect(await asked('Which one?')).toEqual(isDone(`${LOOP} waits`));
    expect(noted()).toEqual({
      ...before,
      waiting: person('Which one?'),
      waits: { ...NO_WAITS, questions: 1 },
    });
    expect(questions()).toEqual([
      {
        ...{ schema: 2, time: new Date(NOW).toISOString(), event: 'question', what: 'asked' },
        ...{ session: 's1', workflow: 'idle', run: LOOP.slice('idle:'.length) },
      },
    ]);
  });

  it('waits as long as the config says', async () => {
    await start();
    const wait = { ...DEFAULT_CONFIG.wait, personMs: 5000 };
    await asked('Which?', { ...project, config: { ...DEFAULT_CONFIG, wait } });
    expect(noted().waiting?.until).toBe(NOW + 5000);
  });

  it.each<[string, Given, string]>([
    ['several words', { words: ['Which', 'one?'], stdin: 'not read' }, 'Which one?'],
    ['standard input', { stdin: '\nWhich\n one?\n' }, 'Which one?'],
    ['at most 2000 characters', { words: ['x'.repeat(2000)] }, 'x'.repeat(2000)],
    ['no more of them', { words: ['x'.repeat(2001)] }, `${'x'.repeat(1999)}…`],
  ])('is one paragraph: %s', async (_, given, what) => {
    await start();
    expect((await asked(given))[0]).toBe('0');
    expect(noted().waiting?.what).toBe(what);
  });

  it('goes to every live run of the session', async () => {
    await start();
    plan(['s1']);
    expect(await asked('Which?')).toEqual(isDone(`taskie:p and ${LOOP} wait`));
    expect([noted(), noted('taskie:p')].map(({ waiting }) => waiting)).toEqual([
      person('Which?'),
      person('Which?'),
    ]);
    expect(questions()).toHaveLength(2);
  });

  it('goes to no run of another session', async () => {
    await start();
    plan(['s2']);
    expect(await asked('Which?')).toEqual(isDone(`${LOOP} waits`));
    expect(noted('taskie:p').waiting).toBeUndefined();
  });
});

describe('questions in a row', () => {
  const shown = { marker: null, turn: 'p1' };

  it('are counted once the one before was shown', async () => {
    await start();
    await asked('One?');
    await asked('One, in better words?');
    expect(noted()).toMatchObject({
      waiting: person('One, in better words?'),
      waits: { ...NO_WAITS, questions: 1 },
    });
    note({ waiting: person('One?', shown) });
    await asked('Two?');
    expect(noted()).toMatchObject({ waiting: person('Two?'), waits: { questions: 2 } });
  });

  it('are three at most; the fourth is refused and counted, and what is waited for stays', async () => {
    await start();
    note({ waits: { ...NO_WAITS, questions: 2, calls: 7 } });
    expect((await asked('Three?'))[0]).toBe('0');
    expect(noted().waits).toEqual({ ...NO_WAITS, questions: 3, calls: 7 });
    // One that nobody was shown is only worded again.
    expect((await asked('Three, in better words?'))[0]).toBe('0');
    note({ waiting: person('Three?', shown) });
    expect(await asked('Four?')).toEqual(['NotNow', USED_UP]);
    expect(noted()).toMatchObject({
      waiting: person('Three?', shown),
      waits: { ...NO_WAITS, questions: 4, calls: 7 },
    });
    expect(await asked('Five?')).toEqual(['NotNow', USED_UP]);
    expect(noted().waits?.questions).toBe(4);
    expect(questions()).toHaveLength(2);
  });

  it('are counted for each run', async () => {
    await start();
    plan(['s1']);
    note({ waits: { ...NO_WAITS, questions: 3 } });
    expect(await asked('Which?')).toEqual(isDone('taskie:p waits'));
    expect(noted().waiting).toBeUndefined();
  });

  it('add the time of what was waited for before', async () => {
    await start();
    note({ waiting: { for: 'limit', since: NOW - 5000, until: null, what: 'rate_limit' } });
    await asked('Which?');
    expect(noted()).toMatchObject({
      waiting: person('Which?'),
      waits: { ...NO_WAITS, waited: 5000, questions: 1 },
    });
  });
});

describe('a question is refused', () => {
  it.each<[string, Given]>([
    ['nothing', {}],
    ['blank words', { words: [' '], stdin: 'not read' }],
    ['blank input', { stdin: ' \n\t ' }],
  ])('where there is none: %s', async (_, given) => {
    await start();
    expect(await asked(given)).toEqual([
      'WrongUsage',
      'ask: the question is missing. Usage: holdfast ask "<question>", or the question on standard input.',
    ]);
    expect(noted().waiting).toBeUndefined();
  });

  it.each([
    [
      {},
      'ask is for agents: in a plain terminal there is no session whose run could wait. `holdfast status` lists the runs here.',
    ],
    [
      { GEMINI_CLI: '1' },
      'this client does not tell its shell which session it is, so no run can wait for an answer. Put the question into your last message and end your turn.',
    ],
  ])('without a session: %j', async (env, why) => {
    await start();
    const { env: terminal } = as(null);
    expect(await asked('Which?', { ...project, env: { ...terminal, ...env } })).toEqual(['NotNow', why]);
  });

  it('where nobody is there to answer', async () => {
    await start();
    expect(await asked('Which?', { ...project, config: { ...DEFAULT_CONFIG, ask: 'refuse' } })).toEqual([
      'NotNow',
      'nobody is here to answer: take the safest choice, write it down in ASSUMPTIONS.md, and go on.',
    ]);
    expect(noted().waiting).toBeUndefined();
  });

  it('without a run of this session', async () => {
    expect(await asked('Which?')).toEqual(['NotNow', NO_RUN]);
    await start(as('s2'));
    expect(await asked('Which?')).toEqual(['NotNow', NO_RUN]);
    expect(noted().waiting).toBeUndefined();
  });

  it('without a project', async () => {
    const nowhere = { words: ['Which?'], env: project.env, existing: async () => null };
    const { call } = callIn(project.root, nowhere);
    await expect(ask.run(call)).rejects.toMatchObject({ name: 'NotNow', message: NO_RUN });
  });

  it('for a run that waits for the next session, with what makes it this one’s', async () => {
    plan(['s2']);
    await start(as(null));
    expect(await asked('Which?')).toEqual([
      'NotNow',
      `${LOOP} holds the next session here, but is not yet this session's. Make it so with \`holdfast adopt ${LOOP}\`, then ask again.`,
    ]);
  });

  it('where it cannot be read whose the run is', async () => {
    await start();
    plan(['s2']);
    const file = `.holdfast/runs/${LOOP.replace(':', '-')}.json`;
    expect(fs.existsSync(path.join(project.root, file))).toBe(true);
    writeIn(project, file, 'nonsense');
    const [kind, why = ''] = await asked('Which?');
    expect(kind).toBe('NotNow');
    expect(why).toMatch(
      new RegExp(`^whose ${LOOP} is cannot be read: .*${file}.*; to fix it, run \`holdfast adopt ${LOOP}\`$`),
    );
  });

  it('without a word of a run that is over', async () => {
    await start();
    await called(cancel, project);
    writeIn(project, `.holdfast/runs/${LOOP.replace(':', '-')}.json`, 'nonsense');
    expect(await asked('Which?')).toEqual(['NotNow', NO_RUN]);
  });

  it('where nothing can be written, with the way that is left', async () => {
    await start();
    const lock = path.join(project.home, 'lock');
    fs.rmSync(lock, { force: true });
    fs.mkdirSync(lock);
    const [kind, why = ''] = await asked('Which?');
    expect(kind).toBe('NotNow');
    expect(why).toMatch(/^the question could not be noted: .*lock is a folder/);
    expect(why).toMatch(/\. Until it can be, put it into your last message\.$/);
  });

  it('with our own error where it is one', async () => {
    await start();
    const wrong = new TypeError('of our own');
    const write = vi.spyOn(fs, 'writeSync').mockImplementation(() => {
      throw wrong;
    });
    const [kind, why] = await asked('Which?').finally(() => write.mockRestore());
    expect([kind, why]).toEqual(['TypeError', 'of our own']);
  });
});
