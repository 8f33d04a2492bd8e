import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { bareProject } from '../../test/support/bare-project.ts';
import { NotNow } from '../engine/workflow-cli.ts';
import { makeUserFolder } from '../store/user-state.ts';
import { type ExportState, lockOf, NOTHING_SAID, type RunState, readState, saveState } from './state.ts';

const BASE = 'http://localhost:4318';
const PLACE = `export/${createHash('sha256').update(BASE).digest('hex').slice(0, 32)}.json`;
const RUN: RunState = {
  ...{ began: 'k1', part: 'k2', since: 5, over: false, work: { a1: 7 }, waits: null },
  ...{ said: { checks: true, findings: false }, tokens: null, reviewTokens: 3 },
};
const stateWith = (run: object = {}, journal: object = {}, more: object = {}): ExportState => ({
  ...{ schema: 1, since: 5, series: {} },
  journals: {
    p: {
      cursor: { segment: 1, offset: 2, before: 0 },
      head: { bytes: 2, hash: 'h' },
      runs: { 'idle:a': { ...RUN, ...run } },
      ...journal,
    },
  },
  ...more,
});

it('what nobody has got anything of has counted nothing since now', () => {
  const { env } = bareProject();
  expect(readState(BASE, env, 9)).toEqual({ schema: 1, since: 9, journals: {}, series: {} });
  expect(NOTHING_SAID).toEqual({ checks: false, findings: false });
});

it('a state is kept for each collector, beside its lock', () => {
  const { env } = bareProject();
  saveState(BASE, stateWith(), env);
  expect(readState(BASE, env, 9)).toEqual(stateWith());
  expect(readState(`${BASE}/other`, env, 9)).toMatchObject({ since: 9, journals: {} });
  expect(fs.existsSync(path.join(makeUserFolder(env), PLACE))).toBe(true);
  expect(lockOf(BASE)).toBe(`${PLACE}.lock`);
  saveState(BASE, stateWith({ waits: 8, tokens: 4, over: true }), env);
  expect(readState(BASE, env, 9)).toEqual(stateWith({ waits: 8, tokens: 4, over: true }));
});

describe('a state that cannot be read', () => {
  const { env } = bareProject();
  const file = path.join(makeUserFolder(env), PLACE);
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const refused = new NotNow(
    `${file}, which says how far ${BASE} has got everything, cannot be read. To send all that is kept once more, with counts from 0: rm ${file}`,
  );

  it.each([
    'no JSON',
    stateWith({}, {}, { schema: 2 }),
    stateWith({}, {}, { since: 'x' }),
    stateWith({}, {}, { series: 5 }),
    stateWith({}, {}, { journals: [] }),
    stateWith({}, { cursor: {} }),
    stateWith({}, { head: {} }),
    stateWith({}, { runs: 5 }),
    ...[
      { began: 1 },
      { part: null },
      { since: '5' },
      { over: 'no' },
      { work: { a: 'x' } },
      { waits: 'x' },
      { said: {} },
      { said: { checks: 1, findings: true } },
      { said: { checks: true, findings: 1 } },
      { tokens: 'x' },
      { reviewTokens: null },
    ].map((run) => stateWith(run)),
  ])('is said with how to begin again: %j', (value) => {
    fs.writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
    expect(() => readState(BASE, env, 9)).toThrow(refused);
  });
});
