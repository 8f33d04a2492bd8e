// taskie for `holdfast demo`: a plan of one task, every stage reviewed until two reviews in a row are clean.

import fs from 'node:fs';
import path from 'node:path';
import type { Demo, DemoTurn, Stage } from '../../../engine/demo.ts';

const FOLDER = '.taskie/plans/csv-export';

// Stands in for Claude Code: writes the review file its prompt names and prints the client's envelope. Only the
// very first review of the plan finds something.
const CLAUDE = `#!/bin/sh
for prompt; do :; done
file=$(printf '%s' "$prompt" | grep -o '/[^ ]*-review-[0-9]*[.]md' | head -n 1)
case $file in
  */plan-review-1.md) verdict=FAIL; printf '# Review\\n\\n1. The plan does not say how a comma inside a field is written.\\n' >"$file" ;;
  *) verdict=PASS; printf '# Review\\n\\nNothing has to be changed.\\n' >"$file" ;;
esac
printf '{"type":"result","subtype":"success","is_error":false,"result":"{}","structured_output":{"verdict":"%s"}}\\n' "$verdict"
`;

const PLAN = '# CSV export\n\n## Overview\n\nExport the invoices as CSV.\n';
const TASKS =
  '| Id | Status | Priority | Description | Test strategy |\n| --- | --- | --- | --- | --- |\n| 1 | STATUS | high | Write the rows | unit tests |\n';
const TASK =
  '# Task 1\n\n### Subtask 1.1: Write the rows\n- **Short description**: one line for each invoice\n- **Status**: completed\n';

export const demo: Demo = {
  about: 'plan, tasks and code, each reviewed by a fresh reviewer until two in a row are clean',
  programs: { claude: CLAUDE },
  turns: [
    {
      does: 'plans a CSV export of the invoices, and records the plan',
      act: async (stage) => {
        stage.write(`${FOLDER}/plan.md`, PLAN);
        await record(stage, 'new-plan');
      },
      says: 'The plan is written.',
    },
    postReview('plan', 'answers the finding and records the post-review'),
    postReview('plan', 'notes that the second review was clean'),
    {
      does: 'is asked to go on, and creates the tasks',
      act: async (stage) => {
        await stage.cli(['taskie', 'next']);
        stage.write(`${FOLDER}/tasks.md`, TASKS.replace('STATUS', 'pending'));
        stage.write(`${FOLDER}/task-1.md`, TASK);
        await record(stage, 'create-tasks');
      },
      says: 'The tasks are written.',
    },
    postReview('tasks', 'notes that the review was clean'),
    {
      does: 'is asked to go on, and implements task 1',
      act: async (stage) => {
        await stage.cli(['taskie', 'next']);
        stage.write('csv.js', 'export const row = (fields) => fields.map(JSON.stringify).join();\n');
        stage.write(`${FOLDER}/tasks.md`, TASKS.replace('STATUS', 'done'));
        await record(stage, 'complete-task', '--task', '1');
      },
      says: 'Task 1 is implemented.',
    },
    postReview('code', 'notes that the code review was clean'),
    {
      does: 'is asked to go on: no task is left, so all code is reviewed',
      act: async (stage) => {
        await stage.cli(['taskie', 'next']);
      },
      says: 'All tasks are done.',
    },
    postReview('all-code', 'notes that the review of all code was clean'),
    {
      does: 'is asked to go on, and closes the plan',
      act: async (stage) => {
        await stage.cli(['taskie', 'next']);
        await record(stage, 'complete');
      },
      says: 'Everything is done.',
    },
  ],
};

function postReview(kind: 'plan' | 'tasks' | 'code' | 'all-code', does: string): DemoTurn {
  return {
    does,
    act: async (stage) => {
      stage.write(
        `${FOLDER}/${postReviewFile(stage, kind)}`,
        '# Post-review\n\nWhat was asked for is done.\n',
      );
      await record(stage, `post-${kind}-review`);
    },
    says: 'The review is worked in.',
  };
}

/** The twin of the newest review of this kind. */
function postReviewFile({ root }: Stage, kind: string): string {
  const base = kind === 'code' ? 'task-1' : kind;
  const reviews = fs
    .readdirSync(path.join(root, FOLDER))
    .filter((name) => name.startsWith(`${base}-review-`));
  return `${base}-post-review-${reviews.length}.md`;
}

async function record(stage: Stage, action: string, ...flags: readonly string[]): Promise<void> {
  await stage.cli(['taskie', 'record', ...flags, action]);
}
