import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { writeAt } from '../../../../test/fixtures/claudex/project.ts';
import { emptyFolder, projectIn } from '../../../../test/support/bare-project.ts';
import { called, type Given } from '../../../../test/support/call.ts';
import { programs } from '../../../../test/support/programs.ts';
import type { Project } from '../../../engine/project.ts';
import { stateDirOf } from '../files.ts';
import { readLoops } from '../loops.ts';
import { plan } from './plan.ts';
import { START_OPTIONS, START_USAGE } from './start-flags.ts';

let root: string;
let project: Project;
beforeEach(() => {
  root = emptyFolder();
  const { PATH } = programs({ codex: {} }).env;
  project = projectIn(root, { env: { CLAUDE_CODE_SESSION_ID: 'session-1', PATH } });
});
const topicOf = async (given: Given) => {
  await called(plan, project, given);
  return readLoops(stateDirOf(project))[0]?.loop.topic;
};

describe('claudex plan', () => {
  it('is a command with as many words as one likes', () => {
    const { run: _, ...rest } = plan;
    expect(rest).toEqual({
      name: 'plan',
      summary: 'start a loop: draft PLAN.md, have it attacked in rounds, revise, summarize',
      usage: `${START_USAGE} [topic]`,
      help: [
        'Flags come before the topic; without a topic on the command line it is read from standard input.',
        '  --rounds N        at most N review rounds (default 3, or CLAUDEX_MAX_PLAN_ROUNDS)',
        '  --from-draft      review the PLAN.md that is there',
        '  --skip-interview  for the plan skill: ask no questions first',
        '  --interviewed     the topic holds the answers of an interview',
        '  --tokens 2M, --hours 4, --reviews 12: what the run may spend; then it is paused until you grant more with `holdfast resume`.',
      ].join('\n'),
      options: START_OPTIONS,
      ...{ writes: true, starts: true, words: { least: 0, most: Number.POSITIVE_INFINITY } },
    });
  });

  it('says what to do now, and what it may spend', async () => {
    const [code, said = '', ...more] = await called(plan, project, {
      words: ['a', 'cache'],
      flags: { reviews: '4' },
    });
    expect([code, more]).toEqual([
      '0',
      ['It may spend 4 reviews; then it is paused, and a person decides whether it goes on.'],
    ]);
    expect(said).toMatch(
      /^Claudex plan loop \S+ has started, with at most 3 review rounds\. It belongs to this session\.\nTopic: a cache\n\nNow draft the plan in /,
    );
    expect(said).toContain(` ${root}/PLAN.md: what is to be built`);
  });

  it('says to read the draft that is there', async () => {
    writeAt(path.join(root, 'PLAN.md'), '# Plan\n');
    const [, said] = await called(plan, project, {
      words: ['x'],
      flags: { 'from-draft': true, rounds: '5' },
    });
    expect(said).toMatch(
      /^Claudex plan loop \S+ has started from the draft that is there, with at most 5 review rounds\. /,
    );
    expect(said).toContain(`Now read ${root}/PLAN.md, so that`);
  });

  it.each<[Given, string]>([
    [{ words: [' a', 'cache '], stdin: 'no' }, 'a cache'],
    [{ stdin: ' a cache\n' }, 'a cache'],
    [{ words: ['y'.repeat(1001)] }, 'y'.repeat(1001)],
  ])('takes its topic from words or from standard input', async (given, topic) => {
    expect(await topicOf(given)).toBe(topic);
  });

  it.each([
    [1000, 'y'.repeat(1000)],
    [1001, `${'y'.repeat(1000)} …`],
  ])('says of a topic of %i letters at most a thousand', async (length, words) => {
    const [, said = ''] = await called(plan, project, { words: ['y'.repeat(length)] });
    expect(said.split('\n')[1]).toBe(`Topic: ${words}`);
  });

  it.each<[Given, string]>([
    [
      {},
      'the topic is missing. Give it after the flags, or on standard input: holdfast claudex plan < topic.txt',
    ],
    [
      { words: [' '], stdin: 'no' },
      'the topic is missing. Give it after the flags, or on standard input: holdfast claudex plan < topic.txt',
    ],
    [{ stdin: 'a\0b' }, 'the topic holds a NUL character, which no file can keep; take it out.'],
    [{ words: ['x'], flags: { rounds: '0' } }, '--rounds takes a whole number above 0, not "0".'],
  ])('is refused with %j', async (given, words) => {
    expect(await called(plan, project, given)).toEqual(['WrongUsage', `claudex plan: ${words}`]);
    expect(readLoops(stateDirOf(project))).toEqual([]);
  });
});
