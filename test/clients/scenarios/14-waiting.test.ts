// Group 14: an agent that waits for work or for a person is not pushed, and goes on afterwards.

import { describe, expect, it } from 'vitest';
import { giveClock } from '../clients/clock.ts';
import { claudeTerminal, codexTerminal, trustHooks } from '../clients/terminal.ts';
import { DONE, iterations, loopState, startLoop, TASK } from '../loop.ts';
import {
  answers,
  claudePrint,
  codexExec,
  converse,
  expectNotice,
  type Heard,
  holdsOf,
  journal,
  run,
  runCli,
  type Stage,
  saw,
  say,
  stageFor,
  until,
} from '../scenario.ts';
import {
  ANSWER,
  ask,
  BUSY,
  FOUND,
  finish,
  inBackground,
  QUESTION,
  REMINDER,
  sendSubagent,
  setTimer,
  setUserConfig,
  subagent,
  waitingFor,
} from '../waiting.ts';

describe('14. waiting', () => {
  it('a background subagent: not held, woken, then held on (Claude Code -p)', async (context) => {
    const stage = await stageWithSubagent();
    const program = claudePrint.begin(stage, TASK);
    await expectParked(stage);
    finish(stage);
    expect((await program.ended).exitCode).toBe(0);
    expectHeldOn(stage);
    saw(context, 'Claude Code -p', NOT_PUSHED);
  });

  it('a background subagent: not held, woken, then held on (Claude Code stream-json)', async (context) => {
    const stage = await stageWithSubagent();
    const conversation = converse(stage);
    expect(await conversation.say(TASK)).toMatchObject({ result: 'It counts.' });
    await expectParked(stage);
    finish(stage);
    expect(await conversation.turn()).toMatchObject({ result: DONE });
    await conversation.end();
    expectHeldOn(stage);
    saw(context, 'Claude Code stream-json', NOT_PUSHED);
  });

  it('a background subagent: not held, woken, then held on (Claude Code TUI)', async (context) => {
    const stage = await stageWithSubagent();
    const terminal = claudeTerminal(stage);
    await terminal.ready();
    await terminal.enter(TASK);
    await expectParked(stage);
    expect(terminal.screen()).not.toMatch(/Stop hook|Stop says/);
    finish(stage);
    await until('the loop to end', () => answers(stage.root).length === 3);
    expectHeldOn(stage);
    saw(context, 'Claude Code TUI', NOT_PUSHED);
  });

  it('a background test run: held, named, and waited for (Claude Code -p)', async (context) => {
    const stage = await stageFor();
    stage.agent(
      startLoop('holdfast'),
      inBackground(`${BUSY}; echo 12 passed; touch passed`),
      say('The tests run.'),
      (heard) => {
        finish(stage);
        return obey(heard);
      },
      say('I have seen the result.'),
      say(DONE),
    );
    const played = await claudePrint.play(stage, TASK);
    expect(holdsOf(stage)[0]).toContain(BUSY);
    expect(holdsOf(stage)[0]).toMatch(WAIT_COMMAND);
    expect(holdsOf(stage)[1]).not.toContain(BUSY);
    expect(iterations(holdsOf(stage))).toEqual(['1/10', '2/10']);
    expect(answers(stage.root)).toEqual(['hold', 'hold', 'allow']);
    expect(stage.exists('passed')).toBe(true);
    expect(played.result).toBe(DONE);
    saw(
      context,
      'Claude Code -p',
      'held, and the hold named the command and `holdfast wait`, which the agent ran; the next hold names none',
    );
  });

  it('a background test run: held, named, and waited for (Codex exec)', async (context) => {
    const stage = await stageFor();
    stage.agent(
      startLoop(codexExec.cli(stage)),
      inBackground(`${BUSY}; echo 12 passed; touch passed`),
      say('The tests run.'),
      (heard) => {
        finish(stage);
        return obey(heard);
      },
      say('I have seen the result.'),
      say(DONE),
    );
    const played = await codexExec.play(stage, TASK);
    expect(holdsOf(stage)[0]).toMatch(WAIT_COMMAND);
    expect(holdsOf(stage)[1]).not.toMatch(WAIT_COMMAND);
    expect(answers(stage.root)).toEqual(['hold', 'hold', 'allow']);
    expect(stage.exists('passed')).toBe(true);
    expect(played.result).toBe(DONE);
    saw(
      context,
      'Codex exec',
      'held, and the hold named `holdfast wait`, which the agent ran; the next hold does not name it',
    );
  });

  it('a server in the background does not park the run (Claude Code -p)', async (context) => {
    const stage = await stageFor();
    stage.agent(
      startLoop('holdfast'),
      inBackground(BUSY),
      say('The server is up.'),
      run('echo page >page.html'),
      say('The page is there.'),
      run('touch finished; sleep 1'),
      say(DONE),
    );
    await claudePrint.play(stage, TASK);
    expect(iterations(holdsOf(stage))).toEqual(['1/10', '2/10']);
    for (const hold of holdsOf(stage)) expect(hold).toContain(BUSY);
    expect(answers(stage.root)).toEqual(['hold', 'hold', 'allow']);
    saw(
      context,
      'Claude Code -p',
      'held at iterations 1 and 2 while it ran, each time with its command; the agent ended it and was let go at the signal',
    );
  });

  it('a server in the background does not park the run (Claude Code TUI)', async (context) => {
    const stage = await stageFor();
    stage.agent(
      startLoop('holdfast'),
      inBackground(BUSY),
      say('The server is up.'),
      say('The page is there.'),
      say(DONE),
    );
    const terminal = claudeTerminal(stage);
    await terminal.ready();
    await terminal.enter(TASK);
    await until('the loop to end', () => answers(stage.root).length === 3);
    expect(iterations(holdsOf(stage))).toEqual(['1/10', '2/10']);
    for (const hold of holdsOf(stage)) expect(hold).toContain(BUSY);
    expect(answers(stage.root)).toEqual(['hold', 'hold', 'allow']);
    saw(
      context,
      'Claude Code TUI',
      'held at iterations 1 and 2 while it ran, each time with its command; let go at the signal, and it runs on',
    );
  });

  it('a timer that fires once (Claude Code TUI)', async (context) => {
    const stage = await stageFor();
    const clock = giveClock(stage);
    stage.agent(
      startLoop('holdfast'),
      setTimer(clock.now() + 3600_000),
      say('Later, then.'),
      say('The build is there.'),
      say(DONE),
    );
    const terminal = claudeTerminal(stage);
    await terminal.ready();
    await terminal.enter(TASK);
    await until('the first stop', () => answers(stage.root).length === 1);
    expect(waitingFor(stage)).toMatchObject({ for: 'work' });
    expect(stage.cast.of('agent')).toHaveLength(3);
    clock.forward(3600 - 90);
    await clock.hurry('the timer', () => stage.cast.of('agent').length > 3);
    await until('the loop to end', () => answers(stage.root).length === 3);
    expect(stage.cast.of('agent')[3]?.last).toContain(REMINDER);
    expect(answers(stage.root)).toEqual(['allow', 'hold', 'allow']);
    expect(iterations(holdsOf(stage))).toEqual(['1/10']);
    expect(loopState(stage.root)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
    saw(
      context,
      'Claude Code TUI',
      'let go without a word; an hour later the timer woke the agent, and its next stop was held',
    );
  });

  it('a timer that fires once (Claude Code -p)', async (context) => {
    const stage = await stageFor();
    stage.agent(startLoop('holdfast'), setTimer(Date.now() + 3600_000), say('Later, then.'), say(DONE));
    await claudePrint.play(stage, TASK);
    expect(answers(stage.root)).toEqual(['hold', 'allow']);
    expect(iterations(holdsOf(stage))).toEqual(['1/10']);
    saw(context, 'Claude Code -p', 'held: `-p` would have ended, and the timer with it');
  });

  it('a question, answered in the terminal (Claude Code TUI)', async (context) => {
    const stage = await stageFor();
    const clock = giveClock(stage);
    stage.agent(startLoop('holdfast'), ask('holdfast'), say('I have asked.'));
    const terminal = claudeTerminal(stage);
    await terminal.ready();
    await terminal.enter(TASK);
    await terminal.shows(SHOWN);
    await expectAsked(stage);
    // Past the two hours after which a loop that nobody moved is stale.
    clock.forward(3 * 3600);
    stage.agent(say('The small one it is.'), say(DONE));
    await terminal.enter(ANSWER);
    await until('the loop to end', () => answers(stage.root).length === 3);
    expectAnswered(stage);
    saw(context, 'Claude Code TUI', `${ASKED}; three hours lay between them`);
  });

  it('a question, answered in the terminal (Codex TUI)', async (context) => {
    const stage = await stageFor();
    const cli = codexExec.cli(stage);
    stage.agent(startLoop(cli), ask(cli), say('I have asked.'));
    const terminal = codexTerminal(stage);
    await trustHooks(terminal);
    await terminal.enter(TASK);
    await terminal.shows(SHOWN);
    await expectAsked(stage);
    stage.agent(say('The small one it is.'), say(DONE));
    await terminal.enter(ANSWER);
    await until('the loop to end', () => answers(stage.root).length === 3);
    expectAnswered(stage);
    saw(context, 'Codex TUI', ASKED);
  });

  it('the end of a subagent is no answer to a question (Claude Code TUI)', async (context) => {
    const stage = await stageFor();
    subagent(stage);
    stage.agent(
      startLoop('holdfast'),
      sendSubagent,
      ask('holdfast'),
      say('I have asked.'),
      say('It has counted; I still need an answer.'),
    );
    const terminal = claudeTerminal(stage);
    await terminal.ready();
    await terminal.enter(TASK);
    await until('the first stop', () => answers(stage.root).length === 1);
    finish(stage);
    await until('the second stop', () => answers(stage.root).length === 2);
    expect(stage.cast.of('agent').at(-1)?.last).toContain(FOUND);
    expect(answers(stage.root)).toEqual(['allow', 'allow']);
    expect(waitingFor(stage)).toMatchObject({ for: 'person', what: QUESTION });
    stage.agent(say('The small one it is.'), say(DONE));
    await terminal.enter(ANSWER);
    await until('the loop to end', () => answers(stage.root).length === 4);
    expect(answers(stage.root)).toEqual(['allow', 'allow', 'hold', 'allow']);
    expect(holdsOf(stage)[0]).toMatch(/answered/);
    saw(
      context,
      'Claude Code TUI',
      'it woke the agent, whose stop was let go again; the user’s answer then had the next stop held',
    );
  });

  it.for([claudePrint, codexExec])(
    'a question, and the answer in the resumed session ($mode)',
    async (host, context) => {
      const stage = await stageFor();
      const cli = host.cli(stage);
      stage.agent(startLoop(cli), ask(cli), say('I have asked.'));
      const asked = await host.play(stage, TASK);
      expect(asked.exitCode).toBe(0);
      expectNotice(host, stage, asked, SHOWN);
      await expectAsked(stage);
      stage.agent(say('The small one it is.'), say(DONE));
      await host.play(stage, ANSWER, { resume: asked.session });
      expectAnswered(stage);
      saw(context, host.mode, `${ASKED}; ${host.showsNotices}`);
    },
  );

  it.for([claudePrint, codexExec])('nobody is there to be asked ($mode)', async (host, context) => {
    const stage = await stageFor();
    const cli = host.cli(stage);
    setUserConfig(stage, { ask: 'refuse' });
    stage.agent(startLoop(cli), ask(cli), say('Then I decide.'), say(DONE));
    await host.play(stage, TASK);
    expect(stage.cast.of('agent')[2]?.last).toContain('ASSUMPTIONS.md');
    expect(answers(stage.root)).toEqual(['hold', 'allow']);
    expect(holdsOf(stage)[0]).not.toMatch(/ ask "/);
    saw(context, host.mode, 'the question was refused with what to do instead, and the next stop was held');
  });
});

const NOT_PUSHED =
  'let go without a word while it ran, and the model was not asked again; its end woke the agent, and the next stop was held at iteration 1';

const ASKED =
  'let go with the question; the answer began a turn, and its end was held with the task and the word that the question was answered';

/** How the user is shown the question. */
const SHOWN = new RegExp(`the agent asks: ${QUESTION.replace('?', '\\?')}`);

/** The command that a hold names for whoever needs the result of something in the background. */
const WAIT_COMMAND = /`([^`]*holdfast'? wait[^`]*)`/;

/** Does what the hold says. */
function obey({ holds }: Heard) {
  const command = WAIT_COMMAND.exec(holds.at(-1) ?? '')?.[1];
  if (command === undefined) throw new Error(`no command in the hold:\n${holds.at(-1)}`);
  return run(
    command.includes('--file') ? command.replace(/--file \S+/, '--file passed') : `${command} --file passed`,
  );
}

async function stageWithSubagent(): Promise<Stage> {
  const stage = await stageFor();
  subagent(stage);
  stage.agent(startLoop('holdfast'), sendSubagent, say('It counts.'), say('It has counted.'), say(DONE));
  return stage;
}

/** The first stop was let go, silently, and nothing was counted. */
async function expectParked(stage: Stage): Promise<void> {
  await until('the first stop', () => answers(stage.root).length === 1);
  expect(journal(stage.root)).toMatchObject([{ answer: 'allow', notice: false }]);
  expect(waitingFor(stage)).toMatchObject({ for: 'work', what: 'a subagent (count files)' });
  expect(runCli(stage, 'why')).toMatch(/left running in the background.*the run waits/);
  expect(loopState(stage.root)).toMatchObject({ event: 'STATE', stack: [{ iter: 0 }] });
}

function expectHeldOn(stage: Stage): void {
  const heard = stage.cast.of('agent');
  expect(heard).toHaveLength(5);
  expect(heard[3]?.last).toContain(FOUND);
  expect(answers(stage.root)).toEqual(['allow', 'hold', 'allow']);
  expect(iterations(holdsOf(stage))).toEqual(['1/10']);
  expect(loopState(stage.root)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
}

async function expectAsked(stage: Stage): Promise<void> {
  await until('the first stop', () => answers(stage.root).length === 1);
  expect(journal(stage.root)).toMatchObject([{ answer: 'allow', notice: true }]);
  expect(waitingFor(stage)).toMatchObject({ for: 'person', what: QUESTION });
  expect(stage.cast.of('agent')).toHaveLength(3);
}

function expectAnswered(stage: Stage): void {
  expect(answers(stage.root)).toEqual(['allow', 'hold', 'allow']);
  const [hold = ''] = holdsOf(stage);
  expect(hold).toMatch(/answered/);
  expect(hold).toContain(TASK);
  expect(hold).toMatch(/ ask /);
  expect(hold).toContain('[ITERATION 1/10]');
  expect(loopState(stage.root)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
}
