// A flow's text as every check and every start sees it: proven, or refused with why.

import { describe, expect, it } from 'vitest';
import { projectIn } from '../../../../test/support/bare-project.ts';
import { DEFAULT_CONFIG } from '../../../config/config.ts';
import type { Project } from '../../../engine/project.ts';
import { describeProblems, type Examined, examine, GUARD } from './examine.ts';
import type { FoundFlow } from './find-flow.ts';

const TEXT = `flow: sample
start: a
holds: 20
states:
  a: { say: A, leave: [ { when: { signal: s }, to: z } ] }
  z: { end: completed }
`;

const found = (text: string, name: string | null = 'sample'): FoundFlow => ({
  ...{ name, where: 'project', shown: 'holdfast.flows/sample.yaml', text },
});

const withConfig = (config: Partial<Project['config']> = {}): Project =>
  projectIn('/nowhere/project', { config: { ...DEFAULT_CONFIG, ...config } });

const NOTHING = { line: 1, column: 1 };
const asksFor = (check: string): string => TEXT.replace('signal: s', `signal: s, check: ${check}`);
const ofCheck = (name: string): Project['config']['checks'][number] => ({
  ...{ name, run: 'true', from: 'project', timeout: 600, retries: 0, paths: null, cwd: null },
});

describe('a flow that is examined', () => {
  it('is proven with its definition and its bounds', () => {
    const examined = examine(found(TEXT), withConfig());
    expect(examined).toMatchObject({
      kind: 'proven',
      definition: { flow: 'sample', start: 'a', holds: 20 },
      bounds: { holds: { withProgress: 20, without: 6 }, checks: {}, reviews: {} },
      nodes: 2,
    });
    expect(GUARD).toEqual({ unmoved: 6, tools: null });
  });

  it('is bounded by the guard of the config, that of flows before that of all', () => {
    const without = (guard: NonNullable<Project['config']['project']['guard']>): unknown => {
      const examined = examine(found(TEXT), withConfig({ project: { ...DEFAULT_CONFIG.project, guard } }));
      return examined.kind === 'proven' ? examined.bounds.holds.without : null;
    };
    expect(without({ unmoved: 4 })).toBe(4);
    expect(without({ unmoved: 4, workflows: { flow: { unmoved: 3 }, taskie: { unmoved: 2 } } })).toBe(3);
  });

  it('may be called something else where its file was named by its path', () => {
    expect(examine(found(TEXT, null), withConfig()).kind).toBe('proven');
  });

  it('is refused where the file is called something else', () => {
    expect(examine(found(TEXT, 'other'), withConfig())).toEqual<Examined>({
      kind: 'refused',
      problems: [{ place: NOTHING, what: 'the file is called other.yaml, and the flow in it "sample"' }],
    });
  });

  it('is refused where its text is none, and where a line is dead', () => {
    expect(examine(found(''), withConfig())).toEqual<Examined>({
      kind: 'refused',
      problems: [{ place: NOTHING, what: 'the file is empty' }],
    });
    const dead = TEXT.replace('{ signal: s }', '{ visits: 2 }');
    const examined = examine(found(dead), withConfig());
    expect(examined.kind === 'refused' && examined.problems.map(({ what }) => what)).toEqual([
      'from the state "a" no end can be reached',
      'this line of "a" (to z) can never be taken: its parts never hold together, or "a" is never entered 2 times',
      'the state "z" cannot be reached: no line that leads to it is ever taken (from a)',
    ]);
  });

  it('names checks of the config alone', () => {
    const config = { checks: [ofCheck('test'), ofCheck('lint')] };
    expect(examine(found(asksFor('lint')), withConfig(config)).kind).toBe('proven');
    expect(examine(found(asksFor('build')), withConfig(config))).toMatchObject({
      kind: 'refused',
      problems: [{ what: 'there is no check "build"; the config has: test, lint', missingCheck: 'build' }],
    });
  });
});

describe('what is wrong with a flow', () => {
  const problems = [
    { place: { line: 3, column: 5 }, what: 'this is wrong', way: ['start: a', 'here'] },
    { place: { line: 4, column: 1 }, what: 'so is this' },
  ];

  it('is said with its place in the file and the way to it', () => {
    expect(describeProblems(found(TEXT), problems)).toEqual([
      'holdfast.flows/sample.yaml:3:5: this is wrong.',
      '  1. start: a',
      '  2. here',
      'holdfast.flows/sample.yaml:4:1: so is this.',
    ]);
  });

  it('is said of one that is built in by its name', () => {
    expect(describeProblems({ ...found(TEXT), shown: 'tdd (built in)' }, problems.slice(1))).toEqual([
      'tdd:4:1: so is this.',
    ]);
    expect(describeProblems({ ...found(TEXT), shown: 'a (built in)/b' }, problems.slice(1))).toEqual([
      'a (built in)/b:4:1: so is this.',
    ]);
  });
});
