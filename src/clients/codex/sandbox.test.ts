import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

  it.each([
    ['without a rollout', { transcriptPath: null }, [rowOf('full-access')]],
    ['where the rollout is gone', { transcriptPath: '/nowhere' }, []],
    ['without a row of this turn', { turn: 'another' }, [rowOf('full-access')]],
    ['where a row does not say it', {}, [rowOf('full-access'), withoutProfile()]],
    ['of a kind nobody has seen', {}, [rowOf('full-access').replace('"disabled"', '"external"')]],
  ])('is unknown %s', async (_, more, rows) => {
    expect(await sandboxOf(stopWith(rows, more), env, '/p')).toMatchObject({ kind: 'unknown' });
  });

  it('is unknown where its program is not on PATH, or only where the agent writes', async () => {
    const stop = stopWith([rowOf('read-only')]);
    expect(await sandboxOf(stop, { ...env, PATH: '/nowhere' }, '/p')).toMatchObject({ kind: 'unknown' });
    expect(await sandboxOf(stop, env, folder)).toMatchObject({ kind: 'unknown' });
  });
});

function withoutProfile(): string {
  return rowOf('full-access').replace('"permission_profile":{"type":"disabled"},', '');
}
