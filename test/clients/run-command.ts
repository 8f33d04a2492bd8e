// `holdfast run` as a person starts it: a process of its own, with its lines as JSON.

import path from 'node:path';
import { pluginFolder } from './clients/place.ts';
import { type Ended, type Program, start } from './clients/program.ts';
import { type Driven, drivenClaude, drivenCodex } from './headless.ts';
import type { Stage } from './scenario.ts';

export type Event = { event: string; [key: string]: unknown };

export type Running = {
  program: Program;
  /** The first event of that name, seen or to come, from the given one on. */
  event(name: string, from?: number): Promise<Event>;
  events(): Event[];
  /** The end, and the last event, which is the summary. */
  ended: Promise<Ended & { summary: Event | undefined }>;
};

type OfBoth = (typeof drivenClaude | typeof drivenCodex) & { mode: 'Claude Code stream-json' | 'Codex exec' };

export const both: readonly OfBoth[] = [
  { ...drivenClaude, mode: 'Claude Code stream-json' },
  { ...drivenCodex, mode: 'Codex exec' },
];

/** `words`: what is typed after `holdfast run --json --client …`. What the stage's client needs comes after `--`. */
export function runOn(driven: Driven, stage: Stage, words: readonly string[], cwd = stage.root): Running {
  const client = words.includes('--continue') ? [] : ['--client', driven.program];
  const program = start({
    program: path.join(pluginFolder('holdfast'), 'bin', 'holdfast'),
    args: ['run', '--json', ...client, ...words, '--', ...driven.args(stage)],
    cwd,
    env: stage.env,
    limitMs: 150_000,
  });
  program.endInput();
  const events = (): Event[] =>
    program.lines.flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
  return {
    program,
    events,
    async event(name, from = 0) {
      const is = (line: string): boolean => line.startsWith('{') && JSON.parse(line).event === name;
      return JSON.parse(await program.line(is, from));
    },
    ended: program.ended.then((ended) => ({
      ...ended,
      summary: events().findLast(({ event }) => event === 'finished'),
    })),
  };
}
