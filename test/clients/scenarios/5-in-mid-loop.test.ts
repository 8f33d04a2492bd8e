// Group 5: what a person does while a loop goes on.

import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DONE, iterations, loopState, startLoop, TASK } from '../loop.ts';
import { draftPlan, planState, reviewer, reviews } from '../plan.ts';
import { claudexState, startPlan } from '../rounds.ts';
import {
  answers,
  brokenApi,
  claudePrint,
  claudeStream,
  codexExec,
  converse,
  holdsOf,
  run,
  runCli,
  saw,
  say,
  stageFor,
  until,
} from '../scenario.ts';

describe('5. in mid-loop', () => {
  it.for([claudePrint, claudeStream, codexExec])('cancelled by the agent ($mode)', async (host, context) => {
    const stage = await stageFor();
    const cli = host.cli(stage);
    stage.agent(
      startLoop(cli),
      say('One.'),
      run(`${cli} idle cancel`),
      say('Cancelled.'),
      say('Not asked for.'),
    );
    const played = await host.play(stage, TASK);
    expect(answers(stage.root)).toEqual(['hold', 'allow']);
    expect(played.result).toBe('Cancelled.');
    expect(loopState(stage.root)).toMatchObject({ event: 'ABORT', reason: 'USER_CANCELLED' });
    saw(context, host.mode, 'held once, then cancelled by command; the next stop let go');
  });

  it.for([claudePrint, claudeStream, codexExec])(
    'cancelled in another terminal ($mode)',
    async (host, context) => {
      const stage = await stageFor();
      stage.agent(
        startLoop(host.cli(stage)),
        say('One.'),
        () => {
          runCli(stage, 'cancel');
          return say('I noticed nothing.');
        },
        say('Not asked for.'),
      );
      const played = await host.play(stage, TASK);
      expect(answers(stage.root)).toEqual(['hold', 'allow']);
      expect(played.result).toBe('I noticed nothing.');
      saw(context, host.mode, 'held once; `holdfast cancel` in a plain terminal let the next stop go');
    },
  );

  it.for([claudePrint, codexExec])('a new user prompt goes on in the loop ($mode)', async (host, context) => {
    const stage = await stageFor();
    stage.agent(startLoop(host.cli(stage)), say('One.'), ...brokenApi);
    const broken = await host.play(stage, TASK);
    expect(loopState(stage.root)).toMatchObject({ event: 'STATE', stack: [{ iter: 1 }] });
    stage.agent(say('Here I am again.'), say(DONE));
    const again = await host.play(stage, 'Are you still there?', { resume: broken.session });
    expect(iterations(holdsOf(stage)).at(-1)).toBe('2/10');
    expect(again.result).toBe(DONE);
    saw(
      context,
      host.mode,
      'an API error ended the turn at iteration 1; the new prompt was held at 2 and ended by the signal',
    );
  });

  it('a new user prompt goes on in the loop (Claude Code stream-json)', async (context) => {
    const stage = await stageFor();
    stage.agent(startLoop('holdfast'), say('One.'), { hangs: true });
    const conversation = converse(stage);
    conversation.send(TASK);
    await until('the first hold', () => holdsOf(stage).length === 1);
    conversation.interrupt();
    await conversation.turn();
    stage.agent(say('What did you want?'), run('true'), say(DONE));
    const turn = await conversation.say('Only a question in between.');
    // What was said as feedback before the interruption is no part of the conversation any more.
    expect(iterations(holdsOf(stage))).toEqual(['2/10']);
    expect(turn.result).toBe(DONE);
    await conversation.end();
    saw(
      context,
      'Claude Code stream-json',
      'interrupted at iteration 1; the next prompt of the same session was held at 2 and ended by the signal',
    );
  });

  it.for([claudePrint, claudeStream, codexExec])(
    'escape hatch: next_phase set to null by hand in state.json ($mode)',
    async (host, context) => {
      const stage = await stageFor();
      reviewer(stage, ...reviews('FAIL'));
      stage.agent(
        draftPlan(host.cli(stage)),
        say('The plan is written.'),
        () => {
          const file = '.taskie/plans/demo/state.json';
          stage.write(
            file,
            stage.read(file).replace('"next_phase": "post-plan-review"', '"next_phase": null'),
          );
          return say('I noticed nothing.');
        },
        say('Not asked for.'),
      );
      const played = await host.play(stage, 'Plan it.');
      expect(answers(stage.root)).toEqual(['hold', 'allow']);
      expect(played.result).toBe('I noticed nothing.');
      expect(planState(stage)).toMatchObject({ next_phase: null, phase_iteration: 1 });
      saw(
        context,
        host.mode,
        'held by a review; with `"next_phase": null` the next stop was let go and the edit stood',
      );
    },
  );

  it.for([claudePrint, claudeStream, codexExec])(
    "escape hatch: the phase set to cancelled by hand in the loop's state ($mode)",
    async (host, context) => {
      const stage = await stageFor();
      stage.agent(
        startPlan(host.cli(stage)),
        say('I do not draft it.'),
        () => {
          const [name] = fs
            .readdirSync(stage.file('.claude/claudex'))
            .filter((file) => file.endsWith('.state'));
          const file = `.claude/claudex/${name}`;
          stage.write(file, stage.read(file).replace('phase: drafting', 'phase: cancelled'));
          return say('I noticed nothing.');
        },
        say('Not asked for.'),
      );
      const played = await host.play(stage, 'Plan it.');
      expect(answers(stage.root)[0]).toBe('hold');
      expect(answers(stage.root).filter((answer) => answer === 'hold')).toHaveLength(1);
      expect(played.result).toBe('I noticed nothing.');
      expect(claudexState(stage)).toMatchObject({ phase: 'cancelled' });
      saw(context, host.mode, 'held to draft the plan; with `phase: cancelled` the next stop was let go');
    },
  );

  it.for([claudePrint, claudeStream, codexExec])(
    'escape hatch: IDLE_LOOP_DISABLE=1 in the environment ($mode)',
    async (host, context) => {
      const stage = await stageFor();
      stage.agent(startLoop(host.cli(stage)), say('One.'), say('Not asked for.'));
      const played = await host.play(stage, TASK, { env: { IDLE_LOOP_DISABLE: '1' } });
      expect(played.result).toBe('One.');
      expect(loopState(stage.root)).toMatchObject({ event: 'STATE', stack: [{ iter: 0 }] });
      saw(context, host.mode, 'not held, the loop untouched');
    },
  );

  it('compaction keeps the goal (Claude Code stream-json)', async (context) => {
    const stage = await stageFor();
    stage.agent(startLoop('holdfast', '--max 4'), say('One.'), { hangs: true });
    const conversation = converse(stage);
    conversation.send(TASK);
    await until('the first hold', () => holdsOf(stage).length === 1);
    conversation.interrupt();
    await conversation.turn();
    await conversation.say('/compact');
    stage.agent(say('Where were we?'), say(DONE));
    await conversation.say('Go on.');
    await conversation.end();
    const [first, second] = stage.cast.of('agent').slice(-2);
    expect(stage.models.messages.background).toContain('summary');
    expect(first?.whole).toContain('A SUMMARY WITHOUT THE GOAL');
    expect(first?.whole).toContain('It stood at iteration 1/4');
    expect(first?.whole).toContain(TASK);
    expect(iterations(second?.holds ?? []).at(-1)).toBe('2/4');
    expect(second?.holds.at(-1)).toContain(TASK);
    saw(
      context,
      'Claude Code stream-json',
      'after `/compact` with a summary that lost the goal the model was told goal and iteration at once, and held at 2 with the task',
    );
  });

  it('compaction keeps the goal (Claude Code -p)', async (context) => {
    const stage = await stageFor();
    stage.agent({ ...startLoop('holdfast', '--max 4'), tokens: 5_000_000 }, say('One.'), say(DONE));
    await claudePrint.play(stage, TASK);
    const [, second, third] = stage.cast.of('agent');
    expect(stage.models.messages.background).toContain('summary');
    expect(second?.whole).toContain('It stood at iteration 0/4');
    expect(second?.whole).toContain(TASK);
    expect(third?.holds[0]).toContain(TASK);
    saw(
      context,
      'Claude Code -p',
      'compacted by the client itself in the middle of the turn; the model was told goal and iteration, and held with the task',
    );
  });

  it('compaction keeps the goal (Codex exec)', async (context) => {
    const stage = await stageFor();
    stage.agent({ ...startLoop(codexExec.cli(stage), '--max 4'), tokens: 250_000 }, say('One.'), say(DONE));
    await codexExec.play(stage, TASK, { args: ['-c', 'model_auto_compact_token_limit=100000'] });
    const [, second, third] = stage.cast.of('agent');
    expect(stage.models.responses.background).toContain('summary');
    expect(second?.whole).toContain('It stood at iteration 0/4');
    expect(second?.whole).toContain(TASK);
    expect(third?.holds[0]).toContain(TASK);
    saw(
      context,
      'Codex exec',
      'compacted by the client itself in the middle of the turn; the model was told goal and iteration, and held with the task',
    );
  });
});
