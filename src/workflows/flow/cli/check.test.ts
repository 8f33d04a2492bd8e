// `flow check` and what it goes through, whole, as a person reads it.

import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject, writeIn } from '../../../../test/support/bare-project.ts';
import { called } from '../../../../test/support/call.ts';
import { type Config, DEFAULT_CONFIG } from '../../../config/config.ts';
import type { Project } from '../../../engine/project.ts';
import { mermaidOf } from '../checker/mermaid.ts';
import { svgOf } from '../checker/svg.ts';
import { compile } from '../language/compile.ts';
import { check } from './check.ts';

const SIMPLE = `flow: simple
about: Does it.
holds: 8
start: work
states:
  work:
    say: Do it
    leave:
      - when: { signal: done }
        to: finished
  finished: { end: completed }
`;

const RICH = `flow: rich
holds: 5
start: work
states:
  work:
    say: Do it
    leave:
      - when: { signal: ready, check: test, review: critic }
        to: finished
      - when: { signal: ask }
        to: ask
    holds: 3
    otherwise: gave-up
  ask:
    pause: true
    leave:
      - when: { check: lint }
        to: finished
      - when: { visits: 2 }
        to: gave-up
      - when: { signal: back }
        to: work
  gave-up: { end: let-go }
  finished: { end: completed }
reviews: { critic: { prompt: Look } }
`;

let project: Project;
beforeEach(() => {
  project = bareProject();
});

const flow = (name: string, text: string): string => writeIn(project, `holdfast.flows/${name}.yaml`, text);

function configWith(...names: readonly string[]): Config {
  const plain = { run: 'true', timeout: 5, retries: 0, paths: null, cwd: null, from: 'user' as const };
  return { ...DEFAULT_CONFIG, checks: names.map((name) => ({ name, ...plain })) };
}

const checked = (name: string, flags = {}, config = DEFAULT_CONFIG): Promise<string[]> =>
  called(check, { ...project, config }, { words: [name], flags });

function compiledOf(text: string) {
  const compiled = compile(text, null);
  if (compiled.kind === 'refused') throw new Error(compiled.problems[0]?.what);
  return compiled.definition;
}

describe('flow check', () => {
  it('is a command that writes nothing and takes one flow', () => {
    const { run: _, ...rest } = check;
    expect(rest).toEqual({
      name: 'check',
      summary: 'prove that a flow ends, and show what it does',
      usage: '[--json | --svg] <file|name>',
      help: 'Prints its states as a Mermaid diagram, how often it can hold at most, and which checks and reviews it may start. --svg prints a picture instead, --json all of it as data.',
      options: { json: { type: 'boolean' }, svg: { type: 'boolean' } },
      writes: false,
      words: { least: 1, most: 1 },
    });
  });

  it('prints a diagram, what is proven, and that nothing is started', async () => {
    flow('simple', SIMPLE);
    expect(await checked('simple')).toEqual([
      '0',
      'holdfast.flows/simple.yaml: simple, Does it.',
      '',
      'stateDiagram-v2\n  [*] --> work\n  work --> finished: says done\n  finished --> [*]: completed',
      '',
      'Proven: every run ends. 2 states, 2 with their counts, every combination of facts.',
      'Holds at most: 8 in a whole run, 6 in a row while nothing moves.',
      'Checks it starts: none.',
      'Reviews it starts: none.',
    ]);
  });

  it('prints how often each check and review may be started, in a pause as often as a person likes', async () => {
    flow('rich', RICH);
    const often = '(once at each stop, in a pause as often as you have the agent stop)';
    const lines = await checked('rich', {}, configWith('test', 'lint'));
    expect(lines.slice(0, 3)).toEqual(['0', 'holdfast.flows/rich.yaml: rich', '']);
    expect(lines.slice(-4)).toEqual([
      'Proven: every run ends. 4 states, 18 with their counts, every combination of facts.',
      'Holds at most: 5 in a whole run, 5 in a row while nothing moves.',
      `Checks it may start: test ${often}, lint ${often}.`,
      `Reviews it may start: critic ${often}.`,
    ]);
  });

  it('prints the most of each where nobody can have the agent stop more often', async () => {
    const bounded =
      '{ signal: done, check: [test, lint] }\n        to: finished\n    holds: 3\n    otherwise: finished';
    flow('simple', SIMPLE.replace('{ signal: done }\n        to: finished', bounded));
    expect((await checked('simple', {}, configWith('test', 'lint'))).slice(-4)).toEqual([
      'Proven: every run ends. 2 states, 6 with their counts, every combination of facts.',
      'Holds at most: 3 in a whole run, 3 in a row while nothing moves.',
      'Checks it may start: test (at most 4 times), lint (at most 4 times).',
      'Reviews it starts: none.',
    ]);
  });

  it('counts with the guard that the config sets', async () => {
    flow('simple', SIMPLE);
    const config = { ...DEFAULT_CONFIG, user: { guard: { workflows: { flow: { unmoved: 2 } } } } };
    expect(await checked('simple', {}, config)).toContain(
      'Holds at most: 8 in a whole run, 2 in a row while nothing moves.',
    );
  });

  it('prints a picture with --svg', async () => {
    flow('simple', SIMPLE);
    expect(await checked('simple', { svg: true })).toEqual(['0', svgOf(compiledOf(SIMPLE)).trimEnd()]);
  });

  it('prints all of it as data with --json', async () => {
    flow('simple', SIMPLE);
    const [code, text = '', ...more] = await checked('simple', { json: true });
    expect([code, more]).toEqual(['0', []]);
    const definition = compiledOf(SIMPLE);
    expect(text).toBe(
      JSON.stringify(
        {
          ...{ file: 'holdfast.flows/simple.yaml', where: 'project', proven: true },
          ...{ flow: 'simple', about: 'Does it.', nodes: 2 },
          holds: { withProgress: 8, without: 6 },
          checks: {},
          reviews: {},
          mermaid: mermaidOf(definition),
          definition,
        },
        null,
        2,
      ),
    );
  });

  it('refuses with each place, the way there, and how many mistakes there are', async () => {
    flow(
      'simple',
      SIMPLE.replace(
        '  finished:',
        '      - { when: { signal: lost }, to: trap }\n  trap: { say: x, leave: [{ when: { signal: a }, to: trap }] }\n  finished:',
      ),
    );
    const refused = [
      'holdfast.flows/simple.yaml:12:3: from the state "trap" no end can be reached.',
      '  1. start: work',
      '  2. stop: in work: signal lost, so on to trap → hold',
      '  3. from here on no line leads to an end',
      'holdfast.flows/simple.yaml is refused: one mistake.',
    ];
    expect(await checked('simple')).toEqual(['1', ...refused]);
    expect(await checked('simple', { svg: true })).toEqual(['1', ...refused]);
    const [code, text = ''] = await checked('simple', { json: true });
    expect([code, JSON.parse(text)]).toEqual([
      '1',
      {
        ...{ file: 'holdfast.flows/simple.yaml', where: 'project', proven: false },
        problems: [
          {
            place: { line: 12, column: 3 },
            what: 'from the state "trap" no end can be reached',
            way: [
              'start: work',
              'stop: in work: signal lost, so on to trap → hold',
              'from here on no line leads to an end',
            ],
          },
        ],
      },
    ]);
  });

  it('refuses a file that is called otherwise than the flow in it, but not one named by its path', async () => {
    const file = flow('other', SIMPLE);
    expect(await checked('other')).toEqual([
      '1',
      'holdfast.flows/other.yaml:1:1: the file is called other.yaml, and the flow in it "simple".',
      'holdfast.flows/other.yaml is refused: one mistake.',
    ]);
    expect((await checked(file))[1]).toBe(`${file}: simple, Does it.`);
    expect((await checked('holdfast.flows/other.yaml'))[0]).toBe('0');
  });

  const ofTwo = SIMPLE.replace('{ signal: done }', '{ signal: done, check: [test, lint, test] }');

  it('says what to write where the config has no checks at all', async () => {
    flow('simple', ofTwo);
    expect((await checked('simple')).slice(-4)).toEqual([
      'holdfast.flows/simple.yaml is refused: 3 mistakes.',
      "Next: write into holdfast.config.json at the project's root, with your own command in the place of npm test:",
      '  { "checks": { "test": { "run": "npm test" }, "lint": { "run": "npm test" } } }',
      'Then a person allows it with `holdfast trust` in a terminal.',
    ]);
  });

  it('says what to add where the config has others, of a built-in flow too', async () => {
    expect(await checked('fix-ci', {}, configWith('test'))).toEqual([
      '1',
      ...[13, 21, 25].map((line) => `fix-ci:${line}:24: there is no check "ci"; the config has: test.`),
      'fix-ci (built in) is refused: 3 mistakes.',
      'Next: write into `checks` in holdfast.config.json, with your own command in the place of npm test:',
      '  "ci": { "run": "npm test" }',
      'Then a person allows it with `holdfast trust` in a terminal.',
    ]);
  });
});
