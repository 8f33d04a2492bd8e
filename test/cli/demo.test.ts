import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';

let temp: TempProject;
beforeEach(() => {
  temp = tempProject();
});
afterEach(() => temp.remove());

type Played = { workflow: string; folder: string; cameToItsEnd: boolean; events: { kind: string }[] };

describe('the demo', () => {
  it('takes every workflow to its end through the real hook', async () => {
    const shown = await runCli(temp.root, ['demo', '--json']);

    expect(shown).toMatchObject({ exitCode: 0, stderr: '' });
    const played: Played[] = JSON.parse(shown.stdout);
    expect(played.map(({ workflow, cameToItsEnd }) => [workflow, cameToItsEnd])).toEqual([
      ['claudex', true],
      ['taskie', true],
      ['flow', true],
      ['idle', true],
    ]);
    for (const { events } of played) {
      const kinds = events.map((event) => event.kind);
      expect(kinds.filter((kind) => kind === 'hold').length).toBeGreaterThanOrEqual(2);
      expect(kinds.lastIndexOf('allow')).toBeGreaterThan(kinds.lastIndexOf('hold'));
    }
    expect(played.every(({ folder }) => !fs.existsSync(folder))).toBe(true);
    expect(fs.readdirSync(temp.root)).toEqual(['.git']);
  });

  it('tells one workflow as a timeline and ends with how to install it', async () => {
    const shown = await runCli(temp.root, ['demo', '--workflow', 'idle']);

    expect(shown.exitCode).toBe(0);
    expect(shown.stdout).toContain('hold   [ITERATION 1/5] Continue working on the task.');
    expect(shown.stdout).toMatch(
      /hold {3}Not done yet: the check failed.*\n +test: exit code 1 .*\n(?: +ok .*\n){2} +not ok third\n/,
    );
    expect(shown.stdout).toMatch(
      /allow {2}the agent may stop\.\n {2}notice Holdfast: done and proven: test \(/,
    );
    expect(shown.stdout).toContain('npx holdfast install');
    expect(shown.stdout).not.toContain('\u001b[');
  });

  it('keeps its project when asked, and says where', async () => {
    // In a temp folder an agent in a sandbox could put programs of its own into it.
    const env = { TMPDIR: path.join(temp.root, 'nowhere') };
    const shown = await runCli(temp.root, ['demo', '--workflow', 'idle', '--keep'], { env });

    const folder = /idle: kept in (.*)/.exec(shown.stdout)?.[1] ?? '';
    expect(folder).toContain('/holdfast/stage-demo-idle-');
    expect(fs.existsSync(path.join(folder, 'project', '.jwz', 'messages.jsonl'))).toBe(true);
    fs.rmSync(folder, { recursive: true });
  });

  it('refuses a workflow that is not there', async () => {
    const refused = await runCli(temp.root, ['demo', '--workflow', 'nothing']);

    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toContain('there are claudex, taskie, flow, idle');
  });
});
