// What `holdfast doctor` says of the clients: the built command line against stand-ins for both.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Machine, machine } from '../fixtures/install/machine.ts';

const CORE = 'holdfast@holdfast';
const STOP_KEY = 'holdfast@holdfast:hooks/hooks.json:stop:0:0';

let here: Machine;
afterEach(() => here.project.remove());

describe('what doctor says of the clients', () => {
  it('finds both installed, loaded and trusted', async () => {
    here = machine();
    await here.cli(['install', '--trust']);
    const { exitCode, stdout } = await here.cli(['doctor']);
    expect(stdout).toContain('Claude Code 2.1.197: the plugin is installed and loaded');
    expect(stdout).toContain('Codex 0.166.0: the plugin is installed and its hooks are trusted');
    expect(exitCode).toBe(0);
  });

  it('fails when no client has the plugin and names the command that installs it', async () => {
    here = machine();
    const { exitCode, stdout } = await here.cli(['doctor']);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('FAIL  Claude Code 2.1.197: the Holdfast plugin is not installed in it');
    expect(stdout).toContain('install --client claude');
  });

  it('only notes the client that has no plugin when another has it', async () => {
    here = machine();
    await here.cli(['install', '--client', 'claude']);
    const { exitCode, stdout } = await here.cli(['doctor']);
    expect(stdout).toContain('note  Codex 0.166.0: the Holdfast plugin is not installed in it');
    expect(exitCode).toBe(0);
  });

  it('sees a plugin that Claude Code did not load', async () => {
    here = machine(['claude']);
    await here.cli(['install'], { env: { FAKE_CLAUDE: 'forgets-core' } });
    const { exitCode, stdout } = await here.cli(['doctor']);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('FAIL  Claude Code 2.1.197: alpha did not load: Dependency');
  });

  it('sees that the user switched all hooks off in Claude Code', async () => {
    here = machine(['claude']);
    await here.cli(['install']);
    fs.writeFileSync(here.inHome('.claude/settings.json'), '{"disableAllHooks":true}');
    const { exitCode, stdout } = await here.cli(['doctor']);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('has disableAllHooks');
  });

  it('fails while Codex does not trust the hooks, and says how to fix it', async () => {
    here = machine(['codex']);
    await here.cli(['install']);
    const { exitCode, stdout } = await here.cli(['doctor']);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('does not trust the hooks yet (PreCompact, SessionStart, Stop)');
    expect(stdout).toContain('install --client codex --trust');
  });

  it('notices after an upgrade that Codex no longer trusts the hooks, until that is fixed', async () => {
    here = machine(['codex']);
    await here.cli(['install', '--trust']);
    here.upgradeTo('0.2.0');
    expect((await here.cli(['doctor'])).stdout).toContain(
      'Codex 0.166.0 runs Holdfast 0.1.0, and this is 0.2.0',
    );
    await here.cli(['install']);
    const { exitCode, stdout } = await here.cli(['doctor']);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('no longer trusts the hooks (PreCompact, SessionStart, Stop)');
    await here.cli(['install', '--trust']);
    expect((await here.cli(['doctor'])).exitCode).toBe(0);
  });

  it('sees a hook that was edited in the copy of Codex', async () => {
    here = machine(['codex']);
    await here.cli(['install', '--trust']);
    fs.appendFileSync(path.join(here.codex()?.plugins[CORE]?.folder ?? '', 'hooks', 'stop'), '# edited\n');
    const { stdout } = await here.cli(['doctor']);
    expect(stdout).toContain('no longer trusts the hooks');
  });

  it('sees hooks that are switched off in Codex, one or all', async () => {
    here = machine(['codex']);
    await here.cli(['install', '--trust']);
    here.editCodex((memory) => {
      memory.hookState[STOP_KEY] = { ...memory.hookState[STOP_KEY], enabled: false };
    });
    expect((await here.cli(['doctor'])).stdout).toContain('hooks are switched off: Stop');
    here.editCodex((memory) => {
      memory.hooksOff = true;
    });
    const { exitCode, stdout } = await here.cli(['doctor']);
    expect(stdout).toContain('Codex lists none of its hooks');
    expect(exitCode).toBe(1);
  });

  it('gives the same findings as data', async () => {
    here = machine(['claude']);
    await here.cli(['install']);
    const findings = JSON.parse((await here.cli(['doctor', '--json'])).stdout);
    expect(findings).toContainEqual({
      result: 'good',
      what: 'Claude Code 2.1.197: the plugin is installed and loaded',
      fix: null,
    });
  });
});
