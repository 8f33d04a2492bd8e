// `holdfast uninstall`: the built command line against stand-ins for both clients.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Machine, machine } from '../fixtures/install/machine.ts';

const CORE = 'holdfast@holdfast';

let here: Machine;
afterEach(() => here.project.remove());

describe('uninstall', () => {
  it('leaves no trace but the runs and the config the user wrote', async () => {
    here = machine();
    await here.cli(['install', '--trust']);
    fs.mkdirSync(here.inHome('.local/state/holdfast/next-session'), { recursive: true });
    fs.writeFileSync(here.inHome('.local/state/holdfast/next-session/a.json'), '{}');
    for (const name of ['notified-node', 'told-node'])
      fs.writeFileSync(here.inHome(`.local/state/holdfast/${name}`), '');
    here.project.write('.holdfast/runs/idle-1.json', '{}');
    const { exitCode, stdout } = await here.cli(['uninstall']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Claude Code 2.1.197: removed holdfast, alpha, beta.');
    expect(stdout).toContain('Codex 0.166.0: removed holdfast, alpha, beta, and the trust in its hooks.');
    expect(here.claude()).toMatchObject({ marketplace: null, plugins: [] });
    expect(here.codex()).toMatchObject({ marketplace: null, plugins: {}, hookState: {} });
    const left = fs.readdirSync(here.project.home, { recursive: true, encoding: 'utf8' });
    expect(left.filter((file) => file.includes('holdfast'))).toEqual([]);
    expect(here.project.exists('.holdfast/runs/idle-1.json')).toBe(true);
  });

  it('takes workflows out before the core they need', async () => {
    here = machine(['claude']);
    await here.cli(['install']);
    await here.cli(['uninstall']);
    const removed = here.claude()?.calls.filter((call) => call.includes('uninstall')) ?? [];
    expect(removed.at(-1)).toContain(CORE);
  });

  it("keeps the user's own config file and says so", async () => {
    here = machine(['claude']);
    await here.cli(['install']);
    fs.writeFileSync(here.inHome('.config/holdfast/holdfast.config.json'), '{}');
    const { stdout } = await here.cli(['uninstall']);
    expect(stdout).toContain('Kept your own');
    expect(fs.readdirSync(here.inHome('.config/holdfast'))).toEqual(['holdfast.config.json']);
  });

  it("leaves other plugins' trust in Codex as it was", async () => {
    here = machine(['codex']);
    await here.cli(['install', '--trust']);
    here.editCodex((memory) => {
      memory.hookState.other = { trusted_hash: 'sha256:1' };
    });
    await here.cli(['uninstall']);
    expect(here.codex()?.hookState).toEqual({ other: { trusted_hash: 'sha256:1' } });
  });

  it('keeps the path of node while another client needs it', async () => {
    here = machine();
    await here.cli(['install']);
    const { exitCode, stdout } = await here.cli(['uninstall', '--client', 'claude']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Still installed in Codex');
    expect(fs.existsSync(here.inHome('.config/holdfast/node'))).toBe(true);
  });

  it('is done when there is nothing to do', async () => {
    here = machine();
    const { exitCode, stdout } = await here.cli(['uninstall']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('nothing of Holdfast is installed there');
    expect([here.claude(), here.codex()]).toEqual([undefined, undefined]);
  });

  it('is not held up by an entry of a project that was deleted', async () => {
    here = machine(['claude']);
    const elsewhere = path.join(path.dirname(here.project.root), 'elsewhere');
    fs.mkdirSync(elsewhere);
    await here.cli(['install', '--scope', 'project'], { cwd: elsewhere });
    await here.cli(['install']);
    fs.rmdirSync(elsewhere);
    expect((await here.cli(['uninstall'])).exitCode).toBe(0);
    expect(here.claude()?.plugins.filter(({ scope }) => scope === 'user')).toEqual([]);
    expect(fs.existsSync(here.inHome('.config/holdfast/node'))).toBe(false);
  });

  it('works when the folder it was installed from is gone', async () => {
    here = machine();
    await here.cli(['install']);
    const moved = `${here.marketplace}-moved`;
    fs.renameSync(here.marketplace, moved);
    const { exitCode } = await here.cli(['uninstall'], { plugin: path.join(moved, 'holdfast') });
    expect(exitCode).toBe(0);
    expect(here.claude()).toMatchObject({ marketplace: null, plugins: [] });
    expect(here.codex()?.marketplace).toBeNull();
    expect(here.codex()?.plugins[CORE]).toBeUndefined();
  });

  it('changes nothing in a dry run', async () => {
    here = machine();
    await here.cli(['install', '--trust']);
    const before = [here.claude(), here.codex()];
    const { stdout } = await here.cli(['uninstall', '--dry-run']);
    expect(stdout).toContain('  claude plugin uninstall holdfast@holdfast --scope user');
    expect(stdout).toContain('  codex plugin marketplace remove holdfast');
    expect(stdout).toContain(`${here.inHome('.config/holdfast/node')} would be removed.`);
    expect([here.claude(), here.codex()]).toEqual(before);
  });

  it('is a failure where the client that was named is not there, or will not say', async () => {
    here = machine(['claude']);
    await here.cli(['install']);
    const missing = await here.cli(['uninstall', '--client', 'codex']);
    expect(missing).toEqual({
      ...{ exitCode: 1, stderr: '', stdout: 'Codex: not found; there is no `codex` on PATH.\n' },
    });
    const broken = await here.cli(['uninstall'], { env: { FAKE_CLAUDE: 'broken' } });
    expect(broken.exitCode).toBe(1);
    expect(broken.stdout).toMatch(/^Claude Code: `claude plugin list --json` failed: out of order\n/);
    expect(fs.existsSync(here.inHome('.config/holdfast/node'))).toBe(true);
  });

  it('of one client in a dry run shows nothing of our own files', async () => {
    here = machine();
    await here.cli(['install']);
    const one = await here.cli(['uninstall', '--client', 'claude', '--dry-run']);
    expect(one.exitCode).toBe(0);
    expect(one.stdout).not.toContain('would be removed.');
    const all = await here.cli(['uninstall', '--dry-run']);
    expect(all.stdout).toContain(`${here.inHome('.config/holdfast/node')} would be removed.\n`);
  });
});
