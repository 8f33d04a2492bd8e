// Random walks of a plan: stops with any facts and any verdict, edits by hand of any field of state.json.

import fc from 'fast-check';
import type { ReviewOutcome, Step } from '../../../src/engine/step.ts';
import { PHASES, REVIEWS } from '../../../src/workflows/taskie/phases.ts';
import type { Change, KnownState, State } from '../../../src/workflows/taskie/types.ts';
import type { Outcome } from '../naive/outcome.ts';
import { naiveTaskie } from '../naive/taskie.ts';
import { PROOFS } from '../proofs.ts';
import type { Given } from '../taskie/domains.ts';
import type { Decide } from '../taskie/model.ts';
import { mustBeAccepted } from './compare.ts';

const answering = REVIEWS.flatMap((review) => [review, `post-${review}` as const]);
const phase = fc.constantFrom<KnownState['phase']>(null, 'other', ...PHASES, ...answering, ...answering);

const known: fc.Arbitrary<KnownState> = fc.record({
  kind: fc.constant('known' as const),
  maxReviews: fc.constantFrom(0, 1, 2, 3, 8, 8, 8),
  currentTask: fc.constantFrom(null, '1', '10'),
  phase,
  iteration: fc.option(fc.nat({ max: 9 }), { freq: 9 }),
  next: phase,
  model: fc.constantFrom('opus', 'sonnet', 'haiku'),
  clean: fc.nat({ max: 3 }),
  tdd: fc.boolean(),
  unsound: fc.constantFrom([], ['phase'], ['tdd', 'phase_iteration']),
});

/** A plan that is in one of its cycles: what a run mostly is. */
const cycling: fc.Arbitrary<KnownState> = fc
  .record({ state: known, review: fc.constantFrom(...REVIEWS), half: fc.constantFrom('due', 'owed') })
  .map(({ state, review, half }) => ({
    ...state,
    maxReviews: 8,
    phase: half === 'due' ? `post-${review}` : review,
    next: half === 'due' ? review : `post-${review}`,
  }));

const state: fc.Arbitrary<State> = fc.oneof(
  { weight: 6, arbitrary: cycling },
  { weight: 6, arbitrary: known },
  { weight: 1, arbitrary: fc.constantFrom<State>({ kind: 'absent' }, { kind: 'broken' }) },
);

type Verdict = NonNullable<ReviewOutcome['verdict']>;

const stop = fc.record({
  handFired: fc.constantFrom(false, false, false, true),
  violations: fc.constantFrom<readonly string[]>([], [], [], ['Missing required file: plan.md']),
  planWritten: fc.constantFrom(true, true, true, false),
  taskWritten: fc.constantFrom(true, true, true, false),
  review: fc.option(fc.record({ number: fc.integer({ min: 1, max: 12 }), answered: fc.boolean() }), {
    freq: 6,
  }),
  passedOver: fc.nat({ max: 3 }),
  tasks: fc.record({
    ids: fc.constantFrom<readonly string[]>(['1'], ['1', '10'], []),
    leftOut: fc.nat({ max: 2 }),
    plain: fc.boolean(),
  }),
  pending: fc.record({ others: fc.boolean(), current: fc.boolean() }),
  verdict: fc.constantFrom<Verdict>('clean', 'clean', 'clean', 'findings', 'none', 'failed'),
  listed: fc.option(
    fc.record({ high: fc.nat({ max: 1 }), medium: fc.nat({ max: 1 }), low: fc.nat({ max: 2 }) }),
  ),
  floor: fc.option(
    fc.record({ severity: fc.constantFrom('medium', 'high'), from: fc.constantFrom(1, 1, 3) }),
    { freq: 3 },
  ),
  failedReviews: fc.constantFrom(0, 0, 0, 1, 2, 3, 4),
  proof: fc.constantFrom(...PROOFS.filter((proof) => proof !== null)),
  // What a person edits while a review runs, beside what its verdict speaks of.
  meanwhile: fc.option(
    fc.record(
      {
        maxReviews: fc.constantFrom(0, 1, 8),
        model: fc.constantFrom('opus', 'sonnet', 'haiku'),
        clean: fc.nat({ max: 2 }),
        tdd: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    { freq: 3 },
  ),
});

type Made = { edited: State } | { stop: typeof stop extends fc.Arbitrary<infer S> ? S : never };

const move: fc.Arbitrary<Made> = fc.oneof(
  { weight: 6, arbitrary: stop.map((given) => ({ stop: given })) },
  { weight: 1, arbitrary: state.map((edited) => ({ edited })) },
);

export const taskieWalk = fc.record({ start: state, moves: fc.array(move, { maxLength: 25 }) });

type Walk = { start: State; moves: readonly Made[] };

export function walkTaskie(decide: Decide, walk: Walk, seen = new Set<string>()): void {
  let at = walk.start;
  for (const made of walk.moves) at = 'edited' in made ? made.edited : stopOnce(decide, at, made.stop, seen);
}

/** One stop as the engine serves it: looks and a review in between, then the answer. */
function stopOnce(
  decide: Decide,
  before: State,
  made: Extract<Made, { stop: unknown }>['stop'],
  seen: Set<string>,
): State {
  const { passedOver, verdict, listed, tasks, pending, meanwhile, proof, ...read } = made;
  let at = before;
  const iteration = at.kind === 'known' ? (at.iteration ?? 0) : 0;
  const isDue = before.kind === 'known' && answering.some((each) => each === before.next);
  let facts: Given = {
    plan: 'demo',
    folder: 'seal',
    ...read,
    nextNumber: isDue ? iteration + 1 + passedOver : null,
    tasks: null,
    pending: null,
    verdict: null,
    proof: null,
    until: null,
  };
  for (let turns = 0; turns < 6; turns++) {
    const step = decide(at, facts);
    mustBeAccepted(outcomeOf(step, at), naiveTaskie(at, facts), { at, facts }, seen);
    if (step.kind === 'review') {
      facts = { ...facts, verdict, listed, reviewNumber: step.review.number, reviewModel: step.review.model };
      at = at.kind === 'known' && meanwhile !== null ? { ...at, ...meanwhile } : at;
    } else if (step.kind === 'prove') facts = { ...facts, proof };
    else if (step.kind === 'look') facts = step.at === 'tasks' ? { ...facts, tasks } : { ...facts, pending };
    else return after(at, step);
  }
  throw new Error('a stop that comes to no answer');
}

function after(at: State, step: Step<Change>): State {
  const change = step.kind === 'hold' || step.kind === 'allow' ? step.change : null;
  if (change === null || at.kind !== 'known') return at;
  const { phase, next, iteration, model, clean } = change;
  return { ...at, phase, next, iteration, model, clean };
}

function outcomeOf(step: Step<Change>, at: State): Outcome<State> {
  switch (step.kind) {
    case 'look':
      return { answer: 'look', about: step.at, state: at, also: {} };
    case 'prove':
      return { answer: 'prove', about: step.receiptsOnly ? 'receipts' : 'claim', state: at, also: {} };
    case 'review': {
      const { kind, number, model } = step.review;
      return { answer: 'review', about: kind, state: at, also: { number, model } };
    }
    case 'hold': {
      const { name, slots } = step.message;
      const next = after(at, step);
      if (name === 'violations')
        return { answer: 'hold', about: step.notice?.name ?? name, state: next, also: {} };
      if (name === 'checks-refused') return { answer: 'hold', about: name, state: next, also: {} };
      const number = Number(/-review-(\d+)\.md$/.exec(String(slots.review))?.[1]);
      return { answer: 'hold', about: name.replace('hold-', 'answer-'), state: next, also: { number } };
    }
    case 'allow': {
      const said = step.notice?.name ?? '';
      const about = said.startsWith('validated') ? 'validated' : said.replace('passed-row-pending', 'passed');
      const number = step.change?.review?.number;
      return { answer: 'allow', about, state: after(at, step), also: number === undefined ? {} : { number } };
    }
  }
}
