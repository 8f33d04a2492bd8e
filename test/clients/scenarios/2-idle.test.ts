// Group 2: idle's loops, held and let go.

import { describe, expect, it } from 'vitest';
import { DONE, iterations, loopState, startLoop, TASK, upTo } from '../loop.ts';
import {
  answers,
  claudePrint,
  codexExec,
  expectNotice,
  type Heard,
  holdsOf,
  journal,
  run,
  saw,
  say,
  stageFor,
} from '../scenario.ts';

describe('2. idle', () => {
  it.for([claudePrint, codexExec])('three iterations to the signal ($mode)', async (host, context) => {
    const stage = await stageFor();
    stage.agent(
      startLoop(host.cli(stage)),
      say('The loop is on.'),
      ...[1, 2, 3].flatMap((turn) => [
        run(`echo ${turn} >>work.txt`),
        say(turn < 3 ? `Step ${turn}.` : DONE),
      ]),
    );
    const played = await host.play(stage, TASK);
    expect(iterations(holdsOf(stage))).toEqual(upTo(3, 10));
    expect(holdsOf(stage).map((hold) => hold.includes(TASK))).toEqual([true, false, false]);
    expect(answers(stage.root)).toEqual(['hold', 'hold', 'hold', 'allow']);
    expect(played.result).toBe(DONE);
    expect(loopState(stage.root)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
    expect(stage.cast.of('agent')).toHaveLength(8);
    saw(
      context,
      host.mode,
      'held at iterations 1, 2 and 3, the first time with the task; let go at the signal; DONE posted',
    );
  });

  it.for([claudePrint, codexExec])(
    '25 iterations, past the cap of the client ($mode)',
    async (host, context) => {
      const stage = await stageFor();
      const work = Array.from({ length: 25 }, (_, turn) => [
        run(`echo ${turn} >>work.txt`),
        say(`Step ${turn}.`),
      ]);
      stage.agent(startLoop(host.cli(stage), '--max 25'), say('The loop is on.'), ...work.flat());
      const played = await host.play(stage, TASK);
      expect(iterations(holdsOf(stage))).toEqual(upTo(25, 25));
      expect(stage.read('work.txt').trimEnd().split('\n')).toHaveLength(25);
      expect(loopState(stage.root)).toMatchObject({ event: 'DONE', reason: 'MAX_ITERATIONS' });
      expect(played.result).toBe('Step 24.');
      saw(
        context,
        host.mode,
        'all 25 holds reached the model, with a tool call after each; then the maximum let go',
      );
    },
  );

  it.for([claudePrint, codexExec])(
    'no progress: let go, with the notice and a result ($mode)',
    async (host, context) => {
      const stage = await stageFor();
      const idling = Array.from({ length: 12 }, (_, turn) => say(`Still thinking, ${turn}.`));
      stage.agent(startLoop(host.cli(stage), '--max 50'), ...idling);
      const played = await host.play(stage, TASK);
      expect(iterations(holdsOf(stage))).toEqual(upTo(6, 50));
      expect(played.result).toBe('Still thinking, 6.');
      expect(journal(stage.root).at(-1)).toMatchObject({
        answer: 'allow',
        notice: true,
        guard: { result: 'release' },
      });
      expectNotice(host, stage, played, /no progress in 6 holds.*idle resume/);
      expect(loopState(stage.root)).toMatchObject({ event: 'STATE' });
      saw(
        context,
        host.mode,
        `6 holds without progress, the next stop let go with the agent's words as the result; ${host.showsNotices}`,
      );
    },
  );

  it.for([claudePrint, codexExec])(
    'a signal inside a fence does not end the loop ($mode)',
    async (host, context) => {
      const stage = await stageFor();
      const fenced = 'To end it one writes:\n\n```\n<loop-done>COMPLETE</loop-done>\n```';
      stage.agent(startLoop(host.cli(stage)), say(fenced), say(DONE));
      const played = await host.play(stage, TASK);
      expect(iterations(holdsOf(stage))).toEqual(['1/10']);
      expect(holdsOf(stage)[0]).toContain('as code or in a comment, so it did not count');
      expect(played.result).toBe(DONE);
      saw(context, host.mode, 'held, with a line that says why it did not count; outside a fence it let go');
    },
  );

  it.for([claudePrint, codexExec])(
    'a signal in the first of two text blocks ends it ($mode)',
    async (host, context) => {
      const stage = await stageFor();
      stage.agent(
        startLoop(host.cli(stage)),
        say('The loop is on.'),
        say(DONE, 'A word about what comes next.'),
      );
      const played = await host.play(stage, TASK);
      expect(iterations(holdsOf(stage))).toEqual(['1/10']);
      // Codex gives all blocks of a message as one text.
      expect(played.result).toMatch(/A word about what comes next\.$/);
      expect(loopState(stage.root)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
      const carried =
        host === codexExec ? 'both blocks as one, without a line break between them' : 'the last block alone';
      saw(context, host.mode, `let go: the stop carries ${carried}, the transcript has each`);
    },
  );

  it.for([
    { host: claudePrint, mode: claudePrint.mode, reads: '<loop-done>COMPLETE</loop-done>' },
    { host: codexExec, mode: codexExec.mode, reads: '&lt;loop-done&gt;COMPLETE&lt;/loop-done&gt;' },
  ])('an agent that writes the signal exactly as it reads it ($mode)', async ({ host, reads }, context) => {
    const stage = await stageFor();
    const obey = ({ last }: Heard) =>
      say(last.split('\n').find((line) => /loop-done.*COMPLETE/.test(line)) ?? '');
    stage.agent(startLoop(host.cli(stage)), say('One.'), obey);
    const played = await host.play(stage, TASK);
    expect(played.result).toBe(reads);
    expect(answers(stage.root)).toEqual(['hold', 'allow']);
    expect(loopState(stage.root)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
    saw(context, host.mode, `the agent wrote \`${reads}\` and was let go`);
  });

  it.for([claudePrint, codexExec])(
    'nested loops: the outer one goes on at the next stop ($mode)',
    async (host, context) => {
      const stage = await stageFor();
      const cli = host.cli(stage);
      stage.agent(
        startLoop(cli, '--max 3', 'The outer task.'),
        startLoop(cli, '--max 4', 'The inner task.'),
        say('Inner.'),
        say(DONE),
      );
      const inner = await host.play(stage, TASK);
      expect(iterations(holdsOf(stage))).toEqual(['1/4']);
      expect(loopState(stage.root)).toMatchObject({ event: 'STATE', stack: [{ iter: 0, max: 3 }] });
      stage.agent(say('Back at the outer one.'), say(DONE));
      const outer = await host.play(stage, 'Go on.', { resume: inner.session });
      expect(outer.session).toBe(inner.session);
      expect(iterations(holdsOf(stage)).at(-1)).toBe('1/3');
      expect(holdsOf(stage).at(-1)).toContain('The outer task.');
      expect(loopState(stage.root)).toMatchObject({ event: 'DONE' });
      saw(
        context,
        host.mode,
        'the inner signal let go; in the resumed session the outer loop held with its own task and count',
      );
    },
  );

  it.for([claudePrint, codexExec])(
    'nested loops with carry_on: the outer one holds at once ($mode)',
    async (host, context) => {
      const stage = await stageFor();
      const cli = host.cli(stage);
      stage.agent(
        run(`${cli} idle grind --max 5 'label: bug' </dev/null`),
        run(`${cli} idle issue 17 </dev/null`),
        say('Reading the issue.'),
        say('Fixed.\n\n<issue-complete>DONE</issue-complete>'),
        say('No other is open.\n\n<grind-done>NO_MORE_ISSUES</grind-done>'),
      );
      await host.play(stage, 'Work through the issues.');
      expect(iterations(holdsOf(stage))).toEqual(['1/10', '1/5']);
      expect(loopState(stage.root)).toMatchObject({ event: 'DONE', reason: 'NO_MORE_ISSUES' });
      saw(
        context,
        host.mode,
        'the stop that ended the issue was held by the grind around it, which then ended by its own signal',
      );
    },
  );

  it.for([claudePrint, codexExec])('the maximum lets go and says so ($mode)', async (host, context) => {
    const stage = await stageFor();
    stage.agent(startLoop(host.cli(stage), '--max 2'), say('One.'), say('Two.'), say('Three.'), say('Four.'));
    const played = await host.play(stage, TASK);
    expect(iterations(holdsOf(stage))).toEqual(upTo(2, 2));
    expect(played.result).toBe('Three.');
    expect(loopState(stage.root)).toMatchObject({ event: 'DONE', reason: 'MAX_ITERATIONS' });
    expectNotice(host, stage, played, /all its 2 iterations/);
    saw(context, host.mode, `two holds, then let go and DONE posted; ${host.showsNotices}`);
  });

  it.for([
    {
      host: claudePrint,
      mode: claudePrint.mode,
      heard: 'Stop hook additional context: [ITERATION 1/10]',
      words: 'a reminder that begins with "Stop hook additional context:"',
    },
    {
      host: codexExec,
      mode: codexExec.mode,
      heard: '&lt;loop-done&gt;COMPLETE',
      words: 'a user message in a `hook_prompt` tag, in which `<` and `>` are escaped as in XML',
    },
  ])('what the model hears of a hold ($mode)', async ({ host, heard, words }, context) => {
    const stage = await stageFor();
    stage.agent(startLoop(host.cli(stage)), say('One.'), say(DONE));
    await host.play(stage, TASK);
    expect(stage.cast.of('agent').at(-1)?.whole).toContain(heard);
    saw(context, host.mode, words);
  });
});
