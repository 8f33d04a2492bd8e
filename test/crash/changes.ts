// Reviews of code for the crash suite: the patch that is made before them, and the note where the next task begins.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import type { Bench } from './bench.ts';
import type { Scenario } from './scenario.ts';
import { ownPlan, planState } from './taskie.ts';

const PLAN = '.taskie/plans/my-plan';

/** A task that is done: a commit of it, and a file that git does not know yet. */
async function doneTask(bench: Bench): Promise<void> {
  bench.project.write('code.txt', 'code\n');
  git(bench, 'add', 'code.txt');
  git(bench, '-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '--quiet', '-m', 'one');
  bench.project.write('loose.txt', 'loose\n');
  await ownPlan(bench, { phase: 'complete-task', next_phase: 'code-review', current_task: '1' });
}

function git(bench: Bench, ...args: string[]): string {
  return execFileSync('git', ['-C', bench.root, ...args], { encoding: 'utf8' }).trim();
}

const reviewsIn = (bench: Bench): string[] =>
  fs.readdirSync(bench.at(PLAN)).filter((file) => /^task-1-review-\d+\.md$/.test(file));

function answer(bench: Bench): void {
  for (const file of reviewsIn(bench))
    bench.project.write(`${PLAN}/${file.replace('-review-', '-post-review-')}`, '# Answer\n');
}

/** Until the plan is at its next task; whether where that begins is known, and nothing of a patch is left. */
async function carryOn(bench: Bench): Promise<unknown> {
  bench.reviewers('clean');
  for (let stops = 0; stops < 6; stops++) {
    if (planState(bench).next_phase === 'complete-task') break;
    answer(bench);
    await bench.stop();
  }
  const { began } = (bench.sidecar('taskie:my-plan')?.saved ?? {}) as { began?: { task: string } };
  // A folder without a record may be left until it is swept, but never with a patch in it.
  const files = fs.readdirSync(bench.at('.holdfast/attempts'), { recursive: true, encoding: 'utf8' });
  const left = files.filter((file) => file.includes('changes'));
  return { ...planState(bench), begins: began?.task === git(bench, 'rev-parse', 'HEAD'), left };
}

const shared = { run: () => 'taskie:my-plan', view: planState, carryOn } satisfies Partial<Scenario>;

/** A first review of code, with a patch. */
export const patched: Scenario = {
  ...shared,
  async prepare(bench) {
    await doneTask(bench);
    bench.reviewers('findings', 'clean');
  },
  reviewed: ['task-1-review-1.md', 'task-1-review-2.md', 'task-1-review-3.md'],
};

/** The second clean one: the next task begins. */
export const nextTask: Scenario = {
  ...shared,
  async prepare(bench) {
    await doneTask(bench);
    bench.reviewers('clean');
    await bench.stop();
    answer(bench);
  },
  reviewed: ['task-1-review-1.md', 'task-1-review-2.md'],
};
