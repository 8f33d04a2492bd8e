// The scenarios of `holdfast run` in the clients that take one prompt for each process, and honour only so many holds after it.

import net from 'node:net';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Played } from './basics.ts';
import { budgetOf } from './budget.ts';
import type { Cap } from './capped.ts';
import { giveClock } from './clients/clock.ts';
import type { Stage } from './clients/stage.ts';
import { type Driven, follow, type Startable } from './headless.ts';
import { DONE, loopState, startLoop, TASK } from './loop.ts';
import { steps } from './plays.ts';
import { type Running, runOn } from './run-command.ts';
import {
  answers,
  holdsOf,
  type Line,
  nothingLeft,
  processesOf,
  run,
  saw,
  say,
  until,
  write,
} from './scenario.ts';

const LOOP = ['--access', 'full', 'idle', 'loop', '--max', '50', TASK];

/** A command that does not end. */
const STAYS = 'tail -f /dev/null';

const startsOf = (running: Running): unknown[] =>
  running.events().flatMap(({ event, how }) => (event === 'client-began' ? [how] : []));

const troublesOf = (running: Running): unknown[] =>
  running.events().flatMap(({ event, what }) => (event === 'trouble' ? [what] : []));

export function pastTheCapScenario({ host, open }: Played, driven: Driven, { holds }: Cap): void {
  it('`holdfast run`: a loop to its signal, past the cap of the client', async (context) => {
    const stage = await open();
    stage.agent(...steps(holds + 2), say(DONE));
    const running = runOn(driven, stage, LOOP);
    const { exitCode, summary } = await running.ended;
    expect(summary).toMatchObject({ code: 0, why: 'completed', iterations: holds + 1, sessions: 1 });
    expect(exitCode).toBe(0);
    expect(answers(stage.root)).toEqual([...Array(holds).fill('hold'), 'allow', 'hold', 'allow']);
    expect(holdsOf(stage).at(-1)).toContain(`[ITERATION ${holds + 1}/50]`);
    expect(startsOf(running)).toEqual(['new', 'resumed']);
    expect(stage.cast.of('agent').some(({ last }) => /is not over yet: .*iteration/.test(last))).toBe(true);
    await nothingLeft(stage);
    saw(
      context,
      host.mode,
      `held ${holds} times, let go at the cap, prompted again in the same session by the driver itself, and held on to the signal; exit code 0`,
    );
  });
}

export function killedScenario({ host, open }: Played, driven: Driven): void {
  it('`holdfast run`: the client killed in the middle of its work is resumed', async (context) => {
    const stage = await open();
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
    expect(startsOf(running)).toEqual(['new', 'resumed']);
    await nothingLeft(stage);
    saw(context, host.mode, 'its session was resumed at once, and the count went on to the signal');
  });
}

/** `trouble`: what the model says for as long as the client asks, or the name of the variable with its address. */
export function waitedScenario(
  { host, open }: Played,
  driven: Driven,
  { what, failures, address }: { what: string; failures: readonly Line[]; address?: string },
): void {
  it(`\`holdfast run\`: an error of the ${what} is waited out`, async (context) => {
    const stage = await open();
    const gate = address === undefined ? null : await gateBefore(stage, address);
    const clock = giveClock(stage);
    stage.agent(...failures);
    const running = runOn(driven, stage, LOOP);
    const { until: waitsUntil } = await running.event('waits');
    expect(Number(waitsUntil)).toBeGreaterThan(clock.now() + 5000);
    await gate?.open();
    stage.agent(run('echo one'), say('One.'), say(DONE));
    clock.forward(30);
    const { exitCode, summary } = await running.ended;
    expect(troublesOf(running)).toEqual([what]);
    expect(summary).toMatchObject({ code: 0, iterations: 1, sessions: 1 });
    expect(exitCode).toBe(0);
    await nothingLeft(stage);
    saw(context, host.mode, 'it was waited for 15 s, and then gone on in the same session, to the signal');
  });
}

export function askedWithEditScenario({ host, open }: Played, driven: Driven): void {
  it('`holdfast run` with edit: the agent asks by our command, and goes on with the answer', async (context) => {
    const stage = await open();
    const ask: Line = ({ last }) => {
      const [, command] = /`([^`]*) ask "<question>"`/.exec(last) ?? [];
      if (command === undefined) throw new Error('it is not told how to ask');
      return run(`${command} ask "Tabs or blanks?"`);
    };
    stage.agent(write(stage.file('a.txt'), 'x'), say('One.'), ask, say('I have asked.'));
    const loop = LOOP.filter((word) => !['--access', 'full'].includes(word));
    const asked = await runOn(driven, stage, loop).ended;
    expect(asked.summary).toMatchObject({ code: 6, why: 'question' });
    stage.agent(write(stage.file('b.txt'), 'tabs'), say('Two.'), say(DONE));
    const answered = await runOn(driven, stage, ['--continue', '--answer', 'Tabs, please.']).ended;
    expect(answered.summary).toMatchObject({ code: 0, sessions: 1 });
    expect(stage.cast.of('agent').some(({ last }) => last.includes('Tabs, please.'))).toBe(true);
    await nothingLeft(stage);
    saw(
      context,
      host.mode,
      'the command of the hold was allowed; exit code 6 with the question, and the answer went into the same session',
    );
  });
}

/** In front of the model: nobody listens there until it is opened. */
async function gateBefore(stage: Stage, address: string): Promise<{ open(): Promise<void> }> {
  const behind = new URL(stage.env[address] ?? '');
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    const model = net.connect(Number(behind.port), behind.hostname);
    for (const one of [socket, model]) sockets.add(one.on('error', () => {}));
    socket.pipe(model).pipe(socket);
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  stage.env[address] = `http://127.0.0.1:${port}${behind.pathname}`;
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { open: () => listen(port) };
}

/** `tokens`: almost as many as the client takes the model to bear. */
export function compactedScenario({ host, open }: Played, tokens: number): void {
  it('the conversation is compacted in mid-loop: the count goes on', async (context) => {
    const stage = await open();
    stage.agent(
      startLoop(host.cli(stage)),
      say('On.'),
      run('echo one >>work.txt'),
      { say: 'One.', tokens },
      run('echo two >>work.txt'),
      say('Two.'),
      run('echo three >>work.txt'),
      say(DONE),
    );
    await host.play(stage, TASK);
    const [before, after] = [false, true].map((isAfter) =>
      stage.cast.of('agent').filter(({ whole }) => whole.includes('A SUMMARY WITHOUT THE GOAL') === isAfter),
    );
    expect(before?.length).toBeGreaterThan(0);
    expect(after?.length).toBeGreaterThan(0);
    expect(answers(stage.root)).toEqual(['hold', 'hold', 'hold', 'allow']);
    expect(holdsOf(stage).at(-1)).toMatch(/^\[ITERATION 3\/10\]/);
    expect(loopState(stage.root)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
    saw(
      context,
      host.mode,
      'the client put a summary in the place of the conversation; the next holds went on counting, to the signal',
    );
  });
}

/** `answer`: the tokens of one answer in the script. */
export function tokensScenario({ host, open }: Played, answer: number): void {
  it('a budget of tokens: counted from what the client writes down, then spent', async (context) => {
    const stage = await open();
    stage.agent(startLoop(host.cli(stage), '--tokens 1k'), say('On.'), ...steps(7));
    await host.play(stage, TASK);
    const { spent, stage: state } = budgetOf(stage);
    expect(state).toBe('paused');
    expect(spent.tokens).toBeGreaterThanOrEqual(1000);
    expect(spent.tokens % answer).toBe(0);
    expect(stage.cast.of('agent').some(({ last }) => last.includes('This is the last hold'))).toBe(true);
    expect(answers(stage.root).at(-1)).toBe('allow');
    saw(
      context,
      host.mode,
      'each answer was counted once; when the budget was spent, one last hold, then paused',
    );
  });
}

/** `denied`: what is denied of the commands and files below, as the client names it. */
export function accessScenario({ host, open }: Played, driven: Startable, denied: readonly RegExp[]): void {
  it('`holdfast run` with edit: files of the project, and of commands those that were named', async (context) => {
    const stage = await open();
    const outside = path.join(stage.home, 'outside.txt');
    stage.agent(
      write(stage.file('a.txt'), 'hello'),
      write(outside, 'x'),
      run('npm test'),
      run('git status --short'),
      run('git add a.txt && git commit -m "a (b)"'),
      run('git -c alias.x=!id x'),
      run('git status; touch owned'),
      run('git status $(touch owned)'),
      run(`git status >${outside}`),
      say('I am done.'),
    );
    const allowed = ['npm run check', 'git add', 'git commit', 'git status'];
    const following = follow(driven, stage, { allowed });
    expect(await following.next('result')).toMatchObject({ ok: true, trouble: null });
    const found = following.events.flatMap((event) => (event.kind === 'denied' ? [event.what] : []));
    expect(found).toHaveLength(denied.length);
    for (const [at, one] of denied.entries()) expect(found[at]).toMatch(one);
    expect(stage.read('a.txt')).toContain('hello');
    expect(stage.git('log', '--oneline')).toContain('a (b)');
    expect(stage.exists('owned')).toBe(false);
    await following.client.end();
    await nothingLeft(stage);
    saw(
      context,
      host.mode,
      'it wrote in the project and ran git; other files and commands, and what was hidden in one that was named, were denied',
    );
  });
}
