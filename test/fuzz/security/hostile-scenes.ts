// What is played under attack: stops of every workflow with their checks and reviews, the other events, and the commands
// that read or move a run. Most of them are those that the crash suite kills at every step.

import fs from 'node:fs';
import type { Bench } from '../../crash/bench.ts';
import * as budget from '../../crash/budget.ts';
import * as changes from '../../crash/changes.ts';
import * as claudex from '../../crash/claudex.ts';
import * as docket from '../../crash/docket.ts';
import { handedOver } from '../../crash/driver.ts';
import * as flow from '../../crash/flow.ts';
import * as idle from '../../crash/idle.ts';
import * as proof from '../../crash/proof.ts';
import * as taskie from '../../crash/taskie.ts';
import { saysInTurn } from '../../crash/transcript.ts';
import * as waiting from '../../crash/waiting.ts';
import { recordedPayload } from '../../support/recorded.ts';
import { PLANT, type Scene } from './hostile-steps.ts';

/** A claim to be done whose check plants, where it is told to, and then does this. */
function claim(name: string, does: string, more: object = {}): Scene {
  return {
    name,
    async prepare(bench) {
      const check = { run: `${PLANT}\n${does}`, ...more };
      fs.mkdirSync(bench.at('part'));
      await proof.trustCheck(bench, 'good', {
        checks: { test: check },
        protect: { paths: ['part/**', '*.json'], then: 'hold' },
      });
      await idle.startLoop(bench, 10);
      await bench.stop();
    },
    payload: () => proof.SIGNAL,
    carryOn: cancelled,
  };
}

/** Its check may never be green. */
async function cancelled(bench: Bench): Promise<void> {
  const ran = await bench.holdfast(['idle', 'cancel']);
  if (!/is cancelled|no loop/.test(ran.stdout + ran.stderr)) throw new Error(ran.stdout + ran.stderr);
}

const RED = 'echo "the code is bad"; exit 1';
const ONCE_RED = 'ls part >&2; [ -e "$FAKE_REVIEWS/again" ] || { : >"$FAKE_REVIEWS/again"; exit 1; }';

/** A flow whose step is done when its check and its reviewer say so. */
const FLOW = `flow: critic
start: work
reviews:
  critic: { prompt: Look, files: ["code.txt"] }
states:
  work:
    say: Work.
    leave: [ { when: { check: test, review: critic }, to: done } ]
  done: { end: completed }
`;

/** Its agent says nothing that would end it at once. */
const reviewedFlow: Scene = {
  name: 'a flow with a check and a review',
  async prepare(bench) {
    bench.project.write('holdfast.flows/critic.yaml', FLOW);
    await proof.trustCheck(bench, 'good', { checks: { test: { run: `${PLANT}\nexit 0` } } });
    const ran = await bench.holdfast(['flow', 'start', 'critic']);
    if (ran.exitCode !== 0) throw new Error(ran.stderr);
    await bench.stop();
  },
};

export const stops: readonly Scene[] = [
  { name: 'a loop goes on', ...idle.hold },
  { name: 'a loop is done', ...idle.complete },
  { name: 'an inner loop is done', ...idle.inner },
  { name: 'a loop closes a segment of the journal', ...idle.longJournal },
  { name: 'a loop in a file is done', ...idle.completeInFile },
  { name: 'a loop that waits for a session', ...idle.ticket },
  { name: 'a loop has used its iterations', ...idle.maximum },
  { name: 'a loop has a budget', ...budget.counting },
  { name: 'a loop hands its hold over', ...handedOver },
  { name: 'a question is shown', ...waiting.question },
  { name: 'a question was answered', ...waiting.answered },
  { name: 'a plan is drafted', ...claudex.firstRound },
  { name: 'a round of a plan', ...claudex.nextRound },
  { name: 'a round with findings', ...docket.leftRound },
  { name: 'a plan is summed up', ...claudex.summary },
  { name: 'a diff is reviewed', ...claudex.diffReview },
  { name: 'a flow begins', ...flow.first },
  { name: 'a flow goes on', ...flow.onward },
  { name: 'a flow is done', ...flow.complete },
];

export const withPrograms: readonly Scene[] = [
  claim('a claim whose check is green', 'exit 0'),
  claim('a claim whose check is red', RED),
  claim('a claim whose check is green when tried again', ONCE_RED, { retries: 1 }),
  claim('a claim whose check is red however often', RED, { retries: 1, cwd: 'part', paths: ['part/**'] }),
  { name: 'a claim with a receipt', ...proof.fromReceipt },
  { name: 'a plan is reviewed', ...taskie.findings },
  { name: 'a plan is reviewed once more', ...taskie.secondClean },
  { name: 'a reviewer fails', ...taskie.failed },
  { name: 'a dead hook left a review', ...taskie.editedMeanwhile },
  { name: 'an answer to a review is owed', ...taskie.owed },
  { name: 'a review lists what it found', ...docket.listed },
  { name: 'code is reviewed, with its changes', ...changes.patched },
  reviewedFlow,
];

/** Runs of every workflow, with much to be read about each. */
async function everything(bench: Bench): Promise<void> {
  await docket.listed.prepare(bench);
  await proof.trustCheck(bench, 'bad', { checks: { test: { run: RED } } });
  waiting.prompt(bench, 'human');
  await idle.startLoop(bench, 10);
  await claudex.startPlan(bench);
  await bench.stop(saysInTurn(bench));
}

type Command = ReturnType<NonNullable<Scene['command']>>;

const asked = (args: string, more: Omit<Partial<Command>, 'args'> = {}, prepare = everything): Scene => ({
  name: `holdfast ${args}`,
  prepare,
  command: () => ({ args: args.split(' '), ...more }),
});

const none = async (): Promise<void> => {};

export const commands: readonly Scene[] = [
  asked('status --all'),
  asked('status --all --json', { person: true }),
  asked('why'),
  asked('log'),
  asked('replay 1'),
  asked('findings', { person: true }),
  asked('report --html', { person: true }),
  asked('report --json taskie:my-plan', { person: true }),
  asked('taskie status'),
  asked('taskie validate --plan my-plan'),
  asked('claudex status'),
  asked('doctor', { person: true }),
  asked('cancel', { person: true }, taskie.ownPlan),
  asked('idle cancel'),
  asked('claudex cancel'),
  asked('adopt taskie:my-plan'),
  asked('ask Which?'),
  asked('wait --for 1'),
  asked('taskie next --plan my-plan'),
  asked('taskie record plan-review', {}, taskie.ownPlan),
  asked('idle loop --max 5', { stdin: 'Fix the parser.' }, none),
  asked('claudex plan --rounds 1', { stdin: 'a cache' }, none),
  { ...asked('flow start sample'), prepare: flow.first.prepare },
  asked('flow new mine', {}, none),
  asked('resume --tokens 1k', { person: true }, budget.resumed.prepare),
  {
    ...asked('check', { person: true }),
    prepare: (bench) =>
      proof.trustCheck(bench, 'bad', { checks: { test: { run: `${PLANT}\n${ONCE_RED}`, retries: 1 } } }),
  },
  {
    ...asked('claudex done'),
    prepare: claudex.nextRound.prepare,
    command: (bench) => ({ args: ['claudex', 'done', claudex.loopIds(bench)[0] ?? ''] }),
  },
];

export const events: readonly Scene[] = [
  {
    name: 'a compaction',
    event: 'pre-compact',
    prepare: everything,
    payload: () => payloadOf('claude-code/pre-compact.json'),
  },
  {
    name: 'a session starts',
    event: 'session-start',
    prepare: everything,
    payload: () => payloadOf('claude-code/session-start-startup.json'),
  },
  {
    name: 'a turn fails',
    event: 'stop-failure',
    prepare: waiting.looping,
    payload: (bench) => ({ hook_event_name: 'StopFailure', error: 'rate_limit', ...saysInTurn(bench) }),
  },
];

function payloadOf(recording: string): object {
  const { session_id: _, cwd: __, transcript_path: ___, ...rest } = recordedPayload(recording);
  return rest;
}
