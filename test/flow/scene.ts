// A project with flows and checks of the user's own, an agent in a session, and a scripted reviewer on its PATH. All of it
// through the built hook and command line.

import fs from 'node:fs';
import path from 'node:path';
import type { StopEntry } from '../../src/store/journal-lines.ts';
import { atTheEnd } from '../support/at-the-end.ts';
import { type Fired, fireHook, type HookAnswer, type Ran, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';
import { journalOf } from '../toy/scene.ts';

export const SESSION = 'f10e0000-0000-4000-8000-00000000abcd';

const REVIEWER = path.resolve(import.meta.dirname, '../fixtures/taskie/bin');

export type FlowScene = TempProject & {
  flow(name: string, text: string): void;
  /** The user's own checks, which are trusted: name → shell. */
  checks(checks: Record<string, string>): void;
  /** What the reviewer does, call by call. */
  reviewer(...calls: readonly string[]): void;
  reviews(): readonly { args: readonly string[] }[];
  agent(...args: readonly string[]): Promise<Ran>;
  /** Starts, and fails where it does not; answers with what was printed. */
  start(name: string, task?: string): Promise<string>;
  stop(message: string, more?: object, args?: readonly string[]): Promise<HookAnswer>;
  /** `args`: as the client's hooks file has them. */
  fire(message: string, more?: object, args?: readonly string[]): Promise<Fired>;
  /** The run's state, as it is written. */
  state(): Record<string, unknown>;
  /** A file in the run's folder. */
  runFile(name: string): string;
  sidecar(): Record<string, unknown>;
  journal(): StopEntry[];
};

export function flowScene(): FlowScene {
  const project = tempProject();
  atTheEnd(() => project.remove());
  const { root, home } = project;
  const script = path.join(home, 'reviewer.json');
  const log = path.join(home, 'reviewer.log');
  const env = {
    ...{ HOME: home, PATH: `${REVIEWER}:${process.env.PATH}`, CLAUDE_CODE_SESSION_ID: SESSION },
    ...{ FAKE_CLAUDE_SCRIPT: script, FAKE_CLAUDE_LOG: log },
  };
  let turns = 0;
  const agent = (...args: readonly string[]): Promise<Ran> => runCli(root, args, { env });
  const fire: FlowScene['fire'] = (message, more = {}, args = []) =>
    fireHook(
      root,
      {
        ...{ session_id: SESSION, cwd: root, prompt_id: `p${++turns}`, hook_event_name: 'Stop' },
        ...{ stop_hook_active: false, last_assistant_message: message, ...more },
      },
      { env, args },
    );
  const runs = path.join(root, '.holdfast/flow');
  const runFile = (name: string): string => {
    const [run] = fs.readdirSync(runs);
    if (run === undefined) throw new Error('there is no run');
    return path.join(runs, run, name);
  };
  return {
    ...project,
    flow: (name, text) => void project.write(`holdfast.flows/${name}.yaml`, text),
    checks(checks) {
      const folder = path.join(home, '.config/holdfast');
      fs.mkdirSync(folder, { recursive: true });
      const all = Object.entries(checks).map(([name, run]) => [name, { run, timeout: 20 }]);
      fs.writeFileSync(
        path.join(folder, 'holdfast.config.json'),
        JSON.stringify({ checks: Object.fromEntries(all) }),
      );
    },
    reviewer: (...calls) => fs.writeFileSync(script, JSON.stringify(calls)),
    reviews: () =>
      fs.existsSync(log)
        ? fs
            .readFileSync(log, 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line))
        : [],
    agent,
    async start(name, task = 'a word count') {
      const { exitCode, stdout, stderr } = await agent('flow', 'start', name, ...(task === '' ? [] : [task]));
      if (exitCode !== 0) throw new Error(`it did not start: ${stderr}`);
      return stdout;
    },
    fire,
    stop: async (message, more, args) => (await fire(message, more, args)).answer ?? {},
    state: () => JSON.parse(fs.readFileSync(runFile('state.json'), 'utf8')),
    runFile,
    sidecar() {
      const folder = path.join(root, '.holdfast/runs');
      const [name] = fs.readdirSync(folder).filter((file) => file.startsWith('flow'));
      return JSON.parse(fs.readFileSync(path.join(folder, name ?? ''), 'utf8'));
    },
    journal: () => journalOf(path.join(root, '.holdfast/journal.jsonl')),
  };
}
