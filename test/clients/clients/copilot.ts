// Drives Copilot CLI: one prompt (`-p`), also as the continuation of a session, with Holdfast as it installs itself there.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Host, Played } from './host.ts';
import { chatModel, folderForFile, othersFolder } from './others.ts';
import { pluginFolder } from './place.ts';
import { start } from './program.ts';
import type { Stage } from './stage.ts';

export const copilotPrint: Host = {
  mode: 'Copilot CLI -p',
  cli: () => `'${path.join(pluginFolder('idle'), 'bin', 'holdfast')}'`,
  showsNotices: 'the notice is for the agent to pass on: the client shows none',
  skill: (name, words) => `/${name} ${words}`,
  begin(stage, prompt, options = {}) {
    const program = start({
      program: path.join(othersFolder, 'copilot'),
      args: [
        ...['-p', prompt, '--allow-all', '--output-format', 'json'],
        ...(options.resume === undefined ? [] : ['--resume', options.resume]),
        ...(options.args ?? []),
      ],
      cwd: options.cwd ?? stage.root,
      env: { ...stage.env, ...options.env },
      ...(options.limitMs === undefined ? {} : { limitMs: options.limitMs }),
    });
    program.endInput();
    return program;
  },
  async play(stage, prompt, options) {
    const ended = await this.begin(stage, prompt, options).ended;
    return { ...readEvents(ended.stdout), ...ended };
  },
};

/** Gives the stage what the client needs; with Holdfast in it where that is wanted, installed once for a file. */
export async function enterCopilot(stage: Stage, installs: boolean): Promise<void> {
  const { url } = await chatModel(stage);
  Object.assign(stage.env, environment(stage.env.PATH ?? ''), { COPILOT_PROVIDER_BASE_URL: `${url}/v1` });
  if (installs)
    fs.cpSync(path.join(template(), '.copilot'), path.join(stage.home, '.copilot'), { recursive: true });
}

/** No account, no update, nothing but the user's own model. It unpacks itself into the cache: once is enough. */
function environment(PATH: string): Record<string, string> {
  return {
    PATH: [othersFolder, PATH].join(':'),
    XDG_CACHE_HOME: cache(),
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
    COPILOT_MODEL: 'gpt-5-mini',
    COPILOT_PROVIDER_API_KEY: 'scripted',
    NO_COLOR: '1',
  };
}

let unpacked: string | undefined;
let installed: string | undefined;

function cache(): string {
  unpacked ??= folderForFile();
  return unpacked;
}

/** A home in which `holdfast install` was run; scenarios copy it, which costs less than installing it for each. */
function template(): string {
  if (installed !== undefined) return installed;
  const home = folderForFile();
  const env = { ...environment(process.env.PATH ?? ''), HOME: home };
  const command = path.join(pluginFolder('holdfast'), 'bin', 'holdfast');
  execFileSync(command, ['install', '--client', 'copilot'], { cwd: home, env, timeout: 150_000 });
  installed = home;
  return home;
}

type Event = { type: string; sessionId?: string; data?: { content?: string } };

function readEvents(stdout: string): Pick<Played, 'result' | 'session' | 'notices'> {
  const events = stdout
    .split('\n')
    .flatMap((line): Event[] => (line.startsWith('{') ? [JSON.parse(line)] : []));
  return {
    result: events.findLast(({ type }) => type === 'assistant.message')?.data?.content ?? '',
    session: events.findLast(({ type }) => type === 'result')?.sessionId ?? '',
    notices: [],
  };
}
