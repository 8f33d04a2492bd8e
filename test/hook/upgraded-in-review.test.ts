// An upgrade removes our files while a reviewer is at work: its verdict is applied all the same.

import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { planProject, until } from '../fixtures/taskie/plan.ts';

const built = path.resolve(import.meta.dirname, '../../dist/holdfast');

test('a clean code review moves the plan on although our files are gone', async () => {
  const project = planProject('my-plan', 'claude-code');
  const plugin = path.join(path.dirname(project.root), 'plugin');
  fs.cpSync(built, plugin, { recursive: true });
  project.setState({
    phase: 'post-code-review',
    next_phase: 'code-review',
    current_task: '1',
    phase_iteration: 1,
    consecutive_clean: 1,
  });
  project.put('code-review-1.md', 'clean');
  project.put('code-post-review-1.md', 'answered');
  project.reviewer([{ print: 'pass', file: true, delayMs: 3000 }]);

  const stopped = project.stop({}, { plugin });
  await until('the reviewer', () => project.calls().length === 1);
  fs.rmSync(path.join(plugin, 'lib'), { recursive: true });
  const { answer, stderr } = await stopped;

  expect(stderr).toBe('');
  expect(JSON.stringify(answer)).not.toContain('error');
  expect(project.state()).toMatchObject({ consecutive_clean: 2, next_phase: 'complete-task' });
  project.remove();
});
