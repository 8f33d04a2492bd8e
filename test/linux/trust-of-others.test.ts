// Trust that another user wrote, or could have: with a real one, since what rights do is the kernel's to say.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { giveTrust } from '../../src/engine/proof/trust.ts';
import { runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';
import { openProject } from '../support/proof.ts';

const OTHER = '4713';
const OWN = { checks: { test: { run: 'npm test' } } };

let project: TempProject;
beforeEach(() => {
  project = tempProject();
});
afterEach(() => {
  rootRuns('rm', '-rf', path.dirname(project.root));
});

/** As root, or as one in a namespace of our own; without either these tests would prove nothing. */
function rootRuns(...command: string[]): void {
  const asRoot = process.getuid?.() === 0 ? [] : ['unshare', '--user', '--map-auto', '--map-root-user'];
  const [program = '', ...args] = [...asRoot, ...command];
  execFileSync(program, args);
}

test.each([
  ['record', (folder: string) => path.join(folder, fs.readdirSync(folder)[0] ?? '')],
  ['state folder', (folder: string) => path.dirname(folder)],
])('a %s of another user trusts nothing, and doctor says so', async (_, placeIn) => {
  const opened = await openProject(project, { own: OWN }, Date.now() - 1000);
  giveTrust(opened, opened.config.checks);
  const place = placeIn(path.join(project.home, '.local/state/holdfast/trust'));
  rootRuns('chmod', '-R', 'a+rX', path.join(project.home, '.local'));
  rootRuns('chown', '-R', OTHER, place);
  const session = { CLAUDE_CODE_SESSION_ID: '5e551011-0000-4000-8000-000000000001' };
  const { stdout } = await runCli(project.root, ['idle', 'loop', 'a task'], { env: session });
  expect(stdout).toMatch(/^Unproven from the start: the check test is not trusted/);
  const findings = JSON.parse((await runCli(project.root, ['doctor', '--json'])).stdout);
  expect(findings).toContainEqual({
    result: 'bad',
    what: expect.stringMatching(/trust\/.* belongs to another user \(\d+\), so nothing in it counts/),
    fix: expect.stringContaining('holdfast trust'),
  });
});
