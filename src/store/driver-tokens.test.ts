import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DriverToken, dropToken, leaveToken, readToken, takeToken } from './driver-tokens.ts';
import { isFirstNotice } from './notified.ts';

const NOW = Date.UTC(2026, 10, 16);
const DAY = 24 * 60 * 60 * 1000;
const TEN_MINUTES = 10 * 60 * 1000;

let home: string;
let env: { HOME: string };
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-tokens-'));
  env = { HOME: home };
});
afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

const record: DriverToken = { root: '/p', run: 'idle:a', session: null, fresh: true, left: NOW };
const here = { root: '/p', session: 's1', now: NOW };
const folder = (): string => path.join(home, '.local/state/holdfast/driver-tokens');

describe('a token that is left', () => {
  it('is read again, and its file does not give it away', () => {
    const token = leaveToken(record, env);
    expect(token).toMatch(/^[0-9a-f]{32}$/);
    expect(readToken(token, env)).toEqual(record);
    expect(fs.readdirSync(folder())).toHaveLength(1);
    expect(fs.readdirSync(folder())[0]).not.toContain(token);
    expect(readToken('0'.repeat(32), env)).toBeNull();
    expect(readToken('../../other', env)).toBeNull();
  });

  it('voids earlier ones of the same run, and only those', () => {
    const first = leaveToken(record, env);
    const other = leaveToken({ ...record, run: 'idle:b' }, env);
    const elsewhere = leaveToken({ ...record, root: '/q' }, env);
    leaveToken(record, env);
    expect([first, other, elsewhere].map((token) => readToken(token, env)?.run)).toEqual([
      ...[undefined, 'idle:b', 'idle:a'],
    ]);
  });

  it('voids what is older than sixty days, and what cannot be read', () => {
    const old = leaveToken({ ...record, run: 'idle:b', left: NOW - 60 * DAY }, env);
    const older = leaveToken({ ...record, run: 'idle:c', left: NOW - 60 * DAY - 1 }, env);
    fs.writeFileSync(path.join(folder(), 'broken.json'), '{}');
    leaveToken(record, env);
    expect([readToken(old, env)?.run, readToken(older, env)]).toEqual(['idle:b', null]);
    expect(fs.existsSync(path.join(folder(), 'broken.json'))).toBe(false);
  });
});

describe('a token that is taken', () => {
  it('is the first session’s that comes with it, and stays that one’s', () => {
    const token = leaveToken(record, env);
    const taken = { ...record, session: 's1' };
    expect(takeToken(token, here, env)).toEqual(taken);
    expect(readToken(token, env)).toEqual(taken);
    expect(takeToken(token, { ...here, now: NOW + DAY }, env)).toEqual(taken);
    expect(takeToken(token, { ...here, session: 's2' }, env)).toBeNull();
    expect(readToken(token, env)).toEqual(taken);
  });

  it('is for its own project', () => {
    const token = leaveToken(record, env);
    expect(takeToken(token, { ...here, root: '/q' }, env)).toBeNull();
    expect(takeToken('f'.repeat(32), here, env)).toBeNull();
    expect(readToken(token, env)?.session).toBeNull();
  });

  it('waits for ten minutes', () => {
    const token = leaveToken(record, env);
    expect(takeToken(token, { ...here, now: NOW + TEN_MINUTES + 1 }, env)).toBeNull();
    expect(takeToken(token, { ...here, now: NOW + TEN_MINUTES }, env)).toMatchObject({ session: 's1' });
  });

  it('is gone when it is dropped', () => {
    const token = leaveToken({ ...record, forks: true }, env);
    dropToken('../x', env);
    expect(readToken(token, env)?.forks).toBe(true);
    dropToken(token, env);
    expect(readToken(token, env)).toBeNull();
  });
});

describe('a notice', () => {
  it('is the first one once, for each project, session and text', () => {
    const first = (root: string, session: string, notice: string) =>
      isFirstNotice(root, session, notice, env);
    expect([first('/p', 's', 'n'), first('/p', 's', 'n')]).toEqual([true, false]);
    expect([first('/q', 's', 'n'), first('/p', 't', 'n'), first('/p', 's', 'm')]).toEqual([true, true, true]);
  });

  it('is always the first where nothing can be remembered', () => {
    fs.writeFileSync(path.join(home, '.local'), 'a file');
    expect([1, 2].map(() => isFirstNotice('/p', 's', 'n', env))).toEqual([true, true]);
  });
});
