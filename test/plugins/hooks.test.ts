// The hooks file, as both clients read it.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../support/hook.ts';
import { tempProject } from '../support/project.ts';
import { built, pluginNames, readJson } from './plugins.ts';

type Hook = { type: string; command: string; timeout: number; statusMessage: string };
type HooksFile = { hooks: Record<string, { matcher?: string; hooks: Hook[] }[]> };

const file = readJson<HooksFile>(built, 'holdfast/hooks/hooks.json');
const all = Object.entries(file.hooks).flatMap(([event, groups]) =>
  groups.flatMap(({ hooks }) => hooks.map((hook) => ({ event, ...hook }))),
);

describe('the hooks file', () => {
  it('belongs to the core alone: clients run all stop hooks at once', () => {
    const owners = pluginNames().filter((plugin) => fs.existsSync(path.join(built, plugin, 'hooks')));
    expect(owners).toEqual(['holdfast']);
  });

  it('has the two keys that Codex knows, since any other makes it reject the file, and a hook for each event', () => {
    expect(Object.keys(file).toSorted()).toEqual(['description', 'hooks']);
    expect(all.map(({ event, type }) => [event, type])).toEqual([
      ...['Stop', 'PreCompact', 'SessionStart', 'StopFailure'].map((event) => [event, 'command']),
    ]);
    // The client shows it.
    for (const { statusMessage } of all) expect(statusMessage).toMatch(/^Holdfast is [a-z ]+$/);
    expect(fs.statSync(path.join(built, 'holdfast', 'hooks', 'stop')).mode & 0o111).toBe(0o111);
  });

  it('calls the launcher with the quoted plugin root, the event it is for and the time it has', () => {
    // With `exec`, since a shell that only waits for the launcher would cost every stop a process.
    const launcher = ['"$', '{CLAUDE_PLUGIN_ROOT}/hooks/stop"'].join('');
    const calls = all.map(({ command }) => command.split('; ').at(-1));
    expect(calls).toEqual([
      `exec ${launcher} --limit ${all[0]?.timeout}`,
      `exec ${launcher} pre-compact`,
      `exec ${launcher} session-start`,
      `exec ${launcher} stop-failure`,
    ]);
    for (const { command } of all) expect(command.startsWith(`[ -x ${launcher} ] || `)).toBe(true);
  });

  /** As a client runs it: the plugin's folder put in as text, by the shell. */
  const runCommand = (command: string, plugin: string, cwd: string) =>
    run('/bin/sh', ['-c', command.replaceAll(['$', '{CLAUDE_PLUGIN_ROOT}'].join(''), plugin)], cwd, {
      stdin: '{}',
    });

  it('ends with exit code 0 where its own files are gone: Gemini would hold the agent on 127', async () => {
    const temp = tempProject();
    try {
      for (const { event, command } of all) {
        const ran = await runCommand(command, '/nowhere/at all', temp.root);
        expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
        if (event === 'Stop')
          expect(JSON.parse(ran.stdout).systemMessage).toMatch(/^Holdfast: its own files are gone/);
        else expect(ran.stdout).toBe('');
      }
    } finally {
      temp.remove();
    }
  });

  it('runs from a folder with a blank in its name', async () => {
    const temp = tempProject();
    try {
      const plugin = path.join(temp.home, 'a plugin');
      fs.cpSync(path.join(built, 'holdfast'), plugin, { recursive: true });
      temp.write('.taskie/plans/a-plan/state.json', 'broken');
      const [stop] = all;
      const ran = await runCommand(stop?.command ?? '', plugin, temp.root);
      expect(ran.exitCode).toBe(0);
      expect(ran.stdout).not.toContain('files are gone');
      expect(ran.stdout + ran.stderr).toContain('a-plan');
    } finally {
      temp.remove();
    }
  });

  it('gives a stop more time than the longest review may take', () => {
    const source = fs.readFileSync(path.resolve(import.meta.dirname, '../../src/config/config.ts'), 'utf8');
    const longest = Number(/REVIEW_TIMEOUT_MAX_S = (\d+)/.exec(source)?.[1]);
    expect(all[0]?.timeout).toBeGreaterThanOrEqual(longest + 60);
  });

  it('has a twin for Qwen Code, which takes a timeout of 1000 and more for milliseconds', () => {
    const manifest = readJson<{ name: string; hooks: string }>(built, 'holdfast/qwen-extension.json');
    expect(manifest).toMatchObject({ name: 'holdfast', hooks: 'hooks/qwen.json' });
    const twin = readJson<HooksFile>(built, `holdfast/${manifest.hooks}`);
    expect(Object.keys(twin.hooks)).toEqual(Object.keys(file.hooks));
    const [stop] = twin.hooks.Stop?.[0]?.hooks ?? [];
    expect(stop?.timeout).toBe(7_200_000);
    expect(stop?.command).toMatch(/ --limit 7200000$/);
    const times = Object.values(twin.hooks).flatMap((groups) =>
      groups.flatMap(({ hooks }) => hooks.map(({ timeout }) => timeout / 1000)),
    );
    expect(times).toEqual(all.map(({ timeout }) => timeout));
  });
});
