import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { bareProject } from '../../../test/support/bare-project.ts';
import { stopOf } from '../../../test/support/stop-here.ts';
import type { Stop } from '../../clients/stop.ts';
import { newSidecar, type Waiting } from '../../store/records.ts';
import type { Project } from '../project.ts';
import { askWait, capAt, pauseAt, waitBesideAllow, waitRecord, waitsForPerson } from './at-stop.ts';

const HOUR = 3_600_000;
const now = 1_000 * HOUR;
let project: Project;
let transcriptPath: string;
beforeEach(() => {
  project = bareProject(now);
  transcriptPath = path.join(project.root, 'transcript.jsonl');
});

/** Prompts as Claude Code writes them down, by what began the turn. */
function prompts(...origins: readonly string[]): void {
  const lines = origins.map((turnOrigin, index) => {
    const message = { role: 'user', content: 'so' };
    return `${JSON.stringify({ uuid: `line-${index}`, type: 'user', message, turnOrigin })}\n`;
  });
  fs.writeFileSync(transcriptPath, lines.join(''));
}

const at = (stop: Partial<Stop> = {}) => ({
  ...{ project, stop: stopOf(project, { turn: 'turn-2', transcriptPath, ...stop }) },
});
const shown = { marker: 'line-0', turn: 'turn-1' };
const asked: Waiting = { for: 'person', since: now - HOUR, until: now + HOUR, what: 'A secret?', shown };
const limit: Waiting = { for: 'limit', since: now - HOUR, until: now + HOUR, what: 'rate_limit' };
const waitingFor = (waiting: Waiting) => ({ ...newSidecar('idle:x'), waiting });
const none = newSidecar('idle:x');

it.each<[string, string[], Waiting['shown'], Partial<Stop>, string]>([
  ['a person began a turn since', ['human', 'task_notification', 'human'], shown, {}, 'yes'],
  ['only what ended in the background did', ['human', 'task_notification', 'scheduled'], shown, {}, 'no'],
  ['nobody did since the prompt before it', ['human'], shown, {}, 'no'],
  ['the transcript does not tell, in another turn', ['human'], { ...shown, marker: 'gone' }, {}, 'yes'],
  [
    'the transcript does not tell, in the same turn',
    ['human'],
    { ...shown, marker: 'gone' },
    { turn: 'turn-1' },
    'no',
  ],
  [
    'there was none to tell, in the same turn',
    ['human'],
    { ...shown, marker: null },
    { turn: 'turn-1' },
    'no',
  ],
  ['nobody could ever tell', [], { marker: null, turn: null }, { transcriptPath: null, turn: null }, 'yes'],
])('a question that was shown, where %s', (_, origins, where, stop, answered) => {
  prompts(...origins);
  const sidecar = waitingFor({ ...asked, shown: where });
  const wait = askWait(at(stop), sidecar, 'hold');
  expect(wait.question?.answered).toBe(answered);
  expect(wait.answered).toBe(answered === 'yes' ? sidecar.waiting : null);
  expect(waitsForPerson(sidecar, at(stop))).toBe(answered === 'no');
});

it('a question is shown with where the conversation stands, and recorded without a word of it', () => {
  prompts('human', 'human');
  const wait = askWait(at(), waitingFor({ ...asked, shown: null }), 'hold');
  expect(wait.asks?.what).toBe('A secret?');
  expect(wait.answer).toMatchObject({
    kind: 'waits',
    waiting: { shown: { marker: 'line-1', turn: 'turn-2' } },
  });
  expect(waitRecord(wait)).toMatchObject({
    waiting: { for: 'person', what: '' },
    work: null,
    result: 'waits',
  });
  expect(waitRecord(askWait(at(), waitingFor(limit), 'hold'))).toMatchObject({
    waiting: { what: 'rate_limit' },
  });
});

it('nothing is asked where there is nothing to wait for', () => {
  const wait = askWait(at(), none, 'hold');
  expect([wait.question, waitRecord(wait), wait.answer.kind]).toEqual([null, null, 'goes-on']);
});

it.each<[string, Waiting, 'goes on' | 'over' | 'uncounted']>([
  ['a question that was answered', asked, 'over'],
  ['a limit of the session', limit, 'over'],
  ['work', { ...limit, for: 'work' }, 'goes on'],
  ['work that took too long', { ...limit, for: 'work', until: now }, 'goes on'],
  ['a reviewer', { ...limit, reviewer: 'codex' }, 'goes on'],
  ['a question whose time is over', { ...asked, shown: null, until: now }, 'uncounted'],
])('beside an allowed stop, %s is %s', (_, waiting, what) => {
  prompts('human', 'human');
  expect(waitBesideAllow(at(), waitingFor(waiting))).toMatchObject({
    answer: { waiting: what === 'goes on' ? waiting : null, ended: what === 'over' ? waiting : null },
  });
});

it('beside an allowed stop a question is shown, once', () => {
  prompts('human');
  const first = waitBesideAllow(at(), waitingFor({ ...asked, shown: null }));
  expect([first.asks?.what, first.answer.waiting?.shown]).toEqual([
    'A secret?',
    { marker: 'line-0', turn: 'turn-2' },
  ]);
  expect(waitBesideAllow(at(), waitingFor(asked))).toMatchObject({ asks: null, answer: { waiting: asked } });
});

it('a pause is a person’s turn as long as a question is, with what was said, else with what was asked', () => {
  prompts('human');
  const waiting = pauseAt(at(), none, 'Your turn.');
  expect(waiting).toMatchObject({ for: 'person', since: now, what: 'Your turn.', pause: true });
  expect(waiting.until).toBe(now + project.config.wait.personMs);
  expect([pauseAt(at(), waitingFor(asked), null).what, pauseAt(at(), none, null).what]).toEqual([
    'A secret?',
    '',
  ]);
  for (const [over, is] of [
    [waiting, true],
    [{ ...waiting, until: now - 1 }, false],
    [limit, false],
  ] as const)
    expect(waitsForPerson(waitingFor(over), at())).toBe(is);
  expect(waitsForPerson(none, at())).toBe(false);
});

it('a client’s cap waits for the next prompt, whatever stands in the transcript', () => {
  prompts('human');
  const capped = capAt(at(), 'No more holds.');
  expect(capped).toMatchObject({
    since: now,
    shown: { marker: null, turn: 'turn-2' },
    pause: true,
    capped: true,
  });
  const waits = (turn: string | null) => waitsForPerson(waitingFor(capped), at({ turn }));
  expect(['turn-2', 'turn-3', null].map(waits)).toEqual([true, false, false]);
});
