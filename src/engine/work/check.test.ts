import { expect, it } from 'vitest';
import { bareProject } from '../../../test/support/bare-project.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import type { Check } from '../proof/types.ts';
import { makeAttemptFolders } from './attempt.ts';
import { logOf, runCheck } from './check.ts';

it.each(['test', 'T', '0', 'a.b_c-D', 'x', 'xx-a', 'X-a', `a${'b'.repeat(100)}`])(
  'keeps the log of %s under its own name',
  (name) => {
    expect(logOf(name)).toBe(`.holdfast/checks/${name}.log`);
  },
);

it.each([
  ...['', '.', '..', '-a', '_a', 'a/b', '../a', 'a b', 'a:b', 'é', 'a\n', '\na', 'x-', 'x-a'],
  `a${'b'.repeat(101)}`,
])('keeps the log of %j under a name that leads nowhere else', (name) => {
  expect(logOf(name)).toBe(`.holdfast/checks/x-${fingerprint(JSON.stringify(name))}.log`);
});

it('runs a check to its end', async () => {
  const project = bareProject();
  makeAttemptFolders(project, 'a1');
  const check: Check = {
    ...{ name: 'unit', run: 'echo said; exit 3', timeout: 30, retries: 0, paths: null, cwd: null },
    from: 'user',
  };
  const ran = await runCheck(check, {
    ...{ project, attempt: 'a1', sandbox: { kind: 'none' }, deadline: Number.MAX_SAFE_INTEGER },
    ...{ whenAskedToEnd: () => {}, interrupted: async () => {} },
  });
  expect(ran).toMatchObject({ end: 'failed', code: 3, flaky: false, tail: 'said' });
});
