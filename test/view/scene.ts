// A project with a loop and its stops, and a view over it: what the real hook and the real commands wrote, read here.

import { expect } from 'vitest';
import type { RunView } from '../../src/view/model.ts';
import { openView } from '../../src/view/open-view.ts';
import type { View } from '../../src/view/view.ts';
import { atTheEnd } from '../support/at-the-end.ts';
import {
  cleanEnvironment,
  type Fired,
  fireHook,
  type Ran,
  type RunOptions,
  runCli,
} from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';

export const SESSION = 'a-session';

export type ViewScene = TempProject & {
  env: Record<string, string>;
  /** A command, typed in the session. */
  cli(args: readonly string[], options?: RunOptions): Promise<Ran>;
  /** A command that must succeed. */
  done(args: readonly string[], options?: RunOptions): Promise<Ran>;
  stop(message?: string, payload?: object): Promise<Fired>;
  userConfig(config: object): void;
  view(roots?: 'all'): Promise<View>;
};

export function viewScene(): ViewScene {
  const temp = tempProject();
  atTheEnd(() => temp.remove());
  const { root } = temp;
  const env = cleanEnvironment(root);
  const inSession = (options: RunOptions = {}): RunOptions => ({
    ...options,
    env: { CLAUDE_CODE_SESSION_ID: SESSION, ...options.env },
  });
  const scene: ViewScene = {
    ...temp,
    env,
    cli: (args, options) => runCli(root, args, inSession(options)),
    async done(args, options) {
      const ran = await runCli(root, args, inSession(options));
      expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
      return ran;
    },
    stop: (message = 'not yet', payload = {}) =>
      fireHook(root, { session_id: SESSION, cwd: root, last_assistant_message: message, ...payload }),
    userConfig: (config) => {
      temp.write('../home/.config/holdfast/holdfast.config.json', JSON.stringify(config));
    },
    view: (roots) => openView({ roots: roots ?? [root], env }),
  };
  return scene;
}

/** The one run there is. */
export function onlyRun(view: View): RunView {
  const runs = view.model().projects.flatMap((project) => project.runs);
  const [run] = runs;
  if (run === undefined || runs.length !== 1) throw new Error(`there are ${runs.length} runs`);
  return run;
}
