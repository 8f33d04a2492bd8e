// The specification's suite 1, test for test: what the hook makes of its input and of a plan folder's structure.
// Fired by hand and in the sessions of both clients, through the real launcher and bundle.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FULL_STATE, onlyNode, type PlanProject, planProject } from '../fixtures/taskie/plan.ts';
import { fireHook } from '../support/hook.ts';
import { tempProject } from '../support/project.ts';
import { talkIn, ways } from '../support/ways.ts';

let project: PlanProject;

afterEach(() => project.remove());

describe.each(ways)('taskie suite 1: validation%s', (_where, way) => {
  beforeEach(() => {
    project = planProject('my-plan', way);
  });

  it('1.1 needs no jq: the hook works with nothing but node on PATH', { tags: ['T1.1'] }, async () => {
    const fired = await project.stop({}, { env: { PATH: onlyNode(project) } });
    expect(fired.answer?.systemMessage).toContain('validated');
    expect(fired.stderr).toBe('');
  });

  it('1.2 input that is no JSON: stderr says so, and the exit code lets the agent go', {
    tags: ['T1.2', 'T-accept-3.5.8'],
  }, async () => {
    const fired = await fireHook(project.root, 'invalid json');
    expect(fired).toMatchObject({ exitCode: 1, stdout: '' });
    expect(fired.stderr).toContain('Invalid JSON');
  });

  it('1.3 a cwd that does not exist: stderr says so, and the exit code lets the agent go', {
    tags: ['T1.3'],
  }, async () => {
    const fired = await project.stop({ cwd: `${project.root}/gone` });
    expect(fired).toMatchObject({ exitCode: 1, stdout: '' });
    expect(fired.stderr).toContain('Cannot change');
  });

  it('1.4 stop_hook_active does not end the loop', { tags: ['T-hook-1', 'T1.4'] }, async () => {
    project.setState({});
    const fired = await project.stop({ stop_hook_active: true });
    expect(fired.answer?.decision).toBe('block');
    expect(fired.answer?.reason).toContain('plan-review-1.md');
  });

  it('1.5 no .taskie/plans: exit 0 and no output', { tags: ['T-hook-2', 'T1.5'] }, async () => {
    const empty = tempProject();
    const fired = await talkIn(way, empty).stop();
    empty.remove();
    expect(fired).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
  });

  it('1.6 a valid plan folder: validated, output suppressed', { tags: ['T-hook-6.c', 'T1.6'] }, async () => {
    const fired = await project.stop();
    expect(fired.exitCode).toBe(0);
    expect(fired.answer).toEqual({
      systemMessage: "Plan 'my-plan' structure validated successfully",
      suppressOutput: true,
    });
  });

  it('1.7 no plan.md and a wrong file name: held, both named', { tags: ['T-hook-6.d', 'T1.7'] }, async () => {
    const broken = planProject('p', way, { 'invalid-file.md': 'x' });
    const fired = await broken.stop();
    broken.remove();
    expect(fired).toMatchObject({ exitCode: 0, answer: { decision: 'block' } });
    expect(fired.answer?.reason).toContain(
      "Plan 'p': Missing required file: plan.md; Invalid filename: invalid-file.md",
    );
  });

  it('1.8 markdown in a nested folder: held', { tags: ['T1.8'] }, async () => {
    project.put('nested/extra.md', 'x');
    const fired = await project.stop();
    expect(fired.answer).toMatchObject({ decision: 'block' });
    expect(fired.answer?.reason).toContain('Files found in nested directories');
  });

  it('1.9 a review without its base file: held', { tags: ['T1.9'] }, async () => {
    project.put('design-review-1.md', 'x');
    const fired = await project.stop();
    expect(fired.answer?.decision).toBe('block');
    expect(fired.answer?.reason).toContain('design-review-1.md requires design.md');
  });

  it('1.10 a post-review without its review: held', { tags: ['T1.10'] }, async () => {
    project.put('plan-post-review-1.md', 'x');
    const fired = await project.stop();
    expect(fired.answer?.decision).toBe('block');
    expect(fired.answer?.reason).toContain('plan-post-review-1.md requires plan-review-1.md');
  });

  it('1.11 task files without tasks.md: held', { tags: ['T1.11'] }, async () => {
    const broken = planProject('p', way, { 'plan.md': 'x', 'task-1.md': 'x' });
    const fired = await broken.stop();
    broken.remove();
    expect(fired.answer?.decision).toBe('block');
    expect(fired.answer?.reason).toContain('Task files exist but tasks.md is missing');
  });

  it('1.12 prose in tasks.md: held', { tags: ['T1.12'] }, async () => {
    project.put('tasks.md', '# Tasks\n\nFirst do this, then that.\n');
    const fired = await project.stop();
    expect(fired.answer?.decision).toBe('block');
    expect(fired.answer?.reason).toContain('tasks.md contains non-table content');
  });

  it('1.13 an empty tasks.md: held', { tags: ['T1.13'] }, async () => {
    project.put('tasks.md', '');
    const fired = await project.stop();
    expect(fired.answer?.decision).toBe('block');
    expect(fired.answer?.reason).toContain('tasks.md has no table rows');
  });

  it('1.14 state.json is no wrong file name', { tags: ['T1.14'] }, async () => {
    project.setState({ next_phase: null });
    const fired = await project.stop();
    expect(fired.answer?.systemMessage).toContain('validated');
  });

  it('1.15 a state.json that is no JSON: validated, with a warning', { tags: ['T1.15'] }, async () => {
    project.put('state.json', 'not valid json');
    const fired = await project.stop();
    expect(fired.answer?.decision).toBeUndefined();
    expect(fired.answer?.systemMessage).toMatch(/validated successfully\. Warning: its state\.json is not/);
  });

  it('1.16 a state.json with fields missing: validated, with a warning that names them', {
    tags: ['T1.16'],
  }, async () => {
    project.put('state.json', '{"phase": "new-plan"}');
    const fired = await project.stop();
    expect(fired.answer?.decision).toBeUndefined();
    expect(fired.answer?.systemMessage).toMatch(
      /validated successfully\. Warning: .*max_reviews.*review_model/,
    );
  });

  it('1.17 a whole state.json: validated without a warning', { tags: ['T1.17'] }, async () => {
    project.put('state.json', JSON.stringify({ ...FULL_STATE, next_phase: null }));
    const fired = await project.stop();
    expect(fired.answer?.systemMessage).toBe("Plan 'my-plan' structure validated successfully");
  });
});

describe('taskie validation beyond suite 1', () => {
  beforeEach(() => {
    project = planProject();
  });

  it('CRLF, blank lines and trailing spaces are no violations', async () => {
    const rows = project.read('.taskie/plans/my-plan/tasks.md').trim().split('\n');
    project.put('tasks.md', `\r\n  ${rows.join('  \r\n\r\n')}\t\r\n`);
    expect((await project.stop()).answer?.systemMessage).toContain('validated');
  });

  it('a folder full of wrong files is held with a reason under 8 kB', async () => {
    for (let index = 0; index < 400; index++) project.put(`wrong-file-with-a-long-name-${index}.md`, 'x');
    const { answer } = await project.stop();
    expect(answer?.reason?.length).toBeLessThan(8000);
    expect(answer?.reason).toMatch(/and \d+ more/);
  });

  it('a plan folder that is a link out of the project is not looked at', async () => {
    const elsewhere = tempProject();
    elsewhere.write('plan/wrong.md', 'x');
    const fs = await import('node:fs');
    fs.symlinkSync(`${elsewhere.root}/plan`, `${project.root}/.taskie/plans/zz-newest`);
    const { answer } = await project.stop();
    elsewhere.remove();
    expect(answer?.systemMessage).toContain("Plan 'my-plan'");
  });

  it('TASKIE_HOOK_SKIP=true silences the workflow', async () => {
    project.put('nested/extra.md', 'x');
    const fired = await project.stop({}, { env: { TASKIE_HOOK_SKIP: 'true' } });
    expect(fired).toMatchObject({ exitCode: 0, stdout: '' });
  });
});
