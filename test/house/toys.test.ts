// The registries are the only lists. In a copy of the tree a workflow is its folder, its skills and one line, a client
// is one file and one line (and the import it needs); with no other change everything that serves all of them serves
// these two as well.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ran, type RunOptions, run } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';
import { copyTree, type TreeCopy } from '../support/tree-copy.mjs';

const repository = path.resolve(import.meta.dirname, '../..');
const SESSION = 'toybox-session-1';
const LIMIT = { timeout: 600_000 };

let tree: TreeCopy;
let project: TempProject;

const inTree = (file: string): string => path.join(tree.folder, file);

beforeAll(() => {
  tree = copyTree(repository);
  project = tempProject();
  addWorkflow();
  addClient();
  execFileSync(process.execPath, ['scripts/build.mjs'], {
    cwd: tree.folder,
    stdio: 'pipe',
    timeout: 480_000,
  });
}, 600_000);

afterAll(() => {
  tree.remove();
  project.remove();
});

function addWorkflow(): void {
  for (const file of ['decide.ts', 'workflow.ts', 'cli.ts'])
    put(`src/workflows/toy/${file}`, read(`test/toy/${file}`).replaceAll("'../../src/", "'../../"));
  const does = { start: 'Start a toy.', status: 'Show where it stands.', cancel: 'End the toy.' };
  for (const [name, first] of Object.entries(does))
    put(
      `plugins/toy/skills/${name}/SKILL.md`,
      `---\nname: ${name}\ndescription: ${first}\n---\n\nRun \`holdfast toy ${name}\` (in Codex: \`bin/holdfast\` two folders above this file).\n`,
    );
  const line = `  {
    name: 'toy',
    description: 'A workflow to play with.',
    begin: 'start',
    traces: ['.toy'],
    load: () => import('./toy/workflow.ts').then((module) => module.toy),
    cli: () => import('./toy/cli.ts').then((module) => module.toyCli),
  },
`;
  edit('src/workflows/registry.ts', /\n\];\n$/, `\n${line}];\n`);
}

function addClient(): void {
  const source = read('test/house/toybox.ts');
  put(
    'src/clients/toybox.ts',
    source.replaceAll("'../../src/clients/", "'./").replaceAll("'../../src/", "'../"),
  );
  edit('src/clients/index.ts', /\n {2}generic,\n\];/, '\n  generic,\n  toybox,\n];');
  edit('src/clients/index.ts', /\n\n/, "\n\nimport { toybox } from './toybox.ts';\n");
}

function read(file: string): string {
  return fs.readFileSync(path.join(repository, file), 'utf8');
}

function put(file: string, text: string): void {
  fs.mkdirSync(path.dirname(inTree(file)), { recursive: true });
  fs.writeFileSync(inTree(file), text);
}

function edit(file: string, from: RegExp, to: string): void {
  const text = read(file);
  const current = fs.readFileSync(inTree(file), 'utf8');
  expect(
    current.replace(from, () => to),
    `${file} is not edited`,
  ).not.toBe(text);
  fs.writeFileSync(
    inTree(file),
    current.replace(from, () => to),
  );
}

/** In the agent's shell, unless another environment is named. */
function cli(args: readonly string[], env: RunOptions['env'] = { TOYBOX_SESSION_ID: SESSION }): Promise<Ran> {
  return run(inTree('dist/holdfast/bin/holdfast'), args, project.root, { env, timeoutMs: 240_000 });
}

async function stop(said: string): Promise<unknown> {
  const payload = { toybox_version: 1, session_id: SESSION, cwd: project.root, said };
  const ran = await run(inTree('dist/holdfast/hooks/stop'), [], project.root, {
    stdin: JSON.stringify(payload),
    timeoutMs: 240_000,
  });
  expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
  return ran.stdout === '' ? null : JSON.parse(ran.stdout);
}

describe('a workflow and a client that only the registries list', () => {
  it('are type-correct', LIMIT, async () => {
    const checked = await tree.run(
      process.execPath,
      ['node_modules/typescript/bin/tsc', '--noEmit'],
      480_000,
    );
    expect(checked).toEqual({ code: 0, output: '' });
  });

  it('pass the suites that go over all of them', { timeout: 900_000 }, async () => {
    const suites = [
      'test/architecture.test.ts',
      'test/house/names.test.ts',
      'test/plugins',
      'src/clients/payloads.test.ts',
      'src/clients/hostile.test.ts',
    ];
    const vitest = 'node_modules/vitest/vitest.mjs';
    const ran = await tree.run(process.execPath, [vitest, 'run', '--project', 'fast', ...suites], 800_000);
    expect(ran.output).toMatch(/Test Files .*8 passed/);
    expect(ran.code).toBe(0);
  });

  it('are packed: the launcher knows the traces, the marketplace the plugin, the plugin its command', async () => {
    expect(fs.readFileSync(inTree('dist/holdfast/hooks/stop'), 'utf8')).toContain('is_near toy "$1/.toy"');
    const { plugins } = JSON.parse(fs.readFileSync(inTree('dist/.claude-plugin/marketplace.json'), 'utf8'));
    expect(plugins).toContainEqual({
      name: 'toy',
      source: './toy',
      description: 'A workflow to play with.',
    });
    const called = await run(inTree('dist/toy/bin/holdfast'), ['toy', 'help'], project.root, {});
    expect(called.exitCode).toBe(0);
    expect(called.stdout).toMatch(/toy start .*\n.*toy status .*\n.*toy cancel /);
    expect((await cli(['help'])).stdout).toMatch(/Workflows: .*, toy;/);
  });

  it('are held, looked at, decided again and let go', LIMIT, async () => {
    expect(await stop('nothing is here')).toBeNull();
    expect((await cli(['toy', 'start', 'a'])).stdout).toBe('toy:a belongs to this session\n');
    expect(await stop('not yet')).toEqual({
      go_on: expect.stringContaining('go-on {"left":99}'),
      session: SESSION,
    });
    expect((await cli(['status'])).stdout).toContain('toy:a');
    expect((await cli(['why'])).stdout).toContain('toy:a');
    expect(await cli(['replay', '1'])).toMatchObject({ exitCode: 0 });
    expect(await stop('FINISHED')).toEqual({ notice: expect.stringContaining('finished') });
    expect(await stop('and on')).toEqual({ notice: null });
  });

  it('are adopted and cancelled', LIMIT, async () => {
    await cli(['toy', 'start', 'b'], { TOYBOX_SESSION_ID: 'another' });
    expect((await cli(['adopt', 'toy:b'])).stdout).toContain('toy:b now belongs to this session.');
    expect(await stop('not yet')).toMatchObject({ session: SESSION });
    expect((await cli(['cancel', 'toy:b'])).stdout).toContain('toy:b is cancelled.');
    expect(await stop('not yet')).toEqual({ notice: null });
  });

  it('are installed and checked where the client is there', LIMIT, async () => {
    const bin = path.join(project.home, 'bin');
    fs.mkdirSync(bin);
    fs.writeFileSync(path.join(bin, 'toybox'), '#!/bin/sh\n', { mode: 0o755 });
    fs.symlinkSync(process.execPath, path.join(bin, 'node'));
    const env = { PATH: bin };
    expect((await cli(['install', '--help'], env)).stdout).toMatch(/--client claude\|codex\|.*toybox\|all/);
    expect((await cli(['install', '--dry-run'], env)).stdout).toMatch(
      /^Toybox would get holdfast, .*, toy\.$/m,
    );
    expect(await cli(['uninstall', '--client', 'toybox', '--dry-run'], env)).toMatchObject({
      exitCode: 0,
      stdout: 'Toybox: removed.\n',
    });
    expect((await cli(['doctor'], env)).stdout).toContain('ok    Toybox: the plugin is installed');
  });
});
