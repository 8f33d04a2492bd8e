import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeRepository, type Repository } from '../../test/proof/repository.ts';
import { loadConfig } from '../config/config.ts';
import type { Project } from '../engine/project.ts';
import { giveTrust } from '../engine/proof/trust.ts';
import { homeOf } from '../store/home.ts';
import { bad, fair, good } from './finding.ts';
import { checkProof } from './proof-checks.ts';

let repository: Repository;
let bin: string;

beforeEach(() => {
  repository = makeRepository();
  bin = path.join(repository.folder, 'bin');
  fs.mkdirSync(bin);
  program('bwrap');
});
afterEach(() => repository.end());

const program = (name: string): void =>
  fs.writeFileSync(path.join(bin, name), '#!/bin/sh\n', { mode: 0o755 });
const own = (file: object): void =>
  repository.write('../home/.config/holdfast/holdfast.config.json', JSON.stringify(file));
const projects = (checks: object): void =>
  repository.write('holdfast.config.json', JSON.stringify({ checks }));

async function open(env: Record<string, string> = {}): Promise<Project> {
  const { root } = repository;
  const all = { ...repository.env, PATH: bin, ...env };
  const config = await loadConfig(root, all);
  return { root, env: all, home: homeOf(root), now: 1000, cli: 'holdfast', config };
}

/** With all that the project has trusted. */
async function trusted(): Promise<Project> {
  const project = await open();
  giveTrust(
    project,
    project.config.checks.filter(({ from }) => from === 'project'),
  );
  return project;
}

describe('what doctor says about checks', () => {
  it('is nothing where there are none', async () => {
    expect(checkProof(await open())).toEqual([]);
  });

  it('is for each whether it may run here, and whose it is', async () => {
    program('npm');
    own({ checks: { mine: { run: 'npm run mine' } } });
    projects({ test: { run: 'npm test' } });
    await trusted();
    projects({ test: { run: 'npm test' }, lint: { run: 'npm run lint', cwd: 'not-there' } });
    expect(checkProof(await open())).toEqual([
      good('the check test is trusted and required here: npm test'),
      fair(
        'the check lint is not trusted, so runs here end unproven: cd not-there && npm run lint',
        'holdfast trust',
      ),
      good('the check mine is your own; --check mine asks for it: npm run mine'),
    ]);
  });

  it('is that one was trusted which the config has no more, once', async () => {
    program('npm');
    projects({ test: { run: 'npm test' }, lint: { run: 'npm run lint' } });
    await trusted();
    projects({ test: { run: 'npm test' } });
    expect(checkProof(await open())).toEqual([
      good('the check test is trusted and required here: npm test'),
      fair(
        'the check lint was trusted, but the config has it no more, so runs here end unproven',
        'holdfast trust',
      ),
    ]);
    projects({});
    expect(checkProof(await open()).map(({ result }) => result)).toEqual(['fair', 'fair']);
  });

  it('is why the trust that was given cannot be read', async () => {
    projects({ test: { run: ['true'] } });
    const project = await trusted();
    const folder = path.join(repository.home, '.local/state/holdfast/trust');
    const [name = ''] = fs.readdirSync(folder);
    fs.renameSync(path.join(folder, name), path.join(folder, 'elsewhere'));
    fs.symlinkSync('elsewhere', path.join(folder, name));
    const [finding, ...more] = checkProof(project);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ result: 'bad', fix: 'then run `holdfast trust` again' });
    expect(finding?.what).toContain('is behind a link and is not read; remove it');
  });

  it('is that nothing can be trusted where the user’s own folders lie in the project', async () => {
    projects({ test: { run: ['true'] } });
    const { root } = repository;
    const project = await open({ XDG_STATE_HOME: path.join(root, 'state') });
    expect(checkProof(project)).toEqual([
      fair(
        `your own Holdfast folders lie inside ${root}, where an agent can write, so no check can be trusted here`,
        'set XDG_STATE_HOME and XDG_CONFIG_HOME to folders outside of it',
      ),
      fair('the check test is not trusted, so runs here end unproven: true', 'holdfast trust'),
    ]);
  });
});

describe('the program of a check', () => {
  const missing = async (check: object): Promise<string[]> => {
    own({ checks: { mine: check } });
    return checkProof(await open())
      .filter(({ result }) => result === 'bad')
      .map(({ what, fix }) => `${what} → ${fix}`);
  };
  const FIX = 'install it, or correct `checks.mine.run`';

  it.each([
    ['npm test', 'npm'],
    ['  npm', 'npm'],
    ['./run.sh now', './run.sh'],
  ])('is missed: %s', async (run, name) => {
    const where = name.includes('/') ? ` in ${repository.root}` : ' on PATH';
    expect(await missing({ run })).toEqual([
      `the check mine cannot run: there is no program ${name}${where} → ${FIX}`,
    ]);
  });

  it('is missed in a list, whatever its words are', async () => {
    expect(await missing({ run: ['my program', 'x'] })).toEqual([
      `the check mine cannot run: there is no program 'my program' on PATH → ${FIX}`,
    ]);
    expect(await missing({ run: ['cd', 'x'] })).toEqual([
      `the check mine cannot run: there is no program cd on PATH → ${FIX}`,
    ]);
  });

  it.each([
    'cd x && npm test',
    'if true; then x; fi',
    '[ -f x ]',
    'A=1 npm test',
    '"npm" test',
    '(x)',
    'npm;x',
  ])('is nobody’s to know before a shell reads it: %s', async (run) => {
    expect(await missing({ run })).toEqual([]);
  });

  it('is looked for in the folder of the check', async () => {
    repository.write('sub/run.sh', '#!/bin/sh\n');
    fs.chmodSync(path.join(repository.root, 'sub/run.sh'), 0o755);
    expect(await missing({ run: './run.sh', cwd: 'sub' })).toEqual([]);
    expect(await missing({ run: './run.sh', cwd: '.' })).toHaveLength(1);
    expect(await missing({ run: './run.sh', cwd: 'nowhere' })).toEqual([
      `the check mine cannot run: there is no folder nowhere in ${repository.root} → correct \`checks.mine.cwd\``,
    ]);
  });

  it('of a check that is not trusted is not looked for', async () => {
    projects({ test: { run: 'no-such-program' } });
    expect(checkProof(await open()).map(({ result }) => result)).toEqual(['fair']);
  });
});

describe('the sandbox of checks', () => {
  const about = async (sandbox: string, env: Record<string, string> = {}) => {
    own({ checks: { mine: { run: [process.execPath] } }, proof: { sandbox } });
    const [, ...rest] = checkProof(await open(env));
    return rest;
  };
  const NO_PATH = { PATH: '/nowhere' };
  const onPlatform = async <T>(value: string, act: () => Promise<T>): Promise<T> => {
    const { platform } = process;
    Object.defineProperty(process, 'platform', { value });
    try {
      return await act();
    } finally {
      Object.defineProperty(process, 'platform', { value: platform });
    }
  };
  const LINUX = 'the program bwrap is not on PATH';
  const ELSEWHERE = 'checks have no sandbox on this system';
  const MAY = 'where a session is in a sandbox, its checks may not be able to run';
  const CANNOT = 'and proof.sandbox is "always": checks cannot run';

  it('is fine where bwrap is there, and where none is wanted', async () => {
    expect(await about('auto')).toEqual([]);
    expect(await about('always')).toEqual([]);
    expect(await about('never', NO_PATH)).toEqual([]);
  });

  it('is missed where it may be needed, and more where it must be there', async () => {
    expect(await about('auto', NO_PATH)).toEqual([fair(`${LINUX}: ${MAY}`, 'install bubblewrap')]);
    expect(await about('always', NO_PATH)).toEqual([bad(`${LINUX}, ${CANNOT}`, 'install bubblewrap')]);
  });

  it('is not there on other systems, whatever is on PATH', async () => {
    await onPlatform('darwin', async () => {
      expect(await about('auto')).toEqual([fair(`${ELSEWHERE}: ${MAY}`)]);
      expect(await about('always')).toEqual([bad(`${ELSEWHERE}, ${CANNOT}`, 'set proof.sandbox to "auto"')]);
      expect(await about('never')).toEqual([]);
    });
  });

  it('is nothing to speak of where there are no checks', async () => {
    projects({ test: { run: ['true'] } });
    await trusted();
    projects({});
    expect(checkProof(await open(NO_PATH)).map(({ what }) => what)).toEqual([
      expect.stringMatching(/^the check test was trusted/),
    ]);
  });
});
