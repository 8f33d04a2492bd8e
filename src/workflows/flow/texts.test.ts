// Each slot of a flow's texts, at the bounds of what is shown.

import { beforeAll, describe, expect, it } from 'vitest';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import { RUN, runOf } from '../../../test/support/flow-run.ts';
import type { Project } from '../../engine/project.ts';
import type { Slots } from '../../text/render.ts';
import type { World } from './observe.ts';
import type { RunState } from './state-format.ts';
import { fillSay, type Place, taskOf } from './texts.ts';
import type { Reviewed } from './types.ts';

const FLOW = `flow: sample
start: a
states:
  a: { say: A, leave: [ { when: { signal: s }, to: z } ] }
  z: { end: completed }
`;

let project: Project;
let world: World;
beforeAll(() => {
  project = bareProject();
  world = runOf(project, FLOW, { held: 3, visits: { a: 5, z: 1 } });
});

const filled = (
  text: string,
  slots: Slots = {},
  run: RunState | null = world.run,
  more: Partial<Place> = {},
) => fillSay(text, slots, { ...world, run }, { project, run: RUN, ...more });
const withRun = (over: Partial<RunState>): RunState => {
  if (world.run === null) throw new Error('no state');
  return { ...world.run, ...over };
};
const put = (file: string, text: string): string => writeIn(project, `.holdfast/flow/${RUN}/${file}`, text);

describe('the slots of a text', () => {
  it('are filled wherever they stand, and nothing else is', () => {
    expect(filled('{{visits}}{{visits}} of {{ visits }}, {{other}} {visits} \n\n')).toBe(
      '55 of {{ visits }}, {{other}} {visits}',
    );
    expect(filled('  plain')).toBe('  plain');
  });

  it('are the counts of the stop, else of the run, else those of a beginning', () => {
    const text = '{{visits}} {{holds}}';
    expect(filled(text, { visits: 7, hold: 8 })).toBe('7 8');
    expect(filled(text, { visits: 0, hold: 0 })).toBe('0 0');
    expect(filled(text)).toBe('5 3');
    expect(filled(text, {}, withRun({ at: 'z' }))).toBe('1 3');
    expect(filled(text, {}, withRun({ visits: {} }))).toBe('1 3');
    expect(filled(text, {}, null)).toBe('1 0');
  });
});

describe('the task', () => {
  it('is empty where there is none', () => {
    expect(taskOf(project.root, 'other-1-1')).toBe('');
  });

  it('is shown whole up to 2048 letters, and not looked at for slots', () => {
    put('task.md', ' \n Do {{holds}} things. \n');
    expect(filled('{{task}}!')).toBe('Do {{holds}} things.!');
    put('task.md', `\n${'x'.repeat(2048)}\n`);
    expect(taskOf(project.root, RUN)).toBe('x'.repeat(2048));
    put('task.md', `${'x'.repeat(2048)}y`);
    expect(taskOf(project.root, RUN)).toBe(
      `${'x'.repeat(2048)} […]\n\n(The task goes on in .holdfast/flow/${RUN}/task.md.)`,
    );
  });
});

describe('what checks printed', () => {
  const said = (name: string, tail: string) => ({ name, tail, log: `.holdfast/checks/${name}.log` });
  const checks = (printed: NonNullable<Place['printed']>): string =>
    filled('{{checks}}', {}, world.run, { printed });

  it('is nothing where none failed', () => {
    expect(filled('[{{checks}}]')).toBe('[]');
    expect(checks([])).toBe('');
  });

  it('is the end of each, below its name and its log', () => {
    expect(checks([said('test', 'one\ntwo\n'), said('lint', ''), said('types', 'x')])).toBe(
      [
        'test failed. All it printed: .holdfast/checks/test.log\n    one\n    two',
        'lint failed. All it printed: .holdfast/checks/lint.log',
        'types failed. All it printed: .holdfast/checks/types.log\n    x',
      ].join('\n\n'),
    );
  });

  it('is that of ten checks at most', () => {
    const many = Array.from({ length: 11 }, (_, index) => said(`c${index}`, ''));
    const shown = checks(many).split('\n\n');
    expect(shown).toHaveLength(10);
    expect(shown.at(-1)).toBe('c9 failed. All it printed: .holdfast/checks/c9.log');
  });
});

describe('what a review found', () => {
  const said = (verdict: Reviewed['verdict'], number: number): Reviewed => ({
    content: 'c',
    verdict,
    number,
  });
  const reviewed = (over: RunState['reviewed']): RunState => withRun({ reviewed: over });
  const findings = (slots: Slots, run: RunState | null = world.run): string =>
    filled('{{findings}}', slots, run);
  const below = (number: number, name: string): string =>
    `\n\n(The review is in .holdfast/flow/${RUN}/review-${number}-${name}.md.)`;

  it('is that of this stop', () => {
    put('review-1-look.md', '\n One \n');
    expect(findings({ review: 'look', number: 1 })).toBe(`One${below(1, 'look')}`);
    expect(findings({ review: 'look', number: 1 }, null)).toBe(`One${below(1, 'look')}`);
  });

  it('is else that of the last review, where it had some', () => {
    put('review-1-look.md', 'One');
    put('review-2-deep.md', 'Two');
    const [look, deep] = [said('findings', 1), said('findings', 2)];
    expect(findings({}, reviewed({ look, deep }))).toBe(`Two${below(2, 'deep')}`);
    expect(findings({}, reviewed({ deep, look }))).toBe(`Two${below(2, 'deep')}`);
    expect(findings({}, reviewed({ look, deep: said('clean', 2) }))).toBe('');
    expect(findings({}, reviewed({ look: said('clean', 1), deep }))).toBe(`Two${below(2, 'deep')}`);
  });

  it('is nothing where there was no review, or its file is gone or empty', () => {
    put('review-4-look.md', ' \n');
    expect(findings({})).toBe('');
    expect(findings({}, null)).toBe('');
    expect(findings({ review: 'look' })).toBe('');
    expect(findings({ number: 1 })).toBe('');
    expect(findings({ review: 3, number: 1 })).toBe('');
    expect(findings({ review: 'look', number: '1' })).toBe('');
    expect(findings({ review: 'look', number: 9 })).toBe('');
    expect(findings({ review: 'look', number: 4 })).toBe('');
  });

  it('is shown up to 4000 letters, without what would steer a terminal', () => {
    put('review-3-look.md', 'x'.repeat(4000));
    expect(findings({ review: 'look', number: 3 })).toBe(`${'x'.repeat(4000)}${below(3, 'look')}`);
    put('review-3-look.md', `${'x'.repeat(4000)}y`);
    expect(findings({ review: 'look', number: 3 })).toBe(`${'x'.repeat(4000)} […]${below(3, 'look')}`);
    put('review-3-look.md', 'a\u001b[31mb');
    expect(findings({ review: 'look', number: 3 })).toBe(`a [31mb${below(3, 'look')}`);
  });
});
