import { describe, expect, it } from 'vitest';
import { bareProject } from '../../../test/support/bare-project.ts';
import { type Config, DEFAULT_CONFIG } from '../../config/config.ts';
import type { Project } from '../project.ts';
import { definitionOf } from './definition.ts';
import { projectChecks, readAsked, readDefinitions, requiredChecks, writeDefinitions } from './required.ts';
import type { TrustRecord } from './trust.ts';
import type { Check } from './types.ts';

const check = (name: string): Check =>
  ({ name, run: 'true', timeout: 1, retries: 0, paths: null, cwd: null }) as unknown as Check;
const many = Array.from({ length: 201 }, (_, index) => `c${index}`);

describe('what a start noted', () => {
  it('of definitions comes back as it was written', () => {
    const checks = [check('test'), check('lint')];
    const text = writeDefinitions(checks);
    expect(text).toBe(`test=${definitionOf(check('test'))} lint=${definitionOf(check('lint'))}`);
    expect([...readDefinitions(text)]).toEqual(checks.map((each) => [each.name, definitionOf(each)]));
    expect([...readDefinitions(writeDefinitions([]))]).toEqual([]);
  });

  it.each(['', 'test', 'test=', '=abc', 'test=a=b', '../x=abc', ' '])('is nothing in %j', (text) => {
    expect([...readDefinitions(text)]).toEqual([]);
  });

  it('is two hundred names at most', () => {
    const read = readDefinitions(many.map((name) => `${name}=d`).join(' '));
    expect([...read.keys()]).toEqual(many.slice(0, 200));
    expect(readAsked({ checks: many, off: false })).toEqual(many.slice(0, 200));
  });

  it('of names are only those that a check can have', () => {
    expect(readAsked({ checks: null, off: false })).toEqual([]);
    expect(readAsked({ checks: ['test', '../x', ''], off: true })).toEqual(['test']);
  });
});

it('the project’s checks are all that its own file names', () => {
  const config = (checks: object | undefined): Config => ({ project: { checks } }) as unknown as Config;
  expect(projectChecks(config({ test: 'npm test', broken: 5 }))).toEqual(['test', 'broken']);
  expect(projectChecks(config(undefined))).toEqual([]);
});

describe('what a run must pass', () => {
  const of = (name: string, from: Check['from']): Check => ({ ...check(name), from });
  const [test, types] = [of('test', 'project'), of('types', 'project')];
  const [lint, spell] = [of('lint', 'user'), of('spell', 'user')];
  const trustIn = (...checks: readonly Check[]): TrustRecord => ({
    ...{ repository: 'r', root: '/r', reported: 0 },
    checks: checks.map((each) => ({ name: each.name, definition: definitionOf(each), at: 10 })),
  });
  const project = (over: Partial<Project> = {}): Project => ({
    ...bareProject(),
    config: {
      ...DEFAULT_CONFIG,
      checks: [test, types, lint, spell],
      project: { checks: { test: { run: 'true' }, types: { run: 'true' } } },
    },
    ...over,
  });

  it('are the project’s checks, and those of the user’s that were asked for', () => {
    expect(requiredChecks(project(), ['lint'], trustIn(test, types), 11)).toEqual({
      ...{ checks: [test, types, lint], untrusted: [], others: [spell] },
    });
  });

  it('may not run where they are not trusted, or were not before', () => {
    const all = { checks: [test, types], others: [lint, spell] };
    expect(requiredChecks(project(), [], null, 11)).toEqual({ ...all, untrusted: ['test', 'types'] });
    expect(requiredChecks(project(), [], trustIn(test), 11)).toEqual({ ...all, untrusted: ['types'] });
    expect(requiredChecks(project(), [], trustIn(test, types), 10)).toEqual({
      ...{ ...all, untrusted: ['test', 'types'] },
    });
  });

  it('stay required where the config has them no more, or has them differently', () => {
    const gone = of('gone', 'project');
    const noted = new Map([
      ['test', definitionOf(test)],
      ['types', 'another'],
      ['lost', 'd'],
    ]);
    expect(requiredChecks(project(), [], trustIn(test, types, gone), 11, noted)).toEqual({
      ...{ checks: [test, types], untrusted: ['types', 'gone', 'lost'], others: [lint, spell] },
    });
  });

  it('may none of them run where an agent could have written what the user wants', () => {
    const there = project();
    const reached = { ...there, env: { ...there.env, XDG_STATE_HOME: `${there.root}/state` } };
    expect(requiredChecks(reached, ['lint'], trustIn(test, types), 11)).toEqual({
      ...{ checks: [test, types, lint], untrusted: ['test', 'types', 'lint'], others: [] },
    });
  });
});
