import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { matchTable } from '../../../test/support/golden.ts';
import { recordedLines } from '../../../test/support/recorded.ts';
import { parseObject } from '../fields.ts';
import type { Stop } from '../stop.ts';
import { codex } from './index.ts';
import { sandboxOf, type TurnProfile, tightestOf } from './sandbox.ts';

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-codex-')));
const program = path.join(folder, 'codex');
const bin = path.join(folder, 'bin');
const env = { PATH: bin, HOME: folder };

beforeAll(() => {
  fs.mkdirSync(bin);
  fs.writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  fs.symlinkSync(program, path.join(bin, 'codex-linux-sandbox'));
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

const rowOf = (name: string): string => recordedLines(`codex/rollout-${name}.jsonl`)[0] ?? '';

function profileOf(name: string): TurnProfile {
  const { payload } = JSON.parse(rowOf(name));
  return { profile: payload.permission_profile, cwd: payload.cwd };
}

/** As if all rows were of one turn. */
function stopWith(rows: readonly string[], more: Partial<Stop> = {}): Stop {
  const rollout = path.join(folder, 'rollout-x.jsonl');
  const turn = '00000000-0000-4000-8000-000000000001';
  fs.writeFileSync(rollout, rows.map((row) => `${row}\n`).join(''));
  const stop = codex.decode({ session_id: 's', turn_id: turn, transcript_path: rollout, cwd: folder });
  return { ...stop, ...more };
}

describe('the sandbox of a session of Codex', () => {
  it('is none where this turn had none', async () => {
    expect(await sandboxOf(stopWith([rowOf('full-access')]), env, '/p')).toEqual({ kind: 'none' });
  });

  it('is what the rollout says of this turn, by the client’s own program', async () => {
    const other = rowOf('full-access').replaceAll('000000000001', '000000000009');
    const stop = stopWith([rowOf('workspace-write'), other, '{"type":"turn_context"', 'half a li']);
    const sandbox = await sandboxOf(stop, env, '/p');
    const argv = sandbox.kind === 'wrap' ? sandbox.argv(['npm', 'test']) : [];
    expect(argv.slice(0, 3)).toEqual([program, 'sandbox', '--sandbox-state-json']);
    expect(argv.slice(4)).toEqual(['--', 'npm', 'test']);
    expect(parseObject(argv[3] ?? '')).toEqual({
      permissionProfile: profileOf('workspace-write').profile,
      sandboxCwd: 'file:///home/dev/project',
      codexLinuxSandboxExe: null,
      useLegacyLandlock: false,
    });
  });

  it('is the tightest of this turn', () => {
    const all = ['full-access', 'network', 'workspace-write', 'read-only'].map(profileOf);
    for (const count of [1, 2, 3, 4]) {
      const some = all.slice(0, count);
      expect(tightestOf(some)).toBe(some.at(-1));
      expect(tightestOf(some.toReversed())).toBe(some.at(-1));
    }
  });

  it('is not the one that leaves `.git` open', () => {
    const here = profileOf('workspace-write');
    const open = JSON.parse(JSON.stringify(here).replaceAll(/,\{"path":\{[^}]*\.git"\}[^}]*\}/g, ''));
    expect(open).not.toEqual(here);
    expect(tightestOf([open, here])).toBe(here);
    expect(tightestOf([])).toBeNull();
  });

  const rollout = path.join(folder, 'rollout-x.jsonl');
  const silent = (file: string): string => `its rollout ${file} does not tell its sandbox`;
  const none = 'this session keeps no rollout (--ephemeral), and nothing else tells its sandbox';

  it.each([
    ['without a rollout', { transcriptPath: null }, [rowOf('full-access')], none],
    ['without a turn', { turn: null }, [rowOf('full-access')], none],
    ['where the rollout is gone', { transcriptPath: '/nowhere' }, [], silent('/nowhere')],
    ['where the rollout is a folder', { transcriptPath: folder }, [], silent(folder)],
    ['without a row of this turn', { turn: 'another' }, [rowOf('full-access')], silent(rollout)],
    ['with rows of another kind alone', {}, [asOther(rowOf('full-access'))], silent(rollout)],
    ['where a row does not say it', {}, [rowOf('full-access'), withoutProfile()], silent(rollout)],
    ['where a row does not say where', {}, [rowOf('full-access').replace('"cwd"', '"pwd"')], silent(rollout)],
    [
      'of a kind nobody has seen',
      {},
      [rowOf('full-access').replace('"disabled"', '"external"')],
      'nothing is known of its sandbox of the kind "external"',
    ],
    [
      'where none of several is the narrowest',
      {},
      [rowOf('workspace-write'), rowOf('workspace-write').replaceAll('/home/dev/project', '/home/dev/other')],
      'this turn had several sandboxes, and none of them is the narrowest',
    ],
  ])('is unknown %s', async (_, more, rows, why) => {
    expect(await sandboxOf(stopWith(rows, more), env, '/p')).toEqual({ kind: 'unknown', why });
  });

  it('is unknown on another system than Linux, unless there is none', async () => {
    const { platform } = process;
    Object.defineProperty(process, 'platform', { value: 'darwin' });
    onTestFinished(() => void Object.defineProperty(process, 'platform', { value: platform }));
    expect(await sandboxOf(stopWith([rowOf('read-only')]), env, '/p')).toEqual({
      kind: 'unknown',
      why: 'running checks in its sandbox was measured on Linux only',
    });
    expect(await sandboxOf(stopWith([rowOf('full-access')]), env, '/p')).toEqual({ kind: 'none' });
  });

  it('is unknown where its program is not on PATH, or only where the agent writes', async () => {
    const stop = stopWith([rowOf('read-only')]);
    const why =
      process.platform === 'linux'
        ? 'its program is not on PATH (`codex-linux-sandbox`)'
        : 'running checks in its sandbox was measured on Linux only';
    expect(await sandboxOf(stop, { ...env, PATH: '/nowhere' }, '/p')).toEqual({ kind: 'unknown', why });
    expect(await sandboxOf(stop, env, folder)).toEqual({ kind: 'unknown', why });
  });
});

/** As golden/sandbox.txt names it: what it may read, write or not see at all, and whether it reaches the network. */
function profileFrom(text: string): TurnProfile {
  const words = text.trim().split(' ');
  const access: Record<string, string> = { r: 'read', w: 'write', n: 'none' };
  const entries = words.flatMap((word) => {
    if (word === 'root') return { path: { type: 'special', value: { kind: 'root' } }, access: 'read' };
    if (word === 'tmp') return { path: { type: 'special', value: { kind: 'slash_tmp' } }, access: 'write' };
    return word[1] === '/'
      ? { path: { type: 'path', path: word.slice(1) }, access: access[word[0] ?? ''] }
      : [];
  });
  if (text.trim() === 'external' || text.trim() === 'disabled')
    return { profile: { type: text.trim() }, cwd: '/p' };
  const type = words.includes('open') ? 'open' : 'restricted';
  const files = words.includes('silent') ? {} : { file_system: { type, entries } };
  const network = words.includes('+network') ? 'enabled' : 'restricted';
  return { profile: { type: 'managed', network, ...files }, cwd: '/p' };
}

it('of two sandboxes the narrower one is known, in either order, or none', () =>
  matchTable(import.meta.dirname, 'sandbox', {
    'the narrower of two sandboxes': (text) => {
      const two = text.split(';').map(profileFrom);
      const found = [two, two.toReversed()].map((each) => tightestOf(each));
      return found
        .map((each) => (each === null ? 'none' : ['first', 'second'][two.indexOf(each)]))
        .join(', ');
    },
  }));

function asOther(row: string): string {
  return row.replace('"type":"turn_context"', '"type":"note","was":"turn_context"');
}

function withoutProfile(): string {
  return rowOf('full-access').replace('"permission_profile":{"type":"disabled"},', '');
}
