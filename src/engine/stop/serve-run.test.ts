import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { bareProject, budgetOf, giveBudget, writeIn } from '../../../test/support/bare-project.ts';
import {
  answeredIn,
  answerIn,
  heldBy,
  journalIn,
  putToy,
  reviewing,
  SESSION,
  stoppedIn,
  toysWith,
} from '../../../test/support/stop-here.ts';
import { claudeTranscript } from '../../../test/toy/transcript.ts';
import { toy } from '../../../test/toy/workflow.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import { attemptFolder } from '../../store/home.ts';
import { tryHold } from '../../store/lock.ts';
import { knownProjects } from '../../store/projects.ts';
import type { CheckAttempt, ReviewAttempt } from '../../store/records.ts';
import { readSession, readSidecar, writeSidecar } from '../../store/sidecars.ts';
import type { Project } from '../project.ts';
import { NO_NOTES } from '../proof/asked.ts';
import type { Step } from '../step.ts';
import type { AnyWorkflow } from '../workflow.ts';
import { serveRun } from './serve-run.ts';

let project: Project;
const fresh = (now = Date.now()): Project => {
  project = bareProject(now);
  return project;
};

const PASS = { does: 'echo found >"$1"; echo PASS' };
const FAIL = { does: 'echo found >"$1"; echo FAIL' };
/** One that must not be started. */
const NONE = { findReviewer: async () => Promise.reject(new Error('a reviewer was looked for')) };
const allowed = (notice: string | null = null) => ({ kind: 'allow', notice, suppressOutput: false });
const held = (text: string, notice: string | null = null) => ({ kind: 'hold', reason: heldBy(text), notice });
const stateText = (): string => fs.readFileSync(path.join(project.root, '.toy/a.json'), 'utf8');
const state = (): unknown => JSON.parse(stateText());
const sidecar = () => readSidecar(project.root, 'toy:a');
const steps = (): unknown[] => journalIn(project).filter(({ event }) => event === 'stop');
const errors = (): unknown[] => journalIn(project).flatMap(({ error }) => error ?? []);
const attempts = (): string[] => {
  const folder = path.join(project.home, 'attempts');
  return fs.existsSync(folder) ? fs.readdirSync(folder) : [];
};

const decideBy = (decide: (facts: Record<string, unknown>) => Step<unknown>): Partial<AnyWorkflow> => ({
  decide: (_, facts) => decide(facts as Record<string, unknown>) as ReturnType<AnyWorkflow['decide']>,
});
const hold = (name: string): Step<unknown> => ({
  ...{ kind: 'hold', change: null, message: { name, slots: {} }, notice: null },
});
const letGo = (name: string): Step<unknown> => ({
  ...{ kind: 'allow', change: null, notice: { name, slots: {} } },
});
const askReview = (more: object = {}): Step<unknown> => ({
  kind: 'review',
  review: { reviewer: 'toy', kind: 'look', number: 2, file: '.toy/r.md', model: 'opus', ...more },
});

describe('a review that a run asks for', () => {
  it('is run, and its verdict decides', async () => {
    putToy(fresh(), 'toy:a', { phase: 'reviewing' });
    expect(await answeredIn(project, {}, reviewing(PASS))).toEqual({
      answer: allowed('clean {} a note'),
      complaints: [],
    });
    expect(state()).toEqual({ phase: 'done', left: 10, reviews: 1, note: 'a note' });
    expect(attempts()).toEqual([]);
    const about = { session: SESSION, workflow: 'toy', run: 'a' };
    const [began, review, stop, end, ...more] = journalIn(project);
    expect(began).toEqual({
      ...{ schema: 2, time: expect.any(String), ...about, event: 'work', work: 'review', what: 'began' },
      ...{ attempt: expect.any(String), name: 'toy/opus, toy-review 1', deadline: expect.any(String) },
    });
    expect(new Date(String(began?.deadline)).toISOString()).toBe(began?.deadline);
    expect(review).toMatchObject({ ...about, event: 'review', attempt: began?.attempt, verdict: 'clean' });
    expect(stop).toMatchObject({ ...about, event: 'stop', answer: 'allow', facts: { verdict: 'clean' } });
    expect(end).toMatchObject({ ...about, event: 'end', outcome: 'completed' });
    expect(more).toEqual([]);
  });

  it('holds with what it found', async () => {
    putToy(fresh(), 'toy:a', { phase: 'reviewing' });
    expect(await answerIn(project, {}, reviewing(FAIL))).toEqual(
      held('fix {"file":".toy/review-1.md"} a note'),
    );
    expect(state()).toEqual({ phase: 'working', left: 50, reviews: 1, note: 'a note' });
  });

  it('without a verdict is allowed, and standard error says why', async () => {
    putToy(fresh(), 'toy:a', { phase: 'reviewing' });
    expect(await answeredIn(project, {}, reviewing({ does: 'echo hm' }))).toEqual({
      answer: allowed('no-verdict {"file":".toy/review-1.md"} a note'),
      complaints: [
        'Holdfast: toy:a: the review into .toy/review-1.md ended without a verdict: it ran to its end but gave no verdict.',
      ],
    });
    expect(sidecar().failures).toMatchObject({ count: 1, cause: { kind: 'no-verdict', code: null } });
  });

  it('is named by its program alone where it has no model', async () => {
    putToy(fresh(), 'toy:a');
    const registry = toysWith(
      decideBy(({ verdict }) => (verdict === null ? askReview({ model: '' }) : letGo('end'))),
    );
    expect(await answerIn(project, {}, { registry, ...reviewing(PASS) })).toEqual(allowed('end {} a note'));
    expect(journalIn(project)[0]).toMatchObject({ name: 'toy, look 2' });
  });

  it('is asked for once in a stop, whatever the run says to its verdict', async () => {
    putToy(fresh(), 'toy:a');
    let asked = 0;
    const registry = toysWith(
      decideBy(() => {
        asked++;
        return askReview();
      }),
    );
    expect(await answerIn(project, {}, { registry, ...reviewing(PASS) })).toEqual(allowed());
    expect(asked).toBe(2);
    expect(steps()).toMatchObject([{ unstepped: 'just-ended', answer: 'allow' }]);
  });

  it('is an error of a workflow that cannot have any', async () => {
    putToy(fresh(), 'toy:a');
    const { reviewCall: _, ...rest } = toy;
    const registry = toysWith({}).map((entry) => ({
      ...entry,
      load: async () => ({ ...rest, ...decideBy(() => askReview()) }) as AnyWorkflow,
    }));
    await answerIn(project, {}, { registry });
    expect(errors()).toEqual(['Error: toy asks for a review and has none']);
    expect(attempts()).toEqual([]);
  });

  it('has its owner while its verdict is committed', async () => {
    putToy(fresh(), 'toy:a', { phase: 'reviewing' });
    let isOwned: boolean | null = null;
    const registry = toysWith({
      commit(change, world, context) {
        const [only] = attempts();
        const lock = tryHold(path.join(project.home, 'attempts', only ?? '', 'owner'));
        isOwned = lock === null;
        lock?.release();
        return toy.commit(change, world, context);
      },
    });
    await answerIn(project, {}, { registry, ...reviewing(PASS) });
    expect(isOwned).toBe(true);
  });

  it('listens for the end of the hook before it is on record', async () => {
    putToy(fresh(), 'toy:a', { phase: 'reviewing' });
    const known: number[] = [];
    await answerIn(
      project,
      {},
      { ...reviewing(PASS), whenAskedToEnd: () => void known.push(sidecar().attempts.length) },
    );
    expect(known[0]).toBe(0);
  });

  it.each([
    [
      60,
      'no-time',
      "Holdfast: no review was started, and this stop is allowed: Claude Code ends this hook after 60 s. To have the work reviewed, raise the hook's timeout, and the `--limit` in its command, to 120 s or more; or go on in another client: holdfast adopt toy:a",
    ],
    [
      0,
      'no-time',
      'Holdfast: no review was started, and this stop is allowed: how long Claude Code lets this hook run is not known. To have the work reviewed, go on in a client that says it: holdfast adopt toy:a',
    ],
    [
      600,
      'no-time-left',
      'Holdfast: no time left in this stop for the review of toy:a; the next stop runs it.',
    ],
  ])('is not begun with %d s for the hook and no time for it (%s)', async (limitS, unstepped, notice) => {
    putToy(fresh(limitS === 600 ? Date.now() - 1_000_000 : undefined), 'toy:a', { phase: 'reviewing' });
    expect(await answerIn(project, { limitS }, NONE)).toEqual(allowed(notice));
    expect(steps()).toMatchObject([{ unstepped, step: { kind: 'review' } }]);
    expect(attempts()).toEqual([]);
  });

  describe('and whose state is edited meanwhile', () => {
    const edit = (text: string) => ({ does: `printf '%s\\n' '${text}' >.toy/a.json; ${PASS.does}` });
    const EDITED = { phase: 'reviewing', left: 77, reviews: 0, note: 'a note' };

    it('is kept, but not applied: the edit stands', async () => {
      putToy(fresh(), 'toy:a', { phase: 'reviewing' });
      expect(await answerIn(project, {}, reviewing(edit(JSON.stringify(EDITED))))).toEqual(
        allowed(
          'Holdfast: the state was edited while a review ran, so the edit stands and the verdict was not applied. The review is kept in .toy/review-1.md.',
        ),
      );
      expect(state()).toEqual(EDITED);
      expect(sidecar().attempts).toEqual([]);
    });

    it('is applied where the edit is beside what it is about', async () => {
      putToy(fresh(), 'toy:a', { phase: 'reviewing' });
      const edited = JSON.stringify({ ...EDITED, left: 10, note: 'another' });
      expect(await answerIn(project, {}, reviewing(edit(edited)))).toEqual(allowed('clean {} another'));
      expect(state()).toMatchObject({ phase: 'done', note: 'another' });
    });

    it('waits where the state cannot be understood', async () => {
      putToy(fresh(), 'toy:a', { phase: 'reviewing' });
      const registry = toysWith({
        observe(context) {
          const isBroken = stateText().startsWith('broken');
          if (!isBroken) return toy.observe(context);
          return { world: { text: '', note: '' }, state: {}, facts: {}, stateHash: 'x', unreadable: true };
        },
      });
      expect(await answerIn(project, {}, { registry, ...reviewing(edit('broken')) })).toEqual(
        allowed(
          'Holdfast: the state cannot be read since a review ran (.toy/review-1.md); its verdict waits until the state can be read again.',
        ),
      );
      expect(sidecar().attempts).toMatchObject([{ status: 'running' }]);
    });
  });
});

describe('a review of an earlier stop', () => {
  const attempt = (more: Partial<ReviewAttempt> = {}): ReviewAttempt => ({
    ...{ id: 'r1', work: 'review', reviewer: 'toy', kind: 'toy-review', number: 1, model: 'opus' },
    ...{ file: '.toy/review-1.md', owner: SESSION, deadline: Date.now() + 60_000, status: 'running' },
    ...{ verdict: null, before: fingerprint(stateText()), ...more },
  });
  const leave = (more: Partial<ReviewAttempt> = {}, printed = '', file: string | null = null): string => {
    putToy(fresh(), 'toy:a', { phase: 'reviewing' });
    writeSidecar(project.root, { ...sidecar(), attempts: [attempt(more)] });
    const folder = attemptFolder(project.home, 'r1');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'stdout'), printed);
    if (file !== null) writeIn(project, '.toy/review-1.md', file);
    return folder;
  };

  it('that another hook runs is left alone', async () => {
    const folder = leave();
    const owner = tryHold(path.join(folder, 'owner'));
    expect(await answerIn(project, {}, NONE)).toEqual(
      allowed(
        'Holdfast: a review is already under way (.toy/review-1.md); this stop is allowed and no second one is started.',
      ),
    );
    owner?.release();
    expect(steps()).toMatchObject([{ unstepped: 'under-way' }]);
    expect(sidecar().attempts).toHaveLength(1);
  });

  it('whose hook died counts, where it had come to its end', async () => {
    leave({}, 'PASS', 'found');
    expect(await answerIn(project, {}, reviewing({ does: 'exit 1' }))).toEqual(allowed('clean {} a note'));
    expect(attempts()).toEqual([]);
    expect(journalIn(project).map(({ event }) => event)).toEqual(['review', 'stop', 'end']);
  });

  it('whose hook died before its end is run again', async () => {
    const folder = leave({ status: 'interrupted' }, 'PA', 'half of it');
    expect(await answerIn(project, {}, reviewing(FAIL))).toMatchObject({ kind: 'hold' });
    expect(fs.readFileSync(path.join(folder, 'unfinished-review-1.md'), 'utf8')).toBe('half of it');
    expect(attempts()).toEqual(['r1']);
    const owner = tryHold(path.join(folder, 'owner'));
    expect(owner).not.toBeNull();
    owner?.release();
  });

  it('that has ended is applied, with what it says beside its verdict', async () => {
    leave({ status: 'done', verdict: 'findings' }, 'FAIL', 'found');
    const tokens = { input: 1, cacheCreation: 2, cacheRead: 3, output: 4 };
    const reads = { readSpend: () => ({ usd: 1, tokens }) };
    expect(await answerIn(project, {}, reviewing({ does: 'exit 1', reads }))).toMatchObject({ kind: 'hold' });
    expect(journalIn(project)[0]).toMatchObject({ event: 'review', attempt: 'r1', usd: 1, tokens });
    expect(attempts()).toEqual([]);
  });

  it('by a reviewer that nobody knows any more counts all the same', async () => {
    leave({ status: 'done', verdict: 'clean' }, 'PASS', 'found');
    expect(await answerIn(project, {}, NONE)).toEqual(allowed('clean {} a note'));
  });

  it('of another state is passed over, and another one is run', async () => {
    leave({ status: 'done', verdict: 'clean', before: 'another' }, 'PASS', 'found');
    expect(await answerIn(project, {}, reviewing(FAIL))).toMatchObject({ kind: 'hold' });
    expect(attempts()).toEqual([]);
    expect(journalIn(project).filter(({ event }) => event === 'review')).toMatchObject([
      { attempt: 'r1', verdict: 'clean' },
      { verdict: 'findings' },
    ]);
  });

  it('of a check whose hook died is forgotten', async () => {
    putToy(fresh(), 'toy:a');
    const check: CheckAttempt = {
      ...{ id: 'c1', work: 'check', check: 'test', definition: 'd', owner: null, deadline: 1 },
      status: 'running',
    };
    writeSidecar(project.root, { ...sidecar(), attempts: [check] });
    const folder = attemptFolder(project.home, 'c1');
    fs.mkdirSync(folder, { recursive: true });
    expect(await answerIn(project, {}, NONE)).toMatchObject({ kind: 'hold' });
    expect(sidecar().attempts).toEqual([]);
    expect(fs.existsSync(folder)).toBe(false);
  });
});

describe('a run that is served', () => {
  it('that comes to no decision is given up after fifteen turns', async () => {
    putToy(fresh(), 'toy:a');
    const looks: string[] = [];
    const registry = toysWith({
      ...decideBy(() => ({ kind: 'look', at: 'it' })),
      look: async (at) => {
        looks.push(at);
        return {};
      },
    });
    expect(await answerIn(project, {}, { registry })).toEqual(
      allowed(
        'Holdfast: hit an error, so this stop was allowed: toy:a could not come to a decision. Run `holdfast doctor` to see what is wrong.',
      ),
    );
    expect(looks).toEqual(new Array(15).fill('it'));
  });

  it('knows what each look found', async () => {
    putToy(fresh(), 'toy:a');
    const registry = toysWith({
      ...decideBy(({ first, second }) => {
        if (first === undefined) return { kind: 'look', at: 'first' };
        if (second === undefined) return { kind: 'look', at: 'second' };
        return letGo(`${first} ${second}`);
      }),
      look: async (at) => ({ [at]: `${at} seen` }),
    });
    expect(await answerIn(project, {}, { registry })).toEqual(allowed('first seen second seen {} a note'));
  });

  it('keeps what a look found where the state is edited meanwhile, and nothing was claimed', async () => {
    putToy(fresh(), 'toy:a');
    const looks: string[] = [];
    const registry = toysWith({
      ...decideBy(({ first, second }) => {
        if (first === undefined) return { kind: 'look', at: 'first' };
        return second === undefined ? { kind: 'look', at: 'second' } : letGo(`${first} ${second}`);
      }),
      look: async (at) => {
        looks.push(at);
        if (at === 'first') putToy(project, 'toy:a', { note: 'edited' });
        return { [at]: `${at} seen` };
      },
    });
    expect(await answerIn(project, {}, { registry })).toEqual(allowed('first seen second seen {} edited'));
    expect(looks).toEqual(['first', 'second']);
  });

  it('puts its project on the user’s list at its first stop, once', async () => {
    putToy(fresh(), 'toy:a');
    const before = knownProjects(project.env).length;
    await answerIn(project);
    const first = knownProjects(project.env).length;
    await answerIn(project);
    expect([before, first, knownProjects(project.env).length]).toEqual([0, 1, 1]);
    fs.rmSync(project.env.XDG_STATE_HOME ?? '', { recursive: true });
    await answerIn(project);
    expect(knownProjects(project.env)).toEqual([]);
  });

  it('is held where the user’s list cannot be written', async () => {
    putToy(fresh(), 'toy:a');
    const state = project.env.XDG_STATE_HOME ?? '';
    fs.mkdirSync(path.dirname(state), { recursive: true });
    fs.writeFileSync(state, 'a file');
    expect(await answerIn(project)).toMatchObject({ kind: 'hold' });
  });

  it('is nobody’s where it is another session’s', async () => {
    putToy(fresh(), 'toy:a', {}, 'another');
    const before = { review: async () => {}, checks: async () => {} };
    expect(await serveRun(toy, 'a', stoppedIn(project), before)).toBeNull();
    putToy(project, 'toy:a');
    const stopped = stoppedIn(project);
    expect(await serveRun(toy, 'a', stopped, before)).toMatchObject({
      ...{ complaint: null, quiet: false, over: null, first: true },
      answer: held('go-on {"left":9} a note'),
    });
    // The state that it was found in, and not the one that it left.
    expect(stopped.decidedOn).toEqual(new Map([['toy:a', sidecar().committed?.before]]));
    const known = { ...stopped, decidedOn: new Map([['toy:a', 'the first']]) };
    await serveRun(toy, 'a', known, before);
    expect(known.decidedOn.get('toy:a')).toBe('the first');
    fs.rmSync(path.join(project.root, '.toy/a.json'));
    expect(await serveRun(toy, 'a', stoppedIn(project), before)).toBeNull();
  });

  it('waits while the agent’s own work runs in the background', async () => {
    putToy(fresh(), 'toy:a');
    const tasks = [{ id: '1', type: 'subagent', description: 'the tests' }];
    expect(await answerIn(project, { backgroundTasks: tasks })).toMatchObject({ kind: 'allow' });
    expect(sidecar().waiting).toMatchObject({ for: 'work' });
    expect(state()).toMatchObject({ left: 10 });
    expect(journalIn(project)).toMatchObject([
      { event: 'stop', answer: 'allow' },
      { event: 'wait', what: 'began', for: 'work' },
    ]);
  });

  it('is let go after three holds in which nothing moved, and says so once', async () => {
    putToy(fresh(), 'toy:a');
    const transcript = claudeTranscript(path.join(path.dirname(project.root), 'transcript.jsonl'));
    transcript.says('Beginning.');
    const stop = { transcriptPath: transcript.file };
    for (const left of [9, 8, 7])
      expect(await answerIn(project, stop)).toEqual(held(`go-on {"left":${left}} a note`));
    expect(await answerIn(project, stop)).toEqual(allowed('released {"holds":"3 holds"} a note'));
    expect(await answerIn(project, stop)).toEqual(allowed());
    expect(state()).toMatchObject({ left: 7 });
  });

  it('is held on where a tool call comes late into the transcript', async () => {
    putToy(fresh(), 'toy:a');
    const transcript = claudeTranscript(path.join(path.dirname(project.root), 'transcript.jsonl'));
    transcript.says('Beginning.');
    const stop = { transcriptPath: transcript.file };
    for (const left of [9, 8, 7])
      expect(await answerIn(project, stop)).toEqual(held(`go-on {"left":${left}} a note`));
    // Written while the stop waits for it: the guard's first look is over once the artifacts were asked for.
    let looks = 0;
    const registry = toysWith({
      artifacts(world, context) {
        if (++looks === 1) setTimeout(() => transcript.calls('Bash'), 5);
        return toy.artifacts(world, context);
      },
    });
    expect(await answerIn(project, stop, { registry })).toEqual(held('go-on {"left":6} a note'));
    expect(looks).toBe(2);
  });

  it('of a client that takes only so many holds waits for the next prompt after them', async () => {
    putToy(fresh(), 'toy:a');
    const stop = { client: 'copilot', lastMessage: 'hm', turn: 't1', afterHold: true };
    const kinds: string[] = [];
    for (let stops = 0; stops < 20 && kinds.at(-1) !== 'allow'; stops++) {
      writeIn(project, 'WORK.md', `moved ${stops}`);
      kinds.push((await answerIn(project, stop)).kind);
    }
    const holds = kinds.length - 1;
    expect(kinds.at(-1)).toBe('allow');
    expect(readSession(project.root, SESSION)?.holds).toEqual({ turn: 't1', count: holds });
    expect(steps().at(-1)).toMatchObject({ unstepped: 'client-cap', step: { kind: 'hold' } });
    expect(await answerIn(project, { ...stop, turn: 't2', afterHold: false })).toMatchObject({
      kind: 'hold',
    });
  });
});

describe('a claim', () => {
  /** The checks of the user's own file, and those of them that the start asked for. */
  const check = (commands: Readonly<Record<string, string>>, ...asked: string[]): void => {
    const proof = { ...NO_NOTES, asked: { checks: asked, off: false } };
    if (asked.length > 0) writeSidecar(project.root, { ...sidecar(), proof });
    const checks = Object.fromEntries(Object.entries(commands).map(([name, run]) => [name, { run }]));
    const config = path.join(project.env.HOME ?? '', '.config/holdfast/holdfast.config.json');
    fs.mkdirSync(path.dirname(config), { recursive: true });
    fs.writeFileSync(config, JSON.stringify({ checks, proof: { refusals: 2 } }));
  };
  type Proved = { claim: string; worth: string } | null;
  const claiming = (step: object, said: (facts: Record<string, unknown>) => unknown) =>
    toysWith({
      claims: true,
      ...decideBy((facts) => {
        const known = said(facts);
        if (known === null || known === undefined) return { kind: 'prove', ...step };
        const { claim, worth } = known as NonNullable<Proved>;
        return claim === 'stands' ? letGo(`stands ${worth}`) : hold('refused');
      }),
    });
  const proofOf = ({ proof }: Record<string, unknown>): unknown => proof;

  it('of a run without checks stands as it is', async () => {
    putToy(fresh(), 'toy:a');
    expect(await answerIn(project, {}, { registry: claiming({}, proofOf) })).toEqual(
      allowed('stands unasked {} a note'),
    );
  });

  it('stands where the checks pass, and a signal is kept before they run', async () => {
    putToy(fresh(), 'toy:a');
    putToy(project, 'toy2:b');
    check(
      { test: `grep -q kept .holdfast/runs/toy-a.json && grep -q kept .holdfast/runs/toy2-b.json` },
      'test',
    );
    const stop = { lastMessage: 'FINISHED FINISHED2' };
    const { notice } = await answerIn(project, stop, { registry: claiming({}, proofOf) });
    expect(notice).toMatch(/^stands proven \{\} a note/);
    expect(sidecar().proof).toMatchObject({ pinned: true, refusals: 0 });
    expect(journalIn(project).filter(({ event }) => event === 'work')).toMatchObject([
      { work: 'check', what: 'began' },
      { work: 'check', what: 'ended', end: 'passed' },
    ]);
  });

  it('is refused where one fails, so often and no more', async () => {
    putToy(fresh(), 'toy:a');
    check({ test: 'echo broken; exit 1' }, 'test');
    const registry = claiming({}, proofOf);
    const first = await answerIn(project, {}, { registry });
    expect(first.kind === 'hold' && first.reason).toContain('broken');
    expect(sidecar().proof).toMatchObject({ pinned: true, refusals: 1 });
    expect((await answerIn(project, {}, { registry })).kind).toBe('hold');
    expect(await answerIn(project, {}, { registry })).toMatchObject({
      kind: 'allow',
      notice: expect.stringContaining('test'),
    });
  });

  it('of one check alone is asked for by its name', async () => {
    putToy(fresh(), 'toy:a');
    check({ test: 'exit 1', other: 'true' });
    const until = ({ until }: Record<string, unknown>): unknown => until;
    expect(await answerIn(project, {}, { registry: claiming({ only: 'other' }, until) })).toMatchObject({
      notice: expect.stringMatching(/^stands /),
    });
    expect(await answerIn(project, {}, { registry: claiming({ only: 'test' }, until) })).toMatchObject({
      kind: 'hold',
    });
  });

  it('is none where a check is asked for what it says, however many there are', async () => {
    putToy(fresh(), 'toy:a');
    const names = Array.from({ length: 17 }, (_, number) => `c${number}`);
    check({ ...Object.fromEntries(names.map((name) => [name, 'true'])), c16: 'echo no; exit 3' });
    const printed: unknown[] = [];
    const registry = toysWith({
      claims: true,
      ...decideBy(({ checks = {} }) => {
        const known = checks as Record<string, { end: string; code: number }>;
        const next = names.find((name) => known[name] === undefined);
        if (next !== undefined) return { kind: 'prove', check: next };
        return letGo(`${Object.keys(known).length} ${known.c0?.end} ${known.c16?.end} ${known.c16?.code}`);
      }),
      say(message, world, context) {
        printed.push(...(context.printed ?? []));
        return toy.say(message, world, context);
      },
    });
    expect(await answerIn(project, {}, { registry })).toEqual(allowed('17 passed failed 3 {} a note'));
    expect(printed).toMatchObject([{ name: 'c16', tail: expect.stringContaining('no') }]);
    expect(sidecar().proof?.refusals ?? 0).toBe(0);
  });

  it.each([
    ['by its name', 'check'],
    ['alone', 'only'],
  ])('does not run a check again that ran at this stop, asked for %s', async (_, how) => {
    putToy(fresh(), 'toy:a');
    const log = path.join(path.dirname(project.root), 'ran');
    check({ test: `echo once >>'${log}'; exit 1` }, 'test');
    const registry = toysWith({
      claims: true,
      ...decideBy(({ checks = {}, until, proof }) => {
        if (how === 'only' ? !until : !('test' in (checks as object)))
          return { kind: 'prove', [how]: 'test' };
        if (proof === null) return { kind: 'prove' };
        return hold((proof as NonNullable<Proved>).claim);
      }),
    });
    const answer = await answerIn(project, {}, { registry });
    expect(answer.kind === 'hold' && answer.reason).toContain('refused {} a note');
    expect(fs.readFileSync(log, 'utf8')).toBe('once\n');
  });

  it('is not looked into while another hook runs a check of this run', async () => {
    putToy(fresh(), 'toy:a');
    check({ test: 'true' });
    const attempt: CheckAttempt = {
      ...{ id: 'c1', work: 'check', check: 'test', definition: 'd', owner: null },
      ...{ deadline: Date.now() + 60_000, status: 'running' },
    };
    writeSidecar(project.root, { ...sidecar(), attempts: [attempt] });
    const folder = attemptFolder(project.home, 'c1');
    fs.mkdirSync(folder, { recursive: true });
    const owner = tryHold(path.join(folder, 'owner'));
    expect(await answerIn(project, {}, { registry: claiming({}, proofOf) })).toEqual(
      allowed(
        'Holdfast: a check of toy:a is already under way; this stop is allowed and no second one is started.',
      ),
    );
    owner?.release();
    expect(steps()).toMatchObject([{ unstepped: 'under-way', step: { kind: 'prove' } }]);
  });

  it('is looked at again where the state is edited while a check runs', async () => {
    putToy(fresh(), 'toy:a');
    const edited = JSON.stringify({ phase: 'working', left: 3, reviews: 0, note: 'edited' });
    check({ test: `printf '%s\\n' '${edited}' >.toy/a.json` }, 'test');
    const looks: unknown[] = [];
    const registry = toysWith({
      claims: true,
      decide: (state, facts) => {
        const { looked, proof } = facts as { looked?: number; proof: Proved };
        const { left } = state as { left: number };
        if (looked === undefined) return { kind: 'look', at: 'it' };
        if (proof === null) return { kind: 'prove' };
        return letGo(`looked at ${looked}, ${left} left`) as ReturnType<AnyWorkflow['decide']>;
      },
      look: async (_, __, world) => {
        looks.push((world as { note: string }).note);
        return { looked: looks.length };
      },
    });
    const { notice } = await answerIn(project, {}, { registry });
    expect(notice).toMatch(/^looked at 2, 3 left \{\} edited/);
    expect(looks).toEqual(['a note', 'edited']);
  });
});

describe('a run with a budget', () => {
  const HOUR = 3_600_000;
  const spend = (limits: object, spent: object = {}): void => {
    giveBudget(project, budgetOf(project, 'toy:a', { limits, spent }));
  };
  const answers = () => (steps() as { budget?: { result?: string } }[]).map(({ budget }) => budget?.result);

  it('that is not spent goes on', async () => {
    putToy(fresh(), 'toy:a');
    spend({ timeMs: HOUR });
    expect(await answerIn(project)).toMatchObject({ kind: 'hold' });
  });

  it('that is spent is held once more, and then paused', async () => {
    putToy(fresh(), 'toy:a');
    spend({ timeMs: HOUR }, { timeMs: HOUR });
    const last = await answerIn(project);
    expect(last.kind).toBe('hold');
    expect(state()).toMatchObject({ left: 10 });
    expect(await answerIn(project)).toMatchObject({
      kind: 'allow',
      notice: expect.stringContaining('budget'),
    });
    expect(await answerIn(project)).toMatchObject({ kind: 'allow' });
    expect(answers()).toEqual(['last-hold', 'pause', 'stays-paused']);
  });

  it('of reviews that is spent begins none', async () => {
    putToy(fresh(), 'toy:a', { phase: 'reviewing' });
    spend({ reviews: 1 }, { reviews: 1 });
    expect((await answerIn(project, {}, NONE)).kind).toBe('hold');
    expect(answers()).toEqual(['last-hold']);
    expect(attempts()).toEqual([]);
  });

  it('counts a review that ran', async () => {
    putToy(fresh(), 'toy:a', { phase: 'reviewing' });
    spend({ reviews: 5 });
    await answerIn(project, {}, reviewing(FAIL));
    const { readBudget } = await import('../budget/record.ts');
    expect(readBudget(project, 'toy:a')?.spent.reviews).toBe(1);
  });
});
