// The names that opencode has for the one file that it may write; all else is in reviewers.test.ts.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { opencode } from './opencode.ts';

const task = {
  model: 'anthropic/opus',
  prompt: '-p is a "flag".  Review.',
  file: '/p/plan-review-1.md',
  reads: ['/h/taskie'],
  folder: '/p/.holdfast/attempts/a1',
};

it('sandboxed may read, and write the one review file, by the names that it has for it', () => {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-')));
  onTestFinished(() => fs.rmSync(root, { recursive: true }));
  fs.mkdirSync(path.join(root, '.git'));
  const file = path.join(root, 'plans', 'plan-review-1.md');
  const { args, env } = opencode.call({ ...task, file, access: 'sandboxed' });
  expect(args).not.toContain('--auto');
  expect(env.OPENCODE_DISABLE_PROJECT_CONFIG).toBe('1');
  const rules = JSON.parse(env.OPENCODE_PERMISSION ?? '');
  expect(rules).toMatchObject({ '*': 'deny', bash: 'deny', task: 'deny', webfetch: 'deny', read: 'allow' });
  expect(rules.edit).toEqual({
    '*': 'deny',
    'plans/plan-review-1.md': 'allow',
    [path.relative('/', file)]: 'allow',
  });
  expect(rules.external_directory).toEqual({ '*': 'deny', '/h/taskie/*': 'allow' });
});
