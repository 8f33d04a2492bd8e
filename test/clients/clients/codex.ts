// Drives Codex: one prompt (`exec`), also as the continuation of a session. The TUI is in terminal.ts.

import fs from 'node:fs';
import path from 'node:path';
import { inject } from 'vitest';
import { cachedPlugin, copyTemplate } from './codex-home.ts';
import type { Host, Played, PlayOptions } from './host.ts';
import { codexProgram } from './place.ts';
import { start } from './program.ts';
import type { Stage } from './stage.ts';

export const codexExec: Host = {
  mode: 'Codex exec',
  cli(stage) {
    installPlugins(stage);
    return `'${cachedPlugin(stage.home, 'holdfast')}/bin/holdfast'`;
  },
  // Neither the events of --json nor the plain output hold a hook's systemMessage (0.166.0).
  showsNotices: 'the notice was given, but `codex exec` prints no message of a hook',
  skill: (name, words) => `$${name} ${words}`,
  begin(stage, prompt, options = {}) {
    installPlugins(stage);
    const program = start({
      program: codexProgram,
      args: ['exec', ...continuing(options), ...flags(options), prompt],
      cwd: options.cwd ?? stage.root,
      env: { ...stage.env, ...options.env },
      ...(options.limitMs === undefined ? {} : { limitMs: options.limitMs }),
    });
    program.endInput();
    return program;
  },
  async play(stage, prompt, options) {
    const ended = await this.begin(stage, prompt, options).ended;
    return { ...readEvents(ended.stdout.split('\n').flatMap(readEvent)), ...ended };
  },
};

/** The plugins as `codex plugin add` left them; installed once for all scenarios. */
export function installPlugins(stage: Stage): void {
  const home = path.join(stage.home, '.codex');
  if (!fs.existsSync(path.join(home, 'plugins'))) copyTemplate(inject('codexTemplate'), home);
}

function continuing({ resume, fork }: PlayOptions): string[] {
  if (fork !== undefined) return ['fork', fork];
  return resume === undefined ? [] : ['resume', resume];
}

/** The agent's shell stays in the client's own sandbox unless a scenario needs it outside. */
function flags({ args = [], hookTrust }: PlayOptions): string[] {
  const free = args.some((arg) => arg === '--dangerously-bypass-approvals-and-sandbox');
  const sandbox = free ? [] : ['-c', 'sandbox_mode="workspace-write"'];
  const trust = hookTrust === undefined ? ['--dangerously-bypass-hook-trust'] : [];
  return ['--json', ...trust, ...sandbox, ...args];
}

type Event = { type: string; thread_id?: string; item?: { type: string; text?: string; message?: string } };

function readEvent(line: string): Event[] {
  if (!line.startsWith('{')) return [];
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}

function readEvents(events: readonly Event[]): Pick<Played, 'result' | 'session' | 'notices'> {
  const said = events.flatMap(({ item }) => (item?.type === 'agent_message' ? [item.text ?? ''] : []));
  return {
    result: said.at(-1) ?? '',
    session: events.find(({ thread_id }) => thread_id !== undefined)?.thread_id ?? '',
    notices: events.flatMap(({ item }) => (item?.type === 'error' ? [item.message ?? ''] : [])),
  };
}
