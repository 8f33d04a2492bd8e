// Projects with any name that a file system takes: a loop works there from its start to its last round, or is refused
// at the start with one line and nothing written. Real folders, the real command line, hook and runner.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type LoopProject, loopProject } from '../fixtures/claudex/loop.ts';
import { run } from '../support/hook.ts';

const projects: LoopProject[] = [];
function projectNamed(name: string): LoopProject {
  const project = loopProject(name);
  projects.push(project);
  return project;
}
afterEach(() => {
  for (const project of projects.splice(0)) project.remove();
});

const plugin = process.env.HOLDFAST_TEST_PLUGIN ?? path.resolve(import.meta.dirname, '../../dist/holdfast');

describe('a loop works from start to end in a project named', () => {
  it.each([
    ' two words ',
    'tabs\tinside and after\t',
    'no-break space\u00a0',
    `it's "quoted" \`touch pwned\` $(touch pwned) $HOME`,
    '"all of it"',
    'back\\slash, not a line\\nbreak',
    'a&b|c;d>e<f *?[a]{b} #%~!^=',
    '-x: value',
    'f\u00fcnf fu\u0308nf 計画 🙂 \ufffd',
  ])(
    '%j',
    async (name) => {
      const project = projectNamed(name);
      const id = await project.plan('a cache', '--rounds', '2');
      expect((await project.stop()).answer?.reason).toContain('draft the plan first');
      project.write('PLAN.md', '# Plan\n');
      const held = await project.stop();
      expect(held.answer?.reason).toContain('### Claudex round 1 of 2');
      // The command as the hold gives it, read by a shell.
      const command = /Run the reviewer: `(sh .*)`\n/.exec(held.answer?.reason ?? '')?.[1] ?? '';
      const fakes = path.resolve(import.meta.dirname, '../fixtures/claudex/bin');
      const reviewed = await run('sh', ['-c', command], path.dirname(project.root), {
        env: {
          PATH: `${fakes}:${process.env.PATH}`,
          FAKE_CODEX_RECORD: path.join(project.home, 'codex'),
          HOME: project.home,
        },
      });
      expect(reviewed.exitCode, reviewed.stderr).toBe(0);
      expect(reviewed.stdout).toContain(`Written: ${project.ours(`${id}/findings-round-1.md`)}`);
      expect((await project.claudex(['wait', id])).stdout).toContain('high=1 medium=2 low=1');
      expect((await project.stop()).answer?.reason).toContain('**Previous round:** high=1 medium=2 low=1');
      expect((await project.claudex(['done', id])).exitCode).toBe(0);
      expect((await project.stop()).answer?.reason).toContain('plan loop complete');
      expect((await project.stop()).answer?.decision).toBeUndefined();
      for (const place of [project.root, path.dirname(project.root), project.home])
        expect(fs.existsSync(path.join(place, 'pwned'))).toBe(false);
    },
    60_000,
  );
});

describe('a start is refused, with one line and nothing written, in a project named', () => {
  it.each([
    'a line\nbreak',
    'ends in one\n',
    'a carriage\rreturn',
    'ends in one\r',
    'an escape\u001b[31m',
    'a bell\u0007',
    'delete\u007f',
    'next line\u0085',
    'line separator\u2028',
    'right to left\u202e',
    'isolate\u2066',
    'byte order mark\ufeff',
    'no width\u200b',
  ])('%j', async (name) => {
    const project = projectNamed(name);
    for (const command of [['plan', 'a cache'], ['review']]) {
      const refused = await project.claudex(command);
      expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
      expect(refused.stderr).toMatch(
        /^holdfast: claudex: the path of this project, "[ -~]+", has .+ Rename the folder, and start again\.\n$/,
      );
      expect(fs.readdirSync(project.root)).toEqual(['.git']);
    }
  });

  it.each(['claudex plan x', 'claudex review', 'idle loop x'])(
    'with bytes that are no UTF-8: %s',
    async (command) => {
      const project = projectNamed('plain');
      const names = () => fs.readdirSync(project.root, { encoding: 'latin1' }).sort();
      const script = `mkdir "$(printf 'a\\377b')" && cd "$(printf 'a\\377b')" && exec "$0" ${command}`;
      const refused = await run('sh', ['-c', script, path.join(plugin, 'bin/holdfast')], project.root, {
        env: { HOME: project.home, CLAUDE_CODE_SESSION_ID: 's1' },
      });
      expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
      expect(refused.stderr).toMatch(/^holdfast: .+ has bytes in it that are no UTF-8, .+\n$/);
      expect(names()).toEqual(['.git', 'a\u00ffb']);
    },
  );
});

it('a CLAUDEX_STATE_DIR with a line break in it is refused in the same way', async () => {
  const project = projectNamed('plain');
  const env = { CLAUDEX_STATE_DIR: path.join(project.home, 'two\nlines') };
  const before = fs.readdirSync(project.home);
  const refused = await project.claudex(['plan', 'x'], { env });
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain('the folder CLAUDEX_STATE_DIR, "');
  expect(fs.readdirSync(project.home)).toEqual(before);
  expect(fs.readdirSync(project.root)).toEqual(['.git']);
});
