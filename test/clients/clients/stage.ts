// Where a scenario plays: a git project, an empty HOME beside it, both scripted models, and an environment
// that holds nothing of the machine's own. Everything is removed at the end.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { endProcessesOf } from '../../support/processes.ts';
import { removeFolder } from '../../support/remove-folder.ts';
import { messagesApi } from '../servers/messages-api.ts';
import { type ModelServer, startModelServer } from '../servers/model-server.ts';
import { responsesApi } from '../servers/responses-api.ts';
import { Cast, type Line, type Part } from '../servers/script.ts';
import { codexConfig } from './codex-home.ts';
import { clientFolder, newFolder } from './place.ts';

export type Stage = {
  /** The project's top folder. */
  root: string;
  home: string;
  env: Record<string, string>;
  /** Everyone who talks to a model, through either API. */
  cast: Cast;
  models: { messages: ModelServer; responses: ModelServer };
  /** The agent's lines; a new list replaces what is left of the old one. */
  agent(...lines: Line[]): void;
  part(part: Part): void;
  file(name: string): string;
  write(name: string, text: string): string;
  read(name: string): string;
  exists(name: string): boolean;
  git(...args: string[]): string;
  remove(): Promise<void>;
};

export async function setStage(name = 'project'): Promise<Stage> {
  const folder = newFolder();
  const root = path.join(folder, name);
  const home = path.join(folder, 'home');
  fs.mkdirSync(root, { recursive: true });
  fs.mkdirSync(path.join(home, '.codex'), { recursive: true });
  const cast = new Cast();
  const messages = await startModelServer(messagesApi, cast);
  const responses = await startModelServer(responsesApi, cast);
  const env = environment(home, messages.url);
  const file = (relative: string): string => path.join(root, relative);
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', root, ...args], { env, encoding: 'utf8', timeout: 20_000 });
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', root], { env, timeout: 20_000 });
  git('config', 'user.name', 'A Developer');
  git('config', 'user.email', 'dev@example.com');
  // Codex starts a login shell for each command, and the system's profile sets a PATH of its own.
  fs.writeFileSync(path.join(home, '.profile'), `PATH='${env.PATH}'\n`);
  fs.writeFileSync(path.join(home, '.codex', 'config.toml'), codexConfig(responses.url, root));
  return {
    root,
    home,
    env,
    cast,
    models: { messages, responses },
    agent: (...lines) => cast.give({ name: 'agent', lines }),
    part: (part) => cast.give(part),
    file,
    write(relative, text) {
      fs.mkdirSync(path.dirname(file(relative)), { recursive: true });
      fs.writeFileSync(file(relative), text);
      return file(relative);
    },
    read: (relative) => fs.readFileSync(file(relative), 'utf8'),
    exists: (relative) => fs.existsSync(file(relative)),
    git,
    async remove() {
      endProcessesOf({ home });
      await messages.close();
      await responses.close();
      if (process.env.HOLDFAST_TEST_KEEP === undefined) removeFolder(folder);
    },
  };
}

/** Loopback only, no telemetry, no update, no key that is worth anything. */
function environment(home: string, messagesUrl: string): Record<string, string> {
  return {
    PATH: [clientFolder, path.dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    HOME: home,
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    CODEX_HOME: path.join(home, '.codex'),
    SCRIPTED_KEY: 'scripted',
    ANTHROPIC_BASE_URL: messagesUrl,
    ANTHROPIC_API_KEY: 'sk-ant-scripted-key-for-tests-only',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    // Claude Code refuses to skip permissions as root unless it believes itself in a sandbox.
    IS_SANDBOX: '1',
    NO_PROXY: '127.0.0.1',
    GIT_CONFIG_NOSYSTEM: '1',
  };
}
