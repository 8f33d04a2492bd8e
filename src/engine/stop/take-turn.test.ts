import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bareProject, giveBudget, budgetOf as newBudgetOf } from '../../../test/support/bare-project.ts';
import { heldBy, SESSION, stoppedIn } from '../../../test/support/stop-here.ts';
import type { Stop } from '../../clients/stop.ts';
import type { Findings } from '../../reviewers/findings.ts';
import { attemptFolder, ensureHome } from '../../store/home.ts';
import type { JsonObject } from '../../store/json.ts';
import { keepWord } from '../../store/kept.ts';
import {
  type CheckAttempt,
  newSidecar,
  type ReviewAttempt,
  type Sidecar,
  type Waiting,
} from '../../store/records.ts';
import { writeSidecar } from '../../store/sidecars.ts';
import type { BudgetAtStop } from '../budget/at-stop.ts';
import type { RunContext } from '../context.ts';
import type { Project } from '../project.ts';
import { NO_NOTES, NO_UNTIL, UNASKED } from '../proof/asked.ts';
import type { Proved, Said } from '../proof/prove.ts';
import type { Proof } from '../proof/types.ts';
import type { Step } from '../step.ts';
import type { ReviewReport } from '../work/report.ts';
import type { AnyWorkflow, Observation } from '../workflow.ts';
import { takeTurn } from './take-turn.ts';
import { type Fetched, NOTHING_FETCHED, type Turn } from './turn.ts';

const NOW = 50_000_000;
const MINUTE = 60_000;

type Notified = { context: RunContext; facts: JsonObject };
type Scene = {
  project: Project;
  notified: Partial<Notified>;
  turn(fetched?: Partial<Fetched>, stop?: Partial<Stop>): Turn;
};

type Given = {
  sidecar?: Partial<Sidecar>;
  seen?: Partial<Observation<unknown, JsonObject, JsonObject>> | null;
  workflow?: Partial<AnyWorkflow>;
  project?: Partial<Project>;
  step?: object;
};

/** A run whose workflow answers every question with one step. */
function scene({ sidecar, seen = {}, workflow, project: over, step = hold() }: Given = {}): Scene {
  const project = { ...bareProject(NOW), ...over };
  const notified: Partial<Notified> = {};
  ensureHome(project.root);
  const written = { ...newSidecar('toy:a'), sessions: [SESSION], committed: { before: 'x', after: 'state' } };
  writeSidecar(project.root, { ...written, ...sidecar });
  for (const { id } of sidecar?.attempts ?? [])
    fs.mkdirSync(attemptFolder(project.home, id), { recursive: true });
  const toy = {
    name: 'toy',
    guard: { unmoved: 3, tools: 12 },
    observe(context: RunContext) {
      notified.context = context;
      const found = { world: 'the world', state: { at: 1 }, facts: { own: 'fact' }, stateHash: 'state' };
      return seen === null ? null : { ...found, ...seen };
    },
    decide(_: unknown, facts: JsonObject) {
      notified.facts = facts;
      return step;
    },
    commit: () => ({ writes: [], stateHash: 'after', saved: null }),
    artifacts: () => [],
    say: ({ name }: { name: string }) => `<${name}>`,
    ...workflow,
  } as unknown as AnyWorkflow;
  return {
    ...{ project, notified },
    turn: (fetched, stop) => takeTurn(toy, stoppedIn(project, stop), 'a', { ...NOTHING_FETCHED, ...fetched }),
  };
}

const message = (name: string) => ({ name, slots: {} });
function hold(more: object = {}): Step<unknown> {
  return { kind: 'hold', change: null, message: message('go on'), notice: null, ...more };
}
const allow = (more: object = {}): Step<unknown> => ({ kind: 'allow', change: null, notice: null, ...more });

const review = (more: Partial<ReviewAttempt> = {}): ReviewAttempt => ({
  ...{ id: 'r1', work: 'review', reviewer: 'critic', kind: 'k', number: 4, file: 'r.md', model: 'opus' },
  ...{ owner: SESSION, deadline: 1, status: 'done', verdict: 'clean', before: 'state' },
  ...more,
});
const CHECK: CheckAttempt = {
  ...{ id: 'c1', work: 'check', check: 'test', definition: 'd', owner: null, deadline: 1 },
  status: 'running',
};
const report = (more: Partial<ReviewReport> = {}): ReviewReport => ({
  ...{ attempt: 'r1', findings: null, listed: null, spend: null, milliseconds: null, journaled: false },
  ...more,
});

const SAID: Said = { hold: null, closing: null, reviewer: null, aside: null, printed: [] };
const proved = (said: Partial<Said> = {}, more: Partial<Proved> = {}): Proved => ({
  ...{ kind: 'proved', proof: UNASKED, notes: undefined, said: { ...SAID, ...said }, ran: [] },
  ...more,
});

function answered(turn: Turn): Extract<Turn, { kind: 'answer' }> {
  if (turn.kind !== 'answer') throw new Error(`${turn.kind} is no answer`);
  return turn;
}
const noticeOf = (turn: Turn): string | null => answered(turn).served.answer.notice;

describe('a turn of a run', () => {
  it('that is another session’s, or gone, is nobody’s', () => {
    expect(scene({ sidecar: { sessions: ['another'] } }).turn()).toEqual({ kind: 'not-ours' });
    expect(scene({ seen: null }).turn()).toEqual({ kind: 'not-ours' });
    expect(scene().turn({}, { session: 'another' })).toEqual({ kind: 'not-ours' });
    expect(scene().turn({}, { session: null }).kind).toBe('answer');
  });

  it('tells the workflow what is known of the run', () => {
    const waiting: Waiting = { for: 'work', since: NOW - MINUTE, until: NOW + MINUTE, what: 'tests' };
    const { project, notified, turn } = scene({ sidecar: { saved: 'mine', waiting } });
    turn({}, { lastMessage: 'Hm.' });
    const { stop } = stoppedIn(project, { lastMessage: 'Hm.' });
    expect(notified.context).toEqual({
      ...{ project, stop, run: 'a', now: NOW - MINUTE, saved: 'mine', keptSignals: [] },
    });
    expect(notified.facts).toEqual({
      ...{ own: 'fact', verdict: null, failedReviews: 0, proof: UNASKED, until: NO_UNTIL },
    });
  });

  it('hears signals that were kept, where its workflow keeps any', () => {
    const keeping = scene({ workflow: { keepSignal: (_, word) => word } });
    const other = scene();
    for (const { project } of [keeping, other]) {
      keepWord({ ...project, run: 'toy:a' }, 'done');
      keepWord({ ...project, run: 'toy:b' }, 'not mine');
    }
    keeping.turn();
    expect(keeping.notified.context?.keptSignals).toEqual(['done']);
    other.turn();
    expect(other.notified.context?.keptSignals).toEqual([]);
  });

  it('knows what the checks printed that were asked for by name', () => {
    const said = (tail: string) => ({ name: tail, tail }) as unknown as Said['printed'][number];
    const { notified, turn } = scene();
    turn({
      checks: [
        { name: 'one', proved: proved({ printed: [said('first')] }) },
        { name: 'two', proved: proved() },
        { name: 'three', proved: proved({ printed: [said('second'), said('third')] }) },
      ],
    });
    expect(notified.context?.printed).toEqual([said('first'), said('second'), said('third')]);
    turn({ checks: [{ name: 'two', proved: proved() }] });
    expect(notified.context).not.toHaveProperty('printed');
  });

  it('asks for a look, with the world and the context to look in', () => {
    const { notified, turn } = scene({ step: { kind: 'look', at: 'message' } });
    expect(turn()).toEqual({
      ...{ kind: 'look', at: 'message', context: notified.context, world: 'the world', state: 'state' },
    });
  });

  it('decides by what was looked at, above what was observed', () => {
    const { notified, turn } = scene();
    turn({ facts: { own: 'looked at', more: 1 }, lookedIn: 'another state' });
    expect(notified.facts).toMatchObject({ own: 'looked at', more: 1 });
  });

  it('with a claim looks again where the state is another by now', () => {
    const { notified, turn } = scene({ workflow: { claims: true } });
    const facts = { own: 'looked at' };
    const pinned = { notes: null, notice: null };
    turn({ facts, lookedIn: 'state', claim: proved(), pinned });
    expect(notified.facts?.own).toBe('looked at');
    turn({ facts, lookedIn: 'another state', claim: proved(), pinned });
    expect(notified.facts?.own).toBe('fact');
    turn({ facts, lookedIn: 'another state', claim: null, pinned });
    expect(notified.facts?.own).toBe('looked at');
  });
});

describe('an attempt of an earlier hook', () => {
  it.each([
    ['review that runs', review({ status: 'running', verdict: null })],
    ['review that was interrupted', review({ status: 'interrupted', verdict: null })],
    ['check', CHECK],
  ])('(a %s) comes first, unless its owner lives', (_, attempt) => {
    const { turn } = scene({ sidecar: { attempts: [attempt] } });
    expect(turn()).toEqual({ kind: 'recover', attempt });
    expect(turn({ busy: ['another'] })).toEqual({ kind: 'recover', attempt });
    expect(turn({ busy: ['another', attempt.id] }).kind).toBe('answer');
  });

  it('that has ended is read before it is decided on', () => {
    const { notified, turn } = scene({ sidecar: { attempts: [review()] } });
    expect(turn()).toEqual({ kind: 'read-review', attempt: review() });
    expect(turn({ report: report({ attempt: 'another' }) })).toEqual({
      ...{ kind: 'read-review', attempt: review() },
    });
    expect(notified.facts).toBeUndefined();
    expect(turn({ report: report() }).kind).toBe('answer');
  });

  it('that has ended says its verdict, what it listed and what it found', () => {
    const { notified, turn } = scene({ sidecar: { attempts: [review({ verdict: 'findings' })] } });
    const findings = [{ text: 'one' }] as unknown as Findings;
    const listed = { total: 1 } as unknown as NonNullable<ReviewReport['listed']>;
    const { writes, served } = answered(turn({ report: report({ findings, listed }) }));
    expect(notified.facts).toEqual({
      ...{ own: 'fact', verdict: 'findings', failedReviews: 0, reviewNumber: 4, reviewModel: 'opus' },
      ...{ listed, proof: UNASKED, until: NO_UNTIL },
    });
    expect(writes).toMatchObject({ applied: review({ verdict: 'findings' }), passed: null });
    expect(served.record.facts).toMatchObject({ verdict: 'findings', listed });
    expect(notified.context).not.toHaveProperty('findings');
    let said: RunContext | null = null;
    const saying = scene({
      sidecar: { attempts: [review()] },
      workflow: {
        say(_, __, context) {
          said = context;
          return '';
        },
      },
    });
    saying.turn({ report: report({ findings }) });
    expect(said).toMatchObject({ findings });
  });

  it('that ended in this stop is known by its verdict, whatever the record still says', () => {
    const running = review({ status: 'running', verdict: null });
    const { notified, turn } = scene({ sidecar: { attempts: [running] } });
    const written = answered(turn({ ended: review(), report: report() }));
    expect(notified.facts).toMatchObject({ verdict: 'clean' });
    expect(written.served.answer).toEqual({ kind: 'hold', reason: heldBy('<go on>'), notice: null });
  });
});

describe('a review that ran in this stop', () => {
  const running = review({ status: 'running', verdict: null });
  const moved = review({ before: 'another' });

  it('of a state that was edited meanwhile is not applied', () => {
    const { notified, turn } = scene({ sidecar: { attempts: [running] } });
    expect(noticeOf(turn({ ended: moved, report: report() }))).toBe(
      'Holdfast: the state was edited while a review ran, so the edit stands and the verdict was not applied. The review is kept in r.md.',
    );
    expect(notified.facts).toMatchObject({ verdict: null });
  });

  it('waits where the state cannot be understood', () => {
    const { turn } = scene({ sidecar: { attempts: [running] }, seen: { unreadable: true } });
    expect(noticeOf(turn({ ended: moved, report: report() }))).toBe(
      'Holdfast: the state cannot be read since a review ran (r.md); its verdict waits until the state can be read again.',
    );
  });

  it('of an earlier stop is passed over without a word', () => {
    const { turn } = scene({ sidecar: { attempts: [moved] } });
    const { served, writes } = answered(turn({ report: report() }));
    expect(served.answer.notice).toBeNull();
    expect(writes.passed).toEqual(moved);
  });

  it('and is off the record already is not spoken of', () => {
    expect(noticeOf(scene().turn({ ended: moved, report: report() }))).toBeNull();
  });

  it('at its reviewer’s limit leaves the run waiting for it', () => {
    const limited = review({ verdict: 'failed', cause: { kind: 'usage-limit', code: null } });
    const asks = { kind: 'review', review: { reviewer: 'critic', kind: 'k', number: 4, file: 'r.md' } };
    const { turn } = scene({ sidecar: { attempts: [running] }, step: asks });
    const { served, writes } = answered(turn({ ended: limited, report: report() }));
    expect(served.answer).toEqual({
      kind: 'allow',
      notice:
        'Holdfast: critic is at its usage limit and does not say until when; it is asked again after 1970-01-01 14:03 UTC. Nothing is counted: the review of toy:a comes at the first stop after that.',
      suppressOutput: false,
    });
    expect(writes).toMatchObject({
      passed: limited,
      sidecar: {
        ...{ attempts: [], failures: { count: 0, state: '' } },
        waiting: { for: 'limit', since: NOW, until: null, what: 'usage-limit', reviewer: 'critic' },
      },
    });
  });
});

describe('the first stop of a run that claims', () => {
  const config = (project: Project) => ({
    ...project,
    config: { ...project.config, protect: { ...project.config.protect, paths: ['test'] } },
  });
  const first = { committed: null };
  const protecting = { config: config(bareProject()).config };

  it('pins its checks', () => {
    const given = { sidecar: first, project: protecting };
    const { turn } = scene({ ...given, workflow: { claims: true } });
    expect(turn()).toEqual({ kind: 'pin', notes: undefined, state: 'state' });
    expect(turn({ pinned: { notes: null, notice: null } }).kind).toBe('answer');
    expect(scene(given).turn().kind).toBe('answer');
    expect(scene({ workflow: { claims: true }, project: protecting }).turn().kind).toBe('answer');
  });

  it('pins what its start noted', () => {
    const { turn } = scene({ sidecar: { proof: NO_NOTES }, workflow: { claims: true } });
    expect(turn()).toEqual({ kind: 'pin', notes: NO_NOTES, state: 'state' });
  });

  it('notes down what came of it, and says so', () => {
    const { turn } = scene({ sidecar: first, project: protecting, workflow: { claims: true } });
    const notes = { ...NO_NOTES, pinned: true };
    const { served, writes } = answered(turn({ pinned: { notes, notice: 'Not trusted.' } }));
    expect(served.answer.notice).toBe('Not trusted.');
    expect(writes).toMatchObject({ noted: true, sidecar: { proof: notes } });
    const without = answered(turn({ pinned: { notes: null, notice: null } }));
    expect(without.writes).not.toHaveProperty('noted');
  });
});

describe('a claim', () => {
  const pinned = { notes: null, notice: null };
  const claims = { claims: true } as const;

  it('is a fact, and so is the one check of this very state', () => {
    const { notified, turn } = scene({ workflow: claims });
    const until: Proof = { ...UNASKED, worth: 'proven' };
    turn({ pinned, claim: proved(), until: { proved: proved({}, { proof: until }), state: 'state' } });
    expect(notified.facts).toMatchObject({ proof: UNASKED, until });
    turn({ pinned, until: { proved: proved({}, { proof: until }), state: 'another' } });
    expect(notified.facts).toMatchObject({ proof: null, until: null });
  });

  it('is spoken of by what it is worth, else by what the one check says', () => {
    const { turn } = scene({ workflow: claims, step: allow() });
    const one = { state: 'state', proved: proved({ closing: 'Of the one check.', aside: 'Put back.' }) };
    expect(noticeOf(turn({ pinned, until: one }))).toBe('Put back.\nOf the one check.');
    const claim = proved({ closing: 'Of all.', aside: 'Beside it.' });
    expect(noticeOf(turn({ pinned, until: one, claim }))).toBe('Put back.\nBeside it.\nOf all.');
    expect(noticeOf(turn({ pinned }))).toBeNull();
  });
});

describe('a run with a budget', () => {
  const budget = (project: Project, more: Partial<BudgetAtStop> = {}): BudgetAtStop => ({
    budget: newBudgetOf(project, 'toy:a'),
    notice: null,
    ask: (due) => ({ answer: 'goes-on', due, record: { due } }),
    settle: () => {},
    lastHold: () => 'the last hold',
    paused: () => 'paused',
    ...more,
  });

  it('is metered before it is decided', () => {
    const { project, notified, turn } = scene({ sidecar: { attempts: [review()] } });
    giveBudget(project, newBudgetOf(project, 'toy:a'));
    expect(turn({ report: report() })).toEqual({
      kind: 'meter',
      sidecar: {
        ...newSidecar('toy:a'),
        ...{ sessions: [SESSION], committed: { before: 'x', after: 'state' }, attempts: [review()] },
      },
      finished: review(),
      state: 'state',
    });
    expect(notified.facts).toBeUndefined();
    expect(turn({ report: report(), budget: 'none' }).kind).toBe('answer');
  });

  it('is asked, and what there is to say of it is said', () => {
    const { project, turn } = scene();
    giveBudget(project, newBudgetOf(project, 'toy:a'));
    const { served } = answered(
      turn({ budget: { read: () => budget(project, { notice: 'Not counted.' }) } }),
    );
    expect(served.answer).toEqual({ kind: 'hold', reason: heldBy('<go on>'), notice: 'Not counted.' });
    expect(served.record.budget).toEqual({ due: 'hold' });
    expect(answered(scene().turn({ budget: 'none' })).served.record).not.toHaveProperty('budget');
  });

  it('takes its pause from the budget itself', () => {
    const { project, turn } = scene({ step: allow() });
    const paused = { ...newBudgetOf(project, 'toy:a'), pausedAt: NOW - 5 };
    const asked = answered(turn({ budget: { read: () => budget(project, { budget: paused }) } }));
    expect(asked.writes).toMatchObject({ noted: true, sidecar: { paused: NOW - 5 } });
    const back = scene({ step: allow(), sidecar: { paused: NOW - 30 } });
    const { writes } = answered(back.turn({ budget: { read: () => budget(back.project) } }));
    expect(writes.noted).toBe(true);
    expect(writes.sidecar.paused).toBeUndefined();
    expect(writes.sidecar.waits?.waited).toBe(30);
  });
});

describe('a run that waits', () => {
  const question: Waiting = {
    for: 'person',
    since: NOW - 10,
    until: NOW + MINUTE,
    what: 'Which?',
    shown: null,
  };
  const shown = { marker: null, turn: 't1' };
  const asks = 'Holdfast: the agent asks: Which?\n';

  it('for an answer is let go, and the question is shown', () => {
    const { turn } = scene({ sidecar: { waiting: question } });
    const { served, writes } = answered(turn({}, { turn: 't1' }));
    expect(served.answer).toEqual({
      kind: 'allow',
      notice: `${asks}It waits for your answer: write it here, and the work goes on.`,
      suppressOutput: false,
    });
    expect(served).toMatchObject({ quiet: true, shown: { ...question, shown } });
    expect(served.record).toMatchObject({ waiting: { result: 'waits', step: 'hold' } });
    expect(writes).toMatchObject({ noted: true, sidecar: { waiting: { ...question, shown } } });
  });

  it('shows its question beside a stop that is allowed', () => {
    const { turn } = scene({ sidecar: { waiting: question }, step: allow() });
    const { served, writes } = answered(turn({}, { turn: 't1' }));
    expect(served.answer.notice).toBe(
      `${asks}It waits for your answer: write it here, and the work goes on.`,
    );
    expect(served.quiet).toBe(false);
    expect(writes).toMatchObject({ noted: true, sidecar: { waiting: { ...question, shown } } });
  });

  it('and is over says that it does not wait', () => {
    const { turn } = scene({ sidecar: { waiting: question }, step: allow({ over: 'completed' }) });
    const { served, writes } = answered(turn());
    expect(served.answer.notice).toBe(`${asks}toy:a is over, so it does not wait for your answer.`);
    expect(writes.sidecar.waiting).toBeUndefined();
  });

  it('for nothing has nothing noted', () => {
    expect(answered(scene().turn()).writes).not.toHaveProperty('noted');
    expect(answered(scene({ step: allow() }).turn()).writes).not.toHaveProperty('noted');
  });

  it('for a person knows so where its workflow pauses', () => {
    const waiting = { ...question, shown, pause: true as const };
    const of = (workflow: Partial<AnyWorkflow>, turn: string): unknown => {
      const { notified, ...there } = scene({ sidecar: { waiting }, workflow });
      there.turn({}, { turn });
      return notified.facts?.waitsForPerson;
    };
    expect(of({ pauses: true }, 't1')).toBe(true);
    expect(of({ pauses: true }, 't2')).toBeUndefined();
    expect(of({}, 't1')).toBeUndefined();
  });

  it('says what it waited for before a review of this stop, once that is off the record', () => {
    const waited: Fetched['waited'] = {
      question: {
        ...{ now: NOW, step: 'review', waiting: question, work: null, answered: 'yes' },
        limits: { work: MINUTE },
      },
      answer: { kind: 'goes-on', waiting: null, ended: question },
      asks: null,
      answered: question,
    };
    const after = answered(scene().turn({ waited }));
    expect(after.served.answered).toEqual(question);
    expect(after.served.record).toMatchObject({ waiting: { result: 'goes-on', step: 'review' } });
    const now = answered(
      scene({ sidecar: { waiting: { ...question, shown } } }).turn({ waited }, { turn: 't1' }),
    );
    expect(now.served).not.toHaveProperty('answered');
    expect(answered(scene().turn()).served.record).not.toHaveProperty('waiting');
  });

  it('for work that is over has that in the journal', () => {
    const waiting: Waiting = { for: 'work', since: NOW - 10, until: NOW + MINUTE, what: 'tests' };
    const { served, writes } = answered(scene({ sidecar: { waiting } }).turn());
    expect(served.waits).toEqual([{ what: 'ended', wait: waiting }]);
    expect(writes).toMatchObject({ noted: true, sidecar: { waits: { waited: 10 } } });
  });
});
