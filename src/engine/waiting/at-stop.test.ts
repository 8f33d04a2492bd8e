import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Stop } from '../../clients/stop.ts';
import { DEFAULT_CONFIG } from '../../config/config.ts';
import { NO_WAITS, newSidecar, type Sidecar, type Waiting, type Waits } from '../../store/records.ts';
import { askWait, type StepTaken, waitBesideAllow, waitRecord, waitsAfter, withWait } from './at-stop.ts';

const HOUR = 3_600_000;
const now = 1_000 * HOUR;

let folder: string;
let transcript: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-waiting-'));
  transcript = path.join(folder, 'transcript.jsonl');
});

afterEach(() => fs.rmSync(folder, { recursive: true }));

/** Prompts as Claude Code writes them down, by what began the turn. */
function prompts(...origins: readonly string[]): void {
  const lines = origins.map((turnOrigin, index) => {
    const message = { role: 'user', content: 'so' };
    return `${JSON.stringify({ uuid: `line-${index}`, type: 'user', message, turnOrigin })}\n`;
  });
  fs.writeFileSync(transcript, lines.join(''));
}

function at(stop: Partial<Stop>) {
  const whole: Stop = {
    ...{ client: 'claude-code', session: 's', turn: 'turn-2', cwd: folder, transcriptPath: transcript },
    ...{ lastMessage: null, planMode: false, backgroundTasks: [], ...stop },
  };
  const places = { root: folder, home: folder, env: {}, cli: 'holdfast' };
  return { stop: whole, project: { ...places, now, config: DEFAULT_CONFIG } };
}

const shown = { marker: 'line-0', turn: 'turn-1' };
const asked: Waiting = { for: 'person', since: now - HOUR, until: now + HOUR, what: 'A secret?', shown };
const limit: Waiting = { for: 'limit', since: now - HOUR, until: now + HOUR, what: 'rate_limit' };
const waitingFor = (waiting: Waiting): Sidecar => ({ ...newSidecar('idle:x'), waiting });
const answered = (stop: Partial<Stop> = {}, waiting: Waiting = asked) =>
  askWait(at(stop), waitingFor(waiting), 'hold').question?.answered;

describe('a question', () => {
  it('is answered when a person began a turn since it was shown', () => {
    prompts('human', 'task_notification', 'human');
    expect(answered()).toBe('yes');
  });

  it('is not answered by what ended in the background', () => {
    prompts('human', 'task_notification', 'scheduled', 'auto_continuation');
    expect(answered()).toBe('no');
  });

  it('is not answered by the prompt before it', () => {
    prompts('human');
    expect(answered()).toBe('no');
  });

  it('is answered in another turn, where the transcript does not tell', () => {
    prompts('human');
    const gone: Waiting = { ...asked, shown: { ...shown, marker: 'gone' } };
    const unread: Waiting = { ...asked, shown: { ...shown, marker: null } };
    for (const waiting of [gone, unread])
      expect([answered({}, waiting), answered({ turn: 'turn-1' }, waiting)]).toEqual(['yes', 'no']);
    expect(answered({ transcriptPath: null })).toBe('yes');
  });

  it('is answered where nobody could ever tell', () => {
    expect(
      answered({ transcriptPath: null, turn: null }, { ...asked, shown: { marker: null, turn: null } }),
    ).toBe('yes');
  });

  it('is shown with where the conversation stands, and recorded without a word of it', () => {
    prompts('human', 'human');
    const wait = askWait(at({}), waitingFor({ ...asked, shown: null }), 'hold');
    expect(wait.asks?.what).toBe('A secret?');
    expect(wait.answer).toMatchObject({
      kind: 'waits',
      waiting: { shown: { marker: 'line-1', turn: 'turn-2' } },
    });
    expect(waitRecord(wait)).toMatchObject({ waiting: { for: 'person', what: '' }, result: 'waits' });
  });
});

it('is not asked where there is nothing to wait for', () => {
  const wait = askWait(at({ transcriptPath: '/nowhere' }), newSidecar('idle:x'), 'hold');
  expect([wait.question, waitRecord(wait), wait.answer.kind]).toEqual([null, null, 'goes-on']);
});

it("keeps the word for a session's limit in the record", () => {
  expect(waitRecord(askWait(at({}), waitingFor(limit), 'hold'))).toMatchObject({
    waiting: { what: 'rate_limit' },
  });
});

describe('beside an allowed stop', () => {
  const beside = (waiting: Waiting) => waitBesideAllow(at({}), waitingFor(waiting));

  it('a question is shown once', () => {
    prompts('human');
    const first = beside({ ...asked, shown: null });
    expect(first.asks?.what).toBe('A secret?');
    expect(first.answer.waiting?.shown).toEqual({ marker: 'line-0', turn: 'turn-2' });
    expect(beside(asked)).toMatchObject({ asks: null, answer: { waiting: asked } });
  });

  it('what is over by it is over, and nothing else', () => {
    prompts('human', 'human');
    const work: Waiting = { ...limit, for: 'work' };
    const reviewer: Waiting = { ...limit, reviewer: 'codex' };
    expect(beside(asked).answer).toMatchObject({ waiting: null, ended: asked });
    expect(beside(limit).answer).toMatchObject({ waiting: null, ended: limit });
    for (const waiting of [work, reviewer])
      expect(beside(waiting).answer).toMatchObject({ waiting, ended: null });
    expect(beside({ ...asked, shown: null, until: now }).answer).toMatchObject({
      waiting: null,
      ended: null,
    });
  });
});

describe('the sidecar', () => {
  it('is left alone where nothing changes', () => {
    const sidecar = waitingFor(limit);
    expect(withWait(sidecar, { waiting: { ...limit }, ended: null }, now)).toBe(sidecar);
    const plain = newSidecar('idle:x');
    expect(withWait(plain, { waiting: null, ended: null }, now)).toBe(plain);
  });

  it('counts the time of a wait that ended', () => {
    const once = withWait(waitingFor(limit), { waiting: null, ended: limit }, now);
    expect([once.waiting, once.waits?.waited]).toEqual([undefined, HOUR]);
    const twice = withWait({ ...once, waiting: asked }, { waiting: null, ended: asked }, now);
    expect(twice.waits?.waited).toBe(2 * HOUR);
  });
});

describe('what is counted about waits', () => {
  const waits: Waits = { waited: HOUR, questions: 2, calls: 3, called: 4, callsAtHold: 1 };
  const nothing = { state: false, artifacts: false, tools: 'no' } as const;
  const held: StepTaken = { moves: false, held: true, movement: nothing, answered: null };

  it('is nothing for a run that never waited', () => {
    expect(waitsAfter(undefined, held)).toBeUndefined();
  });

  it('begins again with the age of the state', () => {
    expect(waitsAfter(waits, { ...held, moves: true })?.waited).toBe(0);
    expect(waitsAfter(waits, held)?.waited).toBe(HOUR);
  });

  it('knows the calls at each hold', () => {
    expect(waitsAfter(waits, held)?.callsAtHold).toBe(3);
    expect(waitsAfter(waits, { ...held, held: false })?.callsAtHold).toBe(1);
  });

  it('has questions in a row until the agent worked and asked nothing', () => {
    const worked: StepTaken = { ...held, movement: { ...nothing, tools: 'yes' } };
    expect(waitsAfter(waits, worked)?.questions).toBe(0);
    expect(waitsAfter(waits, held)?.questions).toBe(2);
    expect(waitsAfter(waits, { ...worked, answered: asked })?.questions).toBe(2);
    expect(
      waitsAfter(waits, { ...worked, movement: { ...nothing, tools: 'yes', waited: true } })?.questions,
    ).toBe(2);
    expect(waitsAfter({ ...NO_WAITS, questions: 1 }, { ...held, held: false })?.questions).toBe(1);
  });
});
