// Sessions of `holdfast run` for the crash suite: the start that binds the run, and a stop whose hold is handed over.

import { bindToSession } from '../../src/engine/driver/bind.ts';
import { pendingHandOver } from '../../src/engine/driver/hand-over.ts';
import { leaveDriverToken } from '../../src/engine/driver/token.ts';
import type { Project } from '../../src/engine/project.ts';
import { openProject } from '../../src/engine/stop/find-project.ts';
import { runtimeHere } from '../../src/hook/runtime.ts';
import { withLock } from '../../src/store/lock.ts';
import type { Ran } from '../support/hook.ts';
import { recordedPayload } from '../support/recorded.ts';
import { type Bench, SESSION } from './bench.ts';
import type { Commanded } from './commands.ts';
import { hold, startLoop, topicState } from './idle.ts';
import type { Scenario } from './scenario.ts';

const { run } = hold;

function projectOf(bench: Bench): Promise<Project> {
  return openProject(bench.root, runtimeHere({ HOME: bench.project.home, PATH: process.env.PATH }));
}

async function leave(bench: Bench, session: string | null, fresh: boolean): Promise<void> {
  const { token } = leaveDriverToken(await projectOf(bench), run(bench), { session, fresh });
  bench.env = { HOLDFAST_DRIVER: token };
}

const DONE = { last_assistant_message: 'All is well.\n\n<loop-done>COMPLETE</loop-done>' };

/** A loop from a terminal, and a session that comes for it. A start that died is fired again by the restarted client. */
export const begun: Commanded = {
  async prepare(bench) {
    const ran = await bench.person(['idle', 'loop', 'Fix the parser.']);
    if (ran.exitCode !== 0) throw new Error(ran.stderr);
    await leave(bench, null, false);
  },
  args: () => [],
  run(bench, _, fault): Promise<Ran> {
    const payload = { ...recordedPayload('codex/session-start-startup.json'), session_id: SESSION };
    return bench.event('session-start', { ...payload, cwd: bench.root }, fault);
  },
  view: (bench) => bench.sidecar(run(bench))?.sessions,
  async carryOn(bench) {
    const { answer } = await bench.stop({ turn_id: 'turn-1', last_assistant_message: 'Not yet.' });
    const nested = await bench.event('session-start', {
      session_id: 'nested',
      source: 'startup',
      turn_id: 't',
    });
    const sessions = bench.sidecar(run(bench))?.sessions;
    await bench.stop({ turn_id: 'turn-2', ...DONE });
    return { held: answer?.decision, nested: nested.exitCode, sessions, state: topicState(bench) };
  },
};

/** The second hold of a loop, in a session of its own. The driver gives it to the next one, which ends the loop. */
export const handedOver: Scenario = {
  run,
  async prepare(bench) {
    await startLoop(bench, 10);
    await bench.stop();
    await leave(bench, SESSION, true);
  },
  view: topicState,
  async carryOn(bench) {
    const project = await projectOf(bench);
    const handed = pendingHandOver(bench.root, run(bench));
    const iteration = /\[ITERATION (\d+)/.exec(handed?.text ?? '')?.[1];
    await leave(bench, 'the-next-session', true);
    await withLock(project.home, 15_000, () => bindToSession(project, run(bench), 'the-next-session'));
    const counted = bench.sidecar(run(bench))?.guard['the-next-session']?.noProgress;
    const { answer } = await bench.stop({ session_id: 'the-next-session', ...DONE });
    return { iteration, counted, decision: answer?.decision, state: topicState(bench) };
  },
};
