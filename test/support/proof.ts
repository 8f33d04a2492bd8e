// A project with checks, as the engine sees it.

import fs from 'node:fs';
import path from 'node:path';
import { CONFIG_NAME, loadConfig, userConfigPath } from '../../src/config/config.ts';
import type { ConfigFile } from '../../src/config/schema.ts';
import type { Project } from '../../src/engine/project.ts';
import type { Environment } from '../../src/store/environment.ts';
import { homeOf } from '../../src/store/home.ts';
import type { TempProject } from './project.ts';

export type Files = { own?: ConfigFile | string | null; user?: ConfigFile | string | null };

/** With these config files; one that is not named stays as it is, null removes it. */
export async function openProject(
  { root, home }: Pick<TempProject, 'root' | 'home'>,
  { own, user }: Files = {},
  now = Date.now(),
  env: Environment = { HOME: home, PATH: process.env.PATH },
): Promise<Project> {
  put(path.join(root, CONFIG_NAME), own);
  put(userConfigPath(env), user);
  return { root, home: homeOf(root), env, now, cli: 'holdfast', config: await loadConfig(root, env) };
}

function put(file: string, content: ConfigFile | string | null | undefined): void {
  if (content === undefined) return;
  fs.rmSync(file, { force: true });
  if (content === null) return;
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
}
