// What comes of a stop: its span, with the checks that ran in it and the wait that it ended.

import { ATTR_ERROR_TYPE } from '@opentelemetry/semantic-conventions';
import { readRecordedBudget } from '../engine/budget/recorded.ts';
import { readProof } from '../engine/proof/recorded.ts';
import { readRecordedWait } from '../engine/waiting/recorded.ts';
import type { StopEntry } from '../store/journal-lines.ts';
import { isObject } from '../store/json.ts';
import { countCheck, countFindings } from './counts.ts';
import type { Attributes, Counted, Emitted, RunLine, SpanData } from './emitted.ts';
import { spanId } from './ids.ts';
import type { Labels } from './series.ts';
import { NOTHING_SAID, type RunState } from './state.ts';
import { cut, durationOf, word } from './words.ts';

type StopLine = RunLine<StopEntry>;

export function ofStop(line: StopLine): Emitted {
  const { entry, key, time, place, about, labels } = line;
  const end = time + durationOf(entry.milliseconds);
  const stop: SpanData = {
    ...{ trace: place.trace, id: spanId(place.trace, key, 'stop'), parent: place.parent, name: 'stop' },
    ...{ start: time, end, isCall: false, error: errorOf(entry) },
    attributes: { ...about, ...attributesOfStop(entry, line.paths) },
  };
  const checks = checksIn(entry, line.run.said.checks);
  const wait = line.run.waits === null ? waitOver(line) : NO_WAIT;
  const used = tokensUsed(line);
  return {
    spans: [stop, ...checkSpans(line, stop, checks), ...wait.spans],
    counts: [
      ...countStop(entry, labels),
      ...checks.flatMap((each): Counted[] => countCheck(each, labels)),
      ...wait.counts,
      ...used.counts,
      ...(line.run.said.findings
        ? []
        : countFindings(isObject(entry.facts) ? entry.facts.listed : null, labels)),
    ],
    run: { ...used.run, said: NOTHING_SAID },
  };
}

/** Also of a stop that no run was served at. */
export function countStop(entry: StopEntry, labels: Labels): Counted[] {
  return [
    ['stops', 1, { ...labels, 'holdfast.answer': entry.answer }],
    ...(entry.answer === 'hold' ? [['holds', 1, labels] as const] : []),
    ...(entry.error === null
      ? []
      : [['errors', 1, { ...labels, [ATTR_ERROR_TYPE]: errorOf(entry) ?? 'other' }] as const]),
    ['stopDuration', durationOf(entry.milliseconds) / 1000, { ...labels, 'holdfast.answer': entry.answer }],
  ];
}

export function attributesOfStop(entry: StopEntry, paths: boolean): Attributes {
  const step = stepOf(entry);
  const error = errorOf(entry);
  return {
    'holdfast.answer': entry.answer,
    ...(step === null ? {} : { 'holdfast.step': step }),
    ...(isReviewMissing(entry) ? { 'holdfast.review.missing': true } : {}),
    ...(error === null ? {} : { [ATTR_ERROR_TYPE]: error }),
    ...(paths && entry.error !== null ? { 'exception.message': cut(entry.error) } : {}),
  };
}

/** At a client's cap it is a hold that was due. */
function isReviewMissing({ unstepped }: StopEntry): boolean {
  return unstepped !== undefined && unstepped !== 'client-cap';
}

/** The error's name; its text may have a path in it. */
function errorOf({ error }: StopEntry): string | null {
  return error === null ? null : word(/^\w{1,40}/.exec(error)?.[0]);
}

function stepOf({ step }: StopEntry): string | null {
  if (!isObject(step)) return null;
  const named = step.message ?? step.notice;
  return word(isObject(named) ? named.name : step.kind);
}

type CheckFact = NonNullable<ReturnType<typeof readProof>>['checks'][number];

/** Up to 0.6 those that ran were on the stop's line alone; what counted by its receipt still is. */
function checksIn({ facts }: StopEntry, isSaid: boolean): readonly CheckFact[] {
  const all = [...(readProof(facts)?.checks ?? []), ...(readProof(facts, 'until')?.checks ?? [])];
  return isSaid ? all.filter(({ from }) => from !== 'run') : all;
}

/** When each began is not on record: they run one after the other, and the last of them ends with the stop. */
function checkSpans(
  { key, place, about }: StopLine,
  stop: SpanData,
  checks: readonly CheckFact[],
): SpanData[] {
  let end = stop.end;
  return checks
    .filter(({ from }) => from === 'run')
    .map((check, index) => ({ check, index }))
    .reverse()
    .map(({ check, index }) => {
      const start = Math.max(stop.start, end - durationOf(check.milliseconds));
      const span: SpanData = {
        ...{ trace: place.trace, id: spanId(place.trace, key, `check ${index}`), parent: stop.id },
        ...{ name: 'check', start, end, isCall: true },
        attributes: {
          ...about,
          ...{ 'holdfast.check': word(check.name), 'holdfast.check.end': check.end },
          ...(check.code === null ? {} : { 'process.exit.code': check.code }),
        },
        error: check.end === 'passed' ? null : check.end,
      };
      end = start;
      return span;
    });
}

const NO_WAIT = { spans: [], counts: [] };

/** The wait that this stop ended, from its begin: up to 0.6 its line alone says so. */
function waitOver({ entry, key, time, place, about, labels }: StopLine): Pick<Emitted, 'spans' | 'counts'> {
  const recorded = readRecordedWait(entry.waiting);
  const waited = recorded?.question.waiting ?? null;
  if (recorded === null || waited === null || recorded.result !== 'goes-on') return NO_WAIT;
  const what = { 'holdfast.wait.for': waited.for };
  return {
    spans: [
      {
        ...{ trace: place.trace, id: spanId(place.trace, key, 'wait'), parent: place.parent, name: 'wait' },
        ...{ start: Math.min(waited.since, time), end: time, isCall: false, error: null },
        attributes: { ...about, ...what },
      },
    ],
    counts: [['waits', 1, { ...labels, ...what }]],
  };
}

/** What the agent used since the stop before, where the run's budget counts it: reviews are counted there too. */
function tokensUsed({ entry, run, labels }: StopLine): { counts: Counted[]; run: RunState } {
  const seen = readRecordedBudget(entry.budget)?.question;
  if (seen === undefined || seen.limits.tokens === null) return { counts: [], run };
  const { tokens } = seen.spent;
  const used = run.tokens === null ? 0 : tokens - run.tokens - run.reviewTokens;
  const who = { ...labels, 'holdfast.tokens.by': 'agent', 'gen_ai.token.type': 'all' };
  return { counts: used > 0 ? [['tokens', used, who]] : [], run: { ...run, tokens, reviewTokens: 0 } };
}
