// Stops of a flow for the crash suite: the first, which pins; one that goes on to another state; one with a check; the end.

import fs from 'node:fs';
import path from 'node:path';
import type { Bench } from './bench.ts';
import type { Scenario } from './scenario.ts';

const FLOW = `flow: sample
start: a
states:
  a: { say: A, leave: [ { when: { signal: on, file: src/**, is: changed }, to: b } ] }
  b: { say: B, leave: [ { when: { signal: off }, to: z } ], holds: 3, otherwise: p }
  p: { pause: true, say: Look, leave: [ { when: { signal: off }, to: z } ] }
  z: { end: completed }
`;

const RUNS = '.holdfast/flow';

const says = (signal: string): object => ({ last_assistant_message: `Now.\n\n<flow>${signal}</flow>` });

function runOf(bench: Bench): string {
  const [run] = fs.readdirSync(bench.at(RUNS)).sort();
  if (run === undefined) throw new Error('there is no run');
  return run;
}

function stateOf(bench: Bench): { at: string; held: number; stay: number; ended: string | null } {
  const { at, held, stay, ended } = JSON.parse(
    bench.project.read(path.join(RUNS, runOf(bench), 'state.json')),
  );
  return { at, held, stay, ended };
}

async function start(bench: Bench): Promise<void> {
  bench.project.write('holdfast.flows/sample.yaml', FLOW);
  bench.project.write('src/a.ts', '1');
  const ran = await bench.holdfast(['flow', 'start', 'sample']);
  if (ran.exitCode !== 0) throw new Error(ran.stderr);
}

const inFlow = {
  run: (bench: Bench) => `flow:${runOf(bench)}`,
  view: stateOf,
  async carryOn(bench: Bench) {
    bench.project.write('src/a.ts', '2');
    for (let stops = 0; stops < 8; stops++) {
      const { at, ended } = stateOf(bench);
      if (ended !== null) return { ended };
      await bench.stop(says(at === 'a' ? 'on' : 'off'));
    }
    throw new Error('the run never ends');
  },
} satisfies Partial<Scenario>;

/** The first stop: the definition is pinned, and the agent is held. */
export const first: Scenario = { ...inFlow, prepare: start };

/** On to another state, with a look at files. */
export const onward: Scenario = {
  ...inFlow,
  async prepare(bench) {
    await start(bench);
    await bench.stop();
    bench.project.write('src/a.ts', '2');
  },
  payload: () => says('on'),
};

export const complete: Scenario = {
  ...inFlow,
  async prepare(bench) {
    await onward.prepare(bench);
    await bench.stop(says('on'));
  },
  payload: () => says('off'),
};
