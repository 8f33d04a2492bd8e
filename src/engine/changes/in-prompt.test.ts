import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { bareProject, contextIn, writeIn } from '../../../test/support/bare-project.ts';
import { journalIn } from '../../../test/support/stop-here.ts';
import { runtimeHere } from '../../hook/runtime.ts';
import { ensureAttemptFolder, ensureHome } from '../../store/home.ts';
import type { ReviewAttempt } from '../../store/records.ts';
import type { ReviewCall } from '../workflow.ts';
import { withChanges } from './in-prompt.ts';
import type { Changes } from './types.ts';

it('a review has its changes in its prompt, and is called as it is where there are none or they fail', async () => {
  const project = bareProject();
  const { root, env } = project;
  ensureHome(root);
  ensureAttemptFolder(root, 'one');
  writeIn(project, 'a.txt', 'one\n');
  const runtime = { ...runtimeHere(env), whenAskedToEnd: () => {} };
  const stopped = { project, decidedOn: new Map(), stop: contextIn(project, 'plan').stop, runtime };
  const ask = (call: ReviewCall) => withChanges('taskie:plan', { id: 'one' } as ReviewAttempt, call, stopped);
  const calling = (say: (changes: Changes) => string) =>
    ({ prompt: 'Review it.', reads: ['/elsewhere'], changes: { since: null, say } }) as unknown as ReviewCall;
  const call = calling(({ lines }) => lines.join());

  expect(await ask(call)).toBe(call);
  execFileSync('git', ['init', '--quiet', root], { env: { PATH: env.PATH, HOME: root } });
  const reads = ['/elsewhere', path.join(project.home, 'attempts/one')];
  expect(await ask(call)).toEqual({ ...call, prompt: 'Review it.\n\na.txt (new, +1)', reads });
  const { changes: _, ...plain } = call;
  expect(await ask(plain as ReviewCall)).toEqual(plain);
  expect(journalIn(project)).toEqual([]);
  const broken = calling(() => {
    throw new Error('a mistake');
  });
  expect(await ask(broken)).toBe(broken);
  expect(journalIn(project)).toMatchObject([{ event: 'stop', run: 'plan', error: 'Error: a mistake' }]);
});
