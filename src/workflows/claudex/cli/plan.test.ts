import { beforeEach, describe, expect, it } from 'vitest';
import { emptyFolder, projectIn } from '../../../../test/support/bare-project.ts';
import { called, type Given } from '../../../../test/support/call.ts';
import { programs } from '../../../../test/support/programs.ts';
import type { Project } from '../../../engine/project.ts';
import { stateDirOf } from '../files.ts';
import { readLoops } from '../loops.ts';
import { plan } from './plan.ts';

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
    [{}, 'the topic is missing. Give it in quotes, or on standard input: holdfast claudex plan < topic.txt'],
    [
      { words: [' '], stdin: 'no' },
      'the topic is missing. Give it in quotes, or on standard input: holdfast claudex plan < topic.txt',
    ],
    [{ stdin: 'a\0b' }, 'the topic holds a NUL character, which no file can keep; take it out.'],
    [{ words: ['x'], flags: { rounds: '0' } }, '--rounds takes a whole number above 0, not "0".'],
  ])('is refused with %j', async (given, words) => {
    expect(await called(plan, project, given)).toEqual(['WrongUsage', `claudex plan: ${words}`]);
    expect(readLoops(stateDirOf(project))).toEqual([]);
  });
});
