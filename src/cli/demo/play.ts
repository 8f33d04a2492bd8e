// Plays one demonstration: a temp git project, the agent's turns, the real hook after each.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { clients } from '../../clients/index.ts';
import { userConfigPath } from '../../config/config.ts';
import type { Demo, DemoTurn, Stage } from '../../engine/demo.ts';
import type { Environment } from '../../store/environment.ts';
import { isObject, parseJson } from '../../store/json.ts';
import { readOwn, writeTemporary } from '../../store/open.ts';
import { makeStageFolder } from '../../store/stage-folder.ts';
import { makeTranscript } from './transcript.ts';

export type PlayedEvent =
  | { kind: 'agent'; does: string; says: string }
  | { kind: 'hold'; reason: string; notice: string | null }
  | { kind: 'allow'; notice: string | null }
  | { kind: 'state'; before: string; after: string }
  | { kind: 'files'; names: readonly string[] };

export type Played = {
  workflow: string;
  folder: string;
  events: readonly PlayedEvent[];
  /** The last stop was allowed and nothing is outstanding. */
  cameToItsEnd: boolean;
};

const SESSION = 'demo-session';

/** The agent's shell is that of the first client. */
const SESSION_VARIABLE = clients.flatMap(({ sessionVariables }) => sessionVariables)[0] ?? '';

export async function playDemo(
  workflow: string,
  demo: Demo,
  keep: boolean,
  tell: (event: PlayedEvent) => Promise<void>,
  env: Environment,
): Promise<Played> {
  const folder = fs.realpathSync(makeStageFolder(`demo-${workflow}`, env));
  const theatre = new Theatre(folder, demo);
  const events: PlayedEvent[] = [];
  const show = async (event: PlayedEvent): Promise<void> => {
    events.push(event);
    await tell(event);
  };
  try {
    await theatre.prepare();
    for (const turn of demo.turns) for (const event of await theatre.play(turn)) await show(event);
    await show({ kind: 'files', names: theatre.files() });
    return { workflow, folder, events, cameToItsEnd: await theatre.isOver() };
  } finally {
    if (!keep) fs.rmSync(folder, { recursive: true, force: true });
  }
}

class Theatre {
  readonly #root: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #demo: Demo;
  readonly #transcript: ReturnType<typeof makeTranscript>;
  #reason = '';
  #stage = 'nothing yet';

  constructor(folder: string, demo: Demo) {
    this.#root = path.join(folder, 'project');
    this.#demo = demo;
    this.#transcript = makeTranscript(path.join(folder, 'transcript.jsonl'));
    this.#env = {
      PATH: `${path.join(folder, 'bin')}:${path.dirname(process.execPath)}:${process.env.PATH ?? ''}`,
      HOME: path.join(folder, 'home'),
      HOLDFAST_NODE: process.execPath,
      [SESSION_VARIABLE]: SESSION,
      NO_COLOR: '1',
    };
  }

  async prepare(): Promise<void> {
    const folder = path.dirname(this.#root);
    for (const name of ['project', 'home', 'bin']) fs.mkdirSync(path.join(folder, name));
    for (const [name, script] of Object.entries(this.#demo.programs))
      writeTemporary(path.join(folder, 'bin', name), script, { mode: 0o755 });
    if (this.#demo.config !== undefined) {
      const file = userConfigPath(this.#env);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      writeTemporary(file, JSON.stringify(this.#demo.config, null, 2));
    }
    await this.#run('git', ['init', '--quiet', '.']);
  }

  /** The agent's turn and what came of it. */
  async play(turn: DemoTurn): Promise<PlayedEvent[]> {
    const before = this.#stage;
    await turn.act(this.#asStage());
    this.#transcript.add(turn.does, turn.says);
    const answer = await this.#stop(turn.says);
    this.#stage = await this.#whereItStands();
    const moved: PlayedEvent[] =
      before === this.#stage ? [] : [{ kind: 'state', before, after: this.#stage }];
    return [{ kind: 'agent', does: turn.does, says: turn.says }, answer, ...moved];
  }

  async isOver(): Promise<boolean> {
    const { runs } = JSON.parse(await this.#cli(['status', '--json']));
    return (
      this.#reason === '' && Array.isArray(runs) && runs.every((run) => isObject(run) && run.live === false)
    );
  }

  files(): string[] {
    const list = fs.readdirSync(this.#root, { recursive: true, encoding: 'utf8' });
    const hidden = ['.git', '.holdfast'];
    return list
      .filter((name) => !hidden.some((folder) => name === folder || name.startsWith(folder + path.sep)))
      .filter((name) => fs.statSync(path.join(this.#root, name)).isFile())
      .sort();
  }

  async #stop(says: string): Promise<PlayedEvent> {
    const payload = {
      session_id: SESSION,
      transcript_path: this.#transcript.file,
      cwd: this.#root,
      prompt_id: 'demo-prompt',
      permission_mode: 'default',
      hook_event_name: 'Stop',
      stop_hook_active: this.#reason !== '',
      last_assistant_message: says,
    };
    const output = await this.#run(
      path.resolve(__dirname, '..', 'hooks', 'stop'),
      [],
      JSON.stringify(payload),
    );
    const answer = parseJson(output);
    const notice = isObject(answer) && typeof answer.systemMessage === 'string' ? answer.systemMessage : null;
    this.#reason = isObject(answer) && typeof answer.reason === 'string' ? answer.reason : '';
    // A temp folder's long name says nothing; everything in the project is named from its root.
    const reason = this.#reason.replaceAll(`${this.#root}/`, '');
    return reason === '' ? { kind: 'allow', notice } : { kind: 'hold', reason, notice };
  }

  async #whereItStands(): Promise<string> {
    const { runs } = JSON.parse(await this.#cli(['status', '--json']));
    return Array.isArray(runs) ? runs.map((run) => (isObject(run) ? String(run.stage) : '')).join('; ') : '';
  }

  #asStage(): Stage {
    return {
      root: this.#root,
      cli: (args, stdin) => this.#cli(args, stdin),
      shell: (line) => this.#run('/bin/sh', ['-c', line]),
      write: (file, content) => {
        fs.mkdirSync(path.dirname(path.join(this.#root, file)), { recursive: true });
        writeTemporary(path.join(this.#root, file), content);
      },
      read: (file) => readOwn(path.join(this.#root, file)),
      lastReason: () => this.#reason,
    };
  }

  #cli(args: readonly string[], stdin = ''): Promise<string> {
    return this.#run(process.execPath, [path.resolve(__dirname, '..', 'bin', 'holdfast'), ...args], stdin);
  }

  #run(program: string, args: readonly string[], stdin = ''): Promise<string> {
    return new Promise((resolve, reject) => {
      const child = spawn(program, args, { cwd: this.#root, env: this.#env, timeout: 20_000 });
      let stdout = '';
      let stderr = '';
      child.stdout.on('data', (chunk) => {
        stdout += chunk;
      });
      child.stderr.on('data', (chunk) => {
        stderr += chunk;
      });
      child.stdin.on('error', () => {});
      child.stdin.end(stdin);
      child.on('error', reject);
      child.on('close', (code) =>
        code === 0
          ? resolve(stdout)
          : reject(
              new Error(
                `the demo's ${path.basename(program)} ${args[0] ?? ''} ended with ${code}: ${stderr.trim()}`,
              ),
            ),
      );
    });
  }
}
