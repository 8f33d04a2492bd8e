// Reads our own records. They are data like any other: a cloned repository may have brought them, so they are parsed, not
// believed.

import { isObject, type Json } from './json.ts';
import { fromSchema1 } from './old-records.ts';
import {
  type Attempt,
  type BudgetLimits,
  type BudgetNotes,
  type CheckAttempt,
  type Failures,
  type Given,
  type GuardMemory,
  type HandOver,
  type HoldsInRow,
  NO_VERDICTS,
  type NoVerdict,
  type ProofNotes,
  type ReviewAttempt,
  type SaidSincePrompt,
  type SessionIndex,
  type Sidecar,
  type Waiting,
  type Waits,
} from './records.ts';
import {
  type Check,
  hasShape,
  isCount,
  isFlag,
  isListOf,
  isNumber,
  isOneOf,
  isTableOf,
  isText,
  isTime,
  orAbsent,
  orNull,
} from './shape.ts';

const isGuardMemory = hasShape<GuardMemory>({
  held: isFlag,
  noProgress: isCount,
  noTools: isCount,
  toolsUnknown: isCount,
  released: isFlag,
  artifacts: hasShape({ stamp: isText, content: isText }),
  marker: orNull(isText),
  notified: orNull(isText),
});

const isNoVerdict = hasShape<NoVerdict>({
  kind: isOneOf(...NO_VERDICTS),
  code: orNull(isCount),
});

const isReviewAttempt = hasShape<ReviewAttempt>({
  id: isText,
  work: isOneOf('review'),
  reviewer: isText,
  kind: isText,
  number: isCount,
  file: isText,
  model: isText,
  named: orAbsent(isText),
  content: orAbsent(isText),
  owner: orNull(isText),
  begun: orAbsent(isTime),
  deadline: isNumber,
  status: isOneOf('running', 'interrupted', 'done'),
  verdict: isOneOf('clean', 'findings', 'none', 'failed', null),
  cause: orAbsent(isNoVerdict),
  before: isText,
  subject: orAbsent(isText),
});

const isCheckAttempt = hasShape<CheckAttempt>({
  id: isText,
  work: isOneOf('check'),
  check: isText,
  definition: isText,
  owner: orNull(isText),
  deadline: isNumber,
  status: isOneOf('running', 'interrupted'),
});

const isAttempt = (value: unknown): value is Attempt => isReviewAttempt(value) || isCheckAttempt(value);

const isProofNotes = hasShape<ProofNotes>({
  asked: hasShape<ProofNotes['asked']>({
    checks: orNull(isListOf(isText)),
    off: isFlag,
    acceptRed: orAbsent(isListOf(isText)),
  }),
  definitions: isText,
  content: orNull(isText),
  contents: orAbsent(isTableOf(isText)),
  startedAt: orAbsent(isNumber),
  pinned: isFlag,
  refusals: isCount,
  cannotRunSaid: isFlag,
  protectedSaid: isFlag,
});

const isWaiting = hasShape<Waiting>({
  for: isOneOf('work', 'person', 'limit'),
  since: isTime,
  until: orNull(isTime),
  what: isText,
  shown: orAbsent(orNull(hasShape({ marker: orNull(isText), turn: orNull(isText) }))),
  reviewer: orAbsent(isText),
  pause: orAbsent(isOneOf(true as const)),
  capped: orAbsent(isOneOf(true as const)),
});

const isWaits = hasShape<Waits>({
  waited: isCount,
  questions: isCount,
  calls: isCount,
  called: isCount,
  callsAtHold: isCount,
});

const isBudgetNotes = hasShape<BudgetNotes>({
  limits: hasShape<BudgetLimits>({
    tokens: orNull(isCount),
    timeMs: orNull(isCount),
    reviews: orNull(isCount),
    usd: orNull(isTime),
  }),
  startedAt: isTime,
});

const isAnything = (_: unknown): _ is Json | undefined => true;

const isSidecar = hasShape<Sidecar>({
  schema: isOneOf(2),
  run: isText,
  sessions: isListOf(isText),
  committed: orNull(hasShape({ before: isText, after: isText })),
  guard: isTableOf(isGuardMemory),
  attempts: isListOf(isAttempt),
  failures: hasShape<Failures>({ count: isCount, state: isText, cause: orAbsent(isNoVerdict) }),
  task: orAbsent(isText),
  // The workflow's own, and its own to check.
  saved: isAnything,
  proof: orAbsent(isProofNotes),
  waiting: orAbsent(isWaiting),
  waits: orAbsent(isWaits),
  given: orAbsent(hasShape<Given>({ session: isText, turn: orNull(isText), task: isText, holds: isCount })),
  handover: orAbsent(hasShape<HandOver>({ session: isText, text: isText })),
  budget: orAbsent(isBudgetNotes),
  paused: orAbsent(isTime),
  takenOver: orAbsent(isTime),
});

const isSessionIndex = hasShape<SessionIndex>({
  schema: isOneOf(2),
  runs: isListOf(isText),
  notified: isListOf(isText),
  looked: isTableOf(isNumber),
  holds: orAbsent(hasShape<HoldsInRow>({ turn: orNull(isText), count: isCount })),
  said: orAbsent(hasShape<SaidSincePrompt>({ prompt: isText, length: isCount, text: isText })),
});

export type Parsed<Record> = { kind: 'ok'; record: Record } | { kind: 'newer' } | { kind: 'broken' };

export const parseSidecar = (value: unknown): Parsed<Sidecar> => parse(isSidecar, value);
export const parseSession = (value: unknown): Parsed<SessionIndex> => parse(isSessionIndex, value);

function parse<T>(check: Check<T>, value: unknown): Parsed<T> {
  const record = isObject(value) && value.schema === 1 ? fromSchema1(value) : value;
  if (check(record)) return { kind: 'ok', record };
  const isNewer = isObject(value) && isNumber(value.schema) && value.schema > 2;
  return { kind: isNewer ? 'newer' : 'broken' };
}
