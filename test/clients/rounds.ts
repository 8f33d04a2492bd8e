// The words of claudex's scenarios: an agent that does what a round tells it, and Codex as the reviewer.

import fs from 'node:fs';
import path from 'node:path';
import type { Stage } from './clients/stage.ts';
import { type Heard, type Line, type Reply, run } from './servers/script.ts';

export const TOPIC = 'Move the sessions to a new store';

export function startPlan(cli: string, flags = ''): Reply {
  return run(`${cli} claudex plan ${flags} <<'END_OF_TOPIC'\n${TOPIC}\nEND_OF_TOPIC`);
}

const latest = ({ holds }: Heard): string => holds.at(-1) ?? '';

/** Runs the reviewer by the very words of the hold. */
export const runProgram: Line = (heard) => run(runnerIn(heard));
export const runReviewerInBackground: Line = (heard) => ({ ...run(runnerIn(heard)), background: true });

/** Nothing material: calls `done` by the very words of the hold. */
export const callDone: Line = (heard) =>
  run(/run `(.+ claudex done \S+)`/.exec(latest(heard))?.[1] ?? 'false');

/** Waits by the very words of the hold. */
export const waitForReviewer: Line = (heard) =>
  run(/with `(.+ claudex wait \S+)`/.exec(latest(heard))?.[1] ?? 'false');

function runnerIn(heard: Heard): string {
  const command = /Run the reviewer: `(.+)`$/m.exec(latest(heard))?.[1];
  if (command === undefined) throw new Error(`no runner is named in: ${latest(heard)}`);
  return command;
}

/** Codex, asked by the runner's prompt. Each of its reviews is two replies: it writes, then it says so. */
export function codexReviewer(stage: Stage, ...lines: Line[]): void {
  stage.part({
    name: 'reviewer',
    hears: ({ opening }) => /# (Adversarial plan review|Diff review)/.test(opening),
    lines,
  });
}

export const FINDINGS = '## High\n- It loses data (copy first)\n\n## Low\n- A name (rename it)';
export const NOTHING = 'No substantive findings.';

/** Writes what is given into the file the prompt names. `root`: for a client whose tool wants absolute paths. */
export function findings(text: string, { afterMs = 0, root = '' } = {}): Line[] {
  return [
    (heard) => {
      const [, file, round] = /Write `(.+findings-round-(\d+)\.md)`/.exec(heard.opening) ?? [];
      if (file === undefined) throw new Error('the prompt names no findings file');
      return {
        afterMs,
        write: { file: path.join(root, file), text: `# Round ${round} findings\n\n${text}` },
      };
    },
    { say: 'The findings are written.' },
  ];
}

export type ClaudexState = Record<string, string>;

/** The one loop of the project. */
export function claudexState(stage: Stage): ClaudexState {
  const [name] = fs.readdirSync(stage.file('.claude/claudex')).filter((file) => file.endsWith('.state'));
  const lines = stage.read(`.claude/claudex/${name}`).trimEnd().split('\n');
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(': ');
      return [line.slice(0, at), line.slice(at + 2)];
    }),
  );
}
