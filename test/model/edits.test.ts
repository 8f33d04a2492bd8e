// A person may write anything into a state. Whatever it is, the real readers make one of the explored values
// of it: each allowed value of each field, and garbage of every type.

import { describe, expect, it } from 'vitest';
import { readLoop, setField, writeNewState } from '../../src/workflows/claudex/state-format.ts';
import { readBody } from '../../src/workflows/idle/state-format.ts';
import { PHASES } from '../../src/workflows/taskie/phases.ts';
import { NEW_STATE, readState } from '../../src/workflows/taskie/state-format.ts';
import { space as claudex } from './claudex/domains.ts';
import { space as idle } from './idle/domains.ts';
import { editedSpace as taskie, trackedSpace } from './taskie/domains.ts';

const GARBAGE = [undefined, null, true, -1, 1.5, 1e300, '', 'banana', '3', [], ['x'], {}, { a: 1 }];

describe('what a hand edit can leave behind', () => {
  const begun = writeNewState({
    ...{ id: '20261115-100000-abcdef', mode: 'plan', topic: 'x', maxRounds: 3, fromDraft: false },
    ...{ interviewUsed: false, repoRoot: '/x', session: 's', now: 0 },
  });
  const DEFAULT_ROUNDS = 3;

  it.each([
    ['mode', 'mode'],
    ['phase', 'phase'],
    ['round', 'round'],
    ['max_rounds', 'maxRounds'],
    ['decision_signal', 'signal'],
  ] as const)('is an explored value of claudex: %s', (field, name) => {
    const values = [
      '0',
      '-1',
      '1.5',
      'banana',
      '',
      '"',
      '99999999999',
      ...claudex.valuesOf(name).map(String),
    ];
    for (const value of values) {
      const read = readLoop(setField(begun, field, value, 0))[name] ?? DEFAULT_ROUNDS;
      expect(claudex.valuesOf(name), `${field}: ${value}`).toContain(read);
    }
  });

  it.each(['mode', 'iter', 'max', 'carry_on'] as const)('is an explored value of idle: %s', (field) => {
    const name = field === 'carry_on' ? 'carryOn' : field;
    for (const value of [...GARBAGE, ...idle.valuesOf(name)]) {
      const frame = { mode: 'loop', iter: 0, max: 2, [field]: value };
      const read = readBody(JSON.stringify({ schema: 1, event: 'STATE', stack: [frame] }));
      if (read.kind !== 'state') throw new Error(read.kind);
      // A missing limit is the mode's default: a number like the explored ones.
      const missing = field === 'max' && (value === null || value === undefined);
      expect(missing ? 2 : read.loop.stack[0]?.[name], JSON.stringify(value)).toSatisfy((left) =>
        field === 'max' || field === 'iter'
          ? left === 'corrupt' || Number.isSafeInteger(left)
          : idle.valuesOf(name).includes(left),
      );
    }
  });

  it('is a readable loop, or none at all: idle as a whole', () => {
    for (const value of GARBAGE) {
      const kinds = (['event', 'stack', 'schema', 'updated_at'] as const).map(
        (field) => readBody(JSON.stringify({ schema: 1, event: 'STATE', stack: [], [field]: value })).kind,
      );
      for (const kind of kinds) expect(['state', 'not-a-state', 'unreadable']).toContain(kind);
    }
  });

  it.each([
    ['max_reviews', 'maxReviews'],
    ['current_task', 'currentTask'],
    ['phase', 'phase'],
    ['phase_iteration', 'iteration'],
    ['next_phase', 'next'],
    ['review_model', 'model'],
    ['consecutive_clean', 'clean'],
    ['tdd', 'tdd'],
  ] as const)('is an explored value of taskie: %s', (field, name) => {
    const explored = new Set([...taskie.valuesOf(name), ...trackedSpace.valuesOf(name)]);
    for (const value of [...GARBAGE, ...explored]) {
      const read = readState(JSON.stringify({ ...NEW_STATE, [field]: value === 'other' ? 'banana' : value }));
      if (read.kind !== 'known') throw new Error(read.kind);
      const left = read[name];
      // Numbers and names stand for all of their kind.
      const fits =
        explored.has(left) ||
        (typeof left === 'number' && left >= 0) ||
        (name === 'model' && typeof left === 'string') ||
        (name === 'currentTask' && /^\d+$/.test(String(left)));
      expect(fits, `${field}: ${JSON.stringify(value)} became ${JSON.stringify(left)}`).toBe(true);
    }
  });

  it('is never left out: every phase of taskie is explored', () => {
    for (const phase of PHASES) expect(trackedSpace.valuesOf('phase')).toContain(phase);
  });
});
