import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
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
import { ensureHome } from '../../store/home.ts';
import { keptWords } from '../../store/kept.ts';
import { tryHold } from '../../store/lock.ts';
import type { Waiting } from '../../store/records.ts';
import { readSession, readSidecar, writeSidecar } from '../../store/sidecars.ts';
import { leaveTicket } from '../../store/tickets.ts';
import { readBudget } from '../budget/record.ts';
import { leaveDriverToken } from '../driver/token.ts';
import type { Project } from '../project.ts';
import { questionNotice } from '../waiting/words.ts';
import { Interrupted } from '../work/interrupted.ts';
import { findRuns, forgetRuns } from './find-runs.ts';

let project: Project;
const fresh = (): Project => {
  project = bareProject(Date.now());
  return project;
};
afterEach(() => void vi.restoreAllMocks());

const allowed = (notice: string | null = null) => ({ kind: 'allow', notice, suppressOutput: false });
const held = (text: string, notice: string | null = null) => ({ kind: 'hold', reason: heldBy(text), notice });
const GO_ON = 'go-on {"left":9} a note';
const stateOf = (name: string): unknown => {
  const [toy, id] = name.split(':');
  return JSON.parse(fs.readFileSync(path.join(project.root, `.${toy}`, `${id}.json`), 'utf8'));
};
const errors = (): unknown[] => journalIn(project).flatMap(({ run, error }) => (error ? [[run, error]] : []));

describe('a stop', () => {
  it('that its client calls failed is nobody’s concern', async () => {
    putToy(fresh(), 'toy:a');
    expect(await answeredIn(project, { failed: true })).toEqual({ answer: allowed(), complaints: [] });
    expect(journalIn(project)).toEqual([]);
  });

  it('where no run is near is none of ours', async () => {
    fresh();
    expect(await answeredIn(project)).toEqual({ answer: allowed(), complaints: [] });
    expect(fs.readdirSync(project.root)).toEqual([]);
  });

  it('is held by a run of its session, and the journal says so', async () => {
    putToy(fresh(), 'toy:a');
    expect(await answeredIn(project)).toEqual({ answer: held(GO_ON), complaints: [] });
    expect(stateOf('toy:a')).toEqual({ phase: 'working', left: 9, reviews: 0, note: 'a note' });
    expect(readSidecar(project.root, 'toy:a')).toMatchObject({ saved: 'committed', sessions: [SESSION] });
    expect(journalIn(project)).toMatchObject([
      { event: 'stop', workflow: 'toy', run: 'a', answer: 'hold', notice: false, error: null },
    ]);
    // It was not asked what else lies here: the session has work of its own.
    expect(readSession(project.root, SESSION)?.looked).toEqual({});
  });

  it('is allowed by the last run that is asked, with what it says', async () => {
    putToy(fresh(), 'toy:a', { left: 0 });
    expect(await answeredIn(project)).toEqual({ answer: allowed('exhausted {} a note'), complaints: [] });
    expect(readSession(project.root, SESSION)?.runs).toEqual(['toy:a']);
  });

  it('by which a run is over lets the session forget it', async () => {
    putToy(fresh(), 'toy:a');
    putToy(project, 'toy:b', { left: 0 });
    expect(await answerIn(project, { lastMessage: 'FINISHED' })).toEqual(allowed('finished {} a note'));
    expect(readSession(project.root, SESSION)?.runs).toEqual([]);
    putToy(project, 'toy:c', { left: 0 });
    putToy(project, 'toy:d', { phase: 'done' });
    expect(await answerIn(project)).toEqual(allowed('exhausted {} a note'));
    expect(readSession(project.root, SESSION)?.runs).toEqual(['toy:c']);
  });

  it('has the client keep a notice out of its logs where the run asks for it', async () => {
    putToy(fresh(), 'toy:a');
    const registry = toysWith({
      decide: () => ({ kind: 'allow', change: null, notice: null, suppressOutput: true }),
    });
    expect(await answerIn(project, {}, { registry })).toEqual({ ...allowed(), suppressOutput: true });
  });

  it('says the same thing once', async () => {
    putToy(fresh(), 'toy:a', { left: 0 });
    putToy(project, 'toy:b', { left: 0 });
    putToy(project, 'toy:c', { left: 0, note: 'another' });
    expect(await answerIn(project)).toEqual(allowed('exhausted {} a note\nexhausted {} another'));
  });

  it('says once what is wrong with the settings', async () => {
    putToy(fresh(), 'toy:a');
    writeIn(project, 'holdfast.config.json', '{"x": 1, "y": 2}');
    const file = path.join(project.root, 'holdfast.config.json');
    const problem = (key: string): string => `Holdfast: ${file}: there is no key "${key}"; it is ignored.`;
    expect(await answerIn(project)).toEqual(held(GO_ON, `${problem('x')}\n${problem('y')}`));
    expect(await answerIn(project)).toMatchObject({ kind: 'hold', notice: null });
  });

  it('claims a run that waits for the next session here', async () => {
    putToy(fresh(), 'toy:a', {}, null);
    leaveTicket(project.root, 'toy:a', project.now, project.env);
    expect(await answerIn(project)).toEqual(held(GO_ON));
    expect(readSidecar(project.root, 'toy:a').sessions).toEqual([SESSION]);
  });

  it('leaves a waiting run to the session that adopted it meanwhile', async () => {
    putToy(fresh(), 'toy:a', {}, 'another');
    leaveTicket(project.root, 'toy:a', project.now, project.env);
    expect(await answerIn(project)).toMatchObject({ kind: 'allow' });
    expect(readSidecar(project.root, 'toy:a').sessions).toEqual(['another']);
  });

  it('fired by hand acts on the newest run, and claims nothing', async () => {
    putToy(fresh(), 'toy:a', {}, null);
    putToy(project, 'toy:b', { note: 'the newest' }, null);
    leaveTicket(project.root, 'toy:b', project.now, project.env);
    const byHand = { session: null };
    expect(await answerIn(project, byHand)).toEqual(held('go-on {"left":9} the newest'));
    expect(stateOf('toy:a')).toMatchObject({ left: 10 });
    expect(readSidecar(project.root, 'toy:b').sessions).toEqual([]);
    const generic = { client: 'generic', session: 'generic' };
    expect(await answerIn(project, generic)).toEqual(held('go-on {"left":8} the newest'));
    expect(readSidecar(project.root, 'toy:b').sessions).toEqual([]);
  });

  it('fired by hand without a run is allowed', async () => {
    fs.mkdirSync(path.join(fresh().root, '.toy'));
    expect(await answerIn(project, { session: null })).toEqual(allowed());
  });

  it('is none of a workflow that is switched off', async () => {
    putToy(fresh(), 'toy:a');
    const off = { ...project, env: { ...project.env, TOY_DISABLE: '1' } };
    expect(await answerIn(off)).toEqual(allowed());
    expect(await answerIn(off, { session: null })).toEqual(allowed());
  });

  it('is the session’s own, where two workflows’ names begin alike', async () => {
    putToy(fresh(), 'toy2:a', { note: 'of the other' });
    fs.mkdirSync(path.join(project.root, '.toy'));
    expect(await answerIn(project)).toEqual(held('go-on {"left":9} of the other'));
    const runs = await findRuns(stoppedIn(project));
    expect(runs.map(({ workflow, run }) => [workflow.name, run])).toEqual([['toy2', 'a']]);
  });
});

describe('a session with several runs', () => {
  const quiet = { backgroundTasks: [{ id: '1', type: 'shell', command: 'toy-runner' }] };

  it('is held by the first that holds, and a signal for the others is kept', async () => {
    putToy(fresh(), 'toy2:b');
    putToy(project, 'toy:a');
    expect(await answerIn(project, { lastMessage: 'FINISHED2' })).toEqual(held(GO_ON));
    expect(stateOf('toy2:b')).toMatchObject({ phase: 'working', left: 10 });
    expect(readSidecar(project.root, 'toy2:b').saved).toBe('kept');
    expect(readSidecar(project.root, 'toy:a').saved).toBe('committed');
    expect(journalIn(project)).toHaveLength(1);
  });

  it('asks the next one where the first allows', async () => {
    putToy(fresh(), 'toy:a', { left: 0 });
    putToy(project, 'toy2:b', { note: 'of b' });
    expect(await answerIn(project)).toEqual(held('go-on {"left":9} of b', 'exhausted {} a note'));
    expect(journalIn(project).map(({ workflow, answer }) => [workflow, answer])).toEqual([
      ['toy', 'allow'],
      ['toy2', 'hold'],
    ]);
  });

  it('is quiet where one asks for it, and a signal for the others is kept', async () => {
    putToy(fresh(), 'toy:a');
    putToy(project, 'toy2:b');
    putToy(project, 'toy2:nobodys', {}, null);
    expect(await answerIn(project, { lastMessage: 'FINISHED2', ...quiet })).toEqual(allowed());
    expect(readSidecar(project.root, 'toy2:b').saved).toBe('kept');
    expect(journalIn(project)).toHaveLength(1);
    expect(readSession(project.root, SESSION)?.looked).toEqual({});
  });

  it('is not disturbed by one that cannot be served: that one is explained, once', async () => {
    putToy(fresh(), 'toy:a');
    putToy(project, 'toy2:b');
    const file = writeIn(project, '.toy/a.json', 'broken');
    expect(await answerIn(project)).toEqual(
      held(
        GO_ON,
        `Holdfast: hit an error, so this stop was allowed: ${file} is not readable as a toy's state. Run \`holdfast doctor\` to see what is wrong.`,
      ),
    );
    expect(errors()).toEqual([['a', `Error: ${file} is not readable as a toy's state`]]);
    expect(await answerIn(project)).toMatchObject({ kind: 'hold', notice: null });
  });

  it('keeps the signal for one that could not be served beside its notes', async () => {
    putToy(fresh(), 'toy:a');
    const registry = toysWith({
      commit() {
        throw new Error('first line\nsecond line');
      },
    });
    expect(await answerIn(project, { lastMessage: 'FINISHED' }, { registry })).toEqual(
      allowed(
        'Holdfast: hit an error, so this stop was allowed: first line. Run `holdfast doctor` to see what is wrong.',
      ),
    );
    expect(keptWords({ ...project, run: 'toy:a' })).toEqual(['kept']);
    // The next stop honours it.
    expect(await answerIn(project)).toEqual(allowed('finished {} a note'));
    expect(keptWords({ ...project, run: 'toy:a' })).toEqual([]);
  });

  it('is passed over by a run that is gone, or another’s by now', async () => {
    putToy(fresh(), 'toy:a');
    putToy(project, 'toy:b');
    fs.rmSync(path.join(project.root, '.toy/a.json'));
    writeSidecar(project.root, { ...readSidecar(project.root, 'toy:b'), sessions: ['another'] });
    expect(await answeredIn(project)).toMatchObject({ answer: { kind: 'allow' }, complaints: [] });
    expect(stateOf('toy:b')).toMatchObject({ left: 10 });
    expect(journalIn(project).filter(({ run }) => run !== null)).toEqual([]);
  });

  describe('with a question on record in each', () => {
    const ask = (more: Partial<Waiting> = {}): Waiting => {
      const times = { since: project.now - 60_000, until: project.now + 3_600_000 };
      const waiting: Waiting = { for: 'person', ...times, what: 'Which one?', shown: null, ...more };
      for (const name of ['toy:a', 'toy2:b'])
        writeSidecar(project.root, { ...readSidecar(project.root, name), waiting });
      return waiting;
    };
    const waitingIn = (name: string) => readSidecar(project.root, name).waiting;

    it('shows it once, and waits with all of them', async () => {
      putToy(fresh(), 'toy:a');
      putToy(project, 'toy2:b');
      const question = ask();
      expect(await answerIn(project, { turn: 't1' })).toEqual(allowed(questionNotice(question)));
      expect(waitingIn('toy:a')?.shown).toEqual({ marker: null, turn: 't1' });
      expect(waitingIn('toy2:b')?.shown).toEqual({ marker: null, turn: 't1' });
      expect(await answerIn(project, { turn: 't1' })).toEqual(allowed());
    });

    it('goes on with all of them once the user has begun another turn', async () => {
      putToy(fresh(), 'toy:a');
      putToy(project, 'toy2:b');
      ask({ shown: { marker: null, turn: 't1' } });
      expect(await answerIn(project, { turn: 't2' })).toMatchObject({ kind: 'hold' });
      expect([waitingIn('toy:a'), waitingIn('toy2:b')]).toEqual([undefined, undefined]);
      expect(journalIn(project)).toMatchObject([
        { event: 'stop', answer: 'hold' },
        { event: 'question', what: 'answered' },
      ]);
    });
  });

  it('is held though the budget of another run cannot be counted', async () => {
    putToy(fresh(), 'toy:a');
    putToy(project, 'toy2:b');
    giveBudget(project, budgetOf(project, 'toy2:b', { limits: { timeMs: 3_600_000 } }));
    writeIn(project, '.holdfast/runs/toy2-b.json', 'broken');
    expect(await answerIn(project)).toEqual(held(GO_ON));
    // Once for the budget, once for a signal that may have been given.
    expect(errors()).toEqual([
      ['b', expect.stringContaining('toy2-b.json is not readable')],
      ['b', expect.stringContaining('toy2-b.json is not readable')],
    ]);
  });

  it('counts for the budget of each what was used up to a hold of one', async () => {
    putToy(fresh(), 'toy:a');
    putToy(project, 'toy2:b');
    const hour = 3_600_000;
    const begun = { ...project, now: project.now - hour };
    for (const name of ['toy:a', 'toy2:b'])
      giveBudget(begun, budgetOf(begun, name, { limits: { timeMs: 10 * hour } }));
    expect(await answerIn(project)).toMatchObject({ kind: 'hold' });
    expect(readBudget(project, 'toy:a')?.spent.timeMs).toBe(hour);
    expect(readBudget(project, 'toy2:b')?.spent.timeMs).toBe(hour);
    expect(errors()).toEqual([]);
  });
});

describe('runs that are not the session’s', () => {
  const ONE =
    "Holdfast: toy:a is unfinished here but is not this session's. To go on with it: holdfast adopt toy:a";

  it('are shown once, with how to go on with them', async () => {
    putToy(fresh(), 'toy:a', {}, null);
    expect(await answerIn(project)).toEqual(allowed(ONE));
    expect(journalIn(project)).toMatchObject([
      { event: 'stop', workflow: null, run: null, answer: 'allow', notice: true, error: null },
    ]);
    expect(readSession(project.root, SESSION)).toMatchObject({ notified: ['toy:a'] });
    expect(await answerIn(project)).toEqual(allowed());
    expect(journalIn(project)).toHaveLength(1);
    expect(await answerIn(project, { session: 'another' })).toEqual(allowed(ONE));
  });

  it('are shown beside what an own run says, and have no line of their own then', async () => {
    putToy(fresh(), 'toy:a', {}, null);
    putToy(project, 'toy2:b', { left: 0 });
    expect(await answerIn(project)).toEqual(allowed(`exhausted {} a note\n${ONE}`));
    expect(journalIn(project)).toHaveLength(1);
  });

  it('are counted where there are several', async () => {
    fresh();
    for (const id of ['a', 'b']) putToy(project, `toy:${id}`, {}, null);
    expect(await answerIn(project)).toEqual(
      allowed(
        "Holdfast: 2 runs are unfinished here but are not this session's; `holdfast status` lists them. The newest: toy:a. To go on with it: holdfast adopt toy:a",
      ),
    );
  });

  it('that cannot be looked for are reported beside the answer', async () => {
    putToy(fresh(), 'toy:a', { left: 0 });
    const registry = toysWith({
      disabled() {
        if (journalIn(project).length > 0) throw new Error('nobody knows');
        return false;
      },
    });
    expect(await answerIn(project, {}, { registry })).toEqual(
      allowed(
        'exhausted {} a note\nHoldfast: hit an error, so this stop was allowed: nobody knows. Run `holdfast doctor` to see what is wrong.',
      ),
    );
    expect(errors()).toEqual([[null, 'Error: nobody knows']]);
  });
});

describe('a stop in plan mode', () => {
  const plan = { planMode: true };

  it('asks nothing and counts nothing, but keeps a signal', async () => {
    putToy(fresh(), 'toy:a');
    expect(await answeredIn(project, { ...plan, lastMessage: 'FINISHED' })).toEqual({
      answer: allowed(),
      complaints: [],
    });
    expect(stateOf('toy:a')).toMatchObject({ left: 10 });
    expect(readSidecar(project.root, 'toy:a').saved).toBe('kept');
    expect(journalIn(project)).toEqual([]);
  });

  it('shows a question, once', async () => {
    putToy(fresh(), 'toy:a');
    const times = { since: project.now, until: project.now + 3_600_000 };
    const waiting: Waiting = { for: 'person', ...times, what: 'Which one?', shown: null };
    writeSidecar(project.root, { ...readSidecar(project.root, 'toy:a'), waiting });
    const { notice } = await answerIn(project, plan);
    expect(notice).toBe(questionNotice(waiting));
    expect(await answerIn(project, plan)).toEqual(allowed());
  });

  it('without runs of the session is silent', async () => {
    fs.mkdirSync(path.join(fresh().root, '.toy'));
    expect(await answerIn(project, plan)).toEqual(allowed());
  });

  it('is silent where which runs there are is unknown', async () => {
    putToy(fresh(), 'toy:a');
    const registry = toysWith({
      disabled() {
        throw new Error('nobody knows');
      },
    });
    expect(await answerIn(project, plan, { registry })).toEqual(allowed());
  });
});

describe('our own trouble', () => {
  it('never holds: it is explained once, with a line in the journal', async () => {
    putToy(fresh(), 'toy:a');
    const registry = toysWith({
      disabled() {
        throw new Error('nobody knows');
      },
    });
    const said =
      'Holdfast: hit an error, so this stop was allowed: nobody knows. Run `holdfast doctor` to see what is wrong.';
    expect(await answeredIn(project, {}, { registry })).toEqual({ answer: allowed(said), complaints: [] });
    expect(errors()).toEqual([[null, 'Error: nobody knows']]);
    expect(await answerIn(project, {}, { registry })).toEqual(allowed());
  });

  it('with the lock is told with how long it took, each time', async () => {
    putToy(fresh(), 'toy:a');
    const other = tryHold(path.join(project.home, 'lock'));
    expect(other).not.toBeNull();
    try {
      const answer = await answerIn(project, { lastMessage: 'FINISHED' }, { lockPatienceMs: 10 });
      expect(answer).toEqual(
        allowed(
          'Holdfast: another Holdfast process held the lock for 0 s; this stop was allowed unchecked. The next one is checked again.',
        ),
      );
    } finally {
      other?.release();
    }
    expect(keptWords({ ...project, run: 'toy:a' })).toEqual(['kept']);
  });

  it('of a client that ends us is not answered at all', async () => {
    putToy(fresh(), 'toy:a', { phase: 'reviewing' });
    putToy(project, 'toy2:b');
    const interrupted = { ...reviewing({ does: 'sleep 50' }), whenAskedToEnd: (end: () => void) => end() };
    await expect(answerIn(project, { lastMessage: 'FINISHED2' }, interrupted)).rejects.toThrow(Interrupted);
    expect(errors()).toMatchObject([[null, expect.stringContaining('Interrupted')]]);
    expect(readSidecar(project.root, 'toy:a').attempts).toMatchObject([{ status: 'interrupted' }]);
    // The hook may not live to see the end of a review.
    expect(readSidecar(project.root, 'toy2:b').saved).toBe('kept');
  });
});

describe('whoever is to be called', () => {
  it('is nobody where the user’s own settings name none', async () => {
    putToy(fresh(), 'toy:a');
    expect(await answeredIn(project, { lastMessage: 'FINISHED' })).not.toHaveProperty('afterwards');
  });

  it('is called once the answer is out, where there is news', async () => {
    putToy(fresh(), 'toy:a');
    const settings = { notify: [{ run: ['true'], on: ['done'] }] };
    const config = path.join(project.env.HOME ?? '', '.config/holdfast/holdfast.config.json');
    fs.mkdirSync(path.dirname(config), { recursive: true });
    fs.writeFileSync(config, JSON.stringify(settings));
    const { answer, afterwards } = await answeredIn(project, { lastMessage: 'FINISHED' });
    expect(answer).toEqual(allowed('finished {} a note'));
    const marks = (): string[] => {
      const folder = path.join(project.env.XDG_STATE_HOME ?? '', 'holdfast');
      const files = fs.existsSync(folder)
        ? fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })
        : [];
      return files.filter((file) => file.includes('call-'));
    };
    expect(marks()).toEqual([]);
    await afterwards?.();
    expect(marks()).toHaveLength(1);
    putToy(project, 'toy:b');
    expect(await answeredIn(project)).not.toHaveProperty('afterwards');
  });
});

it('a hold in a session of `holdfast run --fresh` is handed over, and the session let go', async () => {
  putToy(fresh(), 'toy:a');
  putToy(project, 'toy2:nobodys', {}, null);
  writeIn(project, 'holdfast.config.json', '{"x": 1}');
  const { env } = leaveDriverToken(project, 'toy:a', { session: SESSION, fresh: true });
  const driven = { ...project, env: { ...project.env, ...env } };
  const file = path.join(project.root, 'holdfast.config.json');
  expect(await answeredIn(driven)).toEqual({
    answer: allowed(`Holdfast: ${file}: there is no key "x"; it is ignored.`),
    complaints: [],
  });
  expect(readSidecar(project.root, 'toy:a').handover).toEqual({ session: SESSION, text: heldBy(GO_ON) });
  expect(journalIn(project)).toMatchObject([{ run: 'a', answer: 'hold' }]);
});

it('an agent whose client shows no notices passes them on', async () => {
  putToy(fresh(), 'toy:a', { left: 0 });
  const copilot = { client: 'copilot', lastMessage: 'hm' };
  expect(await answerIn(project, copilot)).toEqual(allowed('exhausted {} a note'));
  putToy(project, 'toy:a');
  expect(await answerIn(project, copilot)).toEqual({
    kind: 'hold',
    notice: null,
    reason: `Your client shows the user no messages of Holdfast. Pass this on to them, in your own words, when you end your turn:\nexhausted {} a note\n\n${heldBy(GO_ON)}`,
  });
});

describe('what the session forgets', () => {
  const forget = (names: string[], session: string | null = SESSION): Promise<void> =>
    forgetRuns(names, stoppedIn(project, { session }));

  it('is what it is told, and nothing else', async () => {
    putToy(fresh(), 'toy:a');
    putToy(project, 'toy:b');
    await forget(['toy:a', 'toy:c']);
    expect(readSession(project.root, SESSION)?.runs).toEqual(['toy:b']);
  });

  it('is nothing of a session that has no notes, and none is made', async () => {
    ensureHome(fresh().root);
    await forget(['toy:a']);
    await forget(['toy:a'], null);
    expect(readSession(project.root, SESSION)).toBeNull();
    expect(fs.readdirSync(project.home)).not.toContain('sessions');
  });

  it('needs no lock where there is nothing to forget', async () => {
    putToy(fresh(), 'toy:a');
    fs.rmSync(path.join(project.home, 'lock'), { force: true });
    await forget([]);
    expect(fs.readdirSync(project.home)).not.toContain('lock');
  });
});
