import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
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

  it('is unknown where none of several is the tightest', async () => {
    const here = profileOf('workspace-write');
    const elsewhere = JSON.parse(JSON.stringify(here).replaceAll('/home/dev/project', '/home/dev/other'));
    expect(tightestOf([here, elsewhere])).toBeNull();
    // One may write less, the other may not reach the network.
    const offline = { ...profileOf('network').profile, network: 'restricted' };
    const online = { ...here.profile, network: 'enabled' };
    expect(
      tightestOf([
        { ...here, profile: offline },
        { ...here, profile: online },
      ]),
    ).toBeNull();
    // The same folders, but one leaves `.git` open.
    const open = JSON.parse(JSON.stringify(here).replaceAll(/,\{"path":\{[^}]*\.git"\}[^}]*\}/g, ''));
    expect(tightestOf([open, here])).toBe(here);
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

describe('which of two sandboxes is the narrower', () => {
  const ROOT = { path: { type: 'special', value: { kind: 'root' } }, access: 'read' };
  const TMP = { path: { type: 'special', value: { kind: 'slash_tmp' } }, access: 'write' };
  const at = (place: string, access: string) => ({ path: { type: 'path', path: place }, access });
  const managed = (entries: readonly object[], network = 'restricted'): TurnProfile => ({
    profile: { type: 'managed', network, file_system: { type: 'restricted', entries } },
    cwd: '/p',
  });
  const external: TurnProfile = { profile: { type: 'external' }, cwd: '/p' };
  const disabled: TurnProfile = { profile: { type: 'disabled' }, cwd: '/p' };
  const readOnly = managed([ROOT]);
  const silentOfFiles: TurnProfile = { profile: { type: 'managed', network: 'restricted' }, cwd: '/p' };
  const unseen: TurnProfile = { profile: { ...readOnly.profile, file_system: { type: 'open' } }, cwd: '/p' };

  it.each([
    ['one that writes nothing', readOnly, managed([ROOT, at('/p', 'write')])],
    ['one without a network', readOnly, managed([ROOT], 'enabled')],
    ['any but none at all', external, disabled],
    [
      'one that takes away more',
      managed([ROOT, at('/p', 'write'), at('/p/.git', 'read')]),
      managed([ROOT, at('/p', 'write')]),
    ],
    ['one that writes less', managed([ROOT, at('/p', 'write')]), managed([ROOT, at('/p', 'write'), TMP])],
    [
      'one that does not write what the other takes something away from',
      managed([ROOT, at('/p', 'write')]),
      managed([ROOT, at('/p', 'write'), TMP, at('/tmp/x', 'read')]),
    ],
    [
      'one that writes nothing, whatever the other takes away',
      readOnly,
      managed([ROOT, at('/p', 'write'), at('/q/.git', 'read')]),
    ],
  ])('is %s', (_, narrow, wide) => {
    expect(tightestOf([narrow, wide])).toBe(narrow);
    expect(tightestOf([wide, narrow])).toBe(narrow);
  });

  it.each([
    ['of a kind nobody has seen', external, readOnly],
    ['whose files are told in another way', unseen, managed([ROOT], 'enabled')],
    ['that do not say that all may be read', managed([at('/p', 'write')]), managed([at('/q', 'write')])],
    [
      'of which neither says that all may be read, though one writes less',
      managed([at('/p', 'write')]),
      managed([at('/p', 'write'), TMP]),
    ],
    ['of which one says nothing of files', silentOfFiles, managed([ROOT], 'enabled')],
    [
      'of which one hides something from reading',
      readOnly,
      managed([ROOT, at('/p', 'write'), at('/s', 'none')]),
    ],
    [
      'of which the other protects what this one writes',
      managed([ROOT, at('/p', 'write')]),
      managed([ROOT, at('/p', 'write'), at('/p/.git', 'read'), TMP]),
    ],
    [
      'of which the other protects something that neither writes',
      managed([ROOT, at('/p', 'write')]),
      managed([ROOT, at('/p', 'write'), at('/q', 'read'), TMP]),
    ],
  ])('is not told of two %s', (_, one, other) => {
    expect(tightestOf([one, other])).toBeNull();
    expect(tightestOf([other, one])).toBeNull();
  });

  it('is the first of two that say the same, and nothing without any', () => {
    const [one, other] = [managed([ROOT]), managed([ROOT])];
    expect(tightestOf([one, other])).toBe(one);
    expect(tightestOf([external, { ...external }])).toBe(external);
    expect(tightestOf([])).toBeNull();
  });
});

function asOther(row: string): string {
  return row.replace('"type":"turn_context"', '"type":"note","was":"turn_context"');
}

function withoutProfile(): string {
  return rowOf('full-access').replace('"permission_profile":{"type":"disabled"},', '');
}
