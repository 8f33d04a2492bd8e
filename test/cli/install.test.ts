// `holdfast install`: the built command line against stand-ins for both clients. The real clients are the
// client suite's.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Machine, machine } from '../fixtures/install/machine.ts';

const CORE = 'holdfast@holdfast';

let here: Machine;
afterEach(() => here.project.remove());

describe('install', () => {
  it('puts the core and every workflow into both clients and says that they loaded', async () => {
    here = machine();
    const { exitCode, stdout } = await here.cli(['install']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Claude Code 2.1.197: installed holdfast, alpha, beta for all your projects');
    expect(stdout).toContain('Codex 0.166.0: installed holdfast, alpha, beta for all your projects');
    expect(here.claude()?.marketplace).toBe(here.marketplace);
    expect(here.claude()?.plugins.map(({ id }) => id)).toEqual([CORE, 'alpha@holdfast', 'beta@holdfast']);
    expect(Object.keys(here.codex()?.plugins ?? {})).toEqual([CORE, 'alpha@holdfast', 'beta@holdfast']);
  });

  it('changes nothing in Claude Code the second time and says so', async () => {
    here = machine();
    await here.cli(['install']);
    const before = here.claude();
    const { exitCode, stdout } = await here.cli(['install']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('installed already, and loaded');
    expect(here.claude()).toEqual(before);
  });

  it('keeps the trust in Codex when nothing changed', async () => {
    here = machine(['codex']);
    await here.cli(['install', '--trust']);
    const { stdout } = await here.cli(['install']);
    expect(stdout).toContain('brought up to date');
    expect(stdout).toContain('Codex trusts its hooks');
  });

  it('reports a workflow that Claude Code installed but did not load', async () => {
    here = machine(['claude']);
    const { exitCode, stdout } = await here.cli(['install'], { env: { FAKE_CLAUDE: 'forgets-core' } });
    expect(exitCode).toBe(1);
    expect(stdout).toContain('alpha did not load: Dependency "holdfast@holdfast" is not installed');
    expect(stdout).toContain('holdfast is not there after its installation');
  });

  it('passes on what a client said when it refused, and still serves the other', async () => {
    here = machine();
    const { exitCode, stdout } = await here.cli(['install'], { env: { FAKE_CLAUDE: 'refuses' } });
    expect(exitCode).toBe(1);
    expect(stdout).toContain(
      '`claude plugin install holdfast@holdfast --scope user` failed: Failed to install',
    );
    expect(stdout).toContain('Codex 0.166.0: installed');
  });

  it('serves the one client when the other will not say what is installed', async () => {
    here = machine();
    const { exitCode, stdout } = await here.cli(['install'], { env: { FAKE_CLAUDE: 'broken' } });
    expect(exitCode).toBe(1);
    expect(stdout).toContain('Claude Code: `claude plugin list --json` failed: out of order');
    expect(stdout).toContain('Codex 0.166.0: installed');
  });

  it('is refused where none of those that are there says what is installed', async () => {
    here = machine(['claude']);
    const ran = await here.cli(['install', '--client', 'claude'], { env: { FAKE_CLAUDE: 'broken' } });
    expect(ran).toEqual({
      ...{ exitCode: 1, stdout: '' },
      stderr: 'holdfast: Claude Code: `claude plugin list --json` failed: out of order\n',
    });
    const all = await here.cli(['install'], { env: { FAKE_CLAUDE: 'broken' } });
    expect(all.stderr).toMatch(
      /failed: out of order Codex, .*: not found; there is no `codex`, .* on PATH\.\n$/,
    );
    expect(fs.existsSync(here.inHome('.config/holdfast/node'))).toBe(false);
  });

  it('installs only the workflows that are named', async () => {
    here = machine(['codex']);
    await here.cli(['install', '--workflow', 'beta']);
    expect(Object.keys(here.codex()?.plugins ?? {})).toEqual([CORE, 'beta@holdfast']);
  });

  it('takes several workflows, repeated or with commas', async () => {
    here = machine(['codex']);
    await here.cli(['install', '--workflow', 'beta,alpha', '--workflow', 'alpha']);
    expect(Object.keys(here.codex()?.plugins ?? {})).toEqual([CORE, 'alpha@holdfast', 'beta@holdfast']);
  });

  it('enables a plugin again that was disabled', async () => {
    here = machine(['codex']);
    await here.cli(['install']);
    here.editCodex((memory) => {
      memory.plugins[CORE] = { enabled: false, folder: memory.plugins[CORE]?.folder ?? '' };
    });
    expect((await here.cli(['install'])).exitCode).toBe(0);
    expect(here.codex()?.plugins[CORE]?.enabled).toBe(true);
  });

  it('follows a marketplace folder that was moved', async () => {
    here = machine();
    await here.cli(['install']);
    const moved = `${here.marketplace}-moved`;
    fs.renameSync(here.marketplace, moved);
    const { exitCode } = await here.cli(['install'], { plugin: path.join(moved, 'holdfast') });
    expect(exitCode).toBe(0);
    expect(here.claude()?.marketplace).toBe(moved);
    expect(here.codex()?.marketplace).toBe(moved);
  });

  it('updates the plugins to a new version', async () => {
    here = machine();
    await here.cli(['install']);
    here.upgradeTo('0.2.0');
    const { exitCode } = await here.cli(['install']);
    expect(exitCode).toBe(0);
    expect(here.claude()?.plugins.map(({ version }) => version)).toEqual(['0.2.0', '0.2.0', '0.2.0']);
    expect(here.codex()?.plugins[CORE]?.folder).toMatch(/0\.2\.0$/);
  });

  it('records the path of node for the launcher, once', async () => {
    here = machine(['claude']);
    const first = await here.cli(['install']);
    expect(fs.readFileSync(here.inHome('.config/holdfast/node'), 'utf8')).toBe(`${process.execPath}\n`);
    expect(first.stdout).toContain(`The hooks will use ${process.execPath}`);
    expect((await here.cli(['install'])).stdout).not.toContain('The hooks will use');
  });

  it('installs from the folder the clients remember when it runs from a copy in a client', async () => {
    here = machine(['codex']);
    await here.cli(['install']);
    const copy = here.codex()?.plugins[CORE]?.folder ?? '';
    const { exitCode, stdout } = await here.cli(['install', '--trust'], { plugin: copy });
    expect(stdout).toContain('Codex trusts its hooks');
    expect(exitCode).toBe(0);
    expect(here.codex()?.marketplace).toBe(here.marketplace);
  });

  it('says where to start it when a copy in a client has nothing to install from', async () => {
    here = machine(['claude']);
    const copy = path.join(path.dirname(here.marketplace), 'cache', 'holdfast', '0.1.0');
    fs.cpSync(path.join(here.marketplace, 'holdfast'), copy, { recursive: true });
    const { exitCode, stderr } = await here.cli(['install'], { plugin: copy });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('from the package or checkout Holdfast came in');
  });

  it('does nothing where Holdfast is switched off', async () => {
    here = machine();
    const { exitCode } = await here.cli(['install'], { env: { HOLDFAST_DISABLE: '1' } });
    expect(exitCode).toBe(1);
    expect(here.claude()).toBeUndefined();
  });
});

describe('install --status-line', () => {
  it('sets the line where the client runs a command for it, and says where it does not', async () => {
    here = machine();
    const { exitCode, stdout } = await here.cli(['install', '--status-line']);
    expect(exitCode).toBe(0);
    const settings = here.inHome('.claude/settings.json');
    expect(stdout).toContain(`\nClaude Code: its status line shows Holdfast's runs now (${settings}).\n`);
    expect(stdout).toContain('\nCodex: it runs no command for its status line, so none was set there.\n');
    expect(JSON.parse(fs.readFileSync(settings, 'utf8')).statusLine).toEqual({
      ...{ type: 'command', command: expect.stringMatching(/holdfast status --line$/), refreshInterval: 5 },
    });
    const again = await here.cli(['install', '--status-line']);
    expect(again.stdout).toContain("Claude Code: its status line is Holdfast's already.\n");
  });

  it('is left alone without it, and only shown in a dry run', async () => {
    here = machine(['claude']);
    const { stdout } = await here.cli(['install', '--status-line', '--dry-run']);
    expect(stdout).toContain(`Claude Code: ${here.inHome('.claude/settings.json')} would get {"statusLine":`);
    expect((await here.cli(['install'])).stdout).not.toContain('status line');
    expect(fs.existsSync(here.inHome('.claude/settings.json'))).toBe(false);
  });
});

describe('install --dry-run', () => {
  it('shows the commands and changes nothing', async () => {
    here = machine();
    const { exitCode, stdout } = await here.cli(['install', '--trust', '--dry-run']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`  claude plugin marketplace add ${here.marketplace} --scope user`);
    expect(stdout).toContain('  claude plugin install alpha@holdfast --scope user');
    expect(stdout).toContain('  codex plugin add holdfast@holdfast');
    expect([here.claude(), here.codex()]).toEqual([undefined, undefined]);
    expect(fs.readdirSync(here.project.home)).toEqual([]);
  });
});

describe('wrong usage of install', () => {
  it('knows no such workflow, names those there are, and touches nothing', async () => {
    here = machine();
    const { exitCode, stderr } = await here.cli(['install', '--workflow', 'gamma']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('there is no workflow "gamma". There are: alpha, beta.');
    expect([here.claude(), here.codex()]).toEqual([undefined, undefined]);
  });

  it('knows no such client and no such scope', async () => {
    here = machine();
    expect((await here.cli(['install', '--client', 'emacs'])).exitCode).toBe(2);
    expect((await here.cli(['install', '--scope', 'galaxy'])).exitCode).toBe(2);
    expect((await here.cli(['uninstall', '--client', 'emacs'])).exitCode).toBe(2);
  });

  it('refuses a project scope for Codex, which has none', async () => {
    here = machine();
    const { exitCode, stderr } = await here.cli(['install', '--client', 'codex', '--scope', 'project']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('leave out --scope project');
    expect(here.codex()).toBeUndefined();
  });
});

describe('clients that are not there', () => {
  it('are named, and the one that is there is served', async () => {
    here = machine(['claude']);
    const { exitCode, stdout } = await here.cli(['install']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^Codex, .+: not found; there is no `codex`, .+ on PATH\.$/m);
  });

  it('are a failure when they were asked for', async () => {
    here = machine(['claude']);
    expect((await here.cli(['install', '--client', 'all'])).exitCode).toBe(1);
    expect(here.claude()?.plugins).toHaveLength(3);
    expect((await here.cli(['install', '--client', 'codex'])).exitCode).toBe(1);
  });

  it('are a failure when none is there', async () => {
    here = machine([]);
    const { exitCode, stderr } = await here.cli(['install']);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/there is no `claude`, `codex`, .+ on PATH\. Install one, or put it on PATH/);
    expect(fs.existsSync(here.inHome('.config/holdfast/node'))).toBe(false);
  });
});

describe('the project scope', () => {
  it('installs in this project of Claude Code only and leaves Codex alone', async () => {
    here = machine();
    const { exitCode, stdout } = await here.cli(['install', '--scope', 'project']);
    expect(exitCode).toBe(0);
    expect(here.claude()?.plugins.every(({ projectPath }) => projectPath === here.project.root)).toBe(true);
    expect(here.codex()).toBeUndefined();
    expect(stdout).toContain('Codex: left alone');
    expect(stdout).toContain(`.claude/settings.json now names ${here.marketplace}`);
  });

  it('is added to a user scope that is there, and taken away alone', async () => {
    here = machine(['claude']);
    await here.cli(['install']);
    await here.cli(['install', '--scope', 'project']);
    expect(here.claude()?.plugins).toHaveLength(6);
    expect((await here.cli(['uninstall', '--scope', 'project'])).exitCode).toBe(0);
    expect(here.claude()?.plugins.map(({ scope }) => scope)).toEqual(['user', 'user', 'user']);
    expect(here.claude()?.marketplace).toBe(here.marketplace);
    expect(fs.existsSync(here.inHome('.config/holdfast/node'))).toBe(true);
  });

  it('is taken out of another project too, in that project', async () => {
    here = machine(['claude']);
    await here.cli(['install', '--scope', 'project']);
    const elsewhere = path.join(path.dirname(here.project.root), 'elsewhere');
    fs.mkdirSync(elsewhere);
    const { exitCode } = await here.cli(['uninstall'], { cwd: elsewhere });
    expect(exitCode).toBe(0);
    expect(here.claude()?.plugins).toEqual([]);
    expect(here.claude()?.marketplace).toBeNull();
  });
});

describe('the trust in Codex', () => {
  it('is asked for: each hook is shown, and what to press', async () => {
    here = machine(['codex']);
    const { exitCode, stdout } = await here.cli(['install']);
    expect(exitCode).toBe(0);
    const launcher = path.join(here.codex()?.plugins[CORE]?.folder ?? '', 'hooks', 'stop');
    for (const [event, words] of [
      ['Stop', '--limit 7200'],
      ['PreCompact', 'pre-compact'],
      ['SessionStart', 'session-start'],
    ]) {
      const shown = stdout.split('\n').find((line) => line.trim().startsWith(`${event} `));
      expect(shown).toContain(`[ -x "${launcher}" ] || `);
      expect(shown).toContain(`; exec "${launcher}" ${words}`);
    }
    expect(stdout).toContain('/hooks, then t');
    expect(stdout).toContain('install --client codex --trust');
    expect(here.codex()?.hookState).toEqual({});
  });

  it('is recorded with --trust, beside what the user trusted before', async () => {
    here = machine(['codex']);
    await here.cli(['install']);
    here.editCodex((memory) => {
      memory.hookState.other = { trusted_hash: 'sha256:1' };
    });
    const { exitCode, stdout } = await here.cli(['install', '--trust']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Codex trusts its hooks');
    expect(Object.keys(here.codex()?.hookState ?? {})).toHaveLength(4);
    expect(here.codex()?.hookState.other).toEqual({ trusted_hash: 'sha256:1' });
  });

  it('is a failure when Codex did not take it', async () => {
    here = machine(['codex']);
    const { exitCode, stdout } = await here.cli(['install', '--trust'], { env: { FAKE_CODEX: 'deaf' } });
    expect(exitCode).toBe(1);
    expect(stdout).toContain('Codex did not take the trust');
  });

  it('can be given by hand where the app-server does not answer', async () => {
    here = machine(['codex']);
    const env = { FAKE_CODEX: 'no-server' };
    const plain = await here.cli(['install'], { env });
    expect(plain.exitCode).toBe(0);
    expect(plain.stdout).toContain('could not be read');
    expect(plain.stdout).toContain('/hooks, then t');
    expect((await here.cli(['install', '--trust'], { env })).exitCode).toBe(1);
  });
});
