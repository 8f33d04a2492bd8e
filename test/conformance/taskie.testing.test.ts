// How taskie is tested, tried out instead of read: what the commands select, that no real reviewer can be reached, and
// that nothing is left behind.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { planProject } from '../fixtures/taskie/plan.ts';
import { run } from '../support/hook.ts';
import { tempProject } from '../support/project.ts';

const repository = path.resolve(import.meta.dirname, '../..');
const scripts: Record<string, string> = JSON.parse(
  fs.readFileSync(path.join(repository, 'package.json'), 'utf8'),
).scripts;
const FAKES = path.join(repository, 'test/fixtures/taskie/bin');

/** The test files that a call of vitest with these arguments would run. */
function selected(...args: string[]): string[] {
  const vitest = path.join(repository, 'node_modules/vitest/vitest.mjs');
  const listed = execFileSync(process.execPath, [vitest, 'list', '--filesOnly', '--json', ...args], {
    cwd: repository,
    encoding: 'utf8',
    timeout: 240_000,
  });
  const files: { file: string }[] = JSON.parse(listed);
  return files.map(({ file }) => path.relative(repository, file)).sort();
}

/** What stands behind `vitest run` in the npm script that a target of make calls, reporters left out. */
function argumentsOf(target: string): string[] {
  const typed = execFileSync('make', ['-n', target], { cwd: repository, encoding: 'utf8' }).trim();
  const [, script = ''] = /^npm (?:run )?(\S+)$/.exec(typed) ?? [];
  const [, words = ''] = /vitest run ([^&]+)/.exec(scripts[script] ?? '') ?? [];
  return words
    .trim()
    .split(' ')
    .filter((word) => !/^--(reporter|outputFile)/.test(word));
}

const suite = (name: string): string => `test/conformance/taskie.${name}.test.ts`;

describe('the commands that run taskie’s tests', () => {
  it('run all suites, only state and reviews, or only validation', {
    tags: ['T-testing-1', 'T-testing-2', 'T-testing-3'],
  }, () => {
    const everything = selected(...argumentsOf('test'));
    for (const name of ['validation', 'auto-review', 'state', 'reviewer', 'edge-cases'])
      expect(everything).toContain(suite(name));
    expect(selected(...argumentsOf('test-state'))).toEqual(
      ['auto-review', 'edge-cases', 'reviewer', 'state'].map(suite),
    );
    expect(selected(...argumentsOf('test-validation'))).toEqual([suite('validation')]);
  });

  it('run a single file by its path', { tags: ['T-testing-4'] }, () => {
    expect(selected('--project', 'fast', suite('state'))).toEqual([suite('state')]);
  });
});

describe('a test with a reviewer', () => {
  it('reaches the fake one, and takes no key, login or proxy of the user along', {
    tags: ['T-testing-6'],
  }, async () => {
    const theirs = {
      ANTHROPIC_API_KEY: 'k',
      ANTHROPIC_BASE_URL: 'u',
      CLAUDE_CONFIG_DIR: '/c',
      HTTPS_PROXY: 'p',
    };
    for (const [name, value] of Object.entries(theirs)) vi.stubEnv(name, value);
    const project = planProject();
    const seen = path.join(path.dirname(project.root), 'seen');
    const spy = project.write('../spy/claude', `#!/bin/sh\nenv >'${seen}'\nexit 1\n`);
    fs.chmodSync(spy, 0o755);
    project.setState({});
    await project.stop();
    const reached = project.calls().length;
    project.setState({});
    const PATH = `${path.dirname(spy)}:${process.env.PATH ?? ''}`;
    await project.stop({}, { env: { PATH } });
    const environment = fs.readFileSync(seen, 'utf8');
    vi.unstubAllEnvs();
    project.remove();
    expect(reached).toBe(1);
    for (const name of Object.keys(theirs)) expect(environment).not.toMatch(new RegExp(`^${name}=`, 'm'));
    expect(environment).toMatch(new RegExp(`^HOME=${path.dirname(project.root)}/home$`, 'm'));
  });

  it('leaves no folder, no file and no fake on PATH behind', { tags: ['T-testing-7'] }, async () => {
    const before = process.env.PATH;
    const project = planProject();
    const folder = path.dirname(project.root);
    project.setState({});
    expect((await project.stop()).answer?.decision).toBe('block');
    expect(project.calls()).toHaveLength(1);
    project.remove();
    expect(fs.existsSync(folder)).toBe(false);
    expect(process.env.PATH).toBe(before);
    const next = tempProject();
    const found = await run('sh', ['-c', 'command -v claude || true'], next.root, {});
    next.remove();
    expect(found.stdout).not.toContain(FAKES);
  });
});
