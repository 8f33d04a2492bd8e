import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { emptyFolder, NOW, projectIn } from '../../test/support/bare-project.ts';
import { called } from '../../test/support/call.ts';
import { type TempProject, tempProject } from '../../test/support/project.ts';
import { DEFAULT_CONFIG } from '../config/config.ts';
import type { Project } from '../engine/project.ts';
import type { Call } from '../engine/workflow-cli.ts';
import { homeOf } from '../store/home.ts';
import { appendToJournal, keepJournalWithin } from '../store/journal.ts';
import type { JournalEntry, StopEntry } from '../store/journal-lines.ts';
import type { Waiting } from '../store/records.ts';
import { readSidecar, writeSidecar } from '../store/sidecars.ts';
import { describeWait } from '../view/describe-waiting.ts';
import { explain, inItsWords } from '../view/explain-stop.ts';
import { allRuns } from '../view/runs.ts';
import { cancel } from '../workflows/idle/cli/cancel.ts';
import { loop } from '../workflows/idle/cli/loop.ts';
import { why } from './why.ts';

const held: StopEntry = {
  schema: 2,
  time: '2026-01-01T00:00:00.000Z',
  event: 'stop',
  client: 'claude-code',
  session: 's1',
  turn: null,
  workflow: 'taskie',
  run: 'plan-1',
  state: {},
  facts: {},
  guard: null,
  step: {
    kind: 'hold',
    change: null,
    message: { name: 'fix-findings', slots: { file: 'r.md', round: 2 } },
    notice: null,
  },
  answer: 'hold',
  notice: false,
  error: null,
  milliseconds: 20,
};

const allowed: StopEntry = {
  ...held,
  answer: 'allow',
  step: { kind: 'allow', change: null, notice: null },
};

function guard(memory: object, movement: object = {}, result = 'hold') {
  return {
    memory: { noProgress: 0, noTools: 0, toolsUnknown: 0, released: false, held: true, ...memory },
    movement: { state: false, artifacts: false, tools: 'no', ...movement },
    limits: { unmoved: 3, tools: 12, unknown: 12 },
    result,
  };
}

describe('why a stop was answered so', () => {
  const rows: readonly [string, StopEntry, string][] = [
    [
      'a hold names its message and what was in it',
      held,
      'Held by taskie:plan-1. It said "fix findings" (file r.md, round 2). (',
    ],
    [
      'a hold after nothing moved counts the holds',
      { ...held, guard: guard({ noTools: 1 }) },
      'Nothing moved since the last hold (2 of 3 before it is let go).',
    ],
    [
      'a hold after progress names it',
      { ...held, guard: guard({}, { state: true, artifacts: true, tools: 'yes' }) },
      'Moved since the last hold: the state, its files, the agent used tools.',
    ],
    [
      'a hold with a silent transcript says so',
      { ...held, guard: guard({}, { tools: 'unknown' }) },
      'Moved since the last hold: perhaps the agent (the transcript does not show it).',
    ],
    [
      'a letting go because nothing moved at all',
      { ...allowed, guard: guard({ noTools: 3, noProgress: 3 }, {}, 'release') },
      'The guard let go: nothing at all moved in 3 holds in a row.',
    ],
    [
      'a letting go because there is no transcript',
      { ...allowed, guard: guard({ toolsUnknown: 12, noProgress: 12 }, { tools: 'unknown' }, 'release') },
      'The guard let go: the transcript could not be read for 12 holds in a row.',
    ],
    [
      'a letting go of an agent that only used tools',
      { ...allowed, guard: guard({ noProgress: 12 }, { tools: 'yes' }, 'release') },
      'The guard let go: the agent used tools, but neither the state nor a file of the run moved in 12 holds in a row.',
    ],
    [
      'a run that was let go before',
      { ...allowed, guard: guard({ released: true, noTools: 3 }, {}, 'release') },
      'It had been let go because there was no progress, and nothing has moved since.',
    ],
    ['an allowed stop without a word', allowed, 'Allowed by taskie:plan-1. Nothing was outstanding.'],
    [
      'an allowed stop with a notice',
      { ...allowed, step: { kind: 'allow', change: null, notice: { name: 'all-done', slots: {} } } },
      'Allowed by taskie:plan-1. It said "all done".',
    ],
    ['a stop fired by hand', { ...held, session: null }, 'claude-code, fired by hand)'],
    [
      'a step we cannot read',
      { ...held, step: 'strange' },
      'Held by taskie:plan-1. The journal does not say why.',
    ],
  ];

  test.each(rows)('%s', (_, entry, words) => {
    expect(explain(entry)).toContain(words);
  });

  test.each([null, [], 1, { memory: null }, { ...guard({}), result: 1 }])(
    'is explained without the guard when its record is strange: %j',
    (strange) => {
      expect(explain({ ...held, guard: strange })).toMatch(
        /It said "fix findings" \(file r\.md, round 2\)\. \(/,
      );
    },
  );
});

describe('holdfast why', () => {
  let temp: TempProject;
  let printed: string[];

  beforeEach(() => {
    temp = tempProject();
    printed = [];
  });

  afterEach(() => temp.remove());

  function call(flags: Call['flags'] = {}, isThere = true): Call {
    const config = { ...DEFAULT_CONFIG, review: { ...DEFAULT_CONFIG.review, timeoutMs: 1 } };
    const project: Project = {
      root: temp.root,
      home: homeOf(temp.root),
      env: {},
      now: 0,
      cli: 'holdfast',
      config,
    };
    return {
      flags,
      words: [],
      env: {},
      cwd: temp.root,
      now: 0,
      stdin: () => '',
      print: (line) => printed.push(line),
      existing: async () => (isThere ? project : null),
      forNewRun: async () => project,
    };
  }

  const journal = (...entries: JournalEntry[]): void => {
    for (const entry of entries) appendToJournal(temp.root, entry);
  };
  const later = { time: '2026-01-01T00:01:00.000Z' };

  it('tells of the last stop alone, with a line for each run in the order they were served', async () => {
    journal(
      held,
      { ...allowed, ...later, run: 'plan-1' },
      { ...held, ...later, workflow: 'idle', run: 'loop-1' },
    );

    expect(await why.run(call())).toBe(0);

    expect(printed).toHaveLength(2);
    expect(printed[0]).toContain('Allowed by taskie:plan-1');
    expect(printed[1]).toContain('Held by idle:loop-1');
  });

  it('keeps two sessions apart that stopped in the same moment', async () => {
    journal(held, { ...held, session: 's2', run: 'plan-2' });

    await why.run(call());

    expect(printed).toEqual([expect.stringContaining('taskie:plan-2')]);
  });

  test.each(['plan-1', 'taskie:plan-1'])('tells of the last stop of one run: --run %s', async (run) => {
    journal(held, { ...held, ...later, run: 'plan-2' });

    await why.run(call({ run }));

    expect(printed).toEqual([expect.stringContaining('Held by taskie:plan-1')]);
  });

  it('looks into earlier segments', async () => {
    journal(held);
    keepJournalWithin(temp.root, { bytes: 0 });

    await why.run(call());

    expect(printed).toHaveLength(1);
  });

  it('gives the journal’s own lines as JSON', async () => {
    journal(held);

    await why.run(call({ json: true }));

    expect(JSON.parse(printed.join(''))).toEqual([held]);
  });

  it('refuses in one line where there is nothing to tell', async () => {
    await expect(why.run(call({}, false))).rejects.toThrow('no runs in this project yet.');
    await expect(why.run(call())).rejects.toThrow('no stops in this project yet.');
    journal(held);
    await expect(why.run(call({ run: 'other' }))).rejects.toThrow('there is no run "other"');
  });
});

describe('what came of it since then', () => {
  const NOTES: Waiting = { for: 'person', since: NOW, until: NOW + 3_600_000, what: 'Which one?' };
  let here: Project;
  let run: string;

  beforeEach(async () => {
    here = projectIn(emptyFolder(), { env: { CLAUDE_CODE_SESSION_ID: 's1' } });
    await called(loop, here, { words: ['a task'] });
    run = (await allRuns(here))[0]?.name ?? '';
  });

  /** Its last stop: one that waited for work, or one that did not wait. */
  const stopped = (waited: boolean, of = run): StopEntry => {
    const waiting = {
      ...{ now: NOW, step: 'hold', waiting: null, work: 'work', answered: null, result: 'waits' },
      limits: { work: 3_600_000 },
    };
    const entry: StopEntry = {
      ...(waited ? { ...allowed, step: held.step, waiting } : allowed),
      ...{ workflow: 'idle', run: of.slice('idle:'.length) },
    };
    appendToJournal(here.root, entry);
    return entry;
  };
  const note = (waiting: Waiting | undefined): void =>
    writeSidecar(here.root, { ...readSidecar(here.root, run), waiting });
  const explained = async (): Promise<string> => {
    const [code, line = '', ...more] = await called(why, here);
    expect([code, more]).toEqual(['0', []]);
    return line;
  };

  it('is nothing where it goes on as it did', async () => {
    const entry = stopped(false);
    expect(await explained()).toBe(explain(entry, await inItsWords(entry)));
  });

  it('is that it waits by now', async () => {
    const entry = stopped(false);
    note(NOTES);
    const [live] = await allRuns(here);
    if (live === undefined) throw new Error('there is no run');
    const said = describeWait(live, here);
    expect(said).toContain('Which one?');
    expect(await explained()).toBe(`${explain(entry, await inItsWords(entry))} Since then: ${said}`);
    note({ ...NOTES, until: NOW });
    expect(await explained()).not.toContain('Since then');
  });

  it('is nothing more where it still waits', async () => {
    const entry = stopped(true);
    note(NOTES);
    expect(await explained()).toBe(explain(entry, await inItsWords(entry)));
  });

  it('is where it stands, or that it is gone, once it waits no more', async () => {
    const entry = stopped(true);
    await called(cancel, here);
    const stage = (await allRuns(here))[0]?.stage;
    expect(await explained()).toBe(
      `${explain(entry, await inItsWords(entry))} It no longer waits: it is ${stage}.`,
    );
    const gone = stopped(true, 'idle:gone');
    expect(await called(why, here, { flags: { run: 'idle:gone' } })).toEqual([
      '0',
      `${explain(gone, await inItsWords(gone))} It no longer waits: it is gone.`,
    ]);
    const other = stopped(false, 'idle:other');
    expect(await called(why, here, { flags: { run: 'idle:other' } })).toEqual([
      '0',
      explain(other, await inItsWords(other)),
    ]);
  });
});
