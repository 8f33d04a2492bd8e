// Drives Qwen Code: one prompt (`-p`), also as the continuation of a session, with Holdfast as it installs itself there.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Host, Played } from './host.ts';
import { chatModel, folderForFile, node22Folder, othersFolder } from './others.ts';
import { pluginFolder } from './place.ts';
import { start } from './program.ts';
import type { Stage } from './stage.ts';

export const qwenPrint: Host = {
  mode: 'Qwen Code -p',
  cli: (stage) => `'${path.join(extensions(stage.home), 'holdfast', 'bin', 'holdfast')}'`,
  showsNotices: 'the notice was given, but `qwen -p` prints no message of a hook',
  skill: (name, words) => `/${name} ${words}`,
  begin(stage, prompt, options = {}) {
    const program = start({
      program: path.join(othersFolder, 'qwen'),
      args: [
        ...['--approval-mode', 'yolo', '--output-format', 'stream-json'],
        ...(options.resume === undefined ? [] : ['--resume', options.resume]),
        ...(options.args ?? []),
        `--prompt=${prompt}`,
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
export async function enterQwen(stage: Stage, installs: boolean): Promise<void> {
  const { url } = await chatModel(stage);
  const home = path.join(stage.home, '.qwen');
  Object.assign(stage.env, environment(stage.env.PATH ?? ''), { OPENAI_BASE_URL: `${url}/v1` });
  fs.writeFileSync(path.join(stage.home, '.profile'), `PATH='${stage.env.PATH}'\n`);
  if (installs) fs.cpSync(path.join(template(), '.qwen'), home, { recursive: true });
  fs.mkdirSync(home, { recursive: true });
  fs.writeFileSync(path.join(home, 'settings.json'), `${JSON.stringify(SETTINGS, null, 2)}\n`);
}

/** No account, no telemetry, no update. */
const SETTINGS = {
  security: { auth: { selectedType: 'openai' } },
  general: { enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  $version: 4,
};

function environment(PATH: string): Record<string, string> {
  return {
    PATH: [node22Folder, othersFolder, PATH].join(':'),
    OPENAI_API_KEY: 'scripted',
    OPENAI_MODEL: 'scripted',
    NO_COLOR: '1',
    QWEN_CODE_DISABLE_AUTO_UPDATE: '1',
    QWEN_CODE_SUPPRESS_YOLO_WARNING: '1',
  };
}

let installed: string | undefined;

/** A home in which `holdfast install` was run; scenarios copy it, which costs less than installing it for each. */
function template(): string {
  if (installed !== undefined) return installed;
  const home = folderForFile();
  const env = { ...environment(process.env.PATH ?? ''), HOME: home };
  const command = path.join(pluginFolder('holdfast'), 'bin', 'holdfast');
  execFileSync(command, ['install', '--client', 'qwen'], { cwd: home, env, timeout: 120_000 });
  installed = home;
  return home;
}

export const extensions = (home: string): string => path.join(home, '.qwen', 'extensions');

type Event = { type: string; session_id?: string; result?: string };

function readEvents(stdout: string): Pick<Played, 'result' | 'session' | 'notices'> {
  const events = stdout
    .split('\n')
    .flatMap((line): Event[] => (line.startsWith('{') ? [JSON.parse(line)] : []));
  return {
    // All that was said since the last tool call, in one piece (0.24.4).
    result: events.findLast(({ type }) => type === 'result')?.result ?? '',
    session: events.find(({ session_id }) => session_id !== undefined)?.session_id ?? '',
    notices: [],
  };
}
