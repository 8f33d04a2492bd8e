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
  it('takes every workflow to its end through the real hook, the simplest first', async () => {
    const shown = await runCli(temp.root, ['demo', '--json']);

    expect(shown).toMatchObject({ exitCode: 0, stderr: '' });
    const played: Played[] = JSON.parse(shown.stdout);
    expect(played.map(({ workflow, cameToItsEnd }) => [workflow, cameToItsEnd])).toEqual([
      ['idle', true],
      ['flow', true],
      ['taskie', true],
      ['claudex', true],
    ]);
    for (const { events } of played) {
      const kinds = events.map((event) => event.kind);
      expect(kinds.filter((kind) => kind === 'hold').length).toBeGreaterThanOrEqual(2);
      expect(kinds.lastIndexOf('allow')).toBeGreaterThan(kinds.lastIndexOf('hold'));
    }
    expect(played.every(({ folder }) => !fs.existsSync(folder))).toBe(true);
    expect(fs.readdirSync(temp.root)).toEqual(['.git']);
  });

  it.each(['idle', 'claudex'])('tells %s as a timeline and ends with how to install it', async (name) => {
    const { stdout, exitCode } = await runCli(temp.root, ['demo', name]);

    expect(exitCode).toBe(0);
    const shape = stdout.replaceAll(/\d+\.\d s\b/g, '… s').replaceAll(/\d{8}-\d{6}-[0-9a-f]{6}/g, 'ID');
    await expect(shape).toMatchFileSnapshot(`golden/demo-${name}.txt`);
  });

  it('keeps its project when asked, and says where', async () => {
    // In a temp folder an agent in a sandbox could put programs of its own into it.
    const env = { TMPDIR: path.join(temp.root, 'nowhere') };
    const shown = await runCli(temp.root, ['demo', '--keep', 'idle'], { env });

    const folder = /idle: kept in (.*)/.exec(shown.stdout)?.[1] ?? '';
    expect(folder).toContain('/holdfast/stage-demo-idle-');
    expect(fs.existsSync(path.join(folder, 'project', '.jwz', 'messages.jsonl'))).toBe(true);
    fs.rmSync(folder, { recursive: true });
  });

  it('refuses a workflow that is not there', async () => {
    const refused = await runCli(temp.root, ['demo', 'nothing']);

    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toContain('there are idle, flow, taskie, claudex');
  });
});
