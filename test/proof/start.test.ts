// What the starts of idle and taskie do about checks, with the real command line.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConfigFile } from '../../src/config/schema.ts';
import { makePin, readPin } from '../../src/engine/proof/pin.ts';
import { giveTrust } from '../../src/engine/proof/trust.ts';
import type { Sidecar } from '../../src/store/records.ts';
import { type Ran, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';
import { type Files, openProject } from '../support/proof.ts';

const OWN: ConfigFile = {
  checks: { test: { run: 'npm test' }, types: { run: ['npx', 'tsc'], paths: ['src/**'] } },
};
const USER = { checks: { lint: { run: 'lint' } } };
const SESSION = '5e551011-0000-4000-8000-000000000001';

let project: TempProject;
beforeEach(() => {
  project = tempProject();
});
afterEach(() => project.remove());

const cli = (...args: string[]): Promise<Ran> =>
  runCli(project.root, args, { env: { CLAUDE_CODE_SESSION_ID: SESSION }, timeoutMs: 30_000 });

async function configure(files: Files): Promise<void> {
  await openProject(project, files);
}

async function trustAll(files: Files): Promise<void> {
  const opened = await openProject(project, files, Date.now() - 1000);
  giveTrust(
    opened,
    opened.config.checks.filter(({ from }) => from === 'project'),
  );
}

function sidecar(): Sidecar {
  const folder = path.join(project.root, '.holdfast/runs');
  const [name = ''] = fs.readdirSync(folder);
  return JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8'));
}

type Frame = { until?: string; mode: string };

/** The frames of the loop, the top one last. */
function frames(): readonly Frame[] {
  const lines = project.read('.jwz/messages.jsonl').trim().split('\n');
  return JSON.parse(JSON.parse(lines.at(-1) ?? '').body).stack;
}

describe('idle loop', () => {
  it('notes nothing and says nothing where there are no checks', async () => {
    const { exitCode, stdout } = await cli('idle', 'loop', 'a task');
    expect(exitCode).toBe(0);
    expect(stdout).not.toContain('must pass');
    expect(sidecar().proof).toBeUndefined();
    expect(fs.existsSync(path.join(project.home, '.local/state/holdfast/pins'))).toBe(false);
  });

  it('says what will be run, once it is trusted, and notes names, definitions, content and time', async () => {
    await trustAll({ own: OWN });
    const before = Date.now();
    const { stdout } = await cli('idle', 'loop', 'a task');
    expect(stdout).toMatch(/^The loop idle:/);
    expect(stdout).toContain('this is run and must pass: test (npm test), types (npx tsc).');
    const { proof } = sidecar();
    expect(proof).toMatchObject({ asked: { checks: null, off: false }, pinned: false, refusals: 0 });
    expect(proof?.definitions).toMatch(/^test=[0-9a-f]{64} types=[0-9a-f]{64}$/);
    expect(proof?.content).toMatch(/./);
    expect(Object.keys(proof?.contents ?? {})).toEqual(['types']);
    expect(proof?.startedAt).toBeGreaterThanOrEqual(before);
  });

  it.each([['loop'], ['issue'], ['grind']])('takes --check and --until: idle %s', async (command) => {
    await configure({ user: { checks: { ...USER.checks, unit: { run: 'unit' } } } });
    const { exitCode, stdout } = await cli('idle', command, '--check', 'lint', '--until', 'unit', 'x');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('At each stop this is run, and ends the loop: unit (unit).');
    expect(stdout).toContain('When that passes, this is run and must pass: lint (lint).');
    expect(stdout).toContain('at the first stop at which the check `unit` passes');
    expect(sidecar().proof?.asked).toEqual({ checks: ['lint', 'unit'], off: false });
    expect(frames()).toMatchObject([{ mode: command, until: 'unit' }]);
  });
});

it.each([
  [['--check', 'tset'], '--check: there is no check "tset". There are: test, types, lint.'],
  [['--until', '__proto__'], '--until: there is no check "__proto__". There are: test, types, lint.'],
  [['--check', 'test', '--no-check'], '--check and --no-check exclude each other.'],
])('refuses %j, and starts nothing', async (flags, said) => {
  await configure({ own: OWN, user: USER });
  const { exitCode, stderr } = await cli('idle', 'loop', ...flags, 'x');
  expect([exitCode, stderr]).toEqual([2, `holdfast: ${said}\n`]);
  expect(project.exists('.jwz')).toBe(false);
});

describe('a nested loop', () => {
  it('keeps the notes of its run, and has a check of its own to go on until', async () => {
    await trustAll({ own: OWN, user: USER });
    await cli('idle', 'loop', 'outer');
    const { proof } = sidecar();
    await cli('idle', 'loop', 'plain');
    expect(sidecar().proof).toEqual(proof);
    const { stdout } = await cli('idle', 'loop', '--until', 'lint', 'inner');
    expect(stdout).toContain('the check `lint` passes');
    expect(sidecar().proof).toEqual({ ...proof, asked: { checks: ['lint'], off: false } });
    expect(frames().map(({ until }) => until)).toEqual([undefined, undefined, 'lint']);
  });

  it('cannot change what its run must pass', async () => {
    await trustAll({ own: OWN, user: USER });
    await cli('idle', 'loop', 'outer');
    const { proof } = sidecar();
    for (const flags of [['--no-check'], ['--check', 'lint'], ['--accept-red', 'test']]) {
      const { exitCode, stderr } = await cli('idle', 'loop', ...flags, 'inner');
      expect(exitCode).toBe(1);
      expect(stderr).toContain('are for a whole run, and this loop would be nested in idle:');
    }
    expect(sidecar().proof).toEqual(proof);
    expect(frames()).toHaveLength(1);
  });

  it('goes on until a pinned check only, once there is a pin', async () => {
    await trustAll({ own: OWN, user: USER });
    await cli('idle', 'loop', 'outer');
    const { run, proof } = sidecar();
    await makePin(await openProject(project), run, proof);
    await configure({ user: { checks: { ...USER.checks, easy: { run: 'true' } } } });
    expect((await cli('idle', 'loop', '--until', 'lint', 'inner')).exitCode).toBe(0);
    const { exitCode, stderr } = await cli('idle', 'loop', '--until', 'easy', 'inner');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('were pinned at its first stop, and this one is not among those that may run');
    expect(frames()).toHaveLength(2);
  });
});

describe('taskie', () => {
  beforeEach(() => {
    project.write('.taskie/plans/p/plan.md', '## Overview\n');
  });

  it('notes them when a plan is made, and not again', async () => {
    await trustAll({ own: OWN, user: USER });
    const { exitCode, stdout } = await cli('taskie', 'record', 'new-plan', '--check', 'lint');
    const { proof } = sidecar();
    expect(exitCode).toBe(0);
    expect(stdout).toContain('this is run and must pass: test (npm test), types (npx tsc), lint (lint).');
    expect(proof?.asked.checks).toEqual(['lint']);
    expect((await cli('taskie', 'next')).stdout).not.toContain('must pass');
    expect(sidecar().proof).toEqual(proof);
  });

  it('takes the flags when a plan is continued, until it is pinned', async () => {
    await trustAll({ own: OWN, user: USER });
    await cli('taskie', 'record', 'new-plan');
    expect((await cli('taskie', 'next', '--no-check')).stdout).toContain(
      'will not run, so this ends unproven',
    );
    await cli('taskie', 'next', '--check', 'lint');
    const { proof } = sidecar();
    expect(proof?.asked).toEqual({ checks: ['lint'], off: false });
    await makePin(await openProject(project), 'taskie:p', proof);
    const { exitCode, stderr } = await cli('taskie', 'next', '--no-check');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('come too late');
    expect((await cli('taskie', 'next')).exitCode).toBe(0);
    expect(sidecar().proof).toEqual(proof);
  });

  it('begins afresh with a new plan of the same name', async () => {
    await trustAll({ own: OWN });
    await cli('taskie', 'record', 'new-plan');
    const opened = await openProject(project);
    await makePin(opened, 'taskie:p', sidecar().proof);
    fs.rmSync(path.join(project.root, '.taskie/plans/p/state.json'));
    await cli('taskie', 'record', 'new-plan', '--no-check');
    expect(readPin(opened, 'taskie:p')).toBeNull();
    expect(sidecar().proof?.asked.off).toBe(true);
  });

  it('takes the flags with no other action', async () => {
    await cli('taskie', 'record', 'new-plan');
    const { exitCode, stderr } = await cli('taskie', 'record', 'create-tasks', '--no-check');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('taskie record create-tasks takes no --check, --no-check and --accept-red');
  });
});
