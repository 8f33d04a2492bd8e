import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { emptyFolder, projectIn } from '../../../../test/support/bare-project.ts';
import { called, type Given } from '../../../../test/support/call.ts';
import { DEFAULT_CONFIG } from '../../../config/config.ts';
import type { Project } from '../../../engine/project.ts';
import { TOPIC } from '../files.ts';
import { HOOK_REACH, latestOf } from '../topic-log.ts';
import { grind } from './grind.ts';

let root: string;
let project: Project;
beforeEach(() => {
  root = emptyFolder();
  project = projectIn(root, { env: { CLAUDE_CODE_SESSION_ID: 'session-1' } });
});

/** The frame that a start makes, and its task. */
const made = async (given: Given, place: Project = project) => {
  const [code] = await called(grind, place, given);
  expect(code).toBe('0');
  const latest = latestOf(TOPIC, root, null, HOOK_REACH);
  const { id, prompt_file, ...frame } = latest.kind === 'message' ? JSON.parse(latest.body).stack[0] : {};
  expect(id).toMatch(/^[0-9A-Z]{26}$/);
  return { frame, task: fs.readFileSync(path.join(root, prompt_file), 'utf8') };
};
const taskOf = (matching: string, list: string): string => {
  const file = path.join(root, '.holdfast/issue.txt');
  return `Work through the open issues${matching}.\n\n${list}\n\nTake the one that matters most. Write its id, and nothing else, to ${file} with your file-writing tool (an id never goes into a shell line), start a loop for it with \`holdfast idle issue < ${file}\`, remove the file, and resolve the issue there; when that loop ends, this one goes on at once and you take the next.\n`;
};
const OWN = "List them with the project's own issue tracker.";

describe('idle grind', () => {
  it('goes on at once after each issue, a hundred times', async () => {
    expect(await made({})).toEqual({
      frame: { mode: 'grind', iter: 0, max: 100, carry_on: true },
      task: taskOf('', OWN),
    });
  });

  it('goes by its filter, its maximum and the config', async () => {
    const config = { ...DEFAULT_CONFIG, issues: { list: ' gh issue\nlist ', show: null } };
    const given = { stdin: ' label bug\n', flags: { max: '3' } };
    const { frame, task } = await made(given, { ...project, config });
    expect(frame).toEqual({ mode: 'grind', iter: 0, max: 3, carry_on: true, filter: 'label bug' });
    expect(task).toContain('issues that match "label bug".\n');
    expect(task).toContain('\n\n    gh issue\n    list\n\n');
    expect(task).not.toContain(OWN);
  });

  it('takes a filter of one line of 500 characters, and no other', async () => {
    const words = 'idle grind: a filter is one line of at most 500 characters.';
    for (const filter of ['x'.repeat(501), 'a\nb', 'a\rb'])
      expect(await called(grind, project, { words: [filter] })).toEqual(['WrongUsage', words]);
    expect((await made({ words: ['x'.repeat(500)] })).frame.filter).toBe('x'.repeat(500));
  });

  it('is refused with a maximum that is none, in its own name', async () => {
    expect(await called(grind, project, { flags: { max: '0' } })).toEqual([
      'WrongUsage',
      'idle grind: --max is a whole number from 1 to 999999, not "0".',
    ]);
  });
});
