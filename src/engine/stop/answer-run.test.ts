import { describe, expect, it } from 'vitest';
import { NOW, projectAt, sceneAt } from '../../../test/fixtures/claudex/project.ts';
import { DEFAULT_CONFIG } from '../../config/config.ts';
import type { JsonObject } from '../../store/json.ts';
import {
  type GuardMemory,
  NO_GUARD_MEMORY,
  NO_WAITS,
  newSidecar,
  type ReviewAttempt,
  type Sidecar,
  type Waiting,
} from '../../store/records.ts';
import type { AskedBudget, BudgetAtStop } from '../budget/at-stop.ts';
import type { Answered } from '../budget/changes.ts';
import type { GuardResult } from '../guard/progress.ts';
import { UNCOUNTED } from '../guard/progress.ts';
import { UNASKED } from '../proof/asked.ts';
import type { EngineFacts, Step } from '../step.ts';
import type { AnyWorkflow } from '../workflow.ts';
import { holdLast, pauseRun } from './answer-budget.ts';
import {
  allowUnreviewed,
  allowUnstepped,
  allowWaiting,
  answerStep,
  awaitPrompt,
  type Decided,
  letGo,
  letGoRefused,
} from './answer-run.ts';
import { dueAt } from './settle-budget.ts';
import type { Turn } from './turn.ts';

const project = projectAt('/nowhere', { env: { HOME: '/nowhere/home' }, cli: 'hf' });
const workflow = {
  name: 'toy',
  commit: (change: string) => ({ writes: [], stateHash: `after ${change}`, saved: change }),
  say: ({ name }: { name: string }) => `<${name}>`,
  released: (_: unknown, __: unknown, holds: string) => ({ name: `released after ${holds}`, slots: {} }),
  asksForReview: (change: string) => change === 'ask for a review',
} as unknown as AnyWorkflow;

const facts = { verdict: null, failedReviews: 0, proof: UNASKED, until: null } as unknown as JsonObject &
  EngineFacts;

function decidedWith(more: Partial<Decided> = {}, session: string | null = 's1'): Decided {
  return {
    workflow,
    context: sceneAt(project, { session }, undefined, 'a'),
    sidecar: { ...newSidecar('toy:a'), sessions: ['s1'], committed: { before: 'x', after: 'y' } },
    seen: { world: null, state: { at: 1 }, facts: {}, stateHash: 'now' },
    facts,
    ended: null,
    passed: null,
    asides: [],
    said: null,
    waitedFor: undefined,
    noted: false,
    wait: {
      question: null,
      answer: { kind: 'goes-on', waiting: null, ended: null },
      asks: null,
      answered: null,
    },
    budget: null,
    ...more,
  };
}

const message = (name: string) => ({ name, slots: {} });
const hold = (more: object = {}): Extract<Step<string>, { kind: 'hold' }> => ({
  ...{ kind: 'hold', change: null, message: message('go on'), notice: null },
  ...more,
});
const allow = (more: object = {}): Extract<Step<string>, { kind: 'allow' }> => ({
  ...{ kind: 'allow', change: null, notice: null },
  ...more,
});

const limits = { unmoved: 3, tools: 12, unknown: 12 };
const still = { state: false, artifacts: false, tools: 'no' } as const;
const memory: GuardMemory = { ...NO_GUARD_MEMORY, held: true, noTools: 3, noProgress: 5 };
const held: GuardResult = { kind: 'hold', memory, asked: { memory, movement: still, limits } };
const released = (first: boolean): Extract<GuardResult, { kind: 'release' }> => ({
  ...{
    kind: 'release',
    first,
    memory: { ...memory, released: true },
    asked: { memory, movement: still, limits },
  },
});
const attempt: ReviewAttempt = {
  ...{ id: 'a1', work: 'review', reviewer: 'toy', kind: 'k', number: 1, file: 'r.md', model: 'm' },
  ...{ owner: null, deadline: 1, status: 'done', verdict: 'clean', before: 'now' },
};

type AnswerTurn = Extract<Turn, { kind: 'answer' }>;
function turnOf(turn: Turn): AnswerTurn {
  if (turn.kind !== 'answer') throw new Error(turn.kind);
  return turn;
}
const answer = (decided: Decided, step: ReturnType<typeof hold | typeof allow>, guard: GuardResult = held) =>
  turnOf(answerStep(decided, step, guard));

const HOW_TO_ASK =
  'If you cannot go on without a decision of the user: `hf ask "<question>"`, then end your turn.';

describe('a hold', () => {
  it('says the workflow’s own text, and how to ask', () => {
    const turn = answer(decidedWith(), hold());
    expect(turn.served.answer).toEqual({ kind: 'hold', reason: `<go on>\n\n${HOW_TO_ASK}`, notice: null });
    expect(turn.served).toMatchObject({ quiet: false, over: null, ended: null });
    expect(turn.served).not.toHaveProperty('first');
    expect(turn.writes).toMatchObject({ held: true, commit: null, stateHash: 'now' });
    expect(turn.writes.memory).toEqual({ session: 's1', memory });
    expect(turn.writes).not.toHaveProperty('noted');
    expect(turn.forgetSignals).toBe(false);
    expect(turn.state).toBe('now');
    expect(turn).not.toHaveProperty('settle');
  });

  it('has what was said about a claim, and an answered question, before it', () => {
    const question: Waiting = { for: 'person', since: 1, until: 2, what: 'Which?' };
    const said = { hold: 'A check failed.', closing: 'It is unproven.', reviewer: null } as never;
    const wait = { ...decidedWith().wait, answered: question };
    const turn = answer(decidedWith({ said, wait }), hold());
    expect(turn.served.answer).toMatchObject({
      reason: [
        'Your question ("Which?") was answered: go by what the user said since.',
        'A check failed.',
        '<go on>',
        HOW_TO_ASK,
      ].join('\n\n'),
      notice: 'It is unproven.',
    });
    expect(turn.served.answered).toBe(question);
    const paused = { ...wait, answered: { ...question, pause: true as const } };
    expect(answer(decidedWith({ wait: paused }), hold()).served.answer).toMatchObject({
      reason: `<go on>\n\n${HOW_TO_ASK}`,
    });
  });

  it('after a refused claim tells the user nothing of it', () => {
    const said = { hold: 'A check failed.', closing: 'It is unproven.', reviewer: null } as never;
    const refused = { ...facts, proof: { ...UNASKED, claim: 'refused' } } as never;
    expect(answer(decidedWith({ said, facts: refused }), hold()).served.answer.notice).toBeNull();
    expect(answer(decidedWith({ said, facts: refused }), allow()).served.answer.notice).toBe(
      'It is unproven.',
    );
  });

  it('is given as feedback where the settings say so', () => {
    const feedback = { ...project, config: { ...DEFAULT_CONFIG, holdAs: 'feedback' as const } };
    const context = sceneAt(feedback, { session: 's1' }, undefined, 'a');
    expect(answer(decidedWith({ context }), hold()).served.answer).toMatchObject({ as: 'feedback' });
    expect(answer(decidedWith(), hold()).served.answer).not.toHaveProperty('as');
  });

  it('names a process that still runs', () => {
    const running = { ...held, leavesRunning: true } as GuardResult;
    expect(answer(decidedWith(), hold(), running).served.answer).toMatchObject({
      reason: expect.stringContaining('A process that you started still runs.'),
    });
  });

  it('with a change commits it, and what the commit found is said', () => {
    const noting = {
      ...workflow,
      keepSignal: () => null,
      commit: () => ({ writes: [], stateHash: 'after', saved: 1, notice: 'It was set aside.' }),
    } as unknown as AnyWorkflow;
    const turn = answer(decidedWith({ workflow: noting, asides: ['First.', null] }), hold({ change: 'x' }));
    expect(turn.writes.commit).toMatchObject({ stateHash: 'after' });
    expect(turn.served.answer.notice).toBe('First.\nIt was set aside.');
    expect(turn.forgetSignals).toBe(true);
    expect(answer(decidedWith(), hold({ change: 'x' })).forgetSignals).toBe(false);
    expect(answer(decidedWith({ workflow: noting }), hold()).forgetSignals).toBe(false);
  });

  it('begins the time waited again where its commit moves the state', () => {
    const sidecar: Sidecar = { ...newSidecar('toy:a'), waits: { ...NO_WAITS, waited: 7, calls: 2 } };
    const moved = answer(decidedWith({ sidecar }), hold({ change: 'x' }));
    expect(moved.writes.sidecar.waits).toEqual({ ...NO_WAITS, waited: 0, calls: 2, callsAtHold: 2 });
    expect(answer(decidedWith({ sidecar }), hold()).writes.sidecar.waits?.waited).toBe(7);
    const unmoved = { ...workflow, commit: () => ({ writes: [], stateHash: 'now', saved: 1 }) } as never;
    const same = answer(decidedWith({ sidecar, workflow: unmoved }), hold({ change: 'x' }));
    expect(same.writes.sidecar.waits?.waited).toBe(7);
    expect(answer(decidedWith({ sidecar }), allow()).writes.sidecar.waits?.callsAtHold).toBe(0);
  });

  it('ends a row of questions where the agent worked since', () => {
    const sidecar: Sidecar = { ...newSidecar('toy:a'), waits: { ...NO_WAITS, questions: 2 } };
    const worked = {
      kind: 'hold',
      memory,
      asked: { memory, movement: { ...still, tools: 'yes' }, limits },
    } as const;
    const questions = (guard: GuardResult): number | undefined =>
      answer(decidedWith({ sidecar }), hold(), guard).writes.sidecar.waits?.questions;
    expect([questions(worked), questions(held), questions(UNCOUNTED)]).toEqual([0, 2, 2]);
  });

  it('says nothing of a proof that was not asked for', () => {
    const unknown = { ...facts, proof: null } as never;
    const said = { hold: null, closing: 'c', reviewer: null } as never;
    expect(answer(decidedWith({ facts: unknown, said }), hold()).served.answer.notice).toBe('c');
  });

  it('of a stop fired by hand is counted nowhere', () => {
    const turn = answer(decidedWith({}, null), hold({ notice: message('look') }), UNCOUNTED);
    expect(turn.writes.memory).toBeNull();
    expect(turn.served.answer.notice).toBe('<look>');
    expect(turn.served.record.guard).toBeNull();
  });

  it('is recorded with what was weighed', () => {
    const { record } = answer(decidedWith(), hold()).served;
    expect(record).toEqual({
      ...{ workflow: 'toy', run: 'a', state: { at: 1 }, step: hold() },
      facts: { verdict: null, failedReviews: 0 },
      guard: { memory, movement: still, limits, result: 'hold' },
    });
  });

  it('of a run that was never committed is its first', () => {
    expect(answer(decidedWith({ sidecar: newSidecar('toy:a') }), hold()).served.first).toBe(true);
  });
});

describe('a notice', () => {
  const noted = (decided: Decided, step: ReturnType<typeof hold | typeof allow>): GuardMemory => {
    const written = answer(decided, step, UNCOUNTED).writes.memory?.memory;
    if (written === undefined) throw new Error('nothing is remembered');
    return written;
  };

  it('is shown once per session and change', () => {
    const step = allow({ notice: message('look'), over: 'limit', completed: true });
    const known = noted(decidedWith(), step);
    expect(known.notified).toEqual(expect.any(String));
    const sidecar: Sidecar = { ...newSidecar('toy:a'), guard: { s1: known } };
    const again = answer(decidedWith({ sidecar }), step, UNCOUNTED);
    expect(again.served.answer.notice).toBeNull();
    expect(again.served.ended).toBeNull();
    expect(again.writes.memory).toBeNull();
    const changed = answer(decidedWith({ sidecar }), { ...step, change: 'x' }, UNCOUNTED);
    expect(changed.served.answer.notice).toBe('<look>');
    expect(changed.served.ended).toBe('completed');
  });

  it('is news in another state, with other words, or with a claim of another worth', () => {
    const step = allow({ notice: message('look') });
    const seen = { ...decidedWith().seen, stateHash: 'other' };
    const said = { hold: null, closing: 'c', reviewer: null } as never;
    const proven = { ...facts, proof: { ...UNASKED, worth: 'proven' } } as never;
    const tokens = [
      noted(decidedWith(), step),
      noted(decidedWith({ seen }), step),
      noted(decidedWith(), allow({ notice: message('other') })),
      noted(decidedWith({ said }), step),
      noted(decidedWith({ said, facts: proven }), step),
      noted(decidedWith({ said }), allow()),
    ].map(({ notified }) => notified);
    expect(new Set(tokens).size).toBe(6);
    expect(tokens).toEqual(tokens.map(() => expect.any(String)));
  });

  it('is none where there is nothing to show', () => {
    const turn = answer(decidedWith(), allow(), UNCOUNTED);
    expect(turn.served.answer).toEqual({ kind: 'allow', notice: null, suppressOutput: false });
    expect(turn.writes.memory).toBeNull();
  });

  it('keeps out of verbose logs where the step asks for it', () => {
    expect(answer(decidedWith(), allow({ suppressOutput: true })).served.answer).toMatchObject({
      suppressOutput: true,
    });
  });
});

describe('a step that allows', () => {
  it.each<[string, object, object]>([
    ['nothing more', {}, { over: null, ended: null, quiet: false }],
    ['quiet', { quiet: true }, { quiet: true }],
    ['an end it has just come to', { change: 'x', over: 'limit' }, { over: 'limit', ended: 'limit' }],
    ['an end that was there', { over: 'limit' }, { over: 'limit', ended: null }],
    ['a goal that is reached', { completed: true }, { over: null, ended: 'completed' }],
    ['both', { change: 'x', completed: true, over: 'limit' }, { over: 'limit', ended: 'completed' }],
  ])('says %s', (_, more, served) => {
    expect(answer(decidedWith(), allow(more)).served).toMatchObject(served);
  });

  it('to a person leaves it their turn, with what they were shown', () => {
    const turn = answer(decidedWith(), allow({ awaits: 'person', notice: message('look') }));
    expect(turn.writes.sidecar.waiting).toEqual({
      ...{ for: 'person', since: NOW, until: NOW + DEFAULT_CONFIG.wait.personMs, what: '<look>' },
      ...{ pause: true, shown: { marker: null, turn: null } },
    });
    expect(turn.writes.noted).toBe(true);
    expect(turn.served.waits).toMatchObject([{ what: 'began', wait: { for: 'person' } }]);
  });

  it('ends every wait of a run that is over', () => {
    const waiting: Waiting = { for: 'work', since: 1, until: 9, what: 'x' };
    const sidecar: Sidecar = { ...newSidecar('toy:a'), waiting };
    const turn = answer(decidedWith({ sidecar, waitedFor: waiting }), allow({ over: 'completed' }));
    expect(turn.writes.sidecar).toHaveProperty('waiting', undefined);
    expect(turn.writes.noted).toBe(true);
    expect(turn.served.waits).toEqual([{ what: 'ended', wait: waiting }]);
    const none = answer(decidedWith(), allow({ over: 'completed' }));
    expect(none.writes).not.toHaveProperty('noted');
    expect(none.served).not.toHaveProperty('waits');
    expect(answer(decidedWith({ sidecar }), allow()).writes.sidecar.waiting).toBe(waiting);
  });

  it('takes the verdict it rests on', () => {
    expect(answer(decidedWith({ ended: attempt, noted: true }), allow()).writes).toMatchObject({
      ...{ applied: attempt, noted: true, held: false },
    });
  });
});

describe('a run that is let go', () => {
  it('by the guard says once what is outstanding', () => {
    const turn = turnOf(letGo(decidedWith({ ended: attempt }), hold(), released(true)));
    expect(turn.served.answer).toEqual({
      ...{ kind: 'allow', notice: '<released after 3 holds>', suppressOutput: false },
    });
    expect(turn.served).toMatchObject({ ended: 'released', over: null, quiet: false });
    expect(turn.writes).toMatchObject({
      memory: { session: 's1', memory: { released: true } },
      applied: null,
    });
    expect(turn.writes).not.toHaveProperty('keepsVerdict');
    expect(turn.served.record.guard).toMatchObject({ result: 'release' });
  });

  it('by the guard stays so in silence, and keeps a verdict', () => {
    const turn = turnOf(letGo(decidedWith({ ended: attempt }), hold(), released(false)));
    expect(turn.served).toMatchObject({ answer: { notice: null }, ended: null });
    expect(turn.writes).toMatchObject({ memory: null, keepsVerdict: true });
    expect(turnOf(letGo(decidedWith(), hold(), released(false))).writes).not.toHaveProperty('keepsVerdict');
  });

  it('after too many refusals is over', () => {
    const said = { hold: null, closing: 'Refused too often.', reviewer: null } as never;
    const turn = turnOf(letGoRefused(decidedWith({ said }), hold()));
    expect(turn.served).toMatchObject({
      ...{ answer: { notice: 'Refused too often.' }, over: 'released', ended: 'released' },
    });
    expect(turnOf(letGoRefused(decidedWith(), hold())).served.answer.notice).toBe('');
  });

  it('by the client’s cap waits for the next prompt', () => {
    const left = { title: 'Qwen', most: 1, left: 0, more: undefined };
    const turn = turnOf(awaitPrompt(decidedWith({ ended: attempt }), hold(), left));
    const notice = 'Holdfast: toy:a is not done, but Qwen ends a turn after 1 hold. Type anything to go on.';
    expect(turn.served).toMatchObject({ answer: { kind: 'allow', notice }, quiet: true });
    expect(turn.served.record.unstepped).toBe('client-cap');
    expect(turn.writes).toMatchObject({ keepsVerdict: true, noted: true });
    expect(turn.writes.sidecar.waiting).toMatchObject({ for: 'person', what: notice, capped: true });
    const more = turnOf(awaitPrompt(decidedWith(), hold(), { ...left, most: 3, more: 'Raise it.' }));
    expect(more.served.answer.notice).toMatch(/after 3 holds\. Type anything to go on\. Raise it\.$/);
    expect(more.writes).not.toHaveProperty('keepsVerdict');
  });
});

describe('a run that waits', () => {
  it('is quiet, keeps a verdict, and shows a question', () => {
    const question: Waiting = { for: 'person', since: 1, until: 2, what: 'Which?' };
    const wait = {
      ...{ question: null, asks: question, answered: null },
      answer: { kind: 'waits', waiting: question, news: true, ended: null },
    } as const;
    const turn = turnOf(allowWaiting(decidedWith({ wait, ended: attempt }), hold(), null));
    expect(turn.served).toMatchObject({ answer: { notice: null }, quiet: true, shown: question });
    expect(turn.served).not.toHaveProperty('keepsSignal');
    expect(turn.writes.keepsVerdict).toBe(true);
    expect(turn.served.record).not.toHaveProperty('waiting');
    const asked = {
      step: 'hold' as const,
      ...{ now: NOW, waiting: question, work: null, answered: null, limits: { work: 1 } },
    };
    const weighed = turnOf(allowWaiting(decidedWith({ wait: { ...wait, question: asked } }), hold(), null));
    expect(weighed.served.record.waiting).toMatchObject({
      step: 'hold',
      result: 'waits',
      waiting: { what: '' },
    });
    const silent = { ...wait, asks: null };
    expect(turnOf(allowWaiting(decidedWith({ wait: silent }), hold(), null)).served).not.toHaveProperty(
      'shown',
    );
    const plain = turnOf(allowWaiting(decidedWith(), { kind: 'prove' }, null));
    expect(plain.served).not.toHaveProperty('shown');
    expect(plain.served.keepsSignal).toBe(true);
    expect(plain.writes).not.toHaveProperty('keepsVerdict');
  });

  it('for a reviewer says so', () => {
    const limit: Waiting = { for: 'limit', since: NOW, until: NOW + 60_000, what: 'x', reviewer: 'codex' };
    const turn = turnOf(allowWaiting(decidedWith(), hold(), limit));
    expect(turn.served.answer.notice).toContain('codex is at its usage limit until 2026-01-31 09:31 UTC');
  });
});

describe('a review for which there is no time', () => {
  const request = {} as never;
  const step: Step<string> = { kind: 'review', review: request };

  it.each([
    ['never', 'no-time', 'how long Claude Code lets this hook run is not known'],
    ['used-up', 'no-time-left', 'no time left in this stop for the review of toy:a; the next stop runs it.'],
  ] as const)('is said once: %s', (time, unstepped, words) => {
    const first = turnOf(allowUnreviewed(decidedWith(), step, UNCOUNTED, time));
    expect(first.served.answer.notice).toContain(words);
    expect(first.served.record.unstepped).toBe(unstepped);
    const known = first.writes.memory?.memory;
    if (known === undefined) throw new Error('nothing is remembered');
    const sidecar: Sidecar = { ...newSidecar('toy:a'), guard: { s1: known } };
    const again = turnOf(allowUnreviewed(decidedWith({ sidecar }), step, UNCOUNTED, time));
    expect(again.served.answer.notice).toBeNull();
    expect(again.served.record.unstepped).toBe(unstepped);
    expect(again.writes.memory).toBeNull();
  });

  it('is news after another kind, or in another state', () => {
    const notified = (time: 'never' | 'used-up', stateHash: string): string | null | undefined => {
      const seen = { ...decidedWith().seen, stateHash };
      return turnOf(allowUnreviewed(decidedWith({ seen }), step, UNCOUNTED, time)).writes.memory?.memory
        .notified;
    };
    const tokens = [notified('never', 'a'), notified('used-up', 'a'), notified('never', 'b')];
    expect(new Set(tokens).size).toBe(3);
  });

  it('names the limit, where there is one, and is said each time to a person', () => {
    const context = sceneAt(project, { session: null, limitS: 60 }, undefined, 'a');
    const turn = turnOf(allowUnreviewed(decidedWith({ context }), step, UNCOUNTED, 'never'));
    expect(turn.served.answer.notice).toContain('Claude Code ends this hook after 60 s.');
    expect(turn.writes.memory).toBeNull();
  });
});

describe('what an answer means for a budget', () => {
  const settledBy = (make: (decided: Decided) => Turn, more: Partial<Decided> = {}): Answered | undefined => {
    let settled: Answered | undefined;
    const budget = {
      settle: (what: Answered) => {
        settled = what;
      },
      lastHold: (due: string) => `the last ${due}`,
      paused: () => 'It is paused.',
    } as unknown as BudgetAtStop;
    turnOf(make(decidedWith({ budget, ...more }))).settle?.();
    return settled;
  };
  const asked = (result: AskedBudget['answer'], due: AskedBudget['due'] = 'hold'): AskedBudget => ({
    ...{ answer: result, due, record: { result } },
  });

  it('is a hold, with the review that it asks for', () => {
    expect(settledBy((decided) => answerStep(decided, hold(), held))).toEqual({ kind: 'held', review: null });
    expect(settledBy((decided) => answerStep(decided, hold({ change: 'x' }), held))).toEqual({
      ...{ kind: 'held', review: null },
    });
    expect(settledBy((decided) => answerStep(decided, hold({ change: 'ask for a review' }), held))).toEqual({
      kind: 'held',
      review: { key: 'asked now', counts: true, tokens: 0, cacheRead: 0, usd: 0 },
    });
    expect(dueAt(decidedWith(), { kind: 'review', review: {} as never })).toBe('review');
    expect(dueAt(decidedWith(), allow({ change: 'ask for a review' }))).toBe('hold');
  });

  it('is a clock that stands still, until the wait is over', () => {
    expect(settledBy((decided) => answerStep(decided, allow(), held))).toEqual({
      kind: 'allowed',
      still: { for: 'limit', since: NOW, until: null },
    });
    const waiting: Waiting = { for: 'limit', since: NOW - 5, until: NOW + 5, what: 'x', reviewer: 'codex' };
    const wait = {
      ...{ question: null, asks: null, answered: null },
      answer: { kind: 'waits', waiting, news: false, ended: null },
    } as const;
    expect(settledBy((decided) => allowWaiting(decided, hold(), null), { wait })).toEqual({
      kind: 'allowed',
      still: { for: 'limit', since: NOW, until: NOW + 5, reviewer: 'codex' },
    });
    const { reviewer: _, ...work } = { ...waiting, for: 'work' as const };
    const forWork = { ...wait, answer: { ...wait.answer, waiting: work } };
    expect(settledBy((decided) => allowWaiting(decided, hold(), null), { wait: forWork })).toEqual({
      kind: 'allowed',
      still: { for: 'work', since: NOW, until: NOW + 5 },
    });
  });

  it('is the last hold, which keeps a verdict', () => {
    const make = (decided: Decided): Turn => holdLast(decided, hold(), held, asked('last-hold', 'review'));
    expect(settledBy(make)).toEqual({ kind: 'last-hold', due: 'review' });
    const budget = { settle: () => {}, lastHold: (due: string) => `the last ${due}` } as never;
    const turn = turnOf(make(decidedWith({ budget, ended: attempt })));
    expect(turn.served.answer).toEqual({ kind: 'hold', reason: 'the last review', notice: null });
    expect(turn.writes).toMatchObject({ held: true, keepsVerdict: true, memory: { memory } });
    expect(turn.served.record.budget).toEqual({ result: 'last-hold' });
    expect(turnOf(make(decidedWith({ budget }))).writes).not.toHaveProperty('keepsVerdict');
    expect(
      turnOf(holdLast(decidedWith({ budget }), hold(), UNCOUNTED, asked('last-hold'))).writes.memory,
    ).toBeNull();
  });

  it('is the pause, said once', () => {
    const make =
      (result: AskedBudget['answer']) =>
      (decided: Decided): Turn =>
        pauseRun(decided, hold(), asked(result));
    expect(settledBy(make('pause'))).toEqual({ kind: 'paused', now: NOW });
    const budget = { settle: () => {}, paused: () => 'It is paused.' } as never;
    const turn = turnOf(make('pause')(decidedWith({ budget, ended: attempt })));
    expect(turn.served).toMatchObject({
      answer: { kind: 'allow', notice: 'It is paused.' },
      ended: 'paused',
    });
    expect(turn.writes).toMatchObject({ noted: true, keepsVerdict: true, sidecar: { paused: NOW } });
    const stays = turnOf(make('stays-paused')(decidedWith({ budget })));
    expect(stays.served).toMatchObject({ answer: { notice: null }, ended: null });
    expect(stays.writes).not.toHaveProperty('noted');
    expect(stays.writes).not.toHaveProperty('keepsVerdict');
    expect(stays.writes.sidecar).not.toHaveProperty('paused');
    expect(stays.served.record.budget).toEqual({ result: 'stays-paused' });
  });
});

it('an answer without a step has only what it is given', () => {
  const turn = turnOf(allowUnstepped(decidedWith(), hold(), UNCOUNTED, {}));
  expect(turn.served).toMatchObject({ answer: { notice: null }, quiet: false, over: null, ended: null });
  expect(turn.served.record).not.toHaveProperty('unstepped');
  expect(turn.served.record).not.toHaveProperty('budget');
  expect(turn.served.record).not.toHaveProperty('waiting');
  const over = turnOf(
    allowUnstepped(decidedWith(), hold(), UNCOUNTED, { over: 'stuck', unstepped: 'under-way' }),
  );
  expect(over.served).toMatchObject({ over: 'stuck', record: { unstepped: 'under-way' } });
});
