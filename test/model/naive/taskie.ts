// taskie's stop once more, as docs/contracts/taskie.md has it: points 3 to 5 of "The Stop hook" as they stand
// there, without a look at the real decision. The walker compares the two.

import type { EngineFacts } from '../../../src/engine/step.ts';
import type { Facts, KnownState, State } from '../../../src/workflows/taskie/types.ts';
import type { Acceptable, Outcome } from './outcome.ts';

type Row = Outcome<State>;
type Reviewed = 'plan-review' | 'tasks-review' | 'code-review' | 'all-code-review';

const REVIEWED: readonly Reviewed[] = ['plan-review', 'tasks-review', 'code-review', 'all-code-review'];

export function naiveTaskie(state: State, facts: Facts & EngineFacts): Acceptable<State> {
  // 5. Otherwise validation, whose violations hold. A notice that came before is carried.
  const validation = (carried: string | null): Row => {
    const answer = facts.violations.length > 0 ? 'hold' : 'allow';
    const about = carried ?? (answer === 'hold' ? 'violations' : 'validated');
    return { answer, about, state, also: {} };
  };
  const warn = (about: string): Row => ({ answer: 'allow', about, state, also: {} });

  if (state.kind !== 'known') return [validation(null)];
  let due = REVIEWED.find((review) => review === state.next);

  // 3. The agent's half, done for it.
  const answered = REVIEWED.find((review) => review === state.phase && `post-${review}` === state.next);
  if (answered !== undefined) {
    const standing = facts.review;
    // There is no review to answer: whether a notice says so is left open here.
    if (standing === null) return [validation(null), validation('review-missing')];
    if (!standing.answered) {
      if (facts.handFired) return [validation('outstanding')];
      // Whether reviews that were turned off meanwhile still want their answer is left open here.
      if (state.maxReviews === 0) return [validation('outstanding'), again(answered, state, standing.number)];
      return [again(answered, state, standing.number)];
    }
    due = answered;
  }
  if (due === undefined) {
    // A complete plan whose folder is sound says what was proven of it.
    const isComplete = state.phase === 'complete' && state.next === null && facts.violations.length === 0;
    if (isComplete && facts.proof === null) return [{ answer: 'prove', about: 'receipts', state, also: {} }];
    return [validation(null)];
  }
  return review(due, state);

  /** The same hold as before. */
  function again(kind: Reviewed, known: KnownState, number: number): Row {
    return { answer: 'hold', about: `answer-${kind}`, state: known, also: { number } };
  }

  function review(kind: Reviewed, known: KnownState): Acceptable<State> {
    const done = (known.iteration ?? 0) + 1;
    // a.
    if (known.maxReviews === 0) return leave(kind, { ...known, iteration: 0 }, 'reviews-off', {});
    // b. The limit is for the next review: one that ran before somebody lowered it is counted.
    if (facts.verdict === null && done > known.maxReviews) return [validation('limit-reached')];
    // c.
    if (kind === 'plan-review' && !facts.planWritten) return [validation(null)];
    if (kind === 'code-review' && known.currentTask === null) return [warn('no-current-task')];
    if (kind === 'code-review' && !facts.taskWritten) return [warn('no-task-file')];
    if (kind === 'tasks-review' || kind === 'all-code-review') {
      if (facts.tasks === null) return [{ answer: 'look', about: 'tasks', state: known, also: {} }];
      if (facts.tasks.ids.length === 0) return [warn('no-tasks')];
    }
    // d, e.
    switch (facts.verdict) {
      case null:
        if (facts.failedReviews >= 3) return [validation('review-given-up')];
        if (kind === 'code-review' || kind === 'all-code-review') {
          if (facts.proof === null) return [{ answer: 'prove', about: 'claim', state: known, also: {} }];
          // A person is told, the session is held.
          if (facts.proof.claim === 'refused')
            return facts.handFired
              ? [validation('checks-refused')]
              : [{ answer: 'hold', about: 'checks-refused', state: known, also: {} }];
        }
        return [
          {
            answer: 'review',
            about: kind,
            state: known,
            also: { number: facts.nextNumber, model: known.model },
          },
        ];
      case 'none':
      case 'failed':
        return [validation(facts.failedReviews + 1 >= 3 ? 'review-given-up' : 'review-failed')];
      case 'findings':
      case 'clean':
        break;
    }
    const number = facts.reviewNumber ?? null;
    // Another model than the one that reviewed: an edit by hand, and both stand (decision 7).
    const isEdited = facts.reviewModel !== undefined && facts.reviewModel !== known.model;
    const toggled = known.model === 'opus' ? 'sonnet' : 'opus';
    const model = isEdited ? known.model : toggled;
    // The user's floor: what was listed is all lighter, so nothing that counts was found.
    const { listed, floor } = facts;
    const heavy = floor?.severity === 'high' ? ['high'] : ['high', 'medium'];
    const counted = Object.entries(listed ?? {}).filter(([, count]) => count > 0);
    const light =
      floor != null &&
      done >= floor.from &&
      counted.length > 0 &&
      !counted.some(([each]) => heavy.includes(each));
    const clean = facts.verdict === 'clean' || light ? known.clean + 1 : 0;
    const after: KnownState = { ...known, phase: kind, iteration: done, model, clean };
    // f, g.
    if (clean >= 2) return leave(kind, after, 'passed', { number });
    return [
      {
        answer: 'hold',
        about: `answer-${kind}`,
        state: { ...after, next: `post-${kind}` },
        also: { number },
      },
    ];
  }

  /** The advance targets. */
  function leave(
    kind: Reviewed,
    known: KnownState,
    about: string,
    also: Readonly<Record<string, number | null>>,
  ): Acceptable<State> {
    const implement = known.tdd ? 'complete-task-tdd' : 'complete-task';
    const to = (next: KnownState['next'], fresh: Partial<KnownState> = {}): Acceptable<State> => [
      { answer: 'allow', about, state: { ...known, phase: kind, next, ...fresh }, also },
    ];
    switch (kind) {
      case 'plan-review':
        return to('create-tasks');
      case 'tasks-review':
        return to(implement);
      case 'all-code-review':
        return to('complete');
      case 'code-review':
        if (facts.pending === null) return [{ answer: 'look', about: 'pending', state, also: {} }];
        if (facts.pending.others) return to(implement);
        return to('all-code-review', { iteration: 0, model: 'opus', clean: 0 });
    }
  }
}
