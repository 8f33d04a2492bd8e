// Group 20: Qwen Code, with Holdfast as `holdfast install` puts it there.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesOf } from '../clients/others.ts';
import { extensions, qwenPrint, qwenStage } from '../clients/qwen.ts';
import { forgeRuns } from '../forged.ts';
import { DONE, iterations, loopState, startLoop, TASK, upTo } from '../loop.ts';
import { answerReview, draftPlan, planState } from '../plan.ts';
import { ownConfig, reviewers } from '../reviews.ts';
import {
  callDone,
  claudexState,
  FINDINGS,
  findings,
  NOTHING,
  runProgram,
  startPlan,
  TOPIC,
} from '../rounds.ts';
import { answers, holdsOf, journal, run, runCli, saw, say, write } from '../scenario.ts';

const { mode, cli, play } = { ...qwenPrint, play: qwenPrint.play.bind(qwenPrint) };
const steps = (count: number) =>
  Array.from({ length: count }, (_, turn) => [run(`echo ${turn} >>work.txt`), say(`Step ${turn}.`)]).flat();

describe('20. Qwen Code', () => {
  it('no run: has no effect and creates nothing', async (context) => {
    const stage = await qwenStage();
    stage.agent(run('ls -a'), say('There is nothing here.'));
    const played = await play(stage, 'What is in this folder?');
    expect(played).toMatchObject({ exitCode: 0, result: 'There is nothing here.' });
    expect(stage.cast.of('agent')).toHaveLength(2);
    expect(fs.readdirSync(stage.root)).toEqual(['.git']);
    saw(context, mode, 'not held, the answer unchanged, no file created');
  });

  it('three iterations to the signal, begun by the skill', async (context) => {
    const stage = await qwenStage();
    stage.agent(
      startLoop(cli(stage)),
      say('The loop is on.'),
      ...steps(2),
      run('echo 3 >>work.txt'),
      say(DONE),
    );
    const played = await play(stage, qwenPrint.skill('idle:loop', TASK));
    expect(stage.cast.of('agent')[0]?.opening).toMatch(/Start a loop[\s\S]*Make every test pass\./);
    expect(iterations(holdsOf(stage))).toEqual(upTo(3, 10));
    expect(answers(stage.root)).toEqual(['hold', 'hold', 'hold', 'allow']);
    const [, second] = journal(stage.root);
    expect(second).toMatchObject({ session: played.session, guard: { movement: { tools: 'yes' } } });
    expect(loopState(stage.root)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
    saw(
      context,
      mode,
      '`/idle:loop` with its words reached the model; held three times, the tool calls between seen; let go at the signal',
    );
  });

  it('a signal inside a fence does not end the loop', async (context) => {
    const stage = await qwenStage();
    const fenced = 'To end it one writes:\n\n```\n<loop-done>COMPLETE</loop-done>\n```';
    stage.agent(startLoop(cli(stage)), say(fenced), say(DONE));
    await play(stage, TASK);
    expect(iterations(holdsOf(stage))).toEqual(['1/10']);
    expect(holdsOf(stage)[0]).toContain('as code or in a comment, so it did not count');
    expect(loopState(stage.root)).toMatchObject({ event: 'DONE' });
    saw(context, mode, 'held, with a line that says why it did not count; outside a fence it let go');
  });

  it('no progress: let go', async (context) => {
    const stage = await qwenStage();
    const idling = Array.from({ length: 8 }, (_, turn) => say(`Still thinking, ${turn}.`));
    stage.agent(startLoop(cli(stage), '--max 50'), ...idling);
    await play(stage, TASK);
    expect(iterations(holdsOf(stage))).toEqual(upTo(6, 50));
    const released = { answer: 'allow', notice: true, guard: { result: 'release' } };
    expect(journal(stage.root).at(-1)).toMatchObject(released);
    saw(context, mode, `6 holds without progress, the next stop let go; ${qwenPrint.showsNotices}`);
  });

  it('the cap of the client: seven holds, then the run waits for a prompt', async (context) => {
    const stage = await qwenStage();
    stage.agent(startLoop(cli(stage), '--max 50'), say('On.'), ...steps(7));
    const played = await play(stage, TASK);
    const last = /the last time that Qwen Code lets you be sent back/;
    expect(iterations(holdsOf(stage))).toEqual(upTo(7, 50));
    expect(holdsOf(stage).map((hold) => last.test(hold))).toEqual([...Array(6).fill(false), true]);
    expect(answers(stage.root)).toEqual([...Array(7).fill('hold'), 'allow']);
    expect(runCli(stage, 'status')).toContain('Qwen Code ends a turn after 7 holds. Type anything to go on.');

    stage.agent(say('Going on.'), run('echo more >>work.txt'), say(DONE));
    await play(stage, 'Go on.', { resume: played.session });
    expect(iterations(holdsOf(stage)).at(-1)).toBe('8/50');
    expect(loopState(stage.root)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
    saw(
      context,
      mode,
      'the seventh hold says that it is the last; the next stop is let go and not counted; a prompt in the resumed session goes on at iteration 8, to the signal',
    );
  });

  it('the cap raised by the user: twelve holds after one prompt', async (context) => {
    const stage = await qwenStage();
    stage.agent(startLoop(cli(stage), '--max 12'), say('On.'), ...steps(12));
    await play(stage, TASK, { env: { QWEN_CODE_STOP_HOOK_BLOCK_CAP: '100' } });
    expect(iterations(holdsOf(stage))).toEqual(upTo(12, 12));
    expect(loopState(stage.root)).toMatchObject({ event: 'DONE', reason: 'MAX_ITERATIONS' });
    saw(context, mode, 'with QWEN_CODE_STOP_HOOK_BLOCK_CAP=100 all twelve were honoured');
  });

  it('claudex to its end, with Qwen Code as the reviewer', async (context) => {
    const stage = await qwenStage();
    ownConfig(stage, { review: { claudex: 'qwen/' } });
    stage.part({
      name: 'reviewer',
      hears: ({ opening }) => opening.includes('# Adversarial plan review'),
      lines: [FINDINGS, NOTHING].flatMap((text) => findings(text, { root: stage.root })),
    });
    stage.agent(
      ...[startPlan(cli(stage)), write(stage.file('PLAN.md'), '# Plan\n\nMove it.'), say('Drafted.')],
      ...[runProgram, write(stage.file('PLAN.md'), '# Plan\n\nCopy, then move it.'), say('Revised.')],
      ...[runProgram, callDone, say('Nothing material is left.'), say('This is the plan.')],
    );
    await play(stage, `Plan this: ${TOPIC}`, { limitMs: 120_000 });
    expect(holdsOf(stage).map((hold) => hold.split('\n')[0])).toEqual([
      '### Claudex round 1 of 3, Senior-engineer review',
      '### Claudex round 2 of 3, Security and data-integrity review',
      '### Claudex: plan loop complete',
    ]);
    expect(holdsOf(stage)[1]).toContain('high=1 medium=0 low=1');
    expect(claudexState(stage)).toMatchObject({ phase: 'done', decision_signal: 'no-material-findings' });
    expect(stage.cast.of('reviewer').flatMap(({ holds }) => holds)).toEqual([]);
    expect(new Set(stage.cast.of('reviewer').map(({ model }) => model))).toEqual(new Set(['scripted']));
    saw(
      context,
      mode,
      'two rounds by another Qwen Code, its findings counted in the second hold, summary, done; the reviewer was not held',
    );
  });

  it('taskie through its plan, reviewed by Qwen Code', async (context) => {
    const stage = await qwenStage();
    ownConfig(stage, { review: { models: ['qwen/', 'qwen/scripted-two'] } });
    reviewers(stage, [{ severity: 'high', claim: 'It says nothing of tests.' }], [], []);
    stage.agent(draftPlan(cli(stage)), say('The plan is written.'), ...answerReview, ...answerReview);
    await play(stage, 'Plan it.', { limitMs: 120_000 });
    expect(answers(stage.root)).toEqual(['hold', 'hold', 'allow']);
    expect(holdsOf(stage)[0]).toContain('It says nothing of tests.');
    expect(planState(stage)).toMatchObject({ next_phase: 'create-tasks', consecutive_clean: 2 });
    expect([...new Set(stage.cast.of('reviewer').map(({ model }) => model))]).toEqual([
      'scripted',
      'scripted-two',
    ]);
    saw(
      context,
      mode,
      'three reviews in the hook by two models of Qwen Code, with the verdict in its structured form: findings held, two clean ones in a row let go',
    );
  });

  it('cancelled in a terminal, and another session', async (context) => {
    const stage = await qwenStage();
    const { PATH = '' } = process.env;
    const cancel = `env -u QWEN_CODE_SESSION_ID PATH='${PATH}' ${cli(stage)} idle cancel`;
    stage.agent(startLoop(cli(stage)), say('On.'), run(cancel), say('Stopped.'));
    await play(stage, TASK);
    expect(answers(stage.root)).toEqual(['hold', 'allow']);
    stage.agent(startLoop(cli(stage)), say('On.'), say('Two.'), run('kill -9 $PPID'));
    await play(stage, TASK).catch(() => {});
    stage.agent(say('Another one.'));
    const other = await play(stage, 'Something else.');
    expect(other.result).toBe('Another one.');
    expect(journal(stage.root).map(({ session }) => session)).not.toContain(other.session);
    saw(
      context,
      mode,
      'let go after `holdfast idle cancel`; a run of a session that died holds no other one, which is shown how to take it over',
    );
  });

  it('a repository that brings runs along holds nobody', async (context) => {
    const stage = await qwenStage();
    forgeRuns(stage);
    stage.agent(say('Looked.'));
    const played = await play(stage, 'Look around.');
    expect(played.result).toBe('Looked.');
    expect(stage.cast.of('agent')).toHaveLength(1);
    expect(stage.exists('owned')).toBe(false);
    saw(context, mode, 'runs of three workflows with notes for guessed sessions: not held, nothing run');
  });

  it('installed and taken out: the files of the user are as they were', async (context) => {
    const stage = await qwenStage({ plugins: false });
    const settings = path.join(stage.home, '.qwen', 'settings.json');
    const own = path.join(extensions(stage.home), 'mine');
    fs.mkdirSync(own, { recursive: true });
    fs.writeFileSync(path.join(own, 'qwen-extension.json'), '{"name":"mine","version":"1.0.0"}\n');
    const before = { settings: fs.readFileSync(settings, 'utf8'), own: filesOf(extensions(stage.home)) };
    expect(runCli(stage, 'install', '--client', 'qwen')).toMatch(/Qwen Code .*: installed holdfast, /);
    expect(runCli(stage, 'install', '--client', 'qwen')).toMatch(/installed already/);
    expect(runCli(stage, 'doctor')).toMatch(/ok +Qwen Code .*: the extension is installed/);
    expect(runCli(stage, 'uninstall', '--client', 'qwen')).toMatch(/Qwen Code .*: removed /);
    const after = { settings: fs.readFileSync(settings, 'utf8'), own: filesOf(extensions(stage.home)) };
    delete after.own['extension-enablement.json'];
    expect(after).toEqual(before);
    saw(
      context,
      mode,
      '`holdfast install` twice is once; `uninstall` leaves the settings and the other extension byte for byte; only the empty list of switches that the client itself keeps is new',
    );
  });
});
