// Each sentence of the specification's prompts and hold templates that carries an instruction, and the forms of the
// hook's answers: what a reviewer and an agent are really given, in one plan that goes through all four reviews.

import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PlanProject, planProject } from '../fixtures/taskie/plan.ts';
import { tempProject } from '../support/project.ts';

const REVIEWS = {
  plan: { file: 'plan-review-3.md', post: 'plan-post-review-3.md', fixed: /fix in plan\.md/ },
  tasks: {
    file: 'tasks-review-3.md',
    post: 'tasks-post-review-3.md',
    fixed: /fix in tasks\.md and the task files/,
  },
  code: {
    file: 'task-2-review-3.md',
    post: 'task-2-post-review-3.md',
    fixed: /fix in the code and its tests/,
  },
  all: {
    file: 'all-code-review-3.md',
    post: 'all-code-post-review-3.md',
    fixed: /across all tasks\. What is right, fix in the code/,
  },
} as const;
type Kind = keyof typeof REVIEWS;
const phaseOf = (kind: Kind): string => (kind === 'all' ? 'all-code-review' : `${kind}-review`);

let project: PlanProject;
const given = new Map<Kind, { prompt: string; reason: string }>();
beforeAll(async () => {
  project = planProject();
  for (const kind of Object.keys(REVIEWS) as Kind[]) {
    project.setState({ phase: 'x', next_phase: phaseOf(kind), phase_iteration: 2, current_task: '2' });
    const { answer } = await project.stop();
    given.set(kind, { prompt: project.calls().at(-1)?.prompt ?? '', reason: answer?.reason ?? '' });
  }
});
afterAll(() => project.remove());

const inPlan = (name: string): string => path.join(project.root, '.taskie/plans/my-plan', name);
const named = (name: string) => (): RegExp => new RegExp(`(?<![\\w/])${inPlan(name)}(?![\\w-])`);

describe.each(Object.keys(REVIEWS) as Kind[])('the prompt of a review: %s', (kind) => {
  const asked: Record<string, () => RegExp> = {
    rules: () => /Read the ground rules in \/\S+\/ground-rules\.md/,
    plan: named('plan.md'),
    table: named('tasks.md'),
    files: () => new RegExp(`${inPlan('task-1.md')}\\s+(?:- )?${inPlan('task-2.md')}`),
    task: named('task-2.md'),
    action: () => new RegExp(`perform the .*review.* that /\\S+/actions/${phaseOf(kind)}\\.md describes`),
    write: () => new RegExp(`Write your review to this exact file, .*: ${inPlan(REVIEWS[kind].file)}`),
    critical: () => /Be very critical/,
  };
  const parts = {
    plan: ['rules', 'plan', 'action', 'write', 'critical'],
    tasks: ['rules', 'table', 'files', 'action', 'write', 'critical'],
    code: ['rules', 'plan', 'task', 'action', 'write', 'critical'],
    all: ['rules', 'plan', 'table', 'files', 'action', 'write', 'critical'],
  }[kind];
  for (const [at, part] of parts.entries())
    it(`has its part about: ${part}`, { tags: [`T-prompt-${kind}.${'abcdefg'[at]}`] }, () => {
      expect(given.get(kind)?.prompt).toMatch(asked[part]?.() ?? /never/);
    });
});

describe.each(Object.keys(REVIEWS) as Kind[])('the hold after a review: %s', (kind) => {
  const { file, post, fixed } = REVIEWS[kind];
  const action = `post-${phaseOf(kind)}`;
  const update =
    kind === 'code' || kind === 'all' ? [/^\d\. Bring the statuses in .*tasks\.md up to date/m] : [];
  const sentences = [
    new RegExp(`review.* 3 of at most 8.* is in \\S+/${file}\\. An independent reviewer wrote it`),
    new RegExp(`Do the ${action} now[^]*1\\. Read the review and judge each finding`),
    fixed,
    new RegExp(`^\\d\\. Write \\S+/${post}: for each finding what you changed, or why you left it`, 'm'),
    new RegExp(`When all of this is done, and only then, run: .* taskie record ${action}\\b`),
    ...update,
    /Commit, and push if the repository has a remote/,
    /To leave the loop at any time, set "next_phase": null/,
  ];
  for (const [at, sentence] of sentences.entries())
    it(`says ${sentence}`, { tags: [`T-hold-${kind}.${'abcdefgh'[at]}`] }, () => {
      expect(given.get(kind)?.reason).toMatch(sentence);
    });
});

describe('an answer', () => {
  it('that warns the user is a systemMessage with suppressOutput', { tags: ['T-output-1'] }, async () => {
    for (const fields of [{ next_phase: null }, { phase_iteration: 8 }, { max_reviews: 0 }]) {
      project.setState(fields);
      const { exitCode, stdout } = await project.stop();
      const answer = { systemMessage: expect.any(String), suppressOutput: true };
      expect({ exitCode, answer: JSON.parse(stdout) }).toEqual({ exitCode: 0, answer });
    }
  });

  it('that says nothing is empty', { tags: ['T-output-2'] }, async () => {
    const empty = tempProject();
    empty.write('.taskie/plans/.keep', '');
    const elsewhere = planProject('other', 'by hand', {});
    expect(await elsewhere.stop({ cwd: empty.root })).toMatchObject({ exitCode: 0, stdout: '' });
    elsewhere.remove();
    empty.remove();
  });

  it('never stops the client, whatever failed', { tags: ['T-output-3'] }, async () => {
    for (const spoil of ['{', '{"next_phase": 7}', '\u0000'.repeat(9)]) {
      project.put('state.json', spoil);
      const { exitCode, answer } = await project.stop();
      expect({ exitCode, answer }).toMatchObject({ exitCode: 0 });
      expect(answer ?? {}).not.toHaveProperty('continue');
    }
  });
});
