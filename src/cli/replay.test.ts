import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callIn } from '../../test/support/call.ts';
import { type TempProject, tempProject } from '../../test/support/project.ts';
import { openProject } from '../engine/stop/find-project.ts';
import { type Call, NotNow, WrongUsage } from '../engine/workflow-cli.ts';
import { runtimeHere } from '../hook/runtime.ts';
import { ensureHome } from '../store/home.ts';
import { appendToJournal } from '../store/journal.ts';
import { parseJournalLine } from '../store/journal-lines.ts';
import type { Json } from '../store/json.ts';
import { replay } from './replay.ts';

/** A line of the journal that all stops here share. */
const stop = {
  schema: 2,
  time: '2026-01-01T00:00:00.000Z',
  event: 'stop',
  client: 'claude-code',
  session: 's1',
  turn: null,
  guard: null,
  answer: 'allow',
  notice: false,
  error: null,
  milliseconds: 20,
};

/** A stop at which an idle loop ended by its signal. */
function endedWith(over: Json): string {
  return JSON.stringify({
    ...stop,
    workflow: 'idle',
    run: 'loop-1',
    state: {
      kind: 'loop',
      event: 'STATE',
      updatedAt: 1000,
      stack: [{ mode: 'loop', iter: 1, max: 10, carryOn: false }],
    },
    facts: { now: 1000, signal: 'STUCK', nearMiss: 'none', seen: null, verdict: null, failedReviews: 0 },
    step: {
      kind: 'allow',
      change: { event: 'DONE', reason: 'STUCK', drop: 'top', step: false, seen: null },
      notice: null,
      ...(over === null ? {} : { over }),
    },
  });
}

/** A stop while claudex's reviewer runs, as `word` was then written. */
function stillRunning(waited: string, word: string): string {
  const notice = { name: 'still-running', slots: { round: 1 } };
  const first = waited === 'held';
  return JSON.stringify({
    ...stop,
    workflow: 'claudex',
    run: '20260101-000000-abcdef',
    state: { mode: 'plan', phase: 'reviewing', round: 1, maxRounds: 3, signal: 'none' },
    facts: {
      ...{ id: 'valid', cwd: 'inside', plan: 'unread', runner: 'running', waited, lastReviewed: 0 },
      ...{ reviewFiles: 'unread', unwarned: [], verdict: null, failedReviews: 0 },
    },
    step: {
      kind: 'allow',
      change: { log: { answer: 'allow', why: 'runner-running' }, ...(first ? { waited: word } : {}) },
      notice: first ? notice : null,
    },
  });
}

async function replayed(line: string): Promise<{ exitCode: number; printed: string }> {
  const lines: string[] = [];
  const call = { words: [line], flags: {}, print: (text: string) => lines.push(text) };
  const exitCode = await replay.run(call as unknown as Call);
  return { exitCode, printed: lines.join('\n') };
}

describe('a recorded end of a run', () => {
  it.each([['stuck'], [true]])('comes out the same when it says over: %s', async (over) => {
    const { exitCode, printed } = await replayed(endedWith(over));
    expect(printed).toMatch(/idle:loop-1: same$/);
    expect(exitCode).toBe(0);
  });

  it.each([['completed'], [null], [false]])('comes out different when it says over: %s', async (over) => {
    const { exitCode, printed } = await replayed(endedWith(over));
    expect(printed).toContain('idle:loop-1: different');
    expect(exitCode).toBe(1);
  });
});

describe('a stop while a reviewer runs', () => {
  it.each([
    ['held', 'notified'],
    ['held', 'told'],
    ['notified', ''],
    ['told', ''],
  ])('comes out the same in the words of today and of 0.2: %s, %s', async (waited, word) => {
    const { printed } = await replayed(stillRunning(waited, word));
    expect(printed).toMatch(/claudex:\S+: same$/);
  });

  it('comes out different when it recorded another word', async () => {
    expect((await replayed(stillRunning('held', 'held'))).printed).toContain(': different');
  });
});

describe('a stop at which the run waited', () => {
  const waiting = {
    ...{ now: 5000, step: 'hold', waiting: null, work: 'work', answered: null, limits: { work: 1000 } },
    result: 'waits',
  };
  const waited = (more: object): string =>
    JSON.stringify({ ...JSON.parse(endedWith('stuck')), waiting: { ...waiting, ...more } });

  it('is asked again whether it does', async () => {
    expect((await replayed(waited({}))).printed).toContain(': same');
    const asked = { for: 'person', since: 1, until: 9000, what: '', shown: null };
    expect((await replayed(waited({ waiting: asked, work: null }))).printed).toContain(': same');
  });

  it.each<[string, object]>([
    ['would not wait now', { work: null }],
    ['would wait now', { result: 'goes-on' }],
    ['cannot be read', { step: 'anything' }],
  ])('comes out different when it %s', async (_, more) => {
    expect((await replayed(waited(more))).printed).toContain(': different');
  });
});

describe('what is replayed', () => {
  let project: TempProject;
  beforeEach(() => {
    project = tempProject();
  });
  afterEach(() => project.remove());

  const of = async (word: string, flags: Call['flags'] = {}) => {
    const existing = () => openProject(project.root, runtimeHere({ HOME: project.home }));
    const { call, printed } = callIn(project.root, { words: [word], flags, existing });
    return { exitCode: await replay.run(call), printed };
  };
  const TIME = '2026-01-01T00:00:00.000Z';
  const [same, other] = [endedWith('stuck'), endedWith('completed')];

  it('is a file of lines, with a count at its end', async () => {
    const file = project.write('lines', `${same}\nno line\n${other}\n`);
    const { exitCode, printed } = await of(file);
    expect(exitCode).toBe(1);
    expect(printed).toHaveLength(3);
    expect(printed[0]).toBe(`${TIME} idle:loop-1: same`);
    expect(printed[1]).toMatch(
      new RegExp(
        `^${TIME} idle:loop-1: different\n {2}recorded: \\{.*"over":"completed".*\n {2}now: {6}\\{.*"over":"stuck".*$`,
      ),
    );
    expect(printed[2]).toBe('2 stops replayed, 1 different.');
    const data = await of(file, { json: true });
    expect(data.exitCode).toBe(1);
    expect(data.printed).toHaveLength(1);
    expect(JSON.parse(data.printed[0] ?? '')).toMatchObject([
      { run: 'idle:loop-1', time: TIME, outcome: 'same' },
      { run: 'idle:loop-1', time: TIME, outcome: 'different', recorded: { over: 'completed' } },
    ]);
  });

  it('is the N-th last stop here', async () => {
    ensureHome(project.root);
    for (const line of [other, same]) {
      const entry = parseJournalLine(line);
      if (entry !== null) appendToJournal(project.root, entry);
    }
    expect((await of('1')).printed).toEqual([`${TIME} idle:loop-1: same`]);
    expect((await of('2')).exitCode).toBe(1);
    await expect(of('3')).rejects.toThrow(new NotNow('the journal here holds only 2 stops.'));
    const { call } = callIn(project.root, { words: ['1'], existing: async () => null });
    await expect(replay.run(call)).rejects.toThrow(new NotNow('the journal here holds only 0 stops.'));
  });

  it('is nothing where a workflow is not known, or no step was taken', async () => {
    const line = JSON.parse(same);
    for (const over of [{ workflow: 'other' }, { step: null }, { facts: {} }]) {
      const { exitCode, printed } = await of(JSON.stringify({ ...line, ...over }));
      expect(exitCode).toBe(0);
      expect(printed).toHaveLength(1);
      expect(printed[0]).toMatch(/^2026-01-01T00:00:00\.000Z (?:idle|other):loop-1: not replayable$/);
    }
  });

  it('is refused where it is no stop', async () => {
    const NONE = new WrongUsage(
      'replay: that holds no stop of a journal. Give a line of .holdfast/journal.jsonl, a file, or N.',
    );
    await expect(of('{}')).rejects.toThrow(NONE);
    await expect(of(project.write('empty', ''))).rejects.toThrow(NONE);
    for (const word of ['nothing', '0', '1000000', ''])
      await expect(of(word)).rejects.toThrow(
        new WrongUsage(`replay: ${word} is neither a journal line nor a file that can be read.`),
      );
  });
});
