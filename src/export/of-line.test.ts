// What comes of each kind of line, alone and after others: its log record, its spans, what is counted, and what is
// remembered of its run. A journal for each behaviour; what is sent of it stands in golden/lines.txt.

import { expect, it } from 'vitest';
import { at, cancel, end, review, start, stop, wait, work } from '../../test/export/lines.ts';
import { parseJournalLine } from '../store/journal-lines.ts';
import { logId, spanId, traceId } from './ids.ts';
import { type FromLine, ofLine } from './of-line.ts';
import { Runs } from './runs.ts';

const sender = { instance: 'i', secret: 's' };
const RUN = 'idle:loop-1794782641-17581';

/** The lines one after the other, as one journal; the key of each is its number. */
function read(lines: readonly object[], paths = false): FromLine[] {
  const runs = new Runs({}, sender, 'p');
  return lines.map((line, index) => {
    const entry = parseJournalLine(JSON.stringify(line));
    if (entry === null) throw new Error(`no such line: ${JSON.stringify(line)}`);
    const how = { sender, project: 'p', root: '/home/dev/project', paths, runs };
    return ofLine(entry, String(index), Date.parse(entry.time), how);
  });
}

const other = (event: string, more: object): object => ({ ...start(0), event, ...more });
const allowed = (more: object = {}): object => stop(1, 'allow', { ...more });
const began = (seconds: number, attempt = 'c', kind = 'check'): object =>
  work(seconds, { what: 'began', work: kind, attempt, name: 'unit' });
const ended = (seconds: number, more: object = {}): object =>
  work(seconds, {
    ...{
      what: 'ended',
      work: 'check',
      attempt: 'c',
      name: 'unit',
      end: 'passed',
      code: 0,
      milliseconds: 2000,
    },
    ...more,
  });
const others = (count: number) => Array.from({ length: count }, (_, index) => began(5, `o${index}`));

const check = { name: 'test', end: 'failed', code: 1, milliseconds: 3000, from: 'run' };
const lint = { ...check, name: 'lint', from: 'receipt', end: 'passed', code: null, milliseconds: null };
const unit = { ...check, name: 'unit', end: 'passed', code: null, milliseconds: 1000 };
const claimed = (seconds: number, checks: readonly object[], milliseconds = 5000): object =>
  stop(seconds, 'hold', {
    milliseconds,
    facts: { proof: { claim: 'refused', worth: 'unproven', why: ['failed'], protectedChanged: 0, checks } },
  });
const listed = (seconds: number): object =>
  stop(seconds, 'hold', { facts: { listed: { high: 2, medium: 0, low: 0 } } });
const waited = (seconds: number, more: object = {}): object => {
  const waiting = { for: 'person', since: Date.parse(at(20)), until: null, what: 'Which one?' };
  const result = { now: Date.parse(at(50)), step: 'hold', work: null, answered: 'yes', result: 'goes-on' };
  return stop(seconds, 'hold', { waiting: { ...result, limits: { work: 7_200_000 }, waiting, ...more } });
};
const budget = (seconds: number, tokens: number, most: number | null = 5000): object =>
  stop(seconds, 'hold', {
    budget: {
      ...{ stage: 'open', limits: { tokens: most, timeMs: null, reviews: null, usd: null }, due: 'hold' },
      ...{ spent: { tokens, cacheRead: 0, timeMs: 0, reviews: 0, usd: 0 }, result: 'goes-on' },
    },
  });
const nothing = { usd: null, tokens: null, milliseconds: null, listed: undefined };
const zero = { input: 0, cacheCreation: 0, cacheRead: 0, output: 5 };

/** Of each the last line is shown. */
const JOURNALS: Readonly<Record<string, readonly object[]>> = {
  'a run is started': [start(0)],
  'a run is adopted': [other('adopt', {})],
  'a run is cancelled': [start(0), cancel(1)],
  'a cancelled run is over once, also at its next stop': [
    start(0),
    cancel(1),
    allowed(),
    end(2, 'cancelled'),
  ],
  ...Object.fromEntries(
    ['completed', 'released', 'stuck', 'limit', null].map((how) => [`over: ${how}`, [start(0), end(1, how)]]),
  ),
  'over and proven, after a stop': [start(0), stop(1), end(5, 'completed', { proof: 'proven' })],
  'a run ends no earlier than it began': [start(9), end(5, 'completed')],
  'a stop that holds': [start(0), stop(1)],
  'a stop after the end belongs to the old part': [start(0), end(1, 'cancelled'), stop(2, 'allow')],
  'a stop that concerned no run': [stop(0, 'allow', { workflow: null, run: null, session: null })],
  'a stop that failed, its text left at home': [
    start(0),
    allowed({ error: 'TypeError: no /home/dev/secret' }),
  ],
  'a stop that failed with no name': [start(0), allowed({ error: '?' })],
  'a stop with a notice': [start(0), allowed({ step: { kind: 'allow', notice: { name: 'done' } } })],
  'a stop without a message': [start(0), allowed({ step: { kind: 'allow', message: 'text' } })],
  'a stop whose message is no word': [
    start(0),
    allowed({ step: { kind: 'allow', message: { name: 'a b' } } }),
  ],
  'a stop at which a review was missing': [start(0), allowed({ step: null, unstepped: 'no-review' })],
  'a stop at a client’s cap': [start(0), allowed({ step: null, unstepped: 'client-cap' })],
  'a stop with checks': [start(0), claimed(1, [check, lint, unit])],
  'no check begins before its stop': [start(0), claimed(1, [check], 10)],
  'checks that had lines of their own': [start(0), ended(1, { name: 'test' }), claimed(2, [check, lint])],
  'a stop later they are said again': [start(0), ended(1), stop(1), claimed(2, [check, lint])],
  'findings on the line of a stop': [start(0), listed(2)],
  'findings that a review has said': [start(0), review(1), listed(2)],
  'findings that a review has not said': [start(0), review(1, { listed: undefined }), listed(2)],
  'a wait that a stop ended': [start(0), waited(50)],
  'a wait from a time still to come': [start(0), waited(10)],
  'no wait was ended': [start(0), waited(50, { waiting: null })],
  'the run goes on waiting': [start(0), waited(50, { result: 'waits' })],
  'the wait had a line of its own': [start(0), wait(20, 'began'), waited(50)],
  'the agent’s tokens since the start': [start(0), budget(1, 400)],
  'the agent’s tokens since the stop before, without a review’s': [
    ...[start(0), budget(1, 400), review(2), budget(3, 1000)],
  ],
  'fewer tokens than before': [start(0), budget(1, 400), budget(3, 300)],
  'tokens of before anybody looked': [budget(1, 400)],
  'tokens without a limit': [start(0), budget(1, 400, null)],
  'a review from when its work began': [start(0), began(3, 'a9', 'review'), review(9)],
  'a review of which little is known': [
    start(0),
    review(9, { ...nothing, verdict: 'failed', reviewer: 'gemini', model: '' }),
  ],
  'a review by Codex, with few tokens': [start(0), review(9, { reviewer: 'codex', tokens: zero })],
  'a review without a verdict': [start(0), review(9, { verdict: null })],
  'a check begins': [start(0), began(4)],
  'a check from when it began': [start(0), began(4), ended(9)],
  'a check that nobody saw begin': [start(0), ended(9, { end: 'failed', code: null })],
  'a check that ended as no word says': [start(0), ended(9, { end: 'no word' })],
  'a check named like what every object has': [start(0), ended(9, { attempt: 'constructor' })],
  'the end of a review’s work has a line of its own': [
    start(0),
    began(4, 'c', 'review'),
    ended(9, { work: 'review' }),
  ],
  'a check that began twice': [start(0), began(4), began(5), ended(9)],
  'eight are remembered': [start(0), began(4), ...others(7), ended(9)],
  'the oldest of nine is forgotten': [start(0), began(4), ...others(8), ended(9)],
  'a check that has ended is over': [start(0), began(4), ended(9), ended(9)],
  'a wait begins': [start(0), wait(2, 'began')],
  'a wait from when it began': [start(0), wait(2, 'began'), wait(8, 'ended')],
  'a wait ends no earlier than it began': [start(0), wait(8, 'began'), wait(2, 'ended')],
  'a wait ends once': [start(0), wait(2, 'began'), wait(8, 'ended'), wait(9, 'ended')],
  'a budget is spent': [other('budget', { what: 'spent', limits: {} })],
  'a budget is raised': [other('budget', { what: 'raised', limits: {} })],
  'a driver before its run': [other('drive', { what: 'began', run: null })],
  'a driver starts a client': [other('drive', { what: 'client-began' })],
  'a question': [other('question', { what: 'asked' })],
  'a notification that failed': [other('notify', { what: 'failed', on: 'o', by: 'b', why: 'w' })],
};

/** What all lines of the run have is left out. */
const OF_RUN =
  /holdfast\.project=p(?: holdfast\.workflow=idle)(?: holdfast\.run=\w+ session\.id=\S+)? ?| ?log\.record\.uid=\w+/g;

const shown = ({ log, spans, counts }: FromLine): string => {
  const flat = (attributes: object): string =>
    Object.entries(attributes)
      .map(([key, value]) => `${key}=${value}`)
      .join(' ')
      .replace(OF_RUN, '');
  const second = (time: number): number => (time - Date.parse(at(0))) / 1000;
  return [
    `  log ${log.severity} ${log.event} "${log.body}" ${log.place === null ? 'nowhere' : 'in its run'} | ${flat(log.attributes)}`,
    ...spans.map(
      ({ name, start: from, end: to, isCall, error, attributes }) =>
        `  span ${name} ${second(from)}..${second(to)}${isCall ? ' call' : ''} error=${error} | ${flat(attributes)}`,
    ),
    ...counts.map(([name, value, labels]) => `  count ${name} ${value} | ${flat(labels)}`),
  ].join('\n');
};

it('of each line is sent what the golden file says', async () => {
  const texts = Object.entries(JOURNALS).map(([name, lines]) => {
    const last = read(lines).at(-1);
    return `${name}\n${last === undefined ? '' : shown(last)}\n`;
  });
  await expect(texts.join('\n')).toMatchFileSnapshot('golden/lines.txt');
});

it('folders, names, files and an error’s text are for whoever asked for them', () => {
  const journal = [start(0), allowed({ error: 'E: /home/dev/x' }), review(2)];
  const secrets = /\/home|secret|loop-1794782641/;
  expect(JSON.stringify(read(journal).map(({ log, spans }) => [log, spans]))).not.toMatch(secrets);
  const [first, failed, reviewed] = read(journal, true);
  expect(first?.log.attributes).toMatchObject({
    ...{ 'holdfast.project.path': '/home/dev/project', 'holdfast.run.name': RUN },
  });
  expect(failed?.spans[0]?.attributes).toMatchObject({ 'exception.message': 'E: /home/dev/x' });
  expect(reviewed?.spans[0]?.attributes).toMatchObject({
    'holdfast.review.file': '.taskie/plans/secret-plan/review-1.md',
  });
});

it('a log record belongs to its own span, or to the part of its run; the checks of a stop to the stop', () => {
  const trace = traceId(sender, 'p', RUN, '0');
  const [, stopped] = read([start(0), claimed(1, [check, unit])]);
  const [span, ...checks] = stopped?.spans ?? [];
  expect(span).toMatchObject({ trace, id: spanId(trace, '1', 'stop'), parent: spanId(trace, '0', 'run') });
  expect(checks.map(({ parent }) => parent)).toEqual([span?.id, span?.id]);
  expect(new Set(checks.map(({ id }) => id)).size).toBe(2);
  expect(stopped?.log).toMatchObject({ place: { trace, parent: span?.id } });
  const [asked] = read([other('question', { what: 'asked' })]);
  expect(asked?.log.place).toEqual({ trace, parent: spanId(trace, '0', 'run') });
  expect(asked?.log.attributes['log.record.uid']).toBe(logId('p', '0'));
});
