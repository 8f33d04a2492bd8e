// A project whose runs an earlier version began goes on: nothing is lost, nothing is counted again, and what was
// recorded is still read.

import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fireHook, type Ran, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';

const SESSION = '5e550000-0000-4000-8000-000000000001';
const OLD = path.resolve(import.meta.dirname, '../fixtures/old/0.2.0');
const SIDECAR = '.holdfast/runs/taskie-demo.json';

describe('a project of 0.2.0', () => {
  let project: TempProject;

  beforeAll(() => {
    project = tempProject();
    for (const name of ['taskie', 'holdfast'])
      fs.cpSync(path.join(OLD, name), path.join(project.root, `.${name}`), { recursive: true });
  });

  afterAll(() => project.remove());

  const cli = (...args: string[]): Promise<Ran> =>
    runCli(project.root, args, { env: { CLAUDE_CODE_SESSION_ID: SESSION } });

  it('shows whose its run is before anything was written', async () => {
    expect((await cli('status')).stdout).toMatch(/taskie:demo .*this session's/);
    expect(JSON.parse(project.read(SIDECAR)).schema).toBe(1);
  });

  it('says why the last stop was answered as it was', async () => {
    const { stdout } = await cli('why');
    expect(stdout).toContain('Held by taskie:demo');
    expect((await cli('log')).stdout.trim().split('\n')).toHaveLength(3);
  });

  it('decides the recorded stops the same way again', async () => {
    const { stdout, exitCode } = await cli('replay', '.holdfast/journal.jsonl');
    expect({ stdout, exitCode }).toMatchObject({ exitCode: 0 });
    expect(stdout).toContain('3 stops replayed, 0 different.');
  });

  it('holds its session, and counts on', async () => {
    const { answer } = await fireHook(project.root, { session_id: SESSION, cwd: project.root });

    expect(answer).toMatchObject({ decision: 'block' });
    expect(answer?.reason).toContain('plan-review-1.md');
    expect(JSON.parse(project.read(SIDECAR))).toMatchObject({
      schema: 2,
      sessions: [SESSION],
      guard: { [SESSION]: { held: true } },
      saved: { review: { kind: 'plan-review', iteration: 1, number: 1 } },
    });
    expect((await cli('log')).stdout.trim().split('\n')).toHaveLength(4);
  });
});
