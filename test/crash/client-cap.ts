// The stop after the last hold that a client honours (Qwen Code: seven after one prompt), for the crash suite.

import { recordedPayload } from '../support/recorded.ts';
import type { Bench } from './bench.ts';
import { bodies, hold as holding, startLoop, topicState } from './idle.ts';
import type { Scenario } from './scenario.ts';
import { waitingOf } from './waiting.ts';

export const HONOURED = 7;

/** As Qwen Code sends it; the session and the folder are the bench's. */
export function fromQwen(prompt: string, afterHold: boolean): object {
  const { session_id: _, cwd: __, transcript_path: ___, ...rest } = recordedPayload('qwen/stop-first.json');
  return { ...rest, prompt_id: prompt, stop_hook_active: afterHold, last_assistant_message: 'Not yet.' };
}

/** A hold that is counted for the cap: once it is written down, the agent is held, whatever becomes of the count. */
export const counted: Scenario = {
  ...holding,
  payload: () => fromQwen('p0', true),
  async prepare(bench) {
    await startLoop(bench, 10);
    await bench.stop(fromQwen('p0', false));
  },
  saw(bench, { answer }) {
    const isWritten = bodies(bench).at(-1)?.stack[0]?.iter === 2;
    return isWritten && answer?.decision !== 'block'
      ? ['the hold was written down, and nobody was held']
      : [];
  },
};

async function heldToTheLast(bench: Bench): Promise<void> {
  await startLoop(bench, 50);
  for (let hold = 0; hold < HONOURED; hold++) {
    // Without something new the guard would end it first.
    bench.project.write(`work-${hold}.txt`, String(hold));
    const { answer } = await bench.stop(fromQwen('p0', hold > 0));
    if (answer?.decision !== 'block') throw new Error(`hold ${hold + 1}: ${JSON.stringify(answer)}`);
  }
  bench.project.write('work-last.txt', 'last');
}

const { run } = holding;
/** After the last hold that the client honours: the run waits, the next prompt goes on with it. */
export const capped: Scenario = {
  ...{ run, payload: () => fromQwen('p0', true) },
  prepare: heldToTheLast,
  view: (bench) => ({ state: topicState(bench), capped: waitingOf(bench, run(bench))?.capped ?? false }),
  async carryOn(bench) {
    const { answer } = await bench.stop(fromQwen('p1', false));
    const waits = waitingOf(bench, run(bench));
    return { held: answer?.decision, waits, end: await holding.carryOn(bench) };
  },
};
