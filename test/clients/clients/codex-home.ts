// Codex's home: a config that knows the scripted model, and the plugins as the client itself installs them.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { builtPlugins, codexProgram, marketplace, newFolder } from './place.ts';

/** The part of config.toml that every scenario needs. Retries are off: a failure must show at once. */
export function codexConfig(url: string, project: string): string {
  return `model = "gpt-5.5"
model_provider = "scripted"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 0
stream_max_retries = 0

[projects.${JSON.stringify(project)}]
trust_level = "trusted"
`;
}

/** Installs all plugins once; scenarios copy the result, which costs less than installing it for each. */
export function installTemplate(): string {
  const home = newFolder();
  const env = { PATH: process.env.PATH ?? '', HOME: home, CODEX_HOME: home };
  const codex = (...args: string[]): void => {
    execFileSync(codexProgram, args, { env, stdio: ['ignore', 'ignore', 'pipe'], timeout: 60_000 });
  };
  codex('plugin', 'marketplace', 'add', marketplace);
  for (const name of builtPlugins()) codex('plugin', 'add', `${name}@holdfast`);
  return home;
}

export function copyTemplate(template: string, home: string): void {
  const config = path.join(home, 'config.toml');
  fs.cpSync(path.join(template, 'plugins'), path.join(home, 'plugins'), { recursive: true });
  fs.appendFileSync(config, `\n${fs.readFileSync(path.join(template, 'config.toml'), 'utf8')}`);
}

/** Where the client keeps its copy of a plugin. */
export function cachedPlugin(home: string, name: string): string {
  const versions = path.join(home, '.codex', 'plugins', 'cache', 'holdfast', name);
  const [version] = fs.readdirSync(versions);
  if (version === undefined) throw new Error(`${name} is not installed in ${home}`);
  return path.join(versions, version);
}
