// The commands of agents that wait, and the hook for failed turns: whatever kills them, the run goes on.

import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { cleanEnvironment, plugin } from '../support/hook.ts';
import { Bench, SESSION } from './bench.ts';
import { startPlan } from './claudex.ts';
import { crashCommand } from './commands.ts';
import { hold } from './idle.ts';
import { saysInTurn } from './transcript.ts';
import { isAsked, looping, prompt, QUESTION, waitingOf } from './waiting.ts';
import { asked, askedAgain, failedTurn, killedForGood, waited } from './waiting-commands.ts';

it('ask, killed or failed at every step, is one question when it is run again', async () => {
  expect(await crashCommand(asked)).toEqual([]);
});

it('a second question, killed or failed at every step, replaces the first when it is run again', async () => {
  expect(await crashCommand(askedAgain)).toEqual([]);
});

it('ask, killed at every step and never run again, leaves a question or none, and no run is lost', async () => {
  const bothRuns = async (bench: Bench): Promise<void> => {
    await looping(bench);
    await startPlan(bench);
  };
  const then = async (bench: Bench): Promise<unknown> => {
    const shown: boolean[] = [];
    // Each run may have a question of its own, and none is shown a second time.
    for (let stops = 0; stops < 3; stops++) {
      const fired = await bench.stop(saysInTurn(bench));
      if (fired.exitCode !== 0 || fired.stderr !== '') throw new Error(fired.stderr);
      shown.push(isAsked(fired));
    }
    prompt(bench, 'human');
    const { answer } = await bench.stop(saysInTurn(bench));
    await bench.holdfast(['claudex', 'cancel']);
    // The loop may have the question still, and shows it now; an answer ends that.
    await bench.stop(saysInTurn(bench));
    prompt(bench, 'human');
    const last = await bench.stop(saysInTurn(bench));
    return {
      shown: shown.filter(Boolean).length <= 1,
      held: [answer?.decision, last.answer?.decision],
      waits: waitingOf(bench, hold.run(bench)),
      end: await hold.carryOn(bench),
    };
  };
  const way = { shown: true, held: ['block', 'block'], waits: null, end: { event: 'DONE' } };
  const command = (bench: Bench, fault: string) => bench.holdfast(['ask', QUESTION], {}, fault);
  const { problems, points } = await killedForGood(bothRuns, command, then, [way]);
  expect(problems).toEqual([]);
  expect(points).toBeGreaterThan(5);
});

it('wait, killed or failed at every step, costs the run nothing', async () => {
  expect(await crashCommand(waited)).toEqual([]);
});

it('the hook for a failed turn, killed or failed at every step, says nothing, and the session is held when it is back', async () => {
  const said: string[] = [];
  expect(await crashCommand(failedTurn(said))).toEqual([]);
  expect(said).toEqual([]);
});

it('the hook for a failed turn, killed at every step and never fired again, parks nobody', async () => {
  const { run, carryOn } = failedTurn([]);
  const command = (bench: Bench, fault: string) => {
    if (run === undefined) throw new Error('it is no command');
    return run(bench, [], fault);
  };
  const way = {
    held: 'block',
    waits: null,
    state: { event: 'STATE', reason: undefined, stack: [{ mode: 'loop', iter: 2, max: 10 }] },
    end: { event: 'DONE' },
  };
  const { problems, points } = await killedForGood(looping, command, carryOn, [way]);
  expect(problems).toEqual([]);
  expect(points).toBeGreaterThan(5);
});

/** Early enough for a test; where the machine is busy, it takes longer until the command listens. */
const TRIED_AFTER_MS = [1500, 6000, 24_000];

/** In the middle of a wait: ended as a client ends a command that it cancels, or as the kernel does. */
async function endedInTheMiddle(signal: NodeJS.Signals): Promise<[Bench, unknown]> {
  const bench = new Bench();
  await looping(bench);
  let ended: unknown = signal;
  for (const milliseconds of TRIED_AFTER_MS) {
    const child = spawn(path.join(plugin, 'bin', 'holdfast'), ['wait', '--for', '60'], {
      cwd: bench.root,
      env: { ...cleanEnvironment(bench.root), CLAUDE_CODE_SESSION_ID: SESSION },
      stdio: 'ignore',
    });
    const end = endOf(child);
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    child.kill(signal);
    ended = await end;
    if (ended !== signal || signal === 'SIGKILL') break;
  }
  return [bench, ended];
}

function endOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(signal ?? code));
  });
}

it.each([
  ['SIGKILL', 'SIGKILL', undefined],
  ['SIGTERM', 143, 1],
  ['SIGINT', 130, 1],
] as const)(
  'wait, ended by %s in the middle, leaves nothing that a stop trips over',
  async (signal, end, calls) => {
    const [bench, ended] = await endedInTheMiddle(signal);
    try {
      expect(ended).toBe(end);
      expect(bench.brokenRecords()).toEqual([]);
      expect(bench.sidecar(hold.run(bench))?.waits?.calls).toBe(calls);
      const fired = await bench.stop(saysInTurn(bench));
      expect([fired.answer?.decision, fired.stderr]).toEqual(['block', '']);
      expect(await hold.carryOn(bench)).toEqual({ event: 'DONE' });
    } finally {
      bench.remove();
    }
  },
);
