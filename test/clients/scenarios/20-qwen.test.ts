// Group 20: Qwen Code, with Holdfast as `holdfast install` puts it there.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fenceScenario } from '../basics.ts';
import { type Cap, capScenario, forgedScenario, noRunScenario } from '../capped.ts';
import { filesOf } from '../clients/others.ts';
import { enterQwen, extensions, qwenPrint } from '../clients/qwen.ts';
import { pastTheCapScenario } from '../driven-capped.ts';
import { drivenOther } from '../headless.ts';
import { iterations, loopState, startLoop, TASK, upTo } from '../loop.ts';
import { playNoProgress, playPlanLoop, playPlanReview, playThreeIterations, steps } from '../plays.ts';
import { ownConfig, reviewers } from '../reviews.ts';
import { FINDINGS, findings, NOTHING } from '../rounds.ts';
import { answers, holdsOf, journal, run, runCli, type Stage, saw, say, stageFor } from '../scenario.ts';

const { mode, cli, play } = { ...qwenPrint, play: qwenPrint.play.bind(qwenPrint) };

const CAP: Cap = { client: 'Qwen Code', holds: 7, words: ['seven', 'seventh'] };

async function open(installs = true): Promise<Stage> {
  const stage = await stageFor();
  await enterQwen(stage, installs);
  return stage;
}

describe('20. Qwen Code', () => {
  const played = { host: qwenPrint, open: () => open() };
  noRunScenario(played);

  it('three iterations to the signal, begun by the skill', async (context) => {
    const stage = await open();
    await playThreeIterations(qwenPrint, stage, qwenPrint.skill('idle:loop', TASK));
    expect(stage.cast.of('agent')[0]?.opening).toMatch(/Start a loop[\s\S]*Make every test pass\./);
    expect(journal(stage.root)[1]).toMatchObject({ guard: { movement: { tools: 'yes' } } });
    saw(
      context,
      mode,
      '`/idle:loop` with its words reached the model; held three times, the tool calls between seen; let go at the signal',
    );
  });

  fenceScenario(played);

  it('no progress: let go', async (context) => {
    const stage = await open();
    await playNoProgress(qwenPrint, stage);
    saw(context, mode, `6 holds without progress, the next stop let go; ${qwenPrint.showsNotices}`);
  });

  capScenario(played, CAP);
  pastTheCapScenario(played, drivenOther('qwen'), CAP);

  it('the cap raised by the user: twelve holds after one prompt', async (context) => {
    const stage = await open();
    stage.agent(startLoop(cli(stage), '--max 12'), say('On.'), ...steps(12));
    await play(stage, TASK, { env: { QWEN_CODE_STOP_HOOK_BLOCK_CAP: '100' } });
    expect(iterations(holdsOf(stage))).toEqual(upTo(12, 12));
    expect(loopState(stage.root)).toMatchObject({ event: 'DONE', reason: 'MAX_ITERATIONS' });
    saw(context, mode, 'with QWEN_CODE_STOP_HOOK_BLOCK_CAP=100 all twelve were honoured');
  });

  it('claudex to its end, with Qwen Code as the reviewer', async (context) => {
    const stage = await open();
    ownConfig(stage, { review: { claudex: 'qwen/' } });
    stage.part({
      name: 'reviewer',
      hears: ({ opening }) => opening.includes('# Adversarial plan review'),
      lines: [FINDINGS, NOTHING].flatMap((text) => findings(text, { root: stage.root })),
    });
    await playPlanLoop(qwenPrint, stage);
    expect(stage.cast.of('reviewer').flatMap(({ holds }) => holds)).toEqual([]);
    expect(new Set(stage.cast.of('reviewer').map(({ model }) => model))).toEqual(new Set(['scripted']));
    saw(
      context,
      mode,
      'two rounds by another Qwen Code, its findings counted in the second hold, summary, done; the reviewer was not held',
    );
  });

  it('taskie through its plan, reviewed by Qwen Code', async (context) => {
    const stage = await open();
    ownConfig(stage, { review: { models: ['qwen/', 'qwen/scripted-two'] } });
    reviewers(stage, [{ severity: 'high', claim: 'It says nothing of tests.' }], [], []);
    await playPlanReview(qwenPrint, stage);
    expect(holdsOf(stage)[0]).toContain('It says nothing of tests.');
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
    const stage = await open();
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

  forgedScenario(played);

  it('installed and taken out: the files of the user are as they were', async (context) => {
    const stage = await open(false);
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
