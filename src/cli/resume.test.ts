import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import tty from 'node:tty';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { budgetOf, emptyFolder, giveBudget, projectIn } from '../../test/support/bare-project.ts';
import { called, callIn } from '../../test/support/call.ts';
import { cleanEnvironment, runCli } from '../../test/support/hook.ts';
import { type TempProject, tempProject } from '../../test/support/project.ts';
import { readBudget } from '../engine/budget/record.ts';
import type { Project } from '../engine/project.ts';
import { type Call, NotNow, WrongUsage } from '../engine/workflow-cli.ts';
import { NO_GUARD_MEMORY } from '../store/records.ts';
import { readSidecar, writeSidecar } from '../store/sidecars.ts';
import { allRuns } from '../view/runs.ts';
import { cancel as cancelLoop } from '../workflows/idle/cli/cancel.ts';
import { loop as loopCommand } from '../workflows/idle/cli/loop.ts';
import { resume } from './resume.ts';

let project: TempProject;

/** Whether a descriptor is a terminal: tests have none. */
const terminal = { is: (_: number): boolean => true };

beforeEach(() => {
  vi.spyOn(tty, 'isatty').mockImplementation((descriptor) => terminal.is(descriptor));
  syncBuiltinESMExports();
  terminal.is = () => true;
  project = tempProject();
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  project.remove();
});

async function resumed(words: readonly string[], flags: Call['flags'] = {}, env = {}): Promise<string[]> {
  const all = { ...cleanEnvironment(project.root), ...env };
  const { call, printed } = callIn(project.root, { words, flags, env: all });
  expect(await resume.run(call)).toBe(0);
  return printed;
}

async function loop(...flags: string[]): Promise<string> {
  const { stdout, stderr } = await runCli(project.root, ['idle', 'loop', ...flags, 'a task'], {
    env: { CLAUDE_CODE_SESSION_ID: 's1' },
  });
  const [run] = /idle:[\w-]+/.exec(stdout) ?? [];
  if (run === undefined) throw new Error(stderr);
  return run;
}

async function flow(): Promise<string> {
  project.write(
    'holdfast.flows/mine.yaml',
    'flow: mine\nstart: work\nstates:\n  work:\n    say: Work.\n    leave: [ { when: { signal: a }, to: b } ]\n  b: { end: completed }\n',
  );
  const { stdout, stderr } = await runCli(project.root, ['flow', 'start', '--reviews', '2', 'mine'], {
    env: { CLAUDE_CODE_SESSION_ID: 's2' },
  });
  const [run] = /flow:mine-[\d-]+/.exec(stdout) ?? [];
  if (run === undefined) throw new Error(stderr);
  return run;
}

describe('holdfast resume', () => {
  it('adds to what a run may spend, by its name, its id, or where it is the only one', async () => {
    const run = await loop('--tokens', '1000', '--hours', '1');
    expect(await resumed([], { tokens: '500' })).toEqual([`${run} may now spend 1.5k tokens, 1 h in all.`]);
    expect(await resumed([run], { tokens: '500' })).toEqual([`${run} may now spend 2k tokens, 1 h in all.`]);
    const id = run.slice('idle:'.length);
    expect(await resumed([id.slice(0, 8)], { tokens: '1M', hours: '2' })).toEqual([
      `${run} may now spend 1M tokens, 3 h in all.`,
    ]);
    await expect(resumed([run], { reviews: '2' })).rejects.toThrow(
      new NotNow(`${run} has no limit that --reviews could add to. \`holdfast status\` shows what it has.`),
    );
  });

  it('is refused for an amount that is none', async () => {
    await expect(resumed([], { reviews: '0' })).rejects.toThrow(
      new WrongUsage('resume: --reviews takes a whole number of reviews from 1 to 9999, not "0".'),
    );
  });

  it('is refused where there is nothing to add to', async () => {
    await expect(resumed([], { tokens: '5' })).rejects.toThrow(
      new NotNow('there are no runs here, so there is nothing to resume.'),
    );
    await loop();
    await expect(resumed([], { tokens: '5' })).rejects.toThrow(
      new NotNow('no run here has a budget, so there is nothing to add to.'),
    );
    await expect(resumed(['nobody'], { tokens: '5' })).rejects.toThrow(/there is no run "nobody"/);
  });

  it('is refused to agents, also by name, and without a terminal', async () => {
    const run = await loop('--tokens', '1000');
    for (const words of [[], [run]])
      await expect(resumed(words, { tokens: '5' }, { CLAUDE_CODE_SESSION_ID: 's1' })).rejects.toThrow(
        /^only a person grants more, in a terminal of their own: this shell is an agent's/,
      );
    for (const closed of [0, 1]) {
      terminal.is = (descriptor) => descriptor !== closed;
      await expect(resumed([run], { tokens: '5' })).rejects.toThrow(/yourself, in a terminal/);
    }
  });

  it('has to be told which run where several have a budget', async () => {
    const runs = [await loop('--tokens', '1000'), await flow()];
    await expect(resumed([], { reviews: '5' })).rejects.toThrow(NotNow);
    await expect(resumed([], { reviews: '5' })).rejects.toThrow(
      new RegExp(`^several runs could go on here: .*${runs[0]}`),
    );
    expect(await resumed([runs[1] ?? ''], { reviews: '5' })).toEqual([
      `${runs[1]} may now spend 7 reviews in all.`,
    ]);
  });
});

describe('a run that is paused', () => {
  let here: Project;
  let run: string;
  beforeEach(async () => {
    here = projectIn(emptyFolder());
    await called(
      loopCommand,
      { ...here, env: { ...here.env, CLAUDE_CODE_SESSION_ID: 's1' } },
      { words: ['x'] },
    );
    run = (await allRuns(here))[0]?.name ?? '';
    giveBudget(here, budgetOf(here, run, { limits: { reviews: 3 }, spent: { reviews: 3 }, stage: 'paused' }));
  });
  const more = (...words: string[]): Promise<string[]> =>
    called(resume, here, { words, flags: { reviews: '2' } });

  it('goes on at the next stop of its session', async () => {
    expect(await more()).toEqual([
      '0',
      `${run} may now spend 5 reviews in all. It goes on at the next stop of session s1: type something there, or \`holdfast adopt ${run}\` to go on in another one.`,
    ]);
    expect(await more()).toEqual(['0', `${run} may now spend 7 reviews in all.`]);
  });

  it('is nobody’s where no session has it', async () => {
    writeSidecar(here.root, { ...readSidecar(here.root, run), sessions: [] });
    expect(await more(run)).toEqual([
      '0',
      `${run} may now spend 5 reviews in all. No session has it: \`holdfast adopt ${run}\` gives it to the next session here.`,
    ]);
  });

  it('is granted nothing where it is over', async () => {
    await called(cancelLoop, here);
    expect((await more(run))[1]).toMatch(/^idle:\S+ is over \(.+\)/);
    expect((await more())[0]).toBe('NotNow');
    expect(readBudget(here, run)?.limits.reviews).toBe(3);
  });

  it('is meant before one that is not, and none is where all are over', async () => {
    const plan = 'taskie:p';
    fs.mkdirSync(path.join(here.root, '.taskie/plans/p'), { recursive: true });
    fs.writeFileSync(path.join(here.root, '.taskie/plans/p/plan.md'), '# Plan\n');
    giveBudget(here, budgetOf(here, plan, { limits: { reviews: 1 } }));
    expect((await more())[1]).toContain(`${run} may now spend 5 reviews in all.`);
    expect((await more('p'))[1]).toMatch(/^taskie:p is over /);
  });

  it('that cannot be used is not denied', async () => {
    fs.mkdirSync(path.join(here.root, '.taskie/plans/.my plan'), { recursive: true });
    fs.writeFileSync(path.join(here.root, '.taskie/plans/.my plan/plan.md'), '# Plan\n');
    const [name, text = ''] = await more('.my plan');
    expect(name).toBe('NotNow');
    expect(text).toMatch(/^taskie:.my plan is there, but is not used: /);
  });
});

describe('without more budget', () => {
  const as = (session: string | null) => (session === null ? {} : { CLAUDE_CODE_SESSION_ID: session });
  const typed = (session: string | null, ...words: string[]): Promise<string[]> =>
    called(resume, { ...here, env: { ...here.env, ...as(session) } }, { words });
  let here: Project;
  let run: string;

  beforeEach(async () => {
    here = projectIn(emptyFolder());
    const env = { ...here.env, CLAUDE_CODE_SESSION_ID: 's1' };
    await called(loopCommand, { ...here, env }, { words: ['x'] });
    run = (await allRuns(here))[0]?.name ?? '';
  });
  const change = (over: object): void => writeSidecar(here.root, { ...readSidecar(here.root, run), ...over });
  const LET_GO = { s1: { ...NO_GUARD_MEMORY, released: true } };

  it('what goes on already is left alone', async () => {
    expect((await typed('s1'))[1]).toContain(`${run} goes on already`);
    expect((await typed(null, run))[1]).toContain(`${run} goes on already`);
  });

  it('a run that no session has is held again, by a person’s next session or an agent’s own', async () => {
    change({ sessions: [] });
    expect((await typed(null)).slice(0, 2)).toEqual(['0', `${run} is live, and no session has it.`]);
    expect((await typed('s2'))[0]).toBe('0');
    expect(readSidecar(here.root, run).sessions).toEqual(['s2']);
  });

  it('a run that was let go is held again, for an agent only where it is its own', async () => {
    change({ guard: LET_GO });
    expect((await typed('s2'))[0]).toBe('NotNow');
    expect((await typed('s2', run))[1]).toContain("is another session's");
    expect((await typed('s1'))[1]).toBe(`${run} is let go: no progress.`);
    expect(readSidecar(here.root, run).guard).toEqual({});
  });

  it('a stale loop is taken up again', async () => {
    here = { ...here, now: here.now + 25 * 3_600_000 };
    expect((await typed('s1'))[1]).toMatch(/^idle:\S+ goes on: /);
  });

  it('a paused one says what it needs, and an agent that it is not the agent’s to give', async () => {
    giveBudget(
      here,
      budgetOf(here, run, { limits: { tokens: 1000 }, spent: { tokens: 1000 }, stage: 'paused' }),
    );
    expect((await typed(null))[1]).toBe(
      `${run} is paused. Its budget is spent: 1k of 1k tokens. Say how much more it may spend: holdfast resume ${run} --tokens 1M`,
    );
    expect((await typed('s1', run))[1]).toContain('Only a person grants more');
  });

  it('nothing goes on where all is over', async () => {
    await called(cancelLoop, here);
    expect((await typed(null, run))[1]).toContain(`${run} is over`);
    expect((await typed(null))[1]).toContain('nothing here waits');
  });
});
