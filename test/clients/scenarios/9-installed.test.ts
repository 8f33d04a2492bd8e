// Group 9: installed as a user installs it, in every way the clients know.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { claudePlugin } from '../clients/claude-home.ts';
import { cachedPlugin } from '../clients/codex-home.ts';
import { builtPlugins, marketplace, pluginFolder } from '../clients/place.ts';
import { DONE, iterations, startLoop, TASK } from '../loop.ts';
import { claudePrint, codexExec, holdsOf, run, runCli, saw, say, stageFor } from '../scenario.ts';

const loop = (cli: string) => [startLoop(cli), say('One.'), say(DONE)];
const INSTALLED = { plugins: 'installed' } as const;

describe('9. installed', () => {
  it('the marketplace and all plugins pass `claude plugin validate --strict` (Claude Code -p)', async (context) => {
    const stage = await stageFor();
    for (const folder of [marketplace, ...builtPlugins().map(pluginFolder)])
      expect(claudePlugin(stage, 'validate', '--strict', folder)).toMatch(/passed/i);
    saw(context, 'Claude Code -p', `the marketplace and ${builtPlugins().length} plugins`);
  });

  it('with --plugin-dir (Claude Code -p)', async (context) => {
    const stage = await stageFor();
    stage.agent(...loop('holdfast'));
    await claudePrint.play(stage, TASK);
    expect(iterations(holdsOf(stage))).toEqual(['1/10']);
    expect(fs.existsSync(path.join(stage.home, '.claude', 'plugins', 'installed_plugins.json'))).toBe(false);
    saw(context, 'Claude Code -p', 'held and let go, nothing installed');
  });

  it('from the marketplace in user scope, and out again (Claude Code -p)', async (context) => {
    const stage = await stageFor();
    expect(runCli(stage, 'install', '--client', 'claude')).toMatch(/all of it loaded/);
    expect(runCli(stage, 'install', '--client', 'claude')).toMatch(/installed already/);
    stage.agent(...loop('holdfast'));
    await claudePrint.play(stage, TASK, INSTALLED);
    expect(iterations(holdsOf(stage))).toEqual(['1/10']);
    runCli(stage, 'uninstall', '--client', 'claude');
    stage.agent(run('command -v holdfast || echo "it is gone"'), say('Nothing is left.'));
    const after = await claudePrint.play(stage, 'Look again.', INSTALLED);
    expect(stage.cast.of('agent').at(-1)?.last).toContain('it is gone');
    expect(after.stdout).not.toContain('"hook_event":"Stop"');
    expect(stage.exists('.jwz')).toBe(true);
    saw(
      context,
      'Claude Code -p',
      '`holdfast install` twice is once; held and let go; after `uninstall` neither hook nor command, the run stays',
    );
  });

  it('from the marketplace in project scope (Claude Code -p)', async (context) => {
    const stage = await stageFor();
    runCli(stage, 'install', '--client', 'claude', '--scope', 'project');
    expect(stage.exists('.claude/settings.json')).toBe(true);
    stage.agent(...loop('holdfast'));
    await claudePrint.play(stage, TASK, INSTALLED);
    expect(iterations(holdsOf(stage))).toEqual(['1/10']);
    const elsewhere = path.join(path.dirname(stage.root), 'elsewhere');
    fs.mkdirSync(elsewhere);
    stage.agent(run('command -v holdfast || echo "not here"'), say('Not here.'));
    const other = await claudePrint.play(stage, 'Look.', { ...INSTALLED, cwd: elsewhere });
    expect(stage.cast.of('agent').at(-1)?.last).toContain('not here');
    expect(other.stdout).not.toContain('"hook_event":"Stop"');
    saw(context, 'Claude Code -p', 'held and let go in the project, not there in another folder');
  });

  it('untrusted, trusted, and un-trusted by an edit (Codex exec)', async (context) => {
    const stage = await stageFor();
    const trusting = { hookTrust: 'as-recorded' } as const;
    const played = async (): Promise<string[]> => {
      stage.agent(...loop(`'${cachedPlugin(stage.home, 'holdfast')}/bin/holdfast'`), say('Not asked for.'));
      const from = stage.cast.of('agent').length;
      await codexExec.play(stage, TASK, trusting);
      runIdleCancel(stage);
      return stage.cast
        .of('agent')
        .slice(from)
        .flatMap(({ holds }) => iterations(holds));
    };
    expect(runCli(stage, 'install', '--client', 'codex')).toMatch(/trust/i);
    expect(await played()).toEqual([]);
    expect(runCli(stage, 'install', '--client', 'codex', '--trust')).toMatch(/trust/i);
    expect((await played()).at(0)).toBe('1/10');
    expect(doctorSays(stage)).toMatch(/its hooks are trusted/);
    const hooks = path.join(cachedPlugin(stage.home, 'holdfast'), 'hooks', 'hooks.json');
    fs.writeFileSync(
      hooks,
      fs.readFileSync(hooks, 'utf8').replace('whether the work is done', 'whether it is done'),
    );
    expect(await played()).toEqual([]);
    expect(doctorSays(stage)).toMatch(/no longer trusts the hooks/);
    saw(
      context,
      'Codex exec',
      '`holdfast install` alone: the hook is skipped, nobody held; with `--trust`: held and let go; after an edit of the hook file: skipped again, and `holdfast doctor` says so',
    );
  });
});

/** Ends what an unlooked-after run left, so that the next one starts from nothing. */
function runIdleCancel(stage: Parameters<typeof runCli>[0]): void {
  try {
    runCli(stage, 'idle', 'cancel');
  } catch {
    // It ended by itself.
  }
}

/** It exits 1 when something is wrong, which here it should find. */
function doctorSays(stage: Parameters<typeof runCli>[0]): string {
  try {
    return runCli(stage, 'doctor');
  } catch (error) {
    return String((error as { stdout?: string }).stdout);
  }
}
