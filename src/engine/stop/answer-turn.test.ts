import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { bareProject, contextIn } from '../../../test/support/bare-project.ts';
import { heldBy, SESSION, stopOf } from '../../../test/support/stop-here.ts';
import { claudeTranscript } from '../../../test/toy/transcript.ts';
import type { Stop } from '../../clients/stop.ts';
import {
  type GuardMemory,
  NEW_SESSION,
  NO_GUARD_MEMORY,
  newSidecar,
  type ReviewAttempt,
  type Sidecar,
  type Waiting,
} from '../../store/records.ts';
import { writeSession } from '../../store/sidecars.ts';
import type { AskedBudget, BudgetAtStop } from '../budget/at-stop.ts';
import type { BudgetAnswer } from '../budget/rule.ts';
import { sealArtifacts } from '../guard/artifacts.ts';
import { activityOf } from '../guard/progress.ts';
import { NO_NOTES, UNASKED } from '../proof/asked.ts';
import type { Proved, Said } from '../proof/prove.ts';
import type { AskedWait } from '../waiting/at-stop.ts';
import type { AnyWorkflow } from '../workflow.ts';
import type { Decided } from './answer-run.ts';
import { answerTurn, type Decision } from './answer-turn.ts';
import { type Fetched, NOTHING_FETCHED, type Turn } from './turn.ts';

const WORKFLOW = {
  name: 'toy',
  guard: { unmoved: 3, tools: 12 },
  commit: (change: string) => ({ writes: [], stateHash: `after ${change}`, saved: null }),
  artifacts: () => [],
  say: ({ name }: { name: string }) => `<${name}>`,
  released: (_: unknown, __: unknown, holds: string) => ({ name: `released after ${holds}`, slots: {} }),
  reviewCall: ({ file }: { file: string }, world: string, context: object, facts: object) => ({
    ...{ prompt: `review into ${file} of ${world}`, file, log: 'log' },
    ...{ reads: [...Object.keys(context), ...Object.keys(facts)] },
  }),
} as unknown as AnyWorkflow;

const GOES_ON: AskedWait = {
  question: null,
  answer: { kind: 'goes-on', waiting: null, ended: null },
  asks: null,
  answered: null,
};
const LIMIT: Waiting = { for: 'limit', since: 0, until: null, what: 'usage-limit', reviewer: 'critic' };
const WAITS: AskedWait = { ...GOES_ON, answer: { kind: 'waits', waiting: LIMIT, news: false, ended: null } };

const HOLD = { kind: 'hold', change: null, message: { name: 'go on', slots: {} }, notice: null } as const;
const REQUEST = { reviewer: 'critic', kind: 'k', number: 1, file: 'r.md', model: 'opus' };
const REVIEW = { kind: 'review', review: REQUEST } as const;
const ATTEMPT: ReviewAttempt = {
  ...{ id: 'r1', work: 'review', owner: null, deadline: 1, status: 'done', verdict: 'clean', before: 'now' },
  ...REQUEST,
};
const RUNNING: ReviewAttempt = { ...ATTEMPT, status: 'running', verdict: null };
const FACTS = { verdict: null, failedReviews: 0, proof: UNASKED, until: null } as unknown as Decided['facts'];

type Given = Partial<Omit<Decision, 'decided' | 'fetched'>> & {
  decided?: Partial<Decided>;
  fetched?: Partial<Fetched>;
  stop?: Partial<Stop>;
  sidecar?: Partial<Sidecar>;
  project?: ReturnType<typeof bareProject>;
};

function decisionOf({ decided, fetched, stop, sidecar, project = bareProject(), ...over }: Given): Decision {
  const known = { ...newSidecar('toy:a'), sessions: [SESSION], committed: { before: 'x', after: 'now' } };
  return {
    decided: {
      workflow: WORKFLOW,
      context: contextIn(project, 'a', { stop: { session: SESSION, ...stop } }),
      sidecar: { ...known, ...sidecar },
      seen: { world: 'the world', state: { at: 1 }, facts: {}, stateHash: 'now', subject: 'subject' },
      ...{ facts: FACTS, ended: null, passed: null, asides: [], said: null, waitedFor: undefined },
      ...{ noted: false, wait: over.wait ?? GOES_ON, budget: null },
      ...decided,
    },
    ...{ step: HOLD, wait: GOES_ON, limit: null, review: null, unfinished: undefined },
    ...over,
    fetched: { ...NOTHING_FETCHED, ...fetched },
  };
}
const turnOf = (given: Given): Turn => answerTurn(decisionOf(given));

function answer(given: Given): Extract<Turn, { kind: 'answer' }> {
  const turn = turnOf(given);
  if (turn.kind !== 'answer') throw new Error(`${turn.kind} is no answer`);
  return turn;
}

const allowed = (notice: string | null = null) => ({ kind: 'allow', notice, suppressOutput: false });
const HELD = { kind: 'hold', reason: heldBy('<go on>'), notice: null };

const UNCOUNTED = { guard: null };

/** One that gives every question the same answer. */
function budgetThat(says: BudgetAnswer, asked: string[] = []): BudgetAtStop {
  return {
    budget: {} as BudgetAtStop['budget'],
    notice: null,
    ask(due): AskedBudget {
      asked.push(due);
      return { answer: says, due, record: { says } };
    },
    settle: () => {},
    lastHold: (due) => `the last hold, ${due} being due`,
    paused: () => 'It is paused.',
  };
}

const SAID: Said = { hold: null, closing: null, reviewer: null, aside: null, printed: [] };
const claimOf = (more: Partial<Proved['proof']>, said: Partial<Said> = {}): Proved => ({
  ...{ kind: 'proved', notes: undefined, said: { ...SAID, ...said }, ran: [] },
  proof: { ...UNASKED, ...more },
});

describe('a step that allows the stop', () => {
  it('is answered at once, whatever else there is', () => {
    const step = { kind: 'allow', change: null, notice: { name: 'done', slots: {} } } as const;
    const asked: string[] = [];
    const decided = { budget: budgetThat('last-hold', asked) };
    const { served } = answer({ step, decided, wait: WAITS, review: RUNNING, unfinished: RUNNING });
    expect(served).toMatchObject({ answer: allowed('<done>'), record: UNCOUNTED });
    expect(asked).toEqual([]);
  });
});

describe('a hold', () => {
  it('is given where nothing speaks against it, and counted', () => {
    const { served, writes } = answer({});
    expect(served).toMatchObject({ answer: HELD, quiet: false, record: { guard: { result: 'hold' } } });
    expect(served.record).not.toHaveProperty('budget');
    expect(writes.memory).toMatchObject({ session: SESSION, memory: { held: true } });
  });

  it('waits for what the run waits for', () => {
    const { served } = answer({ wait: WAITS });
    expect(served).toMatchObject({ answer: allowed(), quiet: true, record: UNCOUNTED });
    expect(answer({ wait: WAITS, limit: LIMIT }).served.answer.notice).toBe(
      'Holdfast: critic is at its usage limit and does not say until when; it is asked again after 1970-01-01 00:10 UTC. Nothing is counted: the review of toy:a comes at the first stop after that.',
    );
  });

  it('is not given where the checks refused too often', () => {
    const said: Said = { ...SAID, closing: 'Refused too often.' };
    const refused = (why: Proved['proof']['why']) =>
      answer({ decided: { said }, fetched: { claim: claimOf({ claim: 'refused', why }) } }).served;
    expect(refused(['refused-too-often'])).toMatchObject({
      ...{ answer: allowed('Refused too often.'), over: 'released', ended: 'released', record: UNCOUNTED },
    });
    expect(refused([]).answer.kind).toBe('hold');
  });

  it.each([
    ['goes-on', { answer: HELD }],
    ['last-hold', { answer: { kind: 'hold', reason: 'the last hold, hold being due', notice: null } }],
    ['pause', { answer: allowed('It is paused.'), ended: 'paused', record: UNCOUNTED }],
    ['stays-paused', { answer: allowed(), ended: null, record: UNCOUNTED }],
  ] as const)('of a budget that says %s', (says, expected) => {
    const asked: string[] = [];
    const { served } = answer({ decided: { budget: budgetThat(says, asked) } });
    expect(served).toMatchObject(expected);
    expect(served.record.budget).toEqual({ says });
    expect(asked).toEqual(['hold']);
  });

  it('of a run that waits is not paused for what is spent at that very stop', () => {
    const of = (says: BudgetAnswer) => answer({ wait: WAITS, decided: { budget: budgetThat(says) } }).served;
    expect(of('pause')).toMatchObject({ answer: allowed(), quiet: true });
    expect(of('pause').ended).toBeNull();
    expect(of('stays-paused')).toMatchObject({ answer: allowed(), quiet: false });
  });

  describe('that the guard does not let through', () => {
    const memory: GuardMemory = {
      ...NO_GUARD_MEMORY,
      ...{ held: true, noProgress: 3, noTools: 3, artifacts: sealArtifacts([], NO_GUARD_MEMORY.artifacts) },
    };
    const scene = (): Given & { calls(): void; marker: string | null } => {
      const project = bareProject();
      const transcript = claudeTranscript(path.join(project.root, 'transcript.jsonl'));
      transcript.says('Beginning.');
      const stop = { transcriptPath: transcript.file };
      const { marker } = activityOf(stopOf(project, stop), null);
      return {
        ...{ project, stop, marker },
        sidecar: { guard: { [SESSION]: { ...memory, marker } } },
        calls: () => transcript.calls('Bash'),
      };
    };

    it('waits for a tool call that may be late, and is then let go', () => {
      const { calls: _, marker, ...given } = scene();
      expect(turnOf(given)).toEqual({ kind: 'wait-for-tools', since: marker, state: 'now' });
      expect(marker).not.toBeNull();
      const { served } = answer({ ...given, fetched: { awaited: true } });
      expect(served).toMatchObject({
        ...{ answer: allowed('<released after 3 holds>'), ended: 'released' },
        record: { guard: { result: 'release' } },
      });
    });

    it('is given where the agent called a tool', () => {
      const { calls, marker: _, ...given } = scene();
      calls();
      expect(answer(given).served.answer).toEqual(HELD);
    });

    it('is given where an artifact moved', () => {
      const { calls: _, marker: __, ...given } = scene();
      const file = given.stop?.transcriptPath ?? '';
      const workflow = { ...WORKFLOW, artifacts: () => [file] } as AnyWorkflow;
      expect(answer({ ...given, decided: { workflow } }).served.answer).toEqual(HELD);
    });

    it('is given where somebody moved the state', () => {
      const { calls: _, marker: __, sidecar, ...given } = scene();
      const moved = { ...sidecar, committed: { before: 'x', after: 'y' } };
      expect(answer({ ...given, sidecar: moved }).served.answer).toEqual(HELD);
    });

    it('is asked of the world and the context', () => {
      const { calls: _, marker: __, ...given } = scene();
      const notified: unknown[] = [];
      const artifacts = (...what: unknown[]) => {
        notified.push(...what);
        return [];
      };
      const decision = decisionOf({ ...given, decided: { workflow: { ...WORKFLOW, artifacts } } });
      answerTurn(decision);
      expect(notified).toEqual(['the world', decision.decided.context]);
    });
  });

  it('that the client would not honour waits for the next prompt', () => {
    const project = bareProject();
    const stop = { client: 'copilot', turn: 't1', afterHold: true };
    const held = (count: number) => {
      writeSession(project.root, SESSION, { ...NEW_SESSION, holds: { turn: 't1', count } });
      return answer({ project, stop }).served;
    };
    expect(held(1).answer.kind).toBe('hold');
    const capped = held(1000);
    expect(capped).toMatchObject({ answer: { kind: 'allow' }, quiet: true });
    expect(capped.record).toMatchObject({ unstepped: 'client-cap', guard: null });
    expect(answer({ project, stop, step: REVIEW }).served.record.unstepped).toBe('no-time-left');
  });
});

describe('a review', () => {
  const here = (): Given => ({ project: bareProject(Date.now()), stop: { limitS: 600 }, step: REVIEW });

  it('is begun where nothing speaks against it', () => {
    const passed = { ...ATTEMPT, id: 'passed' };
    const decision = decisionOf({ ...here(), decided: { passed } });
    const turn = answerTurn(decision);
    const { context, sidecar, seen, facts } = decision.decided;
    expect(turn).toEqual({
      kind: 'review',
      begin: {
        ...{ sidecar, request: REQUEST, of: seen, session: SESSION, passed },
        deadline: context.project.now + 540_000,
      },
      call: {
        ...{ prompt: 'review into r.md of the world', file: 'r.md', log: 'log' },
        reads: [...Object.keys(context), ...Object.keys(facts)],
      },
      wait: GOES_ON,
      state: 'now',
    });
  });

  it('passes over the one that has ended, where another is asked for all the same', () => {
    const passed = { ...ATTEMPT, id: 'passed' };
    const gone = (decided: Partial<Decided>): unknown => {
      const turn = turnOf({ ...here(), decided });
      return turn.kind === 'review' ? turn.begin.passed : turn;
    };
    expect(gone({ ended: ATTEMPT })).toEqual(ATTEMPT);
    expect(gone({ ended: ATTEMPT, passed })).toEqual(passed);
    expect(gone({})).toBeNull();
  });

  it('is notified of protected files that changed', () => {
    const claim = claimOf({}, { reviewer: 'Look at test/a.' });
    const turn = turnOf({ ...here(), fetched: { claim } });
    expect(turn.kind === 'review' && turn.call.prompt).toBe(
      'review into r.md of the world\n\nLook at test/a.',
    );
  });

  it('is not begun beside one that is under way', () => {
    const { served } = answer({ ...here(), review: RUNNING });
    expect(served.answer).toEqual(
      allowed(
        'Holdfast: a review is already under way (r.md); this stop is allowed and no second one is started.',
      ),
    );
    expect(served.record).toMatchObject({ unstepped: 'under-way', guard: { result: 'hold' } });
    expect(turnOf({ ...here(), review: ATTEMPT }).kind).toBe('review');
  });

  it('is not begun after one of this stop', () => {
    const { served } = answer({ ...here(), review: ATTEMPT, fetched: { ended: ATTEMPT } });
    expect(served).toMatchObject({ answer: allowed(), record: { unstepped: 'just-ended' } });
  });

  it('is not begun without the time for it', () => {
    const { served } = answer({ ...here(), stop: { limitS: 60 } });
    expect(served.record).toMatchObject({ unstepped: 'no-time', guard: { result: 'hold' } });
    const late = answer({ ...here(), project: bareProject(1) }).served;
    expect(late.record.unstepped).toBe('no-time-left');
  });

  it('is an error of a workflow that has none', () => {
    const { reviewCall: _, ...workflow } = WORKFLOW;
    expect(() => turnOf({ ...here(), decided: { workflow } })).toThrow(
      new Error('toy asks for a review and has none'),
    );
  });

  it('waits for what the run waits for', () => {
    expect(answer({ ...here(), wait: WAITS }).served).toMatchObject({ answer: allowed(), quiet: true });
  });

  it('for which nothing is left is the last hold instead', () => {
    const asked: string[] = [];
    const budget = budgetThat('last-hold', asked);
    expect(answer({ ...here(), decided: { budget } }).served).toMatchObject({
      answer: { kind: 'hold', reason: 'the last hold, review being due', notice: null },
      record: { budget: { says: 'last-hold' }, guard: { result: 'hold' } },
    });
    expect(asked).toEqual(['review']);
    expect(answer({ ...here(), review: RUNNING, decided: { budget } }).served.record.unstepped).toBe(
      'under-way',
    );
    expect(turnOf({ ...here(), decided: { budget: budgetThat('goes-on') } }).kind).toBe('review');
    expect(answer({ ...here(), decided: { budget: budgetThat('pause') } }).served.ended).toBe('paused');
  });

  it('is not kept back by a claim that was refused too often', () => {
    const claim = claimOf({ why: ['refused-too-often'] });
    expect(turnOf({ ...here(), fetched: { claim } }).kind).toBe('review');
  });
});

describe('a claim', () => {
  const step = { kind: 'prove' } as const;

  it('is looked into', () => {
    expect(turnOf({ step, sidecar: { proof: NO_NOTES } })).toEqual({
      ...{ kind: 'prove', step, notes: NO_NOTES, state: 'now' },
    });
    expect(turnOf({ step })).toEqual({ kind: 'prove', step, notes: undefined, state: 'now' });
  });

  it('is not looked into beside a check that is under way', () => {
    const { served } = answer({ step, unfinished: RUNNING });
    expect(served.answer).toEqual(
      allowed(
        'Holdfast: a check of toy:a is already under way; this stop is allowed and no second one is started.',
      ),
    );
    expect(served.record).toMatchObject({ unstepped: 'under-way', guard: null });
  });

  it('waits for what the run waits for, and its signal is kept', () => {
    expect(answer({ step, wait: WAITS }).served).toMatchObject({ quiet: true, keepsSignal: true });
  });

  it.each([
    ['of all', {}, 'prove'],
    ['of one check alone', { only: 'test' }, 'answer'],
    ['of a check that is asked what it says', { check: 'test' }, 'answer'],
  ])('(%s) of a run that is paused', (_, more, kind) => {
    const decided = { budget: budgetThat('stays-paused') };
    expect(turnOf({ step: { ...step, ...more }, decided }).kind).toBe(kind);
    const spent = { budget: budgetThat('pause') };
    expect(turnOf({ step: { ...step, ...more }, decided: spent }).kind).toBe('prove');
  });
});
