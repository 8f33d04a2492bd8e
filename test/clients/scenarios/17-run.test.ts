// Group 17: `holdfast run`, which drives the real clients until the run is over.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { minutesOf } from '../budget.ts';
import { giveClock } from '../clients/clock.ts';
import { pluginFolder } from '../clients/place.ts';
import { shellTerminal } from '../clients/terminal.ts';
import { DONE, iterations, TASK, upTo } from '../loop.ts';
import { answerReview, completeTask, createTasks, draftPlan, planState, reviewer, reviews } from '../plan.ts';
import { both, runOn } from '../run-command.ts';
import {
  answers,
  holdsOf,
  nothingLeft,
  processesOf,
  run,
  saw,
  say,
  stageFor,
  until,
  write,
} from '../scenario.ts';

const [claude] = both;
if (claude === undefined) throw new Error('Claude Code is driven');

/** A command that does not end. (Claude Code does not wait for `sleep`.) */
const STAYS = 'tail -f /dev/null';

const LOOP = ['--access', 'full', 'idle', 'loop', TASK];

const cli = (): string => path.join(pluginFolder('holdfast'), 'bin', 'holdfast');

const GRIND_DONE = 'Nothing is left.\n\n<grind-done>NO_MORE_ISSUES</grind-done>';

/** Where the agent works, as its client says it. */
const workTreeIn = (whole: string): string => /\/[^"\s\\]*\/project-idle-[\d-]+/.exec(whole)?.[0] ?? '';

describe('17. holdfast run', () => {
  it.for(both)('a loop to its end, held on the way ($mode)', async (driven, context) => {
    const stage = await stageFor();
    stage.agent(run('echo one'), say('One.'), write(stage.file('a.txt'), 'x'), say('Two.'), say(DONE));
    const { exitCode, summary, stderr } = await runOn(driven, stage, LOOP).ended;
    expect(stderr).toBe('');
    expect(summary).toMatchObject({ code: 0, why: 'completed', iterations: 2, sessions: 1 });
    expect(exitCode).toBe(0);
    expect(answers(stage.root)).toEqual(['hold', 'hold', 'allow']);
    expect(iterations(holdsOf(stage))).toEqual(upTo(2, 10));
    expect(stage.cast.of('agent')[0]?.opening).toContain(TASK);
    await nothingLeft(stage);
    saw(context, driven.mode, 'exit code 0 after two holds, in one session, with nothing left running');
  });

  it.for(both)(
    'the client killed in the middle of its work: resumed, nothing lost ($mode)',
    async (driven, context) => {
      const stage = await stageFor();
      stage.agent(run('echo one'), say('One.'), run(STAYS), say('Never said.'));
      const running = runOn(driven, stage, LOOP);
      const { pid } = await running.event('client-began');
      await until('the second turn to work', () =>
        processesOf(stage).some(({ command }) => command.includes(STAYS)),
      );
      stage.agent(run('echo two'), say('Two.'), say(DONE));
      process.kill(-Number(pid), 'SIGKILL');
      const { exitCode, summary } = await running.ended;
      expect(summary).toMatchObject({ code: 0, iterations: 2, sessions: 1 });
      expect(exitCode).toBe(0);
      const starts = running.events().filter(({ event }) => event === 'client-began');
      expect(starts.map(({ how }) => how)).toEqual(['new', 'resumed']);
      await nothingLeft(stage);
      saw(
        context,
        driven.mode,
        'killed in its second iteration: the session was resumed at once, and the count went on',
      );
    },
  );

  it.for(both)('^C, and --continue ($mode)', async (driven, context) => {
    const stage = await stageFor();
    const clock = giveClock(stage);
    stage.agent(run('echo one'), say('One.'), run(STAYS), say('Never said.'));
    const running = runOn(driven, stage, ['--hours', '4', ...LOOP]);
    await until('the second turn to work', () =>
      processesOf(stage).some(({ command }) => command.includes(STAYS)),
    );
    process.kill(running.program.pid, 'SIGINT');
    expect((await running.ended).exitCode).toBe(5);
    expect(await running.event('left')).toMatchObject({ command: expect.stringContaining('run --continue') });
    await nothingLeft(stage);
    stage.agent(run('echo two'), say('Two.'), say(DONE));
    // Past that a loop is stale, which is another story.
    clock.forward(100 * 60);
    const again = await runOn(driven, stage, ['--continue']).ended;
    expect(again.summary).toMatchObject({ code: 0, iterations: 2, sessions: 1 });
    expect(again.exitCode).toBe(0);
    expect(minutesOf(stage)).toBeLessThan(60);
    await nothingLeft(stage);
    saw(
      context,
      driven.mode,
      '^C ended the client and left nothing running; `--continue` resumed its session a good hour later and went on counting, but not that hour',
    );
  });

  it.for(both)('a question, and its answer ($mode)', async (driven, context) => {
    const stage = await stageFor();
    stage.agent(run(`${cli()} ask 'Tabs or blanks?'`), say('I have asked.'));
    const asked = await runOn(driven, stage, LOOP).ended;
    expect(asked.summary).toMatchObject({ code: 6, why: 'question' });
    expect(JSON.stringify(asked.summary?.next)).toContain('Tabs or blanks?');
    stage.agent(run('echo tabs'), say('One.'), say(DONE));
    const answered = await runOn(driven, stage, ['--continue', '--answer', 'Tabs, please.']).ended;
    expect(answered.summary).toMatchObject({ code: 0 });
    expect(stage.cast.of('agent').some(({ whole }) => whole.includes('Tabs, please.'))).toBe(true);
    await nothingLeft(stage);
    saw(
      context,
      driven.mode,
      'exit code 6 with the question; the answer went into the same session, and the loop went on',
    );
  });

  it('overnight in tmux, with the command of docs/unattended.md (Claude Code stream-json)', async (context) => {
    const stage = await stageFor();
    stage.write('.gitignore', '.jwz/\n');
    stage.git('add', '.');
    stage.git('commit', '-m', 'Begin');
    const page = fs.readFileSync(new URL('../../../docs/unattended.md', import.meta.url), 'utf8');
    const [command = ''] = /holdfast run --hours .*--worktree.*$/m.exec(page) ?? [];
    stage.agent(
      (heard) => write(path.join(workTreeIn(heard.whole), 'a.txt'), 'x'),
      say('One.'),
      say(GRIND_DONE),
    );
    fs.mkdirSync(path.join(stage.home, 'bin'));
    fs.symlinkSync(cli(), path.join(stage.home, 'bin', 'holdfast'));
    stage.env.PATH = `${path.join(stage.home, 'bin')}:${stage.env.PATH}`;
    stage.env.FLAGS = claude.args(stage).join(' ');
    const shell = shellTerminal(stage);
    await shell.enter(`${command} -- $FLAGS`);
    const shown = await shell.shows(/To take it over: /, 60_000);
    expect(shown).toMatch(/outcome +completed/);
    expect(shown).toMatch(/iterations +1/);
    expect(stage.git('branch', '--list', 'holdfast/*')).toMatch(/holdfast\/idle-/);
    expect(stage.exists('a.txt')).toBe(false);
    await shell.enter('exit');
    await nothingLeft(stage);
    saw(context, claude.mode, 'in a terminal of tmux, in a work tree of its own: held once, then completed');
  });

  it.for(both)('a new session for each iteration counts the same ($mode)', async (driven, context) => {
    const stage = await stageFor();
    const work = (name: string) => [run(`echo ${name} >${name}`), say(`${name}.`)];
    stage.agent(...['one', 'two', 'three', 'four'].flatMap(work), say(DONE));
    const { summary } = await runOn(driven, stage, ['--fresh', ...LOOP]).ended;
    expect(summary).toMatchObject({ code: 0, sessions: 5 });
    const sessions = new Set(stage.cast.of('agent').map(({ session }) => session));
    expect(sessions.size).toBe(5);
    expect(stage.cast.of('agent').at(-1)?.opening).toContain('[ITERATION 4/10]');
    await nothingLeft(stage);
    saw(
      context,
      driven.mode,
      'five sessions, each given the hold of the one before; iterations 1 to 4 of 10, then complete',
    );
  });

  it('two drivers on one run: the second is refused and says who has it (Claude Code stream-json)', async (context) => {
    const stage = await stageFor();
    stage.agent(run(STAYS), say('Never said.'));
    const running = runOn(claude, stage, LOOP);
    await running.event('client-began');
    const second = await runOn(claude, stage, ['--continue']).ended;
    expect(second.exitCode).toBe(1);
    expect(second.stderr).toContain(`by process ${running.program.pid}`);
    process.kill(running.program.pid, 'SIGTERM');
    await running.ended;
    await nothingLeft(stage);
    saw(context, claude.mode, 'the second ended with exit code 1 and named the process of the first');
  });

  it('the driver killed: its client ends, and --continue goes on (Claude Code stream-json)', async (context) => {
    const stage = await stageFor();
    stage.agent(run('echo one'), say('One.'), run(STAYS), say('Never said.'));
    const running = runOn(claude, stage, LOOP);
    await until('the second turn to work', () =>
      processesOf(stage).some(({ command }) => command.includes(STAYS)),
    );
    process.kill(running.program.pid, 'SIGKILL');
    await running.ended;
    await nothingLeft(stage);
    stage.agent(run('echo two'), say('Two.'), say(DONE));
    const again = await runOn(claude, stage, ['--continue']).ended;
    expect(again.summary).toMatchObject({ code: 0, iterations: 2, sessions: 1 });
    await nothingLeft(stage);
    saw(
      context,
      claude.mode,
      'nothing was left running; `--continue` resumed the session and went on counting',
    );
  });

  it.for(both)(
    'taskie from a sentence to complete, with two tasks and reviews ($mode)',
    async (driven, context) => {
      const stage = await stageFor();
      const next = run(`${cli()} taskie next --plan demo`);
      reviewer(stage, ...Array.from({ length: 5 }, () => reviews('PASS', 'PASS')).flat());
      stage.agent(
        ...[draftPlan(cli()), say('The plan is written.'), ...answerReview],
        ...[next, createTasks(cli()), say('The tasks are written.'), ...answerReview],
        ...[next, completeTask(cli(), 1), say('Task 1 is done.'), ...answerReview],
        ...[next, completeTask(cli(), 2), say('Task 2 is done.'), ...answerReview],
        ...[next, say('I just stop.'), ...answerReview],
        ...[next, run(`${cli()} taskie record complete --plan demo`), say('All done.')],
      );
      const { summary } = await runOn(driven, stage, ['--access', 'full', 'taskie', 'Say hello in two files'])
        .ended;
      expect(planState(stage)).toMatchObject({ phase: 'complete', next_phase: null });
      expect(summary).toMatchObject({ code: 0, run: 'taskie:demo', reviews: 10 });
      expect(stage.cast.of('agent')[0]?.opening).toContain('Say hello in two files');
      await nothingLeft(stage);
      saw(
        context,
        driven.mode,
        'one command from a sentence to a complete plan: ten reviews, five user’s stops gone on from',
      );
    },
  );

  it.for(both)('a budget spent, and more granted ($mode)', async (driven, context) => {
    const stage = await stageFor();
    stage.agent(run('echo one'), say('One.'), say('I leave it whole.'));
    const spent = await runOn(driven, stage, ['--tokens', '1', ...LOOP]).ended;
    expect(spent.summary).toMatchObject({ code: 7, why: 'paused' });
    expect(JSON.stringify(spent.summary?.next)).toContain('--continue');
    stage.agent(run('echo two'), say('Two.'), say(DONE));
    const granted = await runOn(driven, stage, ['--continue', '--tokens', '100M']).ended;
    expect(granted.summary).toMatchObject({ code: 0, why: 'completed' });
    await nothingLeft(stage);
    saw(
      context,
      driven.mode,
      'exit code 7 after the last hold; with more tokens the same session went on to its end',
    );
  });
});
