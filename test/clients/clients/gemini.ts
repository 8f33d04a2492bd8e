// Drives Gemini CLI: one prompt (`-p`), also as the continuation of a session. Holdfast is in it as `holdfast install`
// puts it there.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Driven } from '../headless.ts';
import { geminiApi } from '../servers/gemini-api.ts';
import { startModelServer } from '../servers/model-server.ts';
import type { Host, Played } from './host.ts';
import { geminiProgram, othersFolder } from './others.ts';
import { newFolder, pluginFolder } from './place.ts';
import { start } from './program.ts';
import type { Stage } from './stage.ts';

/** Gives the stage what the client needs; `home`: a folder that `geminiHome` has made, else nothing is installed. */
export async function enterGemini(stage: Stage, home: string | null): Promise<void> {
  const server = await startModelServer(geminiApi, stage.cast);
  onTestFinished(() => server.close());
  Object.assign(stage.env, {
    ...geminiEnvironment(stage.env),
    GOOGLE_GEMINI_BASE_URL: server.url,
  });
  if (home !== null)
    fs.cpSync(path.join(home, '.gemini'), path.join(stage.home, '.gemini'), { recursive: true });
  writeSettings(stage.home);
}

/** A home in which Holdfast is installed, once for all scenarios: the client takes seconds for each of its commands. */
export function geminiHome(): string {
  const home = newFolder();
  writeSettings(home);
  const folders = [othersFolder, path.dirname(process.execPath), '/usr/bin', '/bin'].join(':');
  const env = { ...geminiEnvironment({ PATH: folders }), HOME: home };
  execFileSync(path.join(pluginFolder('holdfast'), 'bin', 'holdfast'), ['install', '--client', 'gemini'], {
    cwd: home,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 120_000,
  });
  return home;
}

export const geminiPrompt: Host = {
  mode: 'Gemini CLI -p',
  cli: (stage) => `'${path.join(stage.home, '.gemini', 'extensions', 'holdfast', 'bin', 'holdfast')}'`,
  showsNotices: 'the notice was shown',
  skill: (name, words) => `/${name} ${words}`,
  begin(stage, prompt, options = {}) {
    const resume = options.resume === undefined ? [] : ['--resume', options.resume];
    const flags = ['--output-format', 'stream-json', '--approval-mode', 'yolo', '--skip-trust'];
    const program = start({
      program: geminiProgram,
      args: [...flags, '--model', 'gemini-2.5-pro', ...resume, ...(options.args ?? []), '--prompt', prompt],
      cwd: options.cwd ?? stage.root,
      env: { ...stage.env, ...options.env },
      limitMs: options.limitMs ?? 90_000,
    });
    program.endInput();
    return program;
  },
  async play(stage, prompt, options) {
    const ended = await this.begin(stage, prompt, options).ended;
    return { ...readEvents(ended.stdout, ended.stderr), ...ended };
  },
};

/** As `holdfast run` drives it, in a folder that its user trusts. */
export const drivenGemini: Driven = {
  name: 'gemini',
  program: 'gemini',
  args(stage) {
    stage.env.GEMINI_CLI_TRUST_WORKSPACE = 'true';
    return ['--model', 'gemini-2.5-pro'];
  },
};

/** Loopback only, no telemetry, no update. */
function geminiEnvironment({ PATH }: Record<string, string>): Record<string, string> {
  return {
    PATH: `${othersFolder}:${PATH}`,
    GEMINI_API_KEY: 'scripted',
    GEMINI_TELEMETRY_ENABLED: 'false',
    GEMINI_CLI_NO_RELAUNCH: 'true',
  };
}

export const userSettings = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
};

function writeSettings(home: string, more: object = {}): void {
  fs.mkdirSync(path.join(home, '.gemini'), { recursive: true });
  fs.writeFileSync(path.join(home, '.gemini', 'settings.json'), JSON.stringify({ ...userSettings, ...more }));
}

type Event = { type?: string; role?: string; content?: string; session_id?: string };

function readEvents(stdout: string, stderr: string): Pick<Played, 'result' | 'session' | 'notices'> {
  const events = stdout
    .split('\n')
    .flatMap((line): Event[] => (line.startsWith('{') ? [JSON.parse(line)] : []));
  const said = events.filter(({ type, role }) => type === 'message' && role === 'assistant');
  return {
    result: said.at(-1)?.content ?? '',
    session: events.find(({ session_id }) => session_id !== undefined)?.session_id ?? '',
    notices: stderr.split('\n').flatMap((line) => /^Hook system message: (.*)$/.exec(line)?.[1] ?? []),
  };
}
