// The hooks file, as both clients read it.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
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

  it('has no key but the two that Codex knows: any other makes it reject the whole file', () => {
    expect(Object.keys(file).toSorted()).toEqual(['description', 'hooks']);
  });

  it('has one hook for each of the three events', () => {
    expect(all.map(({ event }) => event)).toEqual(['Stop', 'PreCompact', 'SessionStart']);
    expect(all.map(({ type }) => type)).toEqual(['command', 'command', 'command']);
  });

  it('calls the launcher with the quoted plugin root and the event it is for', () => {
    // With `exec`, since a shell that only waits for the launcher would cost every stop a process.
    const launcher = ['exec "$', '{CLAUDE_PLUGIN_ROOT}/hooks/stop"'].join('');
    expect(all.map(({ command }) => command)).toEqual([
      launcher,
      `${launcher} pre-compact`,
      `${launcher} session-start`,
    ]);
  });

  it('gives a stop more time than the longest review may take', () => {
    const source = fs.readFileSync(path.resolve(import.meta.dirname, '../../src/config/config.ts'), 'utf8');
    const longest = Number(/REVIEW_TIMEOUT_MAX_S = (\d+)/.exec(source)?.[1]);
    expect(all[0]?.timeout).toBeGreaterThanOrEqual(longest + 60);
  });

  it('says in plain words what is going on, since the client shows it', () => {
    for (const { statusMessage } of all) expect(statusMessage).toMatch(/^Holdfast is [a-z ]+$/);
  });

  it('names a launcher that can be executed', () => {
    const mode = fs.statSync(path.join(built, 'holdfast', 'hooks', 'stop')).mode;
    expect(mode & 0o111).toBe(0o111);
  });
});
