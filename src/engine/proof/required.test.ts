import { describe, expect, it } from 'vitest';
import type { Config } from '../../config/config.ts';
import { definitionOf } from './definition.ts';
import { projectChecks, readAsked, readDefinitions, writeDefinitions } from './required.ts';
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
