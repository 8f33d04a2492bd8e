// Commands that have nothing to show say so, and help names all there is.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clients } from '../../src/clients/index.ts';
import { runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';

let project: TempProject;
beforeEach(() => {
  project = tempProject();
  project.write('.taskie/plans/p/plan.md', '# Plan\n');
});
afterEach(() => project.remove());

const cli = (...args: string[]) => runCli(project.root, args);

describe('log', () => {
  test('says that there are no stops yet', async () => {
    expect(await cli('log')).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^No stops yet/) });
    expect(await cli('log', '--json')).toMatchObject({ exitCode: 0, stdout: '' });
  });

  test('says that a run has no stops yet', async () => {
    const { stdout, exitCode } = await cli('log', '--run', 'taskie:p');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^No stops of taskie:p yet/);
  });

  test('says that there is no run of that name', async () => {
    const { stderr, stdout, exitCode } = await cli('log', '--run', 'nope');
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain('there is no run "nope"');
    expect(stderr).toContain('`holdfast status --all`');
  });
});

test('the help of hook names every client and --limit', async () => {
  const { stdout } = await cli('hook', '--help');
  for (const { name } of clients) expect(stdout).toContain(name);
  expect(stdout).toContain('--limit N');
});

test('a broken state.json is to be moved aside, by status as by taskie', async () => {
  project.write('.taskie/plans/p/state.json', '{]');
  const file = `${project.root}/.taskie/plans/p/state.json`;
  for (const words of [['status'], ['taskie', 'next']]) {
    const { stdout } = await cli(...words);
    expect(stdout).toContain(`\`mv ${file} ${file}.broken\``);
    expect(stdout).not.toContain(`rm ${file}`);
  }
});

test('claudex status says how the runner of a round ended that was not reviewed', async () => {
  const id = '20260131-093000-1a2b3c';
  const state = ['mode: plan', 'phase: reviewing', 'round: 2', 'max_rounds: 3', 'topic: "x"'].join('\n');
  project.write(`.claude/claudex/${id}.state`, `${state}\n`);
  project.write(`.claude/claudex/${id}/exit-round-1`, '127\n');
  const { stdout } = await cli('claudex', 'status');
  expect(stdout).toMatch(/^round 1 .*: not reviewed \(exit code 127: codex was not found on PATH\)$/m);
  expect(stdout).toMatch(/^round 2 .*: not reviewed$/m);
});
