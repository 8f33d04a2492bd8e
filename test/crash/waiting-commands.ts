// `holdfast ask`, `holdfast wait` and the hook for failed turns, killed and failed at every step.

import { isDeepStrictEqual } from 'node:util';
import type { Ran } from '../support/hook.ts';
import { Bench } from './bench.ts';
import type { Commanded } from './commands.ts';
import { hold, topicState } from './idle.ts';
import { saysInTurn } from './transcript.ts';
import { ask, isAsked, looping, prompt, QUESTION, waitingOf } from './waiting.ts';

const { run } = hold;

/** Asked, shown, answered, gone on. */
async function answerIt(bench: Bench): Promise<unknown> {
  const shown = await bench.stop(saysInTurn(bench));
  const again = await bench.stop(saysInTurn(bench));
  prompt(bench, 'human');
  const fired = await bench.stop(saysInTurn(bench));
  return {
    shown: isAsked(shown),
    again: again.stdout,
    told: fired.answer?.reason?.includes(`"${QUESTION}") was answered`) === true,
    held: fired.answer?.decision,
    end: await hold.carryOn(bench),
  };
}

const asking = (bench: Bench): unknown => {
  const { waiting, waits } = bench.sidecar(run(bench)) ?? {};
  return { for: waiting?.for, what: waiting?.what, shown: waiting?.shown, questions: waits?.questions };
};

/** The agent asks again, in the same words: it is one question, and counts once. */
export const asked: Commanded = {
  prepare: looping,
  args: () => ['ask', QUESTION],
  view: asking,
  carryOn: answerIt,
};

/** A second question, in the place of one that nobody answered. */
export const askedAgain: Commanded = {
  ...asked,
  async prepare(bench) {
    await looping(bench);
    await ask(bench, 'Something else?');
    await bench.stop(saysInTurn(bench));
  },
};

/** A call that nobody noted, or that was noted twice as it was made twice, changes nothing but the count. */
export const waited: Commanded = {
  prepare: looping,
  args: () => ['wait', '--for', '1'],
  view: (bench) => (bench.sidecar(run(bench))?.waits?.calls ?? 0) > 0,
  async carryOn(bench) {
    const { answer } = await bench.stop(saysInTurn(bench));
    return { held: answer?.decision, end: await hold.carryOn(bench) };
  },
};

const FAILED = { hook_event_name: 'StopFailure', error: 'rate_limit' };

/** The hook says nothing, whatever fails; the session comes back and is held. */
export function failedTurn(said: string[]): Commanded {
  return {
    prepare: looping,
    args: () => [],
    async run(bench, _, fault): Promise<Ran> {
      const fired = await bench.event('stop-failure', { ...FAILED, ...saysInTurn(bench) }, fault);
      const isDead = /^(kill|torn):/.test(fault ?? '');
      if (fired.stdout + fired.stderr !== '' || (!isDead && fired.exitCode !== 0))
        said.push(`${fault}: ended with ${fired.exitCode}: ${fired.stdout}${fired.stderr}`);
      return fired;
    },
    view: (bench) => waitingOf(bench, run(bench))?.what ?? null,
    async carryOn(bench) {
      const { answer } = await bench.stop(saysInTurn(bench));
      const waits = waitingOf(bench, run(bench));
      return { held: answer?.decision, waits, state: topicState(bench), end: await hold.carryOn(bench) };
    },
  };
}

/**
 * Kills a command at every step, and nobody runs it again: whatever is left, the session's stops go on with its runs.
 * `then` answers with how that went, which is one of the ways it may go.
 */
export async function killedForGood(
  prepare: (bench: Bench) => Promise<void>,
  command: (bench: Bench, fault: string) => Promise<Ran>,
  then: (bench: Bench) => Promise<unknown>,
  ways: readonly unknown[],
  plugin?: string,
): Promise<{ problems: string[]; points: number }> {
  const bench = new Bench(plugin);
  const problems: string[] = [];
  const seen = new Set<string>();
  let points = 0;
  try {
    await prepare(bench);
    bench.remember();
    bench.goBack();
    const { steps } = await bench.trace(() => command(bench, 'trace'));
    for (const { number, kind, file } of steps.filter((step) => step.kind !== 'open' && step.kind !== 'sync'))
      for (const fault of kind === 'write' ? ['kill', 'torn'] : ['kill']) {
        bench.goBack();
        points += 1;
        await command(bench, `${fault}:${number}`);
        const wrong = bench.brokenRecords();
        const look = bench.look();
        if (wrong.length === 0 && !seen.has(look)) {
          seen.add(look);
          const way = await then(bench).catch((error) => `no end: ${error.message}`);
          if (!ways.some((one) => isDeepStrictEqual(one, way)))
            wrong.push(`it went on: ${JSON.stringify(way)}`);
        }
        problems.push(...wrong.map((each) => `${fault} at ${kind} ${file} (step ${number}): ${each}`));
      }
  } finally {
    bench.remove();
  }
  return { problems, points };
}
