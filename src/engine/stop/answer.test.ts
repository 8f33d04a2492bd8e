// A stop through the engine's entry, for what no built-in workflow does; the rest is test/hook, at the built hook.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject, budgetOf, giveBudget } from '../../../test/support/bare-project.ts';
import {
  answeredIn,
  answerIn,
  heldBy,
  journalIn,
  putToy,
  reviewing,
  SESSION,
  toysWith,
} from '../../../test/support/stop-here.ts';
import { toy } from '../../../test/toy/workflow.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import { attemptFolder } from '../../store/home.ts';
import { keptWords } from '../../store/kept.ts';
import { tryHold } from '../../store/lock.ts';
import { knownProjects } from '../../store/projects.ts';
import type { CheckAttempt, ReviewAttempt } from '../../store/records.ts';
import { readSession, readSidecar, writeSidecar } from '../../store/sidecars.ts';
import { budgetPlace } from '../budget/place.ts';
import { readBudget } from '../budget/record.ts';
import type { Project } from '../project.ts';
import { NO_NOTES } from '../proof/asked.ts';
import type { AnyWorkflow } from '../workflow.ts';

const HOUR = 3_600_000;
const GO_ON = 'go-on {"left":9} a note';
const PASS = { does: 'echo found >"$1"; echo PASS' };

let project: Project;
beforeEach(() => {
  project = bareProject(Date.now());
  putToy(project, 'toy:a');
});

const allowed = (notice: string | null = null) => ({ kind: 'allow', notice, suppressOutput: false });
const held = (text: string, notice: string | null = null) => ({
  ...{ kind: 'hold', reason: heldBy(text), notice, as: 'feedback' },
});
const failed = (what: string): string =>
  `Holdfast: hit an error, so this stop was allowed: ${what}. Run \`holdfast doctor\` to see what is wrong.`;
const read = (name: string): string => fs.readFileSync(path.join(project.root, name), 'utf8');
const sidecar = (name = 'toy:a') => readSidecar(project.root, name);
const note = (more: object): void => writeSidecar(project.root, { ...sidecar(), ...more });
const stops = () => journalIn(project).filter(({ event }) => event === 'stop');
const errors = (): unknown[] => journalIn(project).flatMap(({ error }) => error ?? []);
const settings = (more: object): void => {
  const file = path.join(project.env.HOME ?? '', '.config/holdfast/holdfast.config.json');
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify(more));
};

type Proof = { claim: string; worth: string } | null;
type Facts = { proof: Proof; until: Proof; checks?: Record<string, { end: string; code: number | null }> } & {
  [found in 'first' | 'second' | 'looked' | 'waitsForPerson']?: unknown;
};
const deciding = (decide: (facts: Facts) => object, more: Partial<AnyWorkflow> = {}) => ({
  registry: toysWith({ decide: (_, facts) => decide(facts as Facts) as never, ...more }),
});
const letGo = (name: string, more: object = {}) => ({
  ...{ kind: 'allow', change: null, notice: { name, slots: {} } },
  ...more,
});
const hold = (name: string) => ({ kind: 'hold', change: null, message: { name, slots: {} }, notice: null });
const lookAt = (at: string) => ({ kind: 'look', at });
const throwing = (what: string) => () => {
  throw new Error(what);
};

describe('a run', () => {
  it('that comes to no decision is given up after fifteen turns', async () => {
    let looks = 0;
    const look = async () => ({ looked: ++looks });
    const { notice } = await answerIn(
      project,
      {},
      deciding(() => lookAt('it'), { look }),
    );
    expect([notice, looks]).toEqual([failed('toy:a could not come to a decision'), 15]);
  });

  it('knows what each look found, also where its state is edited meanwhile', async () => {
    const decide = ({ first, second }: Facts) =>
      first === undefined
        ? lookAt('first')
        : second === undefined
          ? lookAt('second')
          : letGo(`${first}-${second}`);
    const look = async (at: string) => {
      if (at === 'first') putToy(project, 'toy:a', { note: 'edited' });
      return { [at]: `${at}-seen` };
    };
    expect(await answerIn(project, {}, deciding(decide, { look }))).toEqual(
      allowed('first-seen-second-seen {} edited'),
    );
  });

  it('puts its project on the user’s list at its first stop alone', async () => {
    await answerIn(project);
    expect(knownProjects(project.env)).toHaveLength(1);
    fs.rmSync(project.env.XDG_STATE_HOME ?? '', { recursive: true });
    await answerIn(project);
    expect(knownProjects(project.env)).toEqual([]);
  });

  it('is held where the user’s list cannot be written', async () => {
    fs.writeFileSync(project.env.XDG_STATE_HOME ?? '', 'a file');
    expect(await answerIn(project)).toEqual(held(GO_ON));
  });

  it('has the client keep a notice out of its logs where it asks for that', async () => {
    const decide = () => letGo('done', { suppressOutput: true });
    expect(await answerIn(project, {}, deciding(decide))).toMatchObject({ suppressOutput: true });
  });

  it('says what another has said already once', async () => {
    for (const name of ['toy:a', 'toy:b']) putToy(project, name, { left: 0 });
    putToy(project, 'toy:c', { left: 0, note: 'another' });
    expect(await answerIn(project)).toEqual(allowed('exhausted {} a note\nexhausted {} another'));
  });

  it('that waits for a person’s turn is paused, and over once they begun another one', async () => {
    const decide = ({ waitsForPerson }: Facts) =>
      waitsForPerson ? letGo('still') : sidecar().waiting ? hold('on') : letGo('turn', { awaits: 'person' });
    const pausing = deciding(decide, { pauses: true });
    expect(await answerIn(project, { turn: 't1' }, pausing)).toEqual(allowed('turn {} a note'));
    expect(sidecar().waiting).toMatchObject({ for: 'person', what: 'turn {} a note', pause: true });
    expect(await answerIn(project, { turn: 't1' }, pausing)).toEqual(allowed('still {} a note'));
    expect(await answerIn(project, { turn: 't2' }, pausing)).toEqual(held('on {} a note'));
    expect(journalIn(project).map(({ event, what }) => what ?? event)).toEqual([
      ...['stop', 'began', 'stop', 'stop', 'ended'],
    ]);
  });
});

describe('a review', () => {
  const ask = { reviewer: 'toy', kind: 'look', number: 2, file: '.toy/r.md', model: '' };

  it('is asked for once in a stop, whatever the run says to its verdict', async () => {
    const always = deciding(() => ({ kind: 'review', review: ask }));
    expect(await answerIn(project, {}, { ...always, ...reviewing(PASS) })).toEqual(allowed());
    expect(journalIn(project)).toMatchObject([
      { event: 'work', name: 'toy, look 2' },
      { event: 'stop', unstepped: 'just-ended' },
    ]);
  });

  it('has its owner until its verdict is committed', async () => {
    putToy(project, 'toy:a', { phase: 'reviewing' });
    const owners: unknown[] = [];
    const commit: AnyWorkflow['commit'] = (...words) => {
      owners.push(tryHold(path.join(attemptFolder(project.home, sidecar().attempts[0]?.id ?? ''), 'owner')));
      return toy.commit(...words);
    };
    await answerIn(project, {}, { registry: toysWith({ commit }), ...reviewing(PASS) });
    expect(owners).toEqual([null]);
  });

  const leave = (more: Partial<ReviewAttempt>): void => {
    putToy(project, 'toy:a', { phase: 'reviewing' });
    const attempt = {
      ...{ ...ask, id: 'r1', work: 'review', owner: SESSION, deadline: Date.now() + 60_000, status: 'done' },
      ...{ before: fingerprint(read('.toy/a.json')), ...more },
    };
    note({ attempts: [attempt] });
    fs.mkdirSync(attemptFolder(project.home, 'r1'), { recursive: true });
  };

  it('of an earlier stop counts, though nobody knows its reviewer any more', async () => {
    leave({ verdict: 'clean' });
    expect(await answerIn(project)).toEqual(allowed('clean {} a note'));
    expect(journalIn(project).map(({ event }) => event)).toEqual(['review', 'stop', 'end']);
  });

  it('of another state is passed over, and another one is run', async () => {
    leave({ verdict: 'clean', before: 'another' });
    const FAIL = { does: 'echo found >"$1"; echo FAIL' };
    expect(await answerIn(project, {}, reviewing(FAIL))).toMatchObject({ kind: 'hold' });
    const reviews = journalIn(project).filter(({ event }) => event === 'review');
    expect(reviews.map(({ verdict }) => verdict)).toEqual(['clean', 'findings']);
    expect(fs.readdirSync(path.join(project.home, 'attempts'))).toEqual([]);
  });
});

describe('a claim', () => {
  /** The checks of the user's own file, and those of them that the start asked for. */
  const check = (commands: Readonly<Record<string, string>>, ...asked: string[]): void => {
    if (asked.length > 0) note({ proof: { ...NO_NOTES, asked: { checks: asked, off: false } } });
    const checks = Object.fromEntries(Object.entries(commands).map(([name, run]) => [name, { run }]));
    settings({ checks, proof: { refusals: 2 } });
  };
  const claiming = (decide: (facts: Facts) => object, more: Partial<AnyWorkflow> = {}) =>
    deciding(decide, { claims: true, ...more });
  const proved = claiming(({ proof }) =>
    proof === null ? { kind: 'prove' } : proof.claim === 'stands' ? letGo(proof.worth) : hold('refused'),
  );

  it('stands as it is where the run has no checks', async () => {
    expect(await answerIn(project, {}, proved)).toEqual(allowed('unasked {} a note'));
  });

  it('stands where the checks pass, before which all signals are kept', async () => {
    putToy(project, 'toy2:b');
    const kept = (file: string): string => `grep -q kept .holdfast/runs/${file}.json`;
    check({ test: `${kept('toy-a')} && ${kept('toy2-b')}` }, 'test');
    const { notice } = await answerIn(project, { lastMessage: 'FINISHED FINISHED2' }, proved);
    expect(notice).toMatch(/^proven /);
    expect(sidecar().proof).toMatchObject({ pinned: true, refusals: 0 });
  });

  it('is refused where one fails, and after so many refusals the run is let go', async () => {
    check({ test: 'echo broken; exit 1' }, 'test');
    const first = await answerIn(project, {}, proved);
    expect(first.kind === 'hold' && first.reason).toMatch(/broken[\s\S]*refused \{\} a note/);
    expect((await answerIn(project, {}, proved)).kind).toBe('hold');
    expect(await answerIn(project, {}, proved)).toMatchObject({
      kind: 'allow',
      notice: expect.stringContaining('test'),
    });
    expect(journalIn(project).at(-1)).toMatchObject({ event: 'end', outcome: 'released', proof: 'unproven' });
    expect(readSession(project.root, SESSION)?.runs).toEqual([]);
  });

  it.each([
    ['other', letGo('stands')],
    ['test', hold('refused')],
  ])('may be one check alone: %s', async (only, { kind }) => {
    check({ test: 'exit 1', other: 'true' });
    const one = claiming(({ until }) =>
      until === null ? { kind: 'prove', only } : until.claim === 'stands' ? letGo('stands') : hold('refused'),
    );
    expect((await answerIn(project, {}, one)).kind).toBe(kind);
  });

  it('is none where checks are asked what they say, however many there are', async () => {
    const names = Array.from({ length: 17 }, (_, number) => `c${number}`);
    check({ ...Object.fromEntries(names.map((name) => [name, 'true'])), c16: 'echo no; exit 3' });
    const printed: unknown[] = [];
    const said = claiming(
      ({ checks = {} }) => {
        const next = [...names, 'gone'].find((name) => !(name in checks));
        if (next !== undefined) return { kind: 'prove', check: next };
        return letGo(`${checks.c0?.end} ${checks.c16?.code} ${checks.gone?.end}`);
      },
      {
        say: (message, world, context) => {
          printed.push(...(context.printed ?? []));
          return toy.say(message, world, context);
        },
      },
    );
    expect(await answerIn(project, {}, said)).toEqual(allowed('passed 3 untrusted {} a note'));
    expect(printed).toMatchObject([{ name: 'c16', tail: 'no' }]);
    expect(sidecar().proof?.refusals ?? 0).toBe(0);
  });

  it.each(['check', 'only'])(
    'does not run a check again that ran at this stop, asked by "%s"',
    async (how) => {
      check({ test: 'echo once >>../ran; exit 1' }, 'test');
      const both = claiming(({ checks, until, proof }) => {
        if (!(how === 'only' ? until : checks)) return { kind: 'prove', [how]: 'test' };
        return proof === null ? { kind: 'prove' } : hold(proof.claim);
      });
      expect((await answerIn(project, {}, both)).kind).toBe('hold');
      expect(read('../ran')).toBe('once\n');
    },
  );

  it('is not looked into beside a check that another hook runs', async () => {
    check({ test: 'true' });
    const attempt: CheckAttempt = {
      ...{ id: 'c1', work: 'check', check: 'test', definition: 'd', owner: null, status: 'running' },
      deadline: Date.now() + 60_000,
    };
    note({ attempts: [attempt] });
    fs.mkdirSync(attemptFolder(project.home, 'c1'), { recursive: true });
    const owner = tryHold(path.join(attemptFolder(project.home, 'c1'), 'owner'));
    expect((await answerIn(project, {}, proved)).notice).toContain('a check of toy:a is already under way');
    owner?.release();
    expect(stops()).toMatchObject([{ unstepped: 'under-way' }]);
  });

  it('is looked at again where the state is edited while a check runs', async () => {
    check({ test: `printf '{"phase":"working","left":3,"note":"edited"}' >.toy/a.json` }, 'test');
    let looks = 0;
    const looking = claiming(
      ({ looked, proof }) =>
        looked === undefined ? lookAt('it') : proof ? letGo(`look ${looked}`) : { kind: 'prove' },
      { look: async () => ({ looked: ++looks }) },
    );
    expect((await answerIn(project, {}, looking)).notice).toMatch(/^look 2 \{\} edited/);
  });
});

describe('a budget', () => {
  const give = (name: string, spent: object = {}): void =>
    giveBudget(project, budgetOf(project, name, { limits: { timeMs: HOUR }, spent }));

  it('that is spent is the last hold, then the pause, said once; but a claim is still looked into', async () => {
    give('toy:a', { timeMs: HOUR });
    expect((await answerIn(project)).kind).toBe('hold');
    expect(JSON.parse(read('.toy/a.json')).left).toBe(10);
    expect((await answerIn(project)).notice).toContain('budget');
    expect(await answerIn(project)).toEqual(allowed());
    const results = stops().map(({ budget }) => (budget as { result: string }).result);
    expect(results).toEqual(['last-hold', 'pause', 'stays-paused']);
    note({ proof: { ...NO_NOTES, asked: { checks: ['test'], off: false } } });
    settings({ checks: { test: { run: 'true' } } });
    const claiming = deciding(({ proof }) => (proof === null ? { kind: 'prove' } : letGo(proof.worth)), {
      claims: true,
    });
    expect((await answerIn(project, {}, claiming)).notice).toMatch(/^proven/);
  });

  it('of a run beside the one that holds stands still from now on', async () => {
    for (const name of ['toy:b', 'toy2:c']) putToy(project, name);
    for (const name of ['toy:a', 'toy:b', 'toy2:c']) give(name);
    await answerIn(project);
    expect(['toy:a', 'toy:b', 'toy2:c'].map((name) => readBudget(project, name)?.meter.isHeld)).toEqual([
      ...[true, false, false],
    ]);
  });

  it('of a run beside it that cannot be read is in the journal, and the hold stands', async () => {
    putToy(project, 'toy:b');
    give('toy:b');
    const file = path.join(project.env.XDG_STATE_HOME ?? '', 'holdfast', budgetPlace(project.root, 'toy:b'));
    fs.writeFileSync(file, 'broken');
    expect((await answerIn(project)).kind).toBe('hold');
    expect(errors()).toEqual([expect.stringMatching(/is not readable as the budget of toy:b/)]);
  });
});

describe('a signal', () => {
  const words = () => keptWords({ ...project, run: 'toy:a' });
  const failing = (first: () => void) => ({
    registry: toysWith({
      commit() {
        first();
        throw new Error('first line\nsecond line');
      },
    }),
  });

  it('for a run that could not be written is kept beside it, and honoured at the next stop', async () => {
    const answer = await answerIn(
      project,
      { lastMessage: 'FINISHED' },
      failing(() => {}),
    );
    expect([answer, words()]).toEqual([allowed(failed('first line')), ['kept']]);
    expect(await answerIn(project)).toEqual(allowed('finished {} a note'));
    expect(words()).toEqual([]);
  });

  it('is spent where what was committed is seen by all', async () => {
    await answerIn(
      project,
      { lastMessage: 'FINISHED' },
      failing(() => putToy(project, 'toy:a', { left: 1 })),
    );
    expect(words()).toEqual([]);
  });
});

describe('our own trouble', () => {
  const unknown = { registry: toysWith({ disabled: throwing('nobody knows') }) };

  it('never holds: it is explained once, with a line in the journal', async () => {
    expect(await answerIn(project, {}, unknown)).toEqual(allowed(failed('nobody knows')));
    expect(errors()).toEqual(['Error: nobody knows']);
    expect(await answerIn(project, {}, unknown)).toEqual(allowed());
  });

  it('in plan mode is nothing to speak of', async () => {
    expect(await answerIn(project, { planMode: true }, unknown)).toEqual(allowed());
  });
});

it('what else lies here is not looked for while a run holds or asks for quiet', async () => {
  putToy(project, 'toy2:nobodys', {}, null);
  await answerIn(project);
  await answerIn(project, { backgroundTasks: [{ id: '1', type: 'shell', command: 'toy-runner' }] });
  expect(readSession(project.root, SESSION)?.looked).toEqual({});
});

it('somebody is called once the answer is out, where there is news and the user wants it', async () => {
  expect(await answeredIn(project)).not.toHaveProperty('afterwards');
  settings({ notify: [{ run: ['true'], on: ['done'] }] });
  const { afterwards } = await answeredIn(project, { lastMessage: 'FINISHED' });
  const folder = path.join(project.env.XDG_STATE_HOME ?? '', 'holdfast');
  const marks = () => fs.readdirSync(folder).filter((file) => file.includes('call-'));
  expect(marks()).toEqual([]);
  await afterwards?.();
  expect(marks()).toHaveLength(1);
});
