import fs from 'node:fs';
import { beforeEach, expect, it } from 'vitest';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import { stopOf } from '../../../test/support/stop-here.ts';
import { parseSidecar } from '../../store/parse-records.ts';
import { NO_GUARD_MEMORY, NO_WAITS, newSidecar, type Sidecar } from '../../store/records.ts';
import type { Activity } from '../../text/transcript.ts';
import type { Project } from '../project.ts';
import { askGuard, type GuardResult, memoryOf } from './progress.ts';

const taskie = { name: 'taskie', guard: { unmoved: 3, tools: 12 } };
const idle = { name: 'idle', guard: { unmoved: 6, tools: null } };
const MINUTE = 60_000;

let project: Project;
let plan: string;
beforeEach(() => {
  project = bareProject();
  plan = writeIn(project, 'PLAN.md', 'one');
});

const activity = (tools: Activity['tools'], marker = 'newest'): Activity => ({ tools, marker });

type Asked = { sidecar?: Sidecar; session?: string | null; stateHash?: string; awaited?: boolean };

function consult(
  seen: Activity,
  asked: Asked = {},
  workflow: typeof taskie | typeof idle = taskie,
): GuardResult {
  const { sidecar = newSidecar('toy:a'), session = 's1', stateHash = 'h1', awaited = true } = asked;
  const now = { stateHash, artifacts: [plan] };
  const stop = stopOf(project, { session });
  return askGuard(workflow, { project, stop }, sidecar, now, { since: () => seen, awaited });
}

function counted(result: GuardResult): Extract<GuardResult, { kind: 'hold' | 'release' }> {
  if (result.kind !== 'hold' && result.kind !== 'release') throw new Error(`not counted but ${result.kind}`);
  return result;
}
const movement = (seen: Activity, asked: Asked) => counted(consult(seen, asked)).asked.movement;

/** The sidecar after a hold was committed, as the next stop reads it from disk. */
function afterHold(result: GuardResult, sidecar: Sidecar, session = 's1'): Sidecar {
  const guard = { ...sidecar.guard, [session]: counted(result).memory };
  const committed = { before: 'h0', after: 'h1' };
  const read = parseSidecar(JSON.parse(JSON.stringify({ ...sidecar, committed, guard })));
  if (read.kind !== 'ok') throw new Error('the sidecar cannot be read back');
  return read.record;
}
const heldOnce = (): Sidecar => afterHold(consult(activity('no', 'first')), newSidecar('toy:a'));
const onTheBrink = (): Sidecar => {
  const sidecar = heldOnce();
  return { ...sidecar, guard: { s1: { ...memoryOf(sidecar, 's1'), noProgress: 3, noTools: 3 } } };
};

it('a stop that a person fired is not counted', () => {
  expect(consult(activity('no'), { session: null })).toEqual({ kind: 'uncounted' });
});

it('the first hold has nothing to compare with, whatever the transcript shows', () => {
  const result = counted(consult(activity('yes'), { stateHash: 'h9' }));
  expect(result).toMatchObject({ kind: 'hold', memory: { held: true, noTools: 1, marker: 'newest' } });
  expect(result.asked.movement).toEqual({ state: false, artifacts: false, tools: 'no' });
  expect(result.asked).toMatchObject({ memory: NO_GUARD_MEMORY, limits: { ...taskie.guard, unknown: 12 } });
});

it.each<[string, Activity['tools'], Asked, string]>([
  ['a call is not shown that would change the answer', 'no', {}, 'wait-for-tools'],
  ['it was waited for already', 'no', { awaited: true }, 'release'],
  ['a call is shown', 'yes', {}, 'hold'],
  ['it cannot tell', 'unknown', {}, 'hold'],
  ['the state was moved anyhow', 'no', { stateHash: 'other' }, 'hold'],
])('a transcript that may be late is waited for where %s', (_, tools, more, kind) => {
  const result = consult(activity(tools), { sidecar: onTheBrink(), awaited: false, ...more });
  expect(result.kind).toBe(kind);
  if (result.kind === 'wait-for-tools') expect(result.since).toBe('first');
  expect(consult(activity('no'), { sidecar: heldOnce(), awaited: false }).kind).toBe('hold');
  expect(consult(activity('no'), { awaited: false }).kind).toBe('hold');
});

it.each([
  ['what the hook wrote', 'h1', false],
  ['what was there before, when the hook died', 'h0', false],
  ['any other', 'h2', true],
])('the state has moved where it is %s', (_, stateHash, moved) => {
  expect(movement(activity('no'), { sidecar: heldOnce(), stateHash }).state).toBe(moved);
  const never = { ...heldOnce(), committed: null };
  expect(movement(activity('no'), { sidecar: never, stateHash }).state).toBe(false);
});

it('a file has moved by its content alone, and the next hold knows it as it is then', () => {
  const sidecar = heldOnce();
  fs.rmSync(plan);
  fs.writeFileSync(plan, 'one');
  fs.utimesSync(plan, 1, 1);
  expect(movement(activity('no'), { sidecar }).artifacts).toBe(false);
  fs.writeFileSync(plan, 'two');
  const result = consult(activity('unknown', 'later'), { sidecar });
  expect(counted(result).asked.movement).toEqual({ state: false, artifacts: true, tools: 'unknown' });
  expect(counted(result).memory.marker).toBe('later');
  expect(movement(activity('no'), { sidecar: afterHold(result, sidecar) }).artifacts).toBe(false);
});

it('after letting go what was there at the last hold is remembered, so that any later change shows', () => {
  const sidecar = onTheBrink();
  expect(consult(activity('no', 'later'), { sidecar })).toMatchObject({
    ...{ kind: 'release', first: true, memory: { ...memoryOf(sidecar, 's1'), released: true } },
  });
});

it.each([
  ['one since the last hold', { calls: 2, callsAtHold: 1, called: MINUTE }, true],
  ['none since then', { calls: 2, callsAtHold: 2 }, undefined],
  ['all the time of wait.work', { calls: 1, called: 120 * MINUTE }, true],
  ['more than that', { calls: 1, called: 120 * MINUTE + 1 }, undefined],
  ['so many that each counts a minute', { calls: 120 }, true],
  ['one more', { calls: 121 }, undefined],
])('calls of `holdfast wait` make the rows stand still: %s', (_, waits, waited) => {
  const sidecar = { ...heldOnce(), waits: { ...NO_WAITS, ...waits } };
  expect(movement(activity('yes'), { sidecar }).waited).toBe(waited);
  expect(movement(activity('yes'), { sidecar: { ...sidecar, guard: {} } })).not.toHaveProperty('waited');
});

it('what the last tool output left running is told', () => {
  expect(consult({ ...activity('yes'), leavesRunning: true })).toMatchObject({ leavesRunning: true });
  expect(consult(activity('yes'))).not.toHaveProperty('leavesRunning');
});

it('the limits are lower where the project says so', () => {
  const own = { guard: { unmoved: 1, workflows: { taskie: { tools: 2 } } } };
  project = { ...project, config: { ...project.config, project: own } };
  expect(counted(consult(activity('no'))).asked.limits).toEqual({ unmoved: 1, tools: 2, unknown: 12 });
});

it.each<[Activity['tools'], typeof taskie | typeof idle, string, number]>([
  ['no', taskie, 's1', 3],
  ['no', idle, 's1', 6],
  ['yes', taskie, 's1', 12],
  ['unknown', idle, 's1', 12],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', '../x', '\ud800'].map(
    (session) => ['no', taskie, session, 3] as [Activity['tools'], typeof taskie, string, number],
  ),
])(
  'through the sidecar on disk, tool calls %s in %j hold the session %j so often',
  (tools, workflow, session, times) => {
    let sidecar = newSidecar('toy:a');
    let holds = 0;
    for (; holds < 100; holds++) {
      const result = consult(activity(tools), { sidecar, session }, workflow);
      if (result.kind === 'release') break;
      sidecar = afterHold(result, sidecar, session);
    }
    expect(holds).toBe(times);
    expect(memoryOf(sidecar, 'another')).toBe(NO_GUARD_MEMORY);
  },
);
