import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import type { Stop } from '../../clients/stop.ts';
import type { Config } from '../../config/config.ts';
import { DEFAULT_CONFIG } from '../../config/config.ts';
import { parseSidecar } from '../../store/parse-records.ts';
import {
  type GuardMemory,
  NO_GUARD_MEMORY,
  NO_WAITS,
  newSidecar,
  type Sidecar,
  type Waits,
} from '../../store/records.ts';
import type { Activity } from '../../text/transcript.ts';
import { askGuard, type GuardResult, memoryOf } from './progress.ts';

let root: string;
let plan: string;

beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-consult-')));
  plan = path.join(root, 'PLAN.md');
  fs.writeFileSync(plan, 'one');
});

afterEach(() => fs.rmSync(root, { recursive: true }));

const taskie = { name: 'taskie', guard: { unmoved: 3, tools: 12 } };
const idle = { name: 'idle', guard: { unmoved: 6, tools: null } };

const config: Config = { ...DEFAULT_CONFIG, review: { ...DEFAULT_CONFIG.review, timeoutMs: 1 } };

function stopOf(session: string | null, settings = config) {
  const stop: Stop = {
    client: 'claude-code',
    session,
    turn: null,
    cwd: root,
    transcriptPath: null,
    lastMessage: null,
    planMode: false,
    backgroundTasks: [],
  };
  const project = {
    root,
    home: path.join(root, '.holdfast'),
    env: {},
    now: 0,
    cli: 'holdfast',
    config: settings,
  };
  return { project, stop };
}

const activity = (tools: Activity['tools'], marker = 'newest'): Activity => ({ tools, marker });

type Asked = {
  sidecar?: Sidecar;
  session?: string | null;
  stateHash?: string;
  workflow?: typeof taskie | typeof idle;
  awaited?: boolean;
  since?: (marker: string | null) => Activity;
};

function consult(seen: Activity, asked: Asked = {}, settings = config): GuardResult {
  const { sidecar = newSidecar('taskie:a'), session = 's1', stateHash = 'h1', workflow = taskie } = asked;
  const { awaited = true, since = () => seen } = asked;
  const now = { stateHash, artifacts: [plan] };
  return askGuard(workflow, stopOf(session, settings), sidecar, now, { since, awaited });
}

function counted(result: GuardResult): Extract<GuardResult, { kind: 'hold' | 'release' }> {
  if (result.kind !== 'hold' && result.kind !== 'release') throw new Error(`not counted but ${result.kind}`);
  return result;
}

/** The sidecar after a hold was committed, as the next stop reads it from disk. */
function afterHold(result: GuardResult, sidecar: Sidecar, session: string, committed = 'h1'): Sidecar {
  const { memory } = counted(result);
  const next = {
    ...sidecar,
    committed: { before: 'h0', after: committed },
    guard: { ...sidecar.guard, [session]: memory },
  };
  const read = parseSidecar(JSON.parse(JSON.stringify(next)));
  if (read.kind !== 'ok') throw new Error('the sidecar cannot be read back');
  return read.record;
}

/** A run that was held once. */
function heldOnce(): Sidecar {
  return afterHold(consult(activity('no', 'first')), newSidecar('taskie:a'), 's1');
}

describe('the guard’s question', () => {
  it('is not asked for a stop that a person fired', () => {
    expect(consult(activity('no'), { session: null })).toEqual({ kind: 'uncounted' });
  });

  it('reads the transcript from the line seen at the last hold', () => {
    const asked: (string | null)[] = [];
    const since = (marker: string | null) => {
      asked.push(marker);
      return activity('yes');
    };

    consult(activity('yes'), { since });
    consult(activity('yes'), { since, sidecar: heldOnce() });

    expect(asked).toEqual([null, 'first']);
  });

  describe('asks to wait for the transcript', () => {
    const onTheBrink = (): Sidecar => {
      const sidecar = heldOnce();
      return { ...sidecar, guard: { s1: { ...memoryOf(sidecar, 's1'), noProgress: 3, noTools: 3 } } };
    };

    it('when the answer depends on a tool call that it does not show', () => {
      const asked = { sidecar: onTheBrink(), awaited: false };
      expect(consult(activity('no'), asked)).toEqual({ kind: 'wait-for-tools', since: 'first' });
    });

    it.each([
      ['when it was waited for already', 'no', { awaited: true }],
      ['when it shows a call', 'yes', {}],
      ['when it cannot tell', 'unknown', {}],
      ['when the state was moved anyhow', 'no', { stateHash: 'other' }],
    ] as const)('not %s', (_, tools, more) => {
      const asked = { sidecar: onTheBrink(), awaited: false, ...more };
      expect(consult(activity(tools), asked).kind).toMatch(/^(hold|release)$/);
    });

    it('not while the guard would hold in either case', () => {
      expect(consult(activity('no'), { sidecar: heldOnce(), awaited: false }).kind).toMatch(
        /^(hold|release)$/,
      );
      expect(consult(activity('no'), { awaited: false }).kind).toMatch(/^(hold|release)$/);
    });
  });

  it('at the first hold has nothing to compare with, whatever the transcript shows', () => {
    const result = counted(consult(activity('yes')));

    expect(result.asked.movement).toEqual({ state: false, artifacts: false, tools: 'no' });
    expect(result).toMatchObject({
      kind: 'hold',
      memory: { held: true, noProgress: 1, noTools: 1, marker: 'newest' },
    });
    expect(result.memory.artifacts.content).not.toBe('');
  });

  it('carries everything that a replay needs', () => {
    expect(counted(consult(activity('no'))).asked).toMatchObject({
      memory: NO_GUARD_MEMORY,
      limits: { unmoved: 3, tools: 12, unknown: 12 },
    });
  });
});

describe('what counts as moved', () => {
  test.each([
    ['the state the hook wrote', 'h1', false],
    ['the state before, when the hook died before writing it', 'h0', false],
    ['any other: a command or a person', 'h2', true],
  ])('%s', (_, stateHash, moved) => {
    expect(counted(consult(activity('no'), { sidecar: heldOnce(), stateHash })).asked.movement.state).toBe(
      moved,
    );
  });

  it('is a file of the run by its content', () => {
    const sidecar = heldOnce();
    fs.writeFileSync(plan, 'two');

    expect(counted(consult(activity('no'), { sidecar })).asked.movement.artifacts).toBe(true);
  });

  it('is not a file that was only touched or written again', () => {
    const sidecar = heldOnce();
    fs.rmSync(plan);
    fs.writeFileSync(plan, 'one');
    fs.utimesSync(plan, 1, 1);

    expect(counted(consult(activity('no'), { sidecar })).asked.movement.artifacts).toBe(false);
  });

  it('is not a state that no hook ever committed', () => {
    const sidecar = { ...heldOnce(), committed: null };

    expect(counted(consult(activity('no'), { sidecar, stateHash: 'h9' })).asked.movement.state).toBe(false);
  });

  it('is a tool call that the transcript shows', () => {
    for (const tools of ['yes', 'no', 'unknown'] as const)
      expect(counted(consult(activity(tools), { sidecar: heldOnce() })).asked.movement.tools).toBe(tools);
  });
});

describe('what is remembered', () => {
  it('after a hold is the files and the transcript as they are now', () => {
    const sidecar = heldOnce();
    fs.writeFileSync(plan, 'two');

    const result = counted(consult(activity('no', 'later'), { sidecar }));

    expect(result.memory.marker).toBe('later');
    expect(result.memory.artifacts).not.toEqual(memoryOf(sidecar, 's1').artifacts);
  });

  it('after letting go is what was there at the last hold, so that any later change shows', () => {
    const sidecar = heldOnce();
    const last: GuardMemory = { ...memoryOf(sidecar, 's1'), noProgress: 3, noTools: 3 };

    const result = counted(
      consult(activity('no', 'later'), { sidecar: { ...sidecar, guard: { s1: last } } }),
    );

    expect(result).toMatchObject({ kind: 'release', first: true, memory: { ...last, released: true } });
  });

  it('is each session’s own', () => {
    const sidecar = heldOnce();

    expect(memoryOf(sidecar, 's1').held).toBe(true);
    expect(memoryOf(sidecar, 's2')).toBe(NO_GUARD_MEMORY);
  });
});

describe('calls of `holdfast wait`', () => {
  const MINUTE = 60_000;
  const movedAfter = (waits: Partial<Waits>, sidecar = heldOnce()) => {
    const called = { ...sidecar, waits: { ...NO_WAITS, ...waits } };
    return counted(consult(activity('yes'), { sidecar: called })).asked.movement;
  };

  it('since the last hold make the rows stand still', () => {
    expect(movedAfter({ calls: 2, callsAtHold: 1, called: MINUTE }).waited).toBe(true);
    const sidecar = { ...heldOnce(), waits: { ...NO_WAITS, calls: 1 } };
    const result = counted(consult(activity('no'), { sidecar }));
    expect(result.kind).toBe('hold');
    expect(result.memory.noTools).toBe(memoryOf(sidecar, 's1').noTools);
  });

  it('before it do not, nor before the first', () => {
    expect(movedAfter({ calls: 2, callsAtHold: 2 })).not.toHaveProperty('waited');
    expect(movedAfter({})).not.toHaveProperty('waited');
    expect(movedAfter({ calls: 1 }, newSidecar('taskie:a'))).not.toHaveProperty('waited');
  });

  it('count for the time they took, and for a minute at least, within wait.work', () => {
    const { workMs } = config.wait;
    expect(movedAfter({ calls: 1, called: workMs }).waited).toBe(true);
    expect(movedAfter({ calls: 1, called: workMs + 1 }).waited).toBeUndefined();
    expect(movedAfter({ calls: workMs / MINUTE }).waited).toBe(true);
    expect(movedAfter({ calls: workMs / MINUTE + 1 }).waited).toBeUndefined();
  });
});

it('says what the last tool output left running', () => {
  expect(consult({ ...activity('yes'), leavesRunning: true })).toMatchObject({ leavesRunning: true });
  expect(consult(activity('yes'))).not.toHaveProperty('leavesRunning');
});

describe('the limits', () => {
  it('are the workflow’s, and lower where the project says so', () => {
    const tight = { ...config, project: { guard: { unmoved: 1, workflows: { taskie: { tools: 2 } } } } };

    expect(counted(consult(activity('no'), { workflow: idle })).asked.limits).toEqual({
      unmoved: 6,
      tools: null,
      unknown: 12,
    });
    expect(counted(consult(activity('no'), {}, tight)).asked.limits).toEqual({
      unmoved: 1,
      tools: 2,
      unknown: 12,
    });
  });

  function holds(tools: Activity['tools'], workflow: typeof taskie | typeof idle, session = 's1'): number {
    let sidecar = newSidecar('toy:a');
    for (let count = 0; count < 100; count++) {
      const result = consult(activity(tools), { sidecar, session, workflow });
      if (counted(result).kind === 'release') return count;
      sidecar = afterHold(result, sidecar, session);
    }
    return Number.POSITIVE_INFINITY;
  }

  test.each([
    ['no', taskie, 3],
    ['no', idle, 6],
    ['yes', taskie, 12],
    ['unknown', taskie, 12],
    ['unknown', idle, 12],
  ] as const)(
    'are kept through the sidecar on disk: tool calls %s in %j, %i holds',
    (tools, workflow, expected) => {
      expect(holds(tools, workflow)).toBe(expected);
    },
  );

  test.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '', '../x', '\ud800'])(
    'bound a session called %j like any other',
    (session) => {
      expect(holds('no', taskie, session)).toBe(3);
    },
  );
});
