// Drives Droid: one prompt (`exec`). Holdfast is in it as `holdfast install` puts it
// there.

import fs from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Driven } from '../headless.ts';
import { runCli } from '../scenario.ts';
import { chatApi } from '../servers/chat-api.ts';
import { startModelServer } from '../servers/model-server.ts';
import type { Host, Played } from './host.ts';
import { droidFolder } from './others.ts';
import { pluginFolder } from './place.ts';
import { start } from './program.ts';
import type { Stage } from './stage.ts';

/** Gives the stage what the client needs; installs Holdfast in it where that is wanted. */
export async function enterDroid(stage: Stage, installs: boolean): Promise<void> {
  const server = await startModelServer(chatApi, stage.cast);
  onTestFinished(() => server.close());
  Object.assign(stage.env, {
    PATH: `${droidFolder}:${stage.env.PATH}`,
    // No key is kept outside of HOME, nothing is updated, nothing is sent to its maker.
    FACTORY_DISABLE_KEYRING: 'true',
    FACTORY_DROID_AUTO_UPDATE_ENABLED: 'false',
    FACTORY_AIRGAP_ENABLED: 'true',
    NO_COLOR: '1',
  });
  fs.mkdirSync(path.dirname(settingsFile(stage)), { recursive: true });
  fs.writeFileSync(settingsFile(stage), settings(server.url));
  if (installs) runCli(stage, 'install', '--client', 'droid');
}

export const settingsFile = (stage: Stage): string => path.join(stage.home, '.factory', 'settings.json');

export const droidExec: Host = {
  mode: 'Droid exec',
  cli: () => `'${path.join(pluginFolder('holdfast'), 'bin', 'holdfast')}'`,
  showsNotices: 'the notice was given, but `droid exec` prints no message of a hook',
  hidesNotices: true,
  cannotResume: 'Going on with a session asks its maker, so that was not played',
  skill: (name, words) => `/${name} ${words}`,
  begin(stage, prompt, options = {}) {
    const resume = options.resume === undefined ? [] : ['--session-id', options.resume];
    const flags = ['-o', 'json', '-m', MODEL, '--skip-permissions-unsafe'];
    const program = start({
      program: path.join(droidFolder, 'droid'),
      args: ['exec', ...flags, ...resume, ...(options.args ?? []), prompt],
      cwd: options.cwd ?? stage.root,
      env: { ...stage.env, ...options.env },
      limitMs: options.limitMs ?? 90_000,
    });
    program.endInput();
    return program;
  },
  async play(stage, prompt, options) {
    const ended = await this.begin(stage, prompt, options).ended;
    return { ...readResult(ended.stdout), ...ended };
  },
};

/** As `holdfast run` drives it. */
export const drivenDroid: Driven = { name: 'droid', program: 'droid', args: () => ['--model', MODEL] };

const MODEL = 'custom:Scripted-0';

/** As Droid itself writes it, with a comment that is the user's. */
function settings(url: string): string {
  const model = {
    model: 'scripted',
    id: MODEL,
    index: 0,
    baseUrl: `${url}/v1`,
    apiKey: 'scripted',
    displayName: 'Scripted',
    maxOutputTokens: 4096,
    noImageSupport: true,
    provider: 'generic-chat-completion-api',
  };
  const all = { customModels: [model], enableDroidShield: false, sessionDefaultSettings: { model: MODEL } };
  return `// My own settings.\n${JSON.stringify(all, null, 4)}\n`;
}

function readResult(stdout: string): Pick<Played, 'result' | 'session' | 'notices'> {
  const line = stdout.split('\n').findLast((each) => each.startsWith('{')) ?? '{}';
  const { result = '', session_id: session = '' }: { result?: string; session_id?: string } =
    JSON.parse(line);
  return { result, session, notices: [] };
}
