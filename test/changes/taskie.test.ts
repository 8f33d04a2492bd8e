// The changes on their way from the hook that sends an agent to a task to the reviewer of its code.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type PlanProject, planProject, until } from '../fixtures/taskie/plan.ts';
import { beginStop } from '../proof/begin-stop.ts';
import { gitIn } from '../proof/repository.ts';
import { recordedPayload } from '../support/recorded.ts';
import { sessions } from '../support/ways.ts';

let project: PlanProject;

const git = (...args: string[]): string => gitIn(project.root, project.home, args).trim();

function commit(file: string, content: string): string {
  project.write(file, content);
  git('add', '--', file);
  git('commit', '-qm', file);
  return git('rev-parse', 'HEAD');
}

const sidecar = () => JSON.parse(project.read('.holdfast/runs/taskie-my-plan.json'));

/** Two clean reviews in a row, with what an agent writes between them. */
async function passReview(next: string): Promise<void> {
  project.reviewer('pass');
  await project.stop();
  const { phase } = project.state();
  const reviewed = project.files().filter((file) => /-review-\d+\.md$/.test(file) && !file.includes('post'));
  for (const file of reviewed) project.put(file.replace('-review-', '-post-review-'), '# Answer\n');
  await project.stop();
  expect({ phase, next: project.state().next_phase }).toEqual({ phase, next });
}

describe.each(sessions)('a plan%s', (_where, way) => {
  beforeEach(() => {
    project = planProject('my-plan', way);
  });
  afterEach(() => project.remove());

  it('shows each review of code what changed since its task began, and the last one all of it', async () => {
    const first = commit('base.txt', 'base\n');
    project.setState({ phase: 'create-tasks', next_phase: 'tasks-review' });
    await passReview('complete-task');
    expect(project.calls().every(({ changes }) => changes === null)).toBe(true);
    expect(sidecar().saved.began).toEqual({ task: first, plan: first });
    const second = commit('one.txt', 'task one, committed\n');
    project.write('loose.txt', 'task one, new\n');
    await project.holdfast(['taskie', 'record', 'complete-task', '--task', '1', '--plan', 'my-plan']);
    await passReview('complete-task');
    const ofTask = project.calls().slice(-2);
    for (const { changes, prompt } of ofTask) {
      expect(changes).toContain('+task one, committed\n');
      expect(changes).toContain('+task one, new\n');
      expect(changes).not.toContain('task-1-review');
      expect(prompt).toContain(`since this task began, at commit ${first.slice(0, 12)}, 2 files in all`);
      expect(prompt).toContain('- one.txt (+1 -0)\n- loose.txt (new, +1)\n');
    }
    expect(sidecar().saved.began).toEqual({ task: second, plan: first });
    expect(fs.readdirSync(path.join(project.root, '.holdfast/attempts'))).toEqual([]);
    commit('two.txt', 'task two\n');
    project.put('tasks.md', project.read('.taskie/plans/my-plan/tasks.md').replaceAll('pending', 'done'));
    await project.holdfast(['taskie', 'record', 'complete-task', '--task', '2', '--plan', 'my-plan']);
    await passReview('all-code-review');
    expect(project.calls().at(-1)?.prompt).toContain(`at commit ${second.slice(0, 12)}, 2 files in all`);
    expect(sidecar().saved.began).toEqual({ task: second, plan: first });
    await passReview('complete');
    const whole = project.calls().at(-1);
    expect(whole?.prompt).toContain(`since the plan's first task began, at commit ${first.slice(0, 12)}`);
    for (const each of ['task one, committed', 'task one, new', 'task two'])
      expect(whole?.changes).toContain(`+${each}\n`);
  });

  it('says nothing of changes where there is no git, and reviews all the same', async () => {
    fs.rmSync(path.join(project.root, '.git'), { recursive: true });
    project.setState({ phase: 'create-tasks', next_phase: 'tasks-review' });
    await passReview('complete-task');
    expect(sidecar().saved).not.toHaveProperty('began');
    project.setState({ phase: 'complete-task', next_phase: 'code-review', current_task: '1' });
    await project.stop();
    const { prompt, changes } = project.calls().at(-1) ?? {};
    expect(changes).toBeNull();
    expect(prompt).not.toMatch(/patch in|changed since|not committed/);
    expect(project.state().phase).toBe('code-review');
  });
});

it('a sandboxed reviewer may read the patch', async () => {
  project = planProject('my-plan', 'claude-code');
  try {
    commit('base.txt', 'base\n');
    fs.mkdirSync(path.join(project.home, '.config/holdfast'), { recursive: true });
    fs.writeFileSync(
      path.join(project.home, '.config/holdfast/holdfast.config.json'),
      JSON.stringify({ review: { access: 'sandboxed' } }),
    );
    project.setState({ phase: 'complete-task', next_phase: 'code-review', current_task: '1' });
    await project.holdfast(['taskie', 'next', '--plan', 'my-plan']);
    project.write('loose.txt', 'new\n');
    await project.stop();
    const { args = [], env = {}, changes } = project.calls().at(-1) ?? {};
    expect(changes).toContain('+new\n');
    const folder = path.join(project.root, '.holdfast/attempts', env.HOLDFAST_ATTEMPT ?? '');
    expect(args).toContain(`Read(/${folder}/**)`);
  } finally {
    project.remove();
  }
});

it('a hook killed while it makes the patch leaves nothing: the next stop makes it again', async () => {
  project = planProject('my-plan', 'claude-code');
  try {
    commit('base.txt', 'base\n');
    project.write('loose.txt', 'new\n');
    project.setState({ phase: 'complete-task', next_phase: 'code-review', current_task: '1' });
    await project.holdfast(['taskie', 'next', '--plan', 'my-plan'], 'a-session');
    // A git that never answers: the hook is in the middle of it.
    const slow = path.join(path.dirname(project.root), 'slow');
    fs.mkdirSync(slow);
    const asked = path.join(slow, 'asked');
    fs.writeFileSync(path.join(slow, 'git'), `#!/bin/sh\necho $$ >> ${asked}\nexec sleep 600\n`, {
      mode: 0o755,
    });
    const before = process.env.PATH;
    process.env.PATH = `${slow}:${before}`;
    const payload = {
      ...recordedPayload('claude-code/stop-first.json'),
      session_id: 'a-session',
      cwd: project.root,
    };
    const { child, ended } = beginStop(project, payload);
    process.env.PATH = before;
    await until('git to be asked', () => fs.existsSync(asked));
    child.kill('SIGKILL');
    for (const pid of fs.readFileSync(asked, 'utf8').trim().split('\n')) process.kill(Number(pid), 'SIGKILL');
    await ended;
    expect(sidecar().attempts).toMatchObject([{ work: 'review', status: 'running' }]);
    const { answer } = await project.stop();
    expect(answer?.decision).toBe('block');
    expect(project.calls()).toHaveLength(1);
    expect(project.calls()[0]?.changes).toContain('+new\n');
    expect(fs.readdirSync(path.join(project.root, '.holdfast/attempts'))).toEqual([]);
  } finally {
    project.remove();
  }
});
