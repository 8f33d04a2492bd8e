import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Stop } from '../../clients/stop.ts';
import { DEFAULT_CONFIG } from '../../config/config.ts';
import { newSidecar, type Sidecar, type Waiting } from '../../store/records.ts';
import { askWait, capAt, pauseAt, waitBesideAllow, waitRecord, waitsForPerson } from './at-stop.ts';

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

describe('a pause', () => {
  it('waits for a person from the stop that shows it, as long as a question does', () => {
    prompts('human');
    const waiting = pauseAt(at({}), newSidecar('idle:x'), 'It is your turn.');
    expect(waiting).toMatchObject({ for: 'person', since: now, what: 'It is your turn.', pause: true });
    expect(waiting.until).toBe(now + DEFAULT_CONFIG.wait.personMs);
    expect(waitsForPerson(waitingFor(waiting), at({}))).toBe(true);
  });

  it('is over once they have begun a turn, and after its time', () => {
    prompts('human', 'human');
    const paused: Waiting = { ...asked, pause: true };
    expect(waitsForPerson(waitingFor(paused), at({}))).toBe(false);
    prompts('human', 'task_notification');
    expect(waitsForPerson(waitingFor(paused), at({}))).toBe(true);
    expect(waitsForPerson(waitingFor({ ...paused, until: now - 1 }), at({}))).toBe(false);
    expect(waitsForPerson(newSidecar('idle:x'), at({}))).toBe(false);
    expect(waitsForPerson(waitingFor(limit), at({}))).toBe(false);
  });

  it('that begins again keeps what was said at first', () => {
    prompts('human');
    expect(pauseAt(at({}), waitingFor(asked), null)).toMatchObject({ what: asked.what, pause: true });
  });
});

describe('what is asked about a wait', () => {
  const NOBODY = { kind: 'goes-on', waiting: null, ended: null };

  it('is nothing where nothing is waited for and nothing runs', () => {
    expect(askWait(at({}), newSidecar('idle:x'), 'hold')).toEqual({
      ...{ question: null, answer: NOBODY, asks: null, answered: null },
    });
  });

  it('is whether it goes on, with what was answered', () => {
    prompts('human', 'human');
    const { question, answer, answered: which } = askWait(at({}), waitingFor(asked), 'review');
    expect(question).toEqual({
      ...{ now, step: 'review', waiting: asked, work: null, answered: 'yes' },
      limits: { work: DEFAULT_CONFIG.wait.workMs },
    });
    expect(answer).toMatchObject({ kind: 'goes-on', waiting: null, ended: asked });
    expect(which).toBe(asked);
    prompts('human');
    expect(askWait(at({}), waitingFor(asked), 'hold')).toMatchObject({
      ...{ answer: { kind: 'waits', waiting: asked }, asks: null, answered: null },
    });
  });

  it('shows a question that nobody was shown yet, with where the conversation stands', () => {
    prompts('human');
    const unshown = { ...asked, shown: null };
    const wait = askWait(at({}), waitingFor(unshown), 'hold');
    expect(wait.asks).toEqual(unshown);
    expect(wait.answer.waiting).toEqual({ ...asked, shown: { marker: 'line-0', turn: 'turn-2' } });
    expect(wait.answered).toBeNull();
  });
});

it('a client’s cap waits for the next prompt, whatever stands in the transcript', () => {
  prompts('human');
  const capped = capAt(at({}), 'No more holds.');
  expect(capped).toEqual({
    ...{ for: 'person', since: now, until: now + DEFAULT_CONFIG.wait.personMs, what: 'No more holds.' },
    ...{ shown: { marker: null, turn: 'turn-2' }, pause: true, capped: true },
  });
  expect(waitsForPerson(waitingFor(capped), at({}))).toBe(true);
  expect(waitsForPerson(waitingFor(capped), at({ turn: 'turn-3' }))).toBe(false);
  expect(waitsForPerson(waitingFor(capped), at({ turn: null }))).toBe(false);
});

it('a pause without words of its own keeps what was asked, or says nothing', () => {
  prompts('human');
  const what = (sidecar: Sidecar, said: string | null): string => pauseAt(at({}), sidecar, said).what;
  expect(what(newSidecar('idle:x'), null)).toBe('');
  expect(what(waitingFor(asked), null)).toBe('A secret?');
  expect(what(waitingFor(asked), 'Your turn.')).toBe('Your turn.');
});
