// Runs for tests of commands that are about them, started in the test's own process.

import type { Environment } from '../../src/store/environment.ts';
import { registry } from '../../src/workflows/registry.ts';
import { callIn } from './call.ts';
import { cleanEnvironment } from './hook.ts';

/** `idle loop a task` as an agent of that session types it; null: in a plain terminal. Answers with the run's name. */
export async function startRun(
  root: string,
  [workflow, command, ...words]: readonly [string, string, ...string[]],
  session: string | null,
): Promise<string> {
  const entry = registry.find(({ name }) => name === workflow);
  const found = (await entry?.cli())?.commands.find(({ name }) => name === command);
  if (found === undefined) throw new Error(`${workflow} ${command}`);
  const env: Environment = { ...cleanEnvironment(root), CLAUDE_CODE_SESSION_ID: session ?? undefined };
  const { call, printed } = callIn(root, { words, env });
  await found.run(call);
  const [run] = new RegExp(`${workflow}:[\\w-]+`).exec(printed.join('\n')) ?? [];
  if (run === undefined) throw new Error(printed.join('\n'));
  return run;
}
