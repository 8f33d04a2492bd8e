// A call inside the test's process must be what it is in a process of its own: most of the fast suites rest on it.

import fs from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fireHook, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';

const SESSION = 'aaaaaaaa-1111-4222-8333-444455556666';
const projects: TempProject[] = [];
afterAll(() => {
  for (const project of projects) project.remove();
});

type Play = (project: TempProject, real: boolean) => Promise<unknown[]>;

const stop =
  (...said: readonly string[]): Play =>
  async (project, real) => {
    const fired: unknown[] = [];
    for (const last_assistant_message of said) {
      const payload = { session_id: SESSION, cwd: project.root, hook_event_name: 'Stop' };
      fired.push(await fireHook(project.root, { ...payload, last_assistant_message }, { real }));
    }
    return fired;
  };

const cli =
  (...args: readonly string[]): Play =>
  async (project, real) => [
    await runCli(project.root, args, {
      real,
      stdin: 'from standard input',
      env: { CLAUDE_CODE_SESSION_ID: SESSION },
    }),
  ];

const plays: Record<string, readonly Play[]> = {
  'a loop from its start to its signal': [
    cli('idle', 'loop', 'Fix it.'),
    stop('One.', 'Two.', '<loop-done>COMPLETE</loop-done>'),
    cli('status'),
    cli('why'),
  ],
  'a plan loop that is cancelled': [
    cli('claudex', 'plan', '--rounds', '2', 'A topic'),
    stop('One.'),
    cli('cancel'),
    stop('Two.'),
    cli('status', '--json'),
  ],
  'a plan of tasks': [
    async ({ write }) => [write('.taskie/plans/one/plan.md', '# Plan\n\n## Overview\n\nIt.\n').length > 0],
    cli('taskie', 'record', '--plan', 'one', 'new-plan'),
    stop('Planned.'),
    cli('taskie', 'status'),
  ],
  'a task from standard input': [cli('idle', 'loop', '-'), cli('idle', 'status')],
  'wrong usage, and what is not there': [
    cli('idle', 'loop', '--nonsense'),
    cli('nonsense'),
    cli('cancel'),
    cli('--version'),
    cli(),
    stop('No run.'),
  ],
};

/** Ids, times and folders differ from one play to the next. */
function plain(text: string, { root, home }: TempProject): string {
  return text
    .replaceAll(path.dirname(root), '<folder>')
    .replaceAll(home, '<home>')
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?/g, '<time>')
    .replace(/\b\d\d:\d\d:\d\d\b/g, '<time>')
    .replace(/\d{8}-\d{6}-[0-9a-f]{6,}|\b01[0-9A-HJKMNP-TV-Z]{24}\b/g, '<id>')
    .replace(/\b\d{10,13}(-\d+)?\b/g, '<id>')
    .replace(/\b\d+ (ms|s|seconds?)\b/g, '<time>');
}

/** Our own folder and those of the workflows: which files there are. */
function filesOf({ root }: TempProject): string[] {
  return fs
    .readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => !file.startsWith('.git') && fs.statSync(path.join(root, file)).isFile())
    .sort();
}

test.each(Object.entries(plays))('%s', async (_, parts) => {
  const [inside, real] = await Promise.all(
    [false, true].map(async (isReal) => {
      const project = tempProject();
      projects.push(project);
      const said: unknown[] = [];
      for (const part of parts) said.push(...(await part(project, isReal)));
      return plain(JSON.stringify([said, filesOf(project)], null, 1), project);
    }),
  );
  expect(inside).toBe(real);
});
