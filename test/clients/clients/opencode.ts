// Drives opencode: one prompt (`run`), also as the continuation of a session. Holdfast is in it as `holdfast install` puts
// it there.

import fs from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Driven } from '../headless.ts';
import { runCli } from '../scenario.ts';
import { chatApi } from '../servers/chat-api.ts';
import { startModelServer } from '../servers/model-server.ts';
import type { Host, Played } from './host.ts';
import { opencodeProgram, othersFolder } from './others.ts';
import { pluginFolder } from './place.ts';
import { start } from './program.ts';
import type { Stage } from './stage.ts';

/** Gives the stage what the client needs; installs Holdfast in it where that is wanted. */
export async function enterOpencode(stage: Stage, installs: boolean): Promise<void> {
  const server = await startModelServer(chatApi, stage.cast);
  onTestFinished(() => server.close());
  Object.assign(stage.env, {
    PATH: `${othersFolder}:${stage.env.PATH}`,
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    // It wants to install the types of plugins; there is nobody to ask for them.
    npm_config_fetch_retries: '0',
    npm_config_registry: server.url,
  });
  fs.mkdirSync(path.dirname(configFile(stage)), { recursive: true });
  fs.writeFileSync(configFile(stage), JSON.stringify(config(server.url)));
  if (installs) runCli(stage, 'install', '--client', 'opencode');
}

export const configFile = (stage: Stage): string =>
  path.join(stage.home, '.config', 'opencode', 'opencode.json');

export const opencodeRun: Host = {
  mode: 'opencode run',
  cli: () => `'${path.join(pluginFolder('holdfast'), 'bin', 'holdfast')}'`,
  showsNotices: 'the notice was shown',
  skill: (name, words) => `/${name} ${words}`,
  begin(stage, prompt, options = {}) {
    const resume = options.resume === undefined ? [] : ['--session', options.resume];
    const program = start({
      program: opencodeProgram,
      args: ['run', '--auto', '--format', 'json', ...resume, ...(options.args ?? []), prompt],
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

/** As `holdfast run` drives it. */
export const drivenOpencode: Driven = {
  name: 'opencode',
  program: 'opencode',
  args: () => [],
};

/** Loopback only; nothing is shared, nothing is updated. */
function config(url: string): object {
  const model = { name: 'scripted', limit: { context: 100_000, output: 4000 } };
  return {
    autoupdate: false,
    share: 'disabled',
    model: 'scripted/m1',
    small_model: 'scripted/m1',
    provider: {
      scripted: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Scripted',
        options: { baseURL: `${url}/v1`, apiKey: 'scripted' },
        models: { m1: model, m2: model },
      },
    },
  };
}

type Event = { type?: string; sessionID?: string; part?: { text?: string } };

function readEvents(stdout: string, stderr: string): Pick<Played, 'result' | 'session' | 'notices'> {
  const events = stdout
    .split('\n')
    .flatMap((line): Event[] => (line.startsWith('{') ? [JSON.parse(line)] : []));
  return {
    result: events.findLast(({ type }) => type === 'text')?.part?.text ?? '',
    session: events.find(({ sessionID }) => sessionID !== undefined)?.sessionID ?? '',
    notices: stderr.split('\n').filter((line) => line !== ''),
  };
}
