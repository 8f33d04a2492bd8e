// A flow's conditions on files, in real folders: with git, and without.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import { definitionOf, runOf } from '../../../test/support/flow-run.ts';
import type { Project } from '../../engine/project.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import { entryMarks, filesNow, reviewContent } from './look-at-files.ts';
import type { FoundRun } from './read-run.ts';
import type { RunState } from './state-format.ts';

const flowWith = (...conditions: readonly string[]): string => `flow: sample
start: work
states:
  work:
    say: Do it
    leave:
${conditions.map((when) => `      - { when: ${when}, to: finished }\n`).join('')}
  quiet:
    say: Go on
    leave: [{ when: { signal: done }, to: finished }]
  finished: { end: completed }
reviews:
  critic: { prompt: Look, files: [src/**, a.txt] }
  other: { prompt: Look, files: b.txt }
`;

const file = (glob: string, is: string): string => `{ file: { glob: "${glob}", is: ${is} } }`;

let project: Project;
beforeEach(() => {
  project = bareProject();
});

describe('the files of a state', () => {
  const now = (conditions: readonly string[], state: Partial<RunState> = {}) =>
    filesNow(project, runOf(project, flowWith(...conditions), state));

  it('exist or are missing, by name, by folder or by pattern', async () => {
    writeIn(project, 'src/deep/a.ts', 'x');
    const globs = [
      'src/deep/a.ts',
      'src',
      'src/deep',
      'src/',
      'src/deep//',
      'src/**',
      '**/*.ts',
      '*.ts',
      'sr',
      'lib',
    ];
    const found = await now(globs.flatMap((glob) => [file(glob, 'exists'), file(glob, 'missing')]));
    const there = globs.filter((glob) => found[`exists ${glob}`] === true);
    expect(there).toEqual(['src/deep/a.ts', 'src', 'src/deep', 'src/', 'src/deep//', 'src/**', '**/*.ts']);
    for (const glob of globs) expect(found[`missing ${glob}`]).toBe(!there.includes(glob));
    expect(Object.keys(found)).toHaveLength(2 * globs.length);
  });

  it('are not there because of a config that no pattern means', async () => {
    writeIn(project, 'holdfast.config.json', '{}');
    expect(await now([file('src', 'exists'), file('*.json', 'exists')])).toEqual({
      ...{ 'exists src': false, 'exists *.json': true },
    });
  });

  it('have changed where they are not as they were at the entry', async () => {
    writeIn(project, 'src/a.ts', 'one');
    const conditions = [file('src', 'changed'), file('lib/**', 'changed')];
    const marks = await entryMarks(project, definitionOf(flowWith(...conditions)), 'work');
    const unchanged = { 'changed src': false, 'changed lib/**': false };
    expect(await now(conditions, { marks })).toEqual(unchanged);
    writeIn(project, 'holdfast.config.json', '{}');
    writeIn(project, 'other/a.ts', 'new');
    expect(await now(conditions, { marks })).toEqual(unchanged);
    writeIn(project, 'src/a.ts', 'two');
    expect(await now(conditions, { marks })).toEqual({ ...unchanged, 'changed src': true });
    writeIn(project, 'lib/b.ts', 'new');
    expect(await now(conditions, { marks })).toEqual({ 'changed src': true, 'changed lib/**': true });
    fs.rmSync(path.join(project.root, 'lib'), { recursive: true });
    expect(await now(conditions, { marks })).toEqual({ ...unchanged, 'changed src': true });
  });

  it('have not changed where nobody noted what they were like', async () => {
    writeIn(project, 'src/a.ts', 'one');
    expect(await now([file('src', 'changed'), file('constructor', 'changed')])).toEqual({
      ...{ 'changed src': false, 'changed constructor': false },
    });
  });

  it('are not looked at by conditions of another kind or another state, nor once the run has ended', async () => {
    const conditions = ['{ signal: done }', '{ visits: 2 }', '{ check: test }', file('a', 'exists')];
    expect(await now(conditions)).toEqual({ 'exists a': false });
    expect(await now(conditions, { at: 'quiet' })).toEqual({});
    expect(await now(conditions, { ended: 'limit' })).toEqual({});
    const world = runOf(project, flowWith(...conditions));
    expect(await filesNow(project, { ...world, definition: null })).toEqual({});
    expect(await filesNow(project, { ...world, run: null })).toEqual({});
  });
});

describe('what files are like as a state is entered', () => {
  it('is noted for each pattern that the state watches, and for no other', async () => {
    const definition = definitionOf(
      flowWith(file('a.txt', 'changed'), file('b.txt', 'exists'), file('src', 'changed')),
    );
    writeIn(project, 'a.txt', 'x');
    const marks = await entryMarks(project, definition, 'work');
    expect(marks).toEqual({ 'a.txt': expect.stringMatching(/^[0-9a-f]{28}$/), src: fingerprint('[]') });
    expect(marks['a.txt']).not.toBe(marks.src);
    expect(await entryMarks(project, definition, 'quiet')).toEqual({});
    expect(await entryMarks(project, definition, 'finished')).toEqual({});
    expect(await entryMarks(project, definition, 'constructor')).toEqual({});
    expect(await entryMarks(project, null, 'work')).toEqual({});
  });
});

describe('what a review looks at', () => {
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: project.root, env: project.env });
  const world = (): FoundRun => runOf(project, flowWith('{ signal: done }', '{ review: critic }'));
  const content = (of = world()): Promise<string> => reviewContent(project, of);

  it.each(['with git', 'without git'])('is a fingerprint of its files alone, %s', async (how) => {
    if (how === 'with git') git('init', '-q');
    writeIn(project, 'a.txt', 'one');
    writeIn(project, 'src/a.ts', 'one');
    const before = await content();
    expect(before).toMatch(/^[0-9a-f]{28,}$/);
    writeIn(project, 'b.txt', 'x');
    writeIn(project, 'c/a.txt', 'x');
    expect(await content()).toBe(before);
    writeIn(project, 'src/a.ts', 'two');
    const after = await content();
    expect(after).not.toBe(before);
    writeIn(project, 'a.txt', 'two');
    expect([before, after]).not.toContain(await content());
    writeIn(project, 'a.txt', 'one');
    writeIn(project, 'src/a.ts', 'one');
    expect(await content()).toBe(before);
  });

  it('is not what git ignores', async () => {
    git('init', '-q');
    writeIn(project, '.gitignore', 'src/made/\n');
    writeIn(project, 'src/a.ts', 'one');
    const before = await content();
    writeIn(project, 'src/made/a.ts', 'x');
    expect(await content()).toBe(before);
  });

  it('is not the run’s own files', async () => {
    git('init', '-q');
    const all = flowWith('{ review: critic }').replace('[src/**, a.txt]', '"**"');
    const before = await content(runOf(project, all));
    expect(await content(runOf(project, all, { held: 7 }))).toBe(before);
    writeIn(project, '.jwz/messages.jsonl', '{}');
    expect(await content(runOf(project, all))).toBe(before);
    writeIn(project, 'b.txt', 'x');
    expect(await content(runOf(project, all))).not.toBe(before);
  });

  it('is nothing where the state asks for no review, the run has ended, or the definition has none of it', async () => {
    writeIn(project, 'a.txt', 'one');
    const asking = world();
    expect(await content({ ...asking, definition: null })).toBe('');
    const without = asking.definition === null ? null : { ...asking.definition, reviews: {} };
    expect(await content({ ...asking, definition: without })).toBe('');
    expect(await content(runOf(project, flowWith('{ review: critic }'), { at: 'quiet' }))).toBe('');
    expect(await content(runOf(project, flowWith('{ review: critic }'), { ended: 'limit' }))).toBe('');
  });
});
