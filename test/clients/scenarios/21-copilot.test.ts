// Group 21: Copilot CLI, with Holdfast as `holdfast install` puts it there.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { claudePrint } from '../clients/claude.ts';
import { copilotPrint, copilotStage } from '../clients/copilot.ts';
import { forgeRuns } from '../forged.ts';
import { DONE, iterations, loopState, startLoop, TASK, upTo } from '../loop.ts';
import { answerReview, draftPlan, planState, reviewFileIn, reviews } from '../plan.ts';
import { reviewedByScenario } from '../reviewed-by.ts';
import { ownConfig } from '../reviews.ts';
import {
  callDone,
  claudexState,
  codexReviewer,
  FINDINGS,
  findings,
  NOTHING,
  runProgram,
  startPlan,
  TOPIC,
} from '../rounds.ts';
import { answers, holdsOf, journal, type Line, opening, run, runCli, saw, say, write } from '../scenario.ts';

const { mode, cli, play } = { ...copilotPrint, play: copilotPrint.play.bind(copilotPrint) };
const steps = (count: number) =>
  Array.from({ length: count }, (_, turn) => [run(`echo ${turn} >>work.txt`), say(`Step ${turn}.`)]).flat();

describe('21. Copilot CLI', () => {
  it('no run: has no effect and creates nothing', async (context) => {
    const stage = await copilotStage();
    stage.agent(run('ls -a'), say('There is nothing here.'));
    const played = await play(stage, 'What is in this folder?');
    expect(played).toMatchObject({ exitCode: 0, result: 'There is nothing here.' });
    expect(stage.cast.of('agent')).toHaveLength(2);
    expect(fs.readdirSync(stage.root)).toEqual(['.git']);
    saw(context, mode, 'not held, the answer unchanged, no file created');
  });

  it('three iterations to the signal', async (context) => {
    const stage = await copilotStage();
    stage.agent(
      startLoop(cli(stage)),
      say('The loop is on.'),
      ...steps(2),
      run('echo 3 >>work.txt'),
      say(DONE),
    );
    const played = await play(stage, TASK);
    expect(iterations(holdsOf(stage))).toEqual(upTo(3, 10));
    expect(answers(stage.root)).toEqual(['hold', 'hold', 'hold', 'allow']);
    const [, second] = journal(stage.root);
    expect(second).toMatchObject({ session: played.session, guard: { movement: { tools: 'yes' } } });
    expect(loopState(stage.root)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
    expect(played.result).toBe(DONE);
    saw(
      context,
      mode,
      'held three times, the tool calls between seen; let go at the signal, which its transcript holds only after the hook has started',
    );
  });

  it('a signal inside a fence does not end the loop', async (context) => {
    const stage = await copilotStage();
    const fenced = 'To end it one writes:\n\n```\n<loop-done>COMPLETE</loop-done>\n```';
    stage.agent(startLoop(cli(stage)), say(fenced), say(DONE));
    await play(stage, TASK);
    expect(iterations(holdsOf(stage))).toEqual(['1/10']);
    expect(holdsOf(stage)[0]).toContain('as code or in a comment, so it did not count');
    expect(loopState(stage.root)).toMatchObject({ event: 'DONE' });
    saw(context, mode, 'held, with a line that says why it did not count; outside a fence it let go');
  });

  it('no progress: let go, and the next session is given the notice', async (context) => {
    const stage = await copilotStage();
    const idling = Array.from({ length: 8 }, (_, turn) => say(`Still thinking, ${turn}.`));
    stage.agent(startLoop(cli(stage), '--max 50'), ...idling);
    await play(stage, TASK);
    expect(iterations(holdsOf(stage))).toEqual(upTo(6, 50));
    const released = { answer: 'allow', notice: true, guard: { result: 'release' } };
    expect(journal(stage.root).at(-1)).toMatchObject(released);
    stage.agent(say('It was let go.'));
    await play(stage, 'What happened?');
    expect(stage.cast.of('agent').at(-1)?.whole).toMatch(
      /Your client shows the user no messages of Holdfast.*no progress in 6 holds/,
    );
    saw(
      context,
      mode,
      `6 holds without progress, the next stop let go; ${copilotPrint.showsNotices}; the next session's model was given it at its start`,
    );
  });

  it('the cap of the client: eight holds, then the run waits for a prompt', async (context) => {
    const stage = await copilotStage();
    stage.agent(startLoop(cli(stage), '--max 50'), say('On.'), ...steps(8));
    const played = await play(stage, TASK);
    const last = /the last time that Copilot CLI lets you be sent back/;
    expect(iterations(holdsOf(stage))).toEqual(upTo(8, 50));
    expect(holdsOf(stage).map((hold) => last.test(hold))).toEqual([...Array(7).fill(false), true]);
    expect(answers(stage.root)).toEqual([...Array(8).fill('hold'), 'allow']);
    expect(runCli(stage, 'status')).toContain(
      'Copilot CLI ends a turn after 8 holds. Type anything to go on.',
    );

    stage.agent(say('Going on.'), run('echo more >>work.txt'), say(DONE));
    await play(stage, 'Go on.', { resume: played.session });
    expect(holdsOf(stage).at(-1)).toContain('[ITERATION 9/50]');
    expect(loopState(stage.root)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
    saw(
      context,
      mode,
      'the eighth hold says that it is the last; the next stop is let go and not counted; a prompt in the resumed session goes on at iteration 9, to the signal',
    );
  });

  it('claudex to its end, with Codex as the reviewer', async (context) => {
    const stage = await copilotStage();
    codexReviewer(stage, ...findings(FINDINGS), ...findings(NOTHING));
    stage.agent(
      ...[startPlan(cli(stage)), write(stage.file('PLAN.md'), '# Plan\n\nMove it.'), say('Drafted.')],
      ...[runProgram, say('Revised.')],
      ...[runProgram, callDone, say('Nothing material is left.'), say('This is the plan.')],
    );
    await play(stage, `Plan this: ${TOPIC}`, { limitMs: 120_000 });
    expect(holdsOf(stage).map((hold) => hold.split('\n')[0])).toEqual([
      '### Claudex round 1 of 3, Senior-engineer review',
      '### Claudex round 2 of 3, Security and data-integrity review',
      '### Claudex: plan loop complete',
    ]);
    expect(claudexState(stage)).toMatchObject({ phase: 'done', decision_signal: 'no-material-findings' });
    saw(context, mode, 'two rounds by real Codex, `done` by the command of the hold, summary, done');
  });

  it('taskie through its plan, reviewed in the hook for longer than 30 s', async (context) => {
    const stage = await copilotStage();
    // In its hook Claude Code says that it is not logged in, although its key is set for Copilot itself.
    ownConfig(stage, { review: { models: ['codex/', 'codex/'] } });
    const [, ...rest] = reviews('FAIL', 'PASS', 'PASS');
    const slowly: Line = (heard) => ({
      write: { file: reviewFileIn(heard), text: '# Review\n\nIt says nothing of tests.\n' },
      afterMs: 32_000,
    });
    stage.part({
      name: 'reviewer',
      hears: opening('Write your review to this exact file'),
      lines: [slowly, ...rest],
    });
    stage.agent(draftPlan(cli(stage)), say('The plan is written.'), ...answerReview, ...answerReview);
    await play(stage, 'Plan it.', { limitMs: 160_000 });
    expect(answers(stage.root)).toEqual(['hold', 'hold', 'allow']);
    expect(planState(stage)).toMatchObject({ next_phase: 'create-tasks', consecutive_clean: 2 });
    saw(
      context,
      mode,
      "three reviews by Codex in the hook, one of them longer than the client's own limit of 30 s for a hook: ours is honoured; findings held, two clean ones in a row let go",
    );
  });

  // Copilot CLI keeps its keys from its hooks, and a login is not to be had here.
  reviewedByScenario(
    { host: claudePrint, open: () => copilotStage() },
    {
      title: 'Copilot CLI',
      models: ['copilot/', 'copilot/gpt-5.2'],
      asked: ['gpt-5-mini', 'gpt-5.2'],
    },
  );

  it('cancelled in a terminal, and another session', async (context) => {
    const stage = await copilotStage();
    const cancel = `env -u COPILOT_AGENT_SESSION_ID ${cli(stage)} idle cancel`;
    stage.agent(startLoop(cli(stage)), say('On.'), run(cancel), say('Stopped.'));
    await play(stage, TASK);
    expect(answers(stage.root)).toEqual(['hold', 'allow']);
    stage.agent(startLoop(cli(stage), '--max 2'), say('On.'), ...steps(1), say('Asking.'));
    const before = journal(stage.root).length;
    await play(stage, TASK);
    expect(journal(stage.root).length).toBeGreaterThan(before);
    stage.agent(say('Another one.'));
    const other = await play(stage, 'Something else.');
    expect(other.result).toBe('Another one.');
    expect(
      journal(stage.root).filter(({ session, answer }) => session === other.session && answer === 'hold'),
    ).toEqual([]);
    saw(context, mode, 'let go after `holdfast idle cancel`; another session is not held');
  });

  it('a repository that brings runs along holds nobody', async (context) => {
    const stage = await copilotStage();
    forgeRuns(stage);
    stage.agent(say('Looked.'));
    const played = await play(stage, 'Look around.');
    expect(played.result).toBe('Looked.');
    expect(stage.cast.of('agent')).toHaveLength(1);
    expect(stage.exists('owned')).toBe(false);
    saw(context, mode, 'runs of three workflows with notes for guessed sessions: not held, nothing run');
  });

  it('installed and taken out: the settings of the user are as they were', async (context) => {
    const stage = await copilotStage({ plugins: false });
    const settings = path.join(stage.home, '.copilot', 'settings.json');
    fs.mkdirSync(path.dirname(settings), { recursive: true });
    const own = `${JSON.stringify({ theme: 'dark', enabledPlugins: { 'own@x': true } }, null, 2)}\n`;
    fs.writeFileSync(settings, own);
    expect(runCli(stage, 'install', '--client', 'copilot')).toMatch(/Copilot CLI .*: installed holdfast, /);
    expect(runCli(stage, 'install', '--client', 'copilot')).toMatch(/installed already/);
    expect(runCli(stage, 'doctor')).toMatch(/ok +Copilot CLI .*: the plugin is installed/);
    expect(runCli(stage, 'uninstall', '--client', 'copilot')).toMatch(/Copilot CLI .*: removed /);
    expect(fs.readFileSync(settings, 'utf8')).toBe(own);
    saw(
      context,
      mode,
      '`holdfast install` twice is once; `uninstall` leaves the settings byte for byte, also without the switches that the client itself leaves there',
    );
  });
});
