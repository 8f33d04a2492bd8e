// Group 18: flows, a team's own loops, in the real clients.

import { describe, expect, it } from 'vitest';
import { reviewer, reviews } from '../plan.ts';
import {
  answers,
  claudePrint,
  codexExec,
  converse,
  holdsOf,
  run,
  type Stage,
  saw,
  say,
  stageFor,
} from '../scenario.ts';
import type { Reply } from '../servers/script.ts';
import { setUserConfig } from '../waiting.ts';

const TASK = 'Count the words of a text.';

/** The task goes in by a quoted heredoc, as the skill tells the agent. */
const start = (cli: string, name: string): Reply =>
  run(`${cli} flow start ${name} <<'END_OF_TASK'\n${TASK}\nEND_OF_TASK`);

const CHECKS = { checks: { test: { run: 'sh check.sh', timeout: 30 } } };

/** A check of the user's own, so it is trusted. */
function setUp(stage: Stage): void {
  setUserConfig(stage, CHECKS);
  stage.write('check.sh', 'cat result.txt; grep -q green result.txt\n');
  stage.write('result.txt', 'green\n');
}

/** `red`, `green` …: the state that each hold is in. */
const states = (stage: Stage): string[] =>
  holdsOf(stage).map((hold) => /^\[FLOW [a-z-]+: ([a-z-]+), hold/.exec(hold)?.[1] ?? hold);

const PAUSED = `flow: careful
start: work
states:
  work:
    say: "Do {{task}}"
    leave: [ { when: { signal: ready }, to: look } ]
  look:
    pause: true
    say: Look at it before it goes on.
    leave: [ { when: { file: go.txt }, to: finish } ]
  finish:
    say: Finish it.
    leave: [ { when: { signal: finished }, to: done } ]
  done: { end: completed }
`;

describe('18. flows', () => {
  it.for([claudePrint, codexExec])('tdd through two rounds ($mode)', async (host, context) => {
    const stage = await stageFor();
    setUp(stage);
    const round = (number: number) => [
      run(`echo red ${number} >result.txt`),
      say(`Test ${number} fails.`),
      run(`echo green ${number} >result.txt`),
      say(`Test ${number} passes.`),
      say(`Clean.\n\n<flow>clean</flow>`),
    ];
    stage.agent(
      start(host.cli(stage), 'tdd'),
      ...round(1),
      ...round(2),
      say('That is all.\n\n<flow>finished</flow>'),
    );
    const played = await host.play(stage, TASK);
    expect(states(stage)).toEqual(['green', 'refactor', 'red', 'green', 'refactor', 'red']);
    expect(holdsOf(stage)[0]).toContain('red 1');
    expect(holdsOf(stage)[2]).toContain(TASK);
    expect(answers(stage.root)).toEqual([...Array<string>(6).fill('hold'), 'allow']);
    expect(played.result).toContain('That is all.');
    saw(
      context,
      host.mode,
      'held in green with what the failing check printed, in refactor, in red with the task, twice; let go at the signal',
    );
  });

  it.for([claudePrint, codexExec])('a review until it is clean ($mode)', async (host, context) => {
    const stage = await stageFor();
    setUp(stage);
    reviewer(stage, ...reviews('FAIL', 'PASS', 'PASS'));
    stage.agent(
      start(host.cli(stage), 'review'),
      say('Done.\n\n<flow>done</flow>'),
      run('echo green and clearer >result.txt'),
      say('Fixed.'),
      say('I went through it.'),
    );
    const played = await host.play(stage, TASK);
    expect(states(stage)).toEqual(['fix', 'once']);
    expect(holdsOf(stage)[0]).toContain('Looked at by');
    expect(answers(stage.root)).toEqual(['hold', 'hold', 'allow']);
    expect(played.result).toBe('I went through it.');
    saw(
      context,
      host.mode,
      'held with the findings of the first review, then for a second one; let go when both were clean',
    );
  });

  it('a pause is a person’s turn (Claude Code stream-json)', async (context) => {
    const stage = await stageFor();
    stage.write('holdfast.flows/careful.yaml', PAUSED);
    stage.agent(
      start('holdfast', 'careful'),
      say('Ready.\n\n<flow>ready</flow>'),
      run('touch go.txt'),
      say('I go on.'),
      say('Finished.\n\n<flow>finished</flow>'),
    );
    const conversation = converse(stage);
    expect(await conversation.say(TASK)).toMatchObject({ result: expect.stringContaining('Ready.') });
    expect(answers(stage.root)).toEqual(['allow']);
    expect(await conversation.say('Go on.')).toMatchObject({ result: expect.stringContaining('Finished.') });
    await conversation.end();
    expect(states(stage)).toEqual(['finish']);
    expect(answers(stage.root)).toEqual(['allow', 'hold', 'allow']);
    saw(
      context,
      'Claude Code stream-json',
      'let go at the pause; after the next prompt held in the state that follows',
    );
  });

  it('a pause is a person’s turn (Codex exec)', async (context) => {
    const stage = await stageFor();
    stage.write('holdfast.flows/careful.yaml', PAUSED);
    stage.agent(
      start(codexExec.cli(stage), 'careful'),
      say('Ready.\n\n<flow>ready</flow>'),
      run('touch go.txt'),
      say('I go on.'),
      say('Finished.\n\n<flow>finished</flow>'),
    );
    const played = await codexExec.play(stage, TASK);
    expect(played.result).toContain('Ready.');
    expect(answers(stage.root)).toEqual(['allow']);
    const resumed = await codexExec.play(stage, 'Go on.', { resume: played.session });
    expect(resumed.result).toContain('Finished.');
    expect(answers(stage.root)).toEqual(['allow', 'hold', 'allow']);
    saw(context, 'Codex exec', 'let go at the pause; in the resumed session held in the state that follows');
  });

  it.for([claudePrint, codexExec])(
    'a file edited in mid-run changes nothing ($mode)',
    async (host, context) => {
      const stage = await stageFor();
      stage.write(
        'holdfast.flows/careful.yaml',
        PAUSED.replace('to: look', 'to: finish').replace(/ {2}look:[\s\S]*? {2}finish:/, '  finish:'),
      );
      stage.agent(
        start(host.cli(stage), 'careful'),
        run("sed -i 's/Finish it/Something else/' holdfast.flows/careful.yaml"),
        say('Ready.\n\n<flow>ready</flow>'),
        run('rm holdfast.flows/careful.yaml'),
        say('Finished.\n\n<flow>finished</flow>'),
      );
      await host.play(stage, TASK);
      expect(holdsOf(stage)).toHaveLength(1);
      expect(holdsOf(stage)[0]).toContain('Finish it.');
      expect(answers(stage.root)).toEqual(['hold', 'allow']);
      saw(
        context,
        host.mode,
        'held with the text that the run was started with, after its file was edited, and let go after it was removed',
      );
    },
  );
});
