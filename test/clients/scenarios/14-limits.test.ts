// Group 14, the other half: usage limits, denied calls, holds said as feedback, and what waiting costs a client.

import { describe, expect, it } from 'vitest';
import { type Clock, giveClock, makeOlder } from '../clients/clock.ts';
import type { Host, PlayOptions } from '../clients/host.ts';
import { olderClaude, olderClaudeProgram } from '../clients/place.ts';
import { subscribe } from '../clients/subscriber.ts';
import { claudeTerminal } from '../clients/terminal.ts';
import { DONE, iterations, loopState, startLoop, TASK } from '../loop.ts';
import { answerReview, draftPlan, planState, reviewer, reviews } from '../plan.ts';
import {
  answers,
  claudePrint,
  codexExec,
  expectNotice,
  holdsOf,
  journal,
  run,
  type Stage,
  saw,
  say,
  stageFor,
  until,
  write,
} from '../scenario.ts';
import { claudeLimit, codexLimit } from '../servers/limits.ts';
import { ask, FOUND, sendSubagent, subagent, waitingFor } from '../waiting.ts';

/** Longer than the two hours after which a loop that nobody moved is stale. */
const HOURS = 3;

/** While it waits for a reset, Claude Code looks at the clock every 30 s (2.1.325). */
const LOOKS_EVERY_MS = 32_000;

describe('14. waiting', () => {
  it('a usage limit resets after three hours, and the client goes on by itself (Claude Code TUI)', async (context) => {
    const stage = await stageFor();
    subscribe(stage);
    const clock = giveClock(stage);
    const resets = inHours(clock);
    stage.agent(
      startLoop('holdfast'),
      say('One.'),
      run('echo two >two.txt'),
      claudeLimit(resets),
      say('I am back.'),
      say(DONE),
    );
    const terminal = claudeTerminal(stage);
    await terminal.ready();
    await terminal.enter(TASK);
    await terminal.shows('continuing automatically');
    await until('the limit to be noted', () => waitingFor(stage) !== null);
    expect(waitingFor(stage)).toMatchObject({ for: 'limit', until: resets * 1000 });
    // A client that finds itself well past the reset was asleep, it thinks, and asks the user first.
    clock.forward(HOURS * 3600 - 60);
    await new Promise((resolve) => setTimeout(resolve, LOOKS_EVERY_MS));
    clock.forward(180);
    await until('the client to go on', () => stage.cast.of('agent').length > 4, 2 * LOOKS_EVERY_MS);
    await until('the loop to end', () => answers(stage.root).length === 3);
    expect(answers(stage.root)).toEqual(['hold', 'hold', 'allow']);
    expect(iterations(holdsOf(stage))).toEqual(['1/10', '2/10']);
    expect(loopState(stage.root)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
    saw(
      context,
      'Claude Code TUI',
      'nothing was asked of it while it waited, and `holdfast status` said until when; after the reset it went on by itself, and its next stop was held at iteration 2',
    );
  });

  it('a usage limit ends the client; its session goes on three hours later (Claude Code -p)', async (context) => {
    const stage = await stageFor();
    subscribe(stage);
    const clock = giveClock(stage);
    stage.agent(startLoop('holdfast'), say('One.'), claudeLimit(inHours(clock)));
    const limited = await claudePrint.play(stage, TASK);
    expect(limited.exitCode).toBe(1);
    expect(answers(stage.root)).toEqual(['hold']);
    clock.forward(HOURS * 3600 + 60);
    stage.agent(say('I am back.'), say(DONE));
    await claudePrint.play(stage, 'Go on.', { resume: limited.session });
    expect(answers(stage.root)).toEqual(['hold', 'hold', 'allow']);
    // What was said as feedback is not in a session that is resumed (2.1.325).
    expect(iterations(holdsOf(stage))).toEqual(['2/10']);
    expect(holdsOf(stage)[0]).toContain(TASK);
    saw(context, 'Claude Code -p', LIMITED);
  });

  it('a usage limit ends the client; its session goes on three hours later (Codex exec)', async (context) => {
    const stage = await stageFor();
    const resets = Math.floor(Date.now() / 1000) + HOURS * 3600;
    stage.agent(startLoop(codexExec.cli(stage)), say('One.'), codexLimit(resets));
    const limited = await codexExec.play(stage, TASK);
    expect(limited.exitCode).toBe(1);
    expect(answers(stage.root)).toEqual(['hold']);
    makeOlder(stage, HOURS * 3600 + 60);
    stage.agent(say('I am back.'), say(DONE));
    await codexExec.play(stage, 'Go on.', { resume: limited.session });
    expect(answers(stage.root)).toEqual(['hold', 'hold', 'allow']);
    expect(iterations(holdsOf(stage))).toEqual(['1/10', '2/10']);
    saw(
      context,
      'Codex exec',
      `${LIMITED} (this client reads the machine's clock, so all that was on disk was made three hours older)`,
    );
  });

  it("a reviewer's usage limit: the review comes after the reset (Claude Code -p)", async (context) => {
    const stage = await stageFor();
    subscribe(stage);
    const clock = giveClock(stage);
    const resets = inHours(clock);
    reviewer(stage, claudeLimit(resets));
    stage.agent(draftPlan('holdfast'), say('The plan is written.'));
    const limited = await claudePrint.play(stage, 'Plan it.');
    // The reviewer's own words tell the time without its seconds.
    const seconds = (waitingFor(stage)?.until ?? 0) / 1000 - resets;
    expect(seconds).toBeGreaterThanOrEqual(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expectNotice(claudePrint, stage, limited, /is at its usage limit until/);
    expect(planState(stage)).toMatchObject({ phase: 'new-plan', phase_iteration: 0 });
    stage.agent(say('I look in.'));
    await claudePrint.play(stage, 'How is it going?', { resume: limited.session });
    expect(stage.cast.of('reviewer')).toHaveLength(1);
    clock.forward(HOURS * 3600 + 120);
    reviewer(stage, ...reviews('FAIL'));
    stage.agent(say('Is it reviewed now?'), ...answerReview);
    await claudePrint.play(stage, 'Go on.', { resume: limited.session });
    expect(answers(stage.root).slice(0, 3)).toEqual(['allow', 'allow', 'hold']);
    expect(holdsOf(stage)[0]).toContain('plan-review-1.md');
    saw(
      context,
      'Claude Code -p',
      'let go with the notice when; no attempt was counted, and a stop before the reset started no reviewer; the first one after it ran the review',
    );
  });

  it('calls that the client denies are no progress (Claude Code -p)', async (context) => {
    const stage = await stageFor();
    const denied = Array.from({ length: 20 }, (_, turn) => [
      write(`/opt/denied-${turn}.txt`, 'x'),
      say(`Denied again, ${turn}.`),
    ]);
    stage.agent(startLoop('holdfast', '--max 50'), say('The loop is on.'), ...denied.flat());
    const played = await claudePrint.play(stage, TASK, {
      permissions: 'denied',
      args: ['--allowedTools', 'Bash(holdfast *)'],
    });
    expect(stage.cast.of('agent').at(-1)?.last).toContain("haven't granted it");
    expect(iterations(holdsOf(stage))).toHaveLength(6);
    expect(journal(stage.root).at(-1)).toMatchObject({ answer: 'allow', guard: { result: 'release' } });
    expect(played.result).toBe('Denied again, 5.');
    expectNotice(claudePrint, stage, played, /no progress in 6 holds/);
    saw(
      context,
      'Claude Code -p',
      '6 holds, a denied call after each; the next stop was let go with the notice about no progress',
    );
  });

  it('a hold said as feedback (Claude Code -p)', async (context) => {
    const stage = await stageForFeedback();
    await claudePrint.play(stage, TASK);
    expect(timesHeard(stage)).toBe(1);
    expect(stage.cast.of('agent').at(-1)?.whole).toContain('Stop hook additional context: [ITERATION 1/10]');
    expectHeldOnce(stage);
    saw(context, 'Claude Code -p', 'held; the model saw it once, as a reminder');
  });

  it('a hold said as feedback (Claude Code TUI)', async (context) => {
    const stage = await stageForFeedback();
    const terminal = claudeTerminal(stage);
    await terminal.ready();
    await terminal.enter(TASK);
    const screen = await terminal.shows('All of it passes.');
    expect(screen).toMatch(/Stop hook feedback: \[ITERATION 1\/10\]/);
    expect(screen).not.toContain('Stop hook error');
    await until('the loop to end', () => answers(stage.root).length === 2);
    expect(timesHeard(stage)).toBe(1);
    expectHeldOnce(stage);
    saw(context, 'Claude Code TUI', 'held; the screen says "feedback" and not "error"');
  });

  it(`a hold said as feedback, in ${olderClaude} (Claude Code -p)`, async (context) => {
    const stage = await stageForFeedback();
    await claudePrint.play(stage, TASK, { claude: olderClaudeProgram });
    expect(stage.cast.of('agent').at(-1)?.whole).toContain('Stop hook feedback:\\n[ITERATION 1/10]');
    expect(stage.cast.of('agent').at(-1)?.whole).not.toContain('additional context: [ITERATION');
    expectHeldOnce(stage);
    saw(context, 'Claude Code -p', 'held by a block: this version would let its agent go at feedback');
  });

  it('a hold said as feedback (Codex exec)', async (context) => {
    const stage = await stageForFeedback(codexExec);
    await codexExec.play(stage, TASK);
    expectHeldOnce(stage);
    saw(context, 'Codex exec', 'held by a block: this client would let its agent go at feedback');
  });

  it.for([claudePrint, codexExec])(
    'a client that waits for a person ends as it does without Holdfast ($mode)',
    async (host, context) => {
      const script = (stage: Stage) => {
        const cli = host.cli(stage);
        stage.agent(startLoop(cli), ask(cli), say('I have asked.'), say('Not asked for.'));
      };
      const without = await playWithout(host, script);
      const stage = await stageFor();
      script(stage);
      const played = await host.play(stage, TASK);
      expect(waitingFor(stage)).toMatchObject({ for: 'person' });
      expect([played.exitCode, requestsIn(stage), turnsIn(played.stdout)]).toEqual(without);
      saw(context, host.mode, SAME);
    },
  );

  it('a client that waits for a subagent ends as it does without Holdfast (Claude Code -p)', async (context) => {
    const script = (stage: Stage) => {
      subagent(stage, { ...say(FOUND), afterMs: 3000 });
      stage.agent(startLoop('holdfast'), sendSubagent, say('It counts.'), say(DONE), say('Not asked for.'));
    };
    const without = await playWithout(claudePrint, script);
    const stage = await stageFor();
    script(stage);
    const played = await claudePrint.play(stage, TASK);
    expect(stage.cast.of('agent').at(-1)?.last).toContain(FOUND);
    expect(answers(stage.root)).toEqual(['allow', 'allow']);
    expect([played.exitCode, requestsIn(stage), turnsIn(played.stdout)]).toEqual(without);
    saw(context, 'Claude Code -p', SAME);
  });
});

const SAME = 'the same exit code, and as many requests to the model and as many turns as without the plugin';

const LIMITED =
  'exit code 1 and no stop; in the session resumed three hours later the loop held at iteration 2';

const inHours = (clock: Clock): number => Math.floor(clock.now() / 1000) + HOURS * 3600;

async function stageForFeedback(host: Host = claudePrint): Promise<Stage> {
  const stage = await stageFor();
  stage.agent(startLoop(host.cli(stage)), say('One.'), say(DONE), say('Not asked for.'));
  return stage;
}

/** How often the last request to the model has the hold in it. */
function timesHeard(stage: Stage): number {
  return (stage.cast.of('agent').at(-1)?.whole.split('[ITERATION 1/10]').length ?? 0) - 1;
}

function expectHeldOnce(stage: Stage): void {
  expect(answers(stage.root)).toEqual(['hold', 'allow']);
  expect(iterations(holdsOf(stage))).toEqual(['1/10']);
  expect(stage.cast.of('agent')).toHaveLength(3);
  expect(loopState(stage.root)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
}

type Course = readonly [exitCode: number | null, requests: number, turns: number];

/** The same script in a client that knows nothing of Holdfast: the agent's calls of it fail, and it goes on. */
async function playWithout(host: Host, script: (stage: Stage) => void): Promise<Course> {
  const stage = await stageFor();
  script(stage);
  const none: PlayOptions = host === codexExec ? { args: ['--disable', 'hooks'] } : { plugins: 'installed' };
  const played = await host.play(stage, TASK, none);
  expect(journal(stage.root)).toEqual([]);
  return [played.exitCode, requestsIn(stage), turnsIn(played.stdout)];
}

const requestsIn = (stage: Stage): number => stage.cast.heard.length;

/** By the client's own count. */
function turnsIn(stdout: string): number {
  const events = stdout.split('\n').flatMap((line): { type: string; num_turns?: number }[] => {
    return line.startsWith('{') ? [JSON.parse(line)] : [];
  });
  const ended = events.filter(({ type }) => type === 'result' || type === 'turn.completed');
  return ended.reduce((sum, { num_turns = 1 }) => sum + num_turns, 0);
}
