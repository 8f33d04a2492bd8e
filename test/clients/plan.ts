// The words of taskie's scenarios: a plan's files, an agent that does what a hold tells it, and a reviewer
// that writes the file it is told to write and gives a verdict.

import fs from 'node:fs';
import path from 'node:path';
import type { Stage } from './clients/stage.ts';
import { type Heard, type Line, type Reply, run, say } from './servers/script.ts';

const FOLDER = '.taskie/plans/demo';

export type PlanState = {
  phase: string;
  next_phase: string | null;
  phase_iteration: number | null;
  review_model: string;
  consecutive_clean: number;
  current_task: string | null;
};

export const planState = (stage: Stage): PlanState => JSON.parse(stage.read(`${FOLDER}/state.json`));
export const planFiles = (stage: Stage): string[] => fs.readdirSync(stage.file(FOLDER)).sort();
export const planFile = (name: string): string => path.join(FOLDER, name);

const file = (name: string, text: string): string =>
  `mkdir -p ${FOLDER} && cat >${FOLDER}/${name} <<'END_OF_FILE'\n${text}\nEND_OF_FILE`;

/** Writes the plan and says so, as the skill tells the agent. */
export function draftPlan(cli: string): Reply {
  return run(
    `${file('plan.md', '# Plan\n\n## Overview\n\nSay hello in two files.')}\n${cli} taskie record new-plan --plan demo`,
  );
}

export function createTasks(cli: string): Reply {
  const row = (id: number): string => `| ${id} | pending | high | Write file ${id} | cat it |`;
  const table = `| Id | Status | Priority | Description | Test strategy |\n| --- | --- | --- | --- | --- |\n${row(1)}\n${row(2)}`;
  const task = (id: number): string =>
    file(`task-${id}.md`, `# Task ${id}\n\n### Subtask ${id}.1: Write it\n- **Status**: pending`);
  return run(
    [file('tasks.md', table), task(1), task(2), `${cli} taskie record create-tasks --plan demo`].join('\n'),
  );
}

export function completeTask(cli: string, id: number): Reply {
  return run(
    [
      `echo hello >hello-${id}.txt`,
      `sed -i 's/Status\\*\\*: pending/Status**: completed/' ${FOLDER}/task-${id}.md`,
      `sed -i 's/^| ${id} | pending/| ${id} | done/' ${FOLDER}/tasks.md`,
      `${cli} taskie record complete-task --task ${id} --plan demo`,
    ].join('\n'),
  );
}

/** Does what the hold says, by the very words of the hold: writes the file it names, runs the command it names. */
export const answerReview: readonly Line[] = [
  ({ holds }) => {
    const hold = holds.at(-1) ?? '';
    const post = /Write (\S+post-review-\d+\.md)/.exec(hold)?.[1];
    const command = /only then, run: (.+)$/m.exec(hold)?.[1];
    return run(`echo 'Nothing to change.' >${post}\n${command}`);
  },
  say('The review is answered.'),
];

/** Reviews as they come: each writes its file, then gives its verdict. */
export function reviews(...verdicts: ('PASS' | 'FAIL')[]): Line[] {
  return verdicts.flatMap((verdict): Line[] => [writeReview, { verdict }]);
}

export const writeReview: Line = (heard) => ({
  write: { file: reviewFileIn(heard), text: `# Review\n\nLooked at by ${heard.model}.\n` },
});

/** The one file the reviewer was told to write. */
export function reviewFileIn({ opening }: Heard): string {
  const named = /Write your review to this exact file, and change no other file: (.+)$/m.exec(opening)?.[1];
  if (named === undefined) throw new Error(`no review file is named in: ${opening.slice(-2000)}`);
  return named;
}

/** Only a reviewer is asked for structured output. */
export function reviewer(stage: Stage, ...lines: Line[]): void {
  stage.part({ name: 'reviewer', hears: ({ tools }) => tools.includes('StructuredOutput'), lines });
}

/** `opus`, `sonnet` …: one for each review, in order. */
export function reviewModels(stage: Stage): string[] {
  const seen = new Map(stage.cast.of('reviewer').map(({ session, model }) => [session, model]));
  return [...seen.values()].map((model) => /opus|sonnet|haiku/.exec(model)?.[0] ?? model);
}
