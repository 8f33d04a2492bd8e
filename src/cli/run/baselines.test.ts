import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeRepository, type Repository } from '../../../test/proof/repository.ts';
import { loadConfig } from '../../config/config.ts';
import type { Project } from '../../engine/project.ts';
import { giveTrust } from '../../engine/proof/trust.ts';
import type { Call } from '../../engine/workflow-cli.ts';
import { homeOf } from '../../store/home.ts';
import { takeBaselines } from './baselines.ts';

let repository: Repository;
let printed: string[];
let heard: string;

beforeEach(() => {
  repository = makeRepository();
  printed = [];
  heard = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    heard += text;
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  repository.end();
});

async function projectWith(checks: object): Promise<Project> {
  repository.write('holdfast.config.json', JSON.stringify({ checks }));
  repository.git('add', '-A');
  const { root, env } = repository;
  const config = await loadConfig(root, env);
  return { root, env, home: homeOf(root), now: Date.now() - 1000, cli: 'holdfast', config };
}

function callWith(flags: Call['flags']): Call {
  const never = (): never => {
    throw new Error('the project is known');
  };
  return {
    ...{ flags, words: ['idle', 'loop'], env: repository.env, cwd: '/', now: 1, stdin: () => '' },
    ...{ print: (line) => void printed.push(line), existing: never, forNewRun: never },
  };
}

const ran = (): string[] =>
  ['good', 'bad', 'unasked', 'mine'].filter((name) => fs.existsSync(path.join(repository.folder, name)));
const CHECKS = {
  good: { run: 'touch ../good' },
  bad: { run: 'touch ../bad; exit 3' },
  unasked: { run: 'touch ../unasked' },
};

async function trusted(): Promise<Project> {
  repository.write(
    '../home/.config/holdfast/holdfast.config.json',
    JSON.stringify({ checks: { mine: { run: 'touch ../mine' } } }),
  );
  const project = await projectWith(CHECKS);
  giveTrust(
    project,
    project.config.checks.filter(({ name }) => name === 'good' || name === 'bad'),
  );
  return project;
}

it('before a run the trusted checks of the project run once, and are shown', async () => {
  await takeBaselines(await trusted(), callWith({ worktree: '' }));
  expect(ran()).toEqual(['good', 'bad']);
  expect(printed[0]).toBe('The checks before the run: good, bad');
  expect(printed).toHaveLength(4);
  expect(printed[1]).toMatch(/^✓ good {2}passed {15}\d+\.\d s$/);
  expect(printed[2]).toMatch(/^✗ bad {3}failed, exit code 3 {2}\d+\.\d s$/);
  expect(printed[3]).toBe(
    'Kept: a claim on these very files takes it, and runs nothing again. A run that starts on them is not held for what is red now.',
  );
  expect(heard).toBe('running good: touch ../good\nrunning bad: touch ../bad; exit 3\n');
});

it('with --json they run too, and nothing is printed', async () => {
  await takeBaselines(await trusted(), callWith({ json: true }));
  expect(ran()).toEqual(['good', 'bad']);
  expect(printed).toEqual([]);
});

it.each([{}, { json: true }])('where none is trusted nothing runs and nothing is said: %j', async (flags) => {
  await takeBaselines(await projectWith(CHECKS), callWith(flags));
  expect(ran()).toEqual([]);
  expect(printed).toEqual([]);
  expect(heard).toBe('');
});
