// What `claudex doctor` says of each thing that a loop needs. The sources lie in no plugin, so that here its parts and
// its launcher are missing; the built plugin has them.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ID, putLoop, writeAt } from '../../../../test/fixtures/claudex/project.ts';
import { emptyFolder, NOW, projectIn } from '../../../../test/support/bare-project.ts';
import { called, callIn } from '../../../../test/support/call.ts';
import { runCli } from '../../../../test/support/hook.ts';
import { programs, says } from '../../../../test/support/programs.ts';
import type { Project } from '../../../engine/project.ts';
import { type Call, NotNow } from '../../../engine/workflow-cli.ts';
import { doctor } from './doctor.ts';

const src = path.resolve(import.meta.dirname, '../../..');

let root: string;
let project: Project;
beforeEach(() => {
  root = emptyFolder();
  const { env } = programs({ codex: { '--version': says('codex-cli 0.166.0\nmore') } });
  project = projectIn(root, { env: { PATH: env.PATH } });
});
afterEach(() => vi.restoreAllMocks());

const REVIEWER = 'ok    codex is on PATH: codex-cli 0.166.0';
const HOOK = `FAIL  the hook did not allow in an empty project: spawn ${src}/hooks/stop ENOENT`;
const PLUGIN = `FAIL  the plugin at ${src}/workflows/claudex lacks hooks/stop, hooks/hooks.json, bin/holdfast, lib/entry.cjs, lib/hook.cjs, lib/workflows-claudex.cjs, .claude-plugin/plugin.json; install Holdfast again`;
const NONE = 'ok    no loop on disk';
const folderLine = (): string => `ok    the state folder can be written: ${root}/.claude/claudex`;

/** What is said of the folder and of the loops, between and after what is the same in every test here. */
async function saidOf(where: Project): Promise<{ folder: string[]; loops: string[] }> {
  const said = await called(doctor, where);
  const hook = said.indexOf(HOOK);
  expect([said[0], said[1], said[hook + 1]]).toEqual(['1', REVIEWER, PLUGIN]);
  return { folder: said.slice(2, hook), loops: said.slice(hook + 2) };
}

describe('claudex doctor', () => {
  it('goes through the reviewer, the folder, the hook, the plugin and the loops, and writes nothing', async () => {
    expect(await called(doctor, project)).toEqual(['1', REVIEWER, folderLine(), HOOK, PLUGIN, NONE]);
    expect(fs.readdirSync(root)).toEqual(['.git']);
  });

  it('says the same as data', async () => {
    const [code, text = ''] = await called(doctor, project, { flags: { json: true } });
    expect(code).toBe('1');
    expect(text.startsWith('[\n  {\n    "result": "ok",\n')).toBe(true);
    expect(JSON.parse(text)).toEqual(
      [REVIEWER, folderLine(), HOOK, PLUGIN, NONE].map((line) => ({
        result: line.slice(0, 4).trim(),
        what: line.slice(6),
      })),
    );
  });

  it('fires the hook where only the folder of the loops is, and takes it away', async () => {
    const made: string[] = [];
    const make = fs.mkdirSync;
    vi.spyOn(fs, 'mkdirSync').mockImplementation((folder, options) => {
      made.push(String(folder));
      return make(folder, options);
    });
    await called(doctor, project);
    expect(made.at(-1)).toMatch(/\/holdfast\/stage-doctor-\w{6}\/\.claude\/claudex$/);
    expect(fs.existsSync(path.resolve(made.at(-1) ?? '/', '../..'))).toBe(false);
  });

  it('finds nothing wrong with the plugin as it is built, whatever the environment says of projects', async () => {
    const { stdout, exitCode } = await runCli(root, ['claudex', 'doctor'], {
      env: {
        PATH: `${project.env.PATH}:${path.dirname(process.execPath)}`,
        CLAUDE_PROJECT_DIR: path.join(root, 'nowhere'),
        HOLDFAST_DISABLE: '1',
      },
    });
    const plugin = path.resolve(src, '../dist/holdfast');
    expect(stdout.split('\n')).toEqual([
      REVIEWER,
      expect.stringMatching(/^(?:ok {4}the state folder can be written|note {2})/),
      'ok    the hook answers, and allows in an empty project',
      `ok    the plugin is complete: ${fs.realpathSync(plugin)}`,
      NONE,
      '',
    ]);
    expect(exitCode).toBe(0);
  });
});

describe('of the reviewer, claudex doctor', () => {
  it('says how to install one that is missing', async () => {
    const bare = { ...project, env: { ...project.env, PATH: root } };
    expect((await called(doctor, bare))[1]).toBe(
      'FAIL  codex is not on PATH; to get reviews, install it: npm install -g @openai/codex',
    );
  });

  it('says how one failed', async () => {
    const { env } = programs({ codex: { '--version': 'exit 3' } });
    const broken = { ...project, env: { ...project.env, PATH: env.PATH } };
    expect((await called(doctor, broken))[1]).toBe(
      'FAIL  codex is there, but `codex --version` failed: Command failed: codex --version',
    );
  });

  it('asks the one that the user chose', async () => {
    const config = path.join(project.env.HOME ?? '', '.config/holdfast/holdfast.config.json');
    writeAt(config, '{"review":{"claudex":"claude/opus"}}', NOW);
    const { env } = programs({ claude: { '--version': says('2.1.325 (Claude Code)') } });
    const other = { ...project, env: { ...project.env, PATH: env.PATH } };
    expect((await called(doctor, other))[1]).toBe('ok    claude is on PATH: 2.1.325 (Claude Code)');
  });
});

describe('of the folder, claudex doctor', () => {
  it('names variables that hold garbage, also where the folder cannot be used', async () => {
    const garbage = { ...project, env: { ...project.env, CLAUDEX_STALE_MINUTES: 'soon' } };
    const note = 'note  CLAUDEX_STALE_MINUTES is not a whole number above 0; 15 is used.';
    expect(await saidOf(garbage)).toEqual({ folder: [folderLine(), note], loops: [NONE] });
    writeAt(path.join(root, '.claude/claudex'), 'x');
    const wrong = `FAIL  ${root}/.claude/claudex is a file where a folder belongs; to fix it, run \`mv ${root}/.claude/claudex ${root}/.claude/claudex.aside\``;
    expect(await saidOf(garbage)).toEqual({ folder: [wrong, note], loops: [] });
  });

  it.each([
    ['.claude/claudex', '.claude/claudex'],
    ['.claude', '.claude'],
    ['.git', ''],
  ])('asks whether the nearest one there is can be written: with %s', async (there, asked) => {
    fs.mkdirSync(path.join(root, there), { recursive: true });
    const access = fs.accessSync;
    const both = fs.constants.W_OK | fs.constants.X_OK;
    vi.spyOn(fs, 'accessSync').mockImplementation((place, mode) => {
      if (place === path.join(root, asked) && mode === both) throw new Error('EACCES');
      access(place, mode);
    });
    const garbage = { ...project, env: { ...project.env, CLAUDEX_STALE_MINUTES: '0' } };
    expect((await saidOf(garbage)).folder).toEqual([
      `FAIL  the state folder cannot be written: ${root}/.claude/claudex; start the client where you may write, or set CLAUDEX_STATE_DIR`,
      'note  CLAUDEX_STALE_MINUTES is not a whole number above 0; 15 is used.',
    ]);
  });

  const refused = async (over: Partial<Call>) => {
    const { call, printed } = callIn(root, { env: project.env, existing: async () => null, ...over });
    return { code: await doctor.run(call), printed };
  };
  const throwing = (error: unknown) => async (): Promise<never> => {
    throw error;
  };

  it('only notes why no run can be started here', async () => {
    expect(await refused({ forNewRun: throwing(new NotNow('not from here')) })).toEqual({
      code: 1,
      printed: [REVIEWER, 'note  not from here', HOOK, PLUGIN, NONE],
    });
  });

  it('takes a project that something hides for none', async () => {
    const hidden = { existing: throwing(new NotNow('hidden')), forNewRun: async () => project };
    expect((await refused(hidden)).printed).toEqual([REVIEWER, folderLine(), HOOK, PLUGIN, NONE]);
  });

  it.each(['existing', 'forNewRun'])('passes on any other error: %s', async (name) => {
    await expect(refused({ [name]: throwing(new Error('broken')) })).rejects.toThrow('broken');
    await expect(refused({ [name]: throwing({ name: 'NotNow' }) })).rejects.toEqual({ name: 'NotNow' });
  });
});

describe('of the loops, claudex doctor', () => {
  it('shows where the newest stands', async () => {
    const old = putLoop(project, { phase: 'done' }, { id: '20260131-092900-bbbbbb' });
    fs.utimesSync(old.files.state, 1, 1);
    putLoop(project, { phase: 'reviewing', round: '2' });
    expect(await saidOf(project)).toEqual({
      folder: [folderLine()],
      loops: [`ok    the newest loop on disk: ${ID} (plan, reviewing, round 2 of 3)`],
    });
  });

  it('notes a state file that is no loop’s', async () => {
    writeAt(path.join(root, '.claude/claudex/notes.state'), 'x');
    expect((await saidOf(project)).loops).toEqual(['note  notes.state is no loop: its name is no id']);
  });

  it('fails for a state that cannot be read', async () => {
    const { files } = putLoop(project);
    fs.rmSync(files.state);
    fs.mkdirSync(files.state);
    expect((await saidOf(project)).loops).toEqual([
      `FAIL  the state of the loop ${ID} cannot be read: ${files.state} is a folder where a file belongs; to fix it, run \`mv ${files.state} ${files.state}.aside\``,
    ]);
  });
});
