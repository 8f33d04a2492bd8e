// Kills a command at every step, and lets every step of it fail. Then the user runs it again, as anybody
// would, and the run must go on from there as if the first time had never been.

import { isDeepStrictEqual } from 'node:util';
import type { Ran } from '../support/hook.ts';
import { Bench } from './bench.ts';

export type Commanded = {
  prepare(bench: Bench): Promise<void>;
  args(bench: Bench): readonly string[];
  stdin?: string;
  /** For what is no command of the session's agent. */
  run?(bench: Bench, args: readonly string[], fault?: string): Promise<Ran>;
  /** The files it changes, without times and ids; throws when one cannot be read. */
  view(bench: Bench): unknown;
  /** Everything after the command; answers with how the run ended. */
  carryOn(bench: Bench): Promise<unknown>;
};

export async function crashCommand(command: Commanded, plugin?: string): Promise<string[]> {
  const bench = new Bench(plugin);
  const problems: string[] = [];
  const seen = new Set<string>();
  const run = (fault?: string) =>
    command.run?.(bench, command.args(bench), fault) ??
    bench.holdfast(command.args(bench), { stdin: command.stdin ?? '' }, fault);
  try {
    await command.prepare(bench);
    bench.remember();
    bench.goBack();
    const before = command.view(bench);
    const { steps } = await bench.trace(() => run('trace'));
    const after = command.view(bench);
    const end = await command.carryOn(bench);
    for (const { number, kind, file } of steps.filter((step) => step.kind !== 'open' && step.kind !== 'sync'))
      for (const fault of ['kill', 'torn', 'ENOSPC']) {
        if (fault === 'torn' && kind !== 'write') continue;
        if (fault === 'ENOSPC' && kind !== 'write' && kind !== 'rename') continue;
        bench.goBack();
        const ran = await run(`${fault}:${number}`);
        const wrong = bench.brokenRecords();
        const left = viewOf(command, bench);
        if (!isDeepStrictEqual(left, before) && !isDeepStrictEqual(left, after))
          wrong.push(`the state is neither the old one nor the new one: ${JSON.stringify(left)}`);
        if (fault === 'ENOSPC') {
          if (ran.exitCode !== 0 && ran.stderr.trim().split('\n').length !== 1)
            wrong.push(`it failed without a clear line: ${ran.stderr}`);
          wrong.push(...bench.temporaryFiles().map((name) => `${name} was left behind`));
        }
        const look = bench.look();
        if (wrong.length === 0 && !seen.has(look)) {
          seen.add(look);
          // It may say that there is nothing left to do.
          const again = await run();
          if (again.exitCode !== 0 && again.exitCode !== 1) wrong.push(`again, it fails: ${again.stderr}`);
          const ended = await command.carryOn(bench).catch((error) => `no end: ${error.message}`);
          if (!isDeepStrictEqual(ended, end)) wrong.push(`it ended with ${JSON.stringify(ended)}`);
        }
        problems.push(...wrong.map((each) => `${fault} at ${kind} ${file} (step ${number}): ${each}`));
      }
  } finally {
    bench.remove();
  }
  return problems;
}

function viewOf(command: Commanded, bench: Bench): unknown {
  try {
    return command.view(bench);
  } catch (error) {
    return `unreadable: ${error instanceof Error ? error.message : error}`;
  }
}
