// Group 21: Copilot CLI, with Holdfast as `holdfast install` puts it there.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fenceScenario } from '../basics.ts';
import { type Cap, capScenario, forgedScenario, noRunScenario } from '../capped.ts';
import { claudePrint } from '../clients/claude.ts';
import { copilotPrint, enterCopilot } from '../clients/copilot.ts';
import { pastTheCapScenario } from '../driven-capped.ts';
import { drivenOther } from '../headless.ts';
import { DONE, startLoop, TASK } from '../loop.ts';
import { reviewFileIn, reviews } from '../plan.ts';
import {
  playNoProgress,
  playPlanLoop,
  playPlanReview,
  playThreeIterations,
  SUMMARY,
  steps,
} from '../plays.ts';
import { reviewedByScenario } from '../reviewed-by.ts';
import { ownConfig } from '../reviews.ts';
import { codexReviewer, FINDINGS, findings, NOTHING } from '../rounds.ts';
import {
  answers,
  journal,
  type Line,
  opening,
  run,
  runCli,
  type Stage,
  saw,
  say,
  stageFor,
} from '../scenario.ts';

const { mode, cli, play } = { ...copilotPrint, play: copilotPrint.play.bind(copilotPrint) };

const CAP: Cap = { client: 'Copilot CLI', holds: 8, words: ['eight', 'eighth'] };

async function open(installs = true): Promise<Stage> {
  const stage = await stageFor();
  await enterCopilot(stage, installs);
  return stage;
}

describe('21. Copilot CLI', () => {
  const played = { host: copilotPrint, open: () => open() };
  noRunScenario(played);

  it('three iterations to the signal', async (context) => {
    const stage = await open();
    const { result } = await playThreeIterations(copilotPrint, stage, TASK);
    expect(journal(stage.root)[1]).toMatchObject({ guard: { movement: { tools: 'yes' } } });
    expect(result).toBe(DONE);
    saw(
      context,
      mode,
      'held three times, the tool calls between seen; let go at the signal, which its transcript holds only after the hook has started',
    );
  });

  fenceScenario(played);

  it('no progress: let go, and the next session is given the notice', async (context) => {
    const stage = await open();
    await playNoProgress(copilotPrint, stage);
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

  capScenario(played, CAP);
  pastTheCapScenario(played, drivenOther('copilot'), CAP);

  it('claudex to its end, with Codex as the reviewer', async (context) => {
    const stage = await open();
    codexReviewer(stage, ...findings(FINDINGS), ...findings(NOTHING));
    const { result } = await playPlanLoop(copilotPrint, stage);
    expect(result).toBe(SUMMARY);
    saw(context, mode, 'two rounds by real Codex, `done` by the command of the hold, summary, done');
  });

  it('taskie through its plan, reviewed in the hook for longer than 30 s', async (context) => {
    const stage = await open();
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
    await playPlanReview(copilotPrint, stage);
    saw(
      context,
      mode,
      "three reviews by Codex in the hook, one of them longer than the client's own limit of 30 s for a hook: ours is honoured; findings held, two clean ones in a row let go",
    );
  });

  // Copilot CLI keeps its keys from its hooks, and a login is not to be had here.
  reviewedByScenario(
    { host: claudePrint, open: () => open() },
    {
      title: 'Copilot CLI',
      models: ['copilot/', 'copilot/gpt-5.2'],
      asked: ['gpt-5-mini', 'gpt-5.2'],
    },
  );

  it('cancelled in a terminal, and another session', async (context) => {
    const stage = await open();
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

  forgedScenario(played);

  it('installed and taken out: the settings of the user are as they were', async (context) => {
    const stage = await open(false);
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
