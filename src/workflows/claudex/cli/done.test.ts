// `claudex done`: when it is taken, and what it writes.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { ID, putLoop } from '../../../../test/fixtures/claudex/project.ts';
import { emptyFolder, projectIn } from '../../../../test/support/bare-project.ts';
import { called } from '../../../../test/support/call.ts';
import type { Project } from '../../../engine/project.ts';
import { readState } from '../loops.ts';
import { readField } from '../state-format.ts';
import { done } from './done.ts';

let project: Project;
beforeEach(() => {
  project = projectIn(emptyFolder());
});
const say = () => called(done, project, { words: [ID] });

it('takes one id, and changes the loop', () => {
  const { run: _, ...rest } = done;
  expect(rest).toEqual({
    ...{ name: 'done', summary: 'say that a plan loop has no material findings left', usage: '<id>' },
    ...{ options: {}, writes: true, words: { least: 1, most: 1 } },
  });
});

it('notes it in the state and in the log', async () => {
  const { dir } = putLoop(project, { phase: 'reviewing' });
  expect(await say()).toEqual([
    '0',
    'Noted: no material findings. End your turn now; the summary closes the loop.',
  ]);
  expect(readField(readState(dir, ID) ?? '', 'decision_signal')).toBe('no-material-findings');
  expect(fs.readFileSync(path.join(dir.path, 'log'), 'utf8')).toBe(
    `[2026-01-31T09:30:00Z] done ${ID}: no material findings\n`,
  );
});

it.each([
  [{ phase: 'drafting' }, 'plan, drafting'],
  [{ phase: 'summarizing' }, 'plan, summarizing'],
  [{ mode: 'review', phase: 'reviewing' }, 'review, reviewing'],
])('is refused with %j', async (fields: Record<string, string>, stage) => {
  const { dir, text } = putLoop(project, fields);
  const [kind, words] = await say();
  expect(kind).toBe('NotNow');
  expect(words).toContain(`claudex done: the loop ${ID} is not being reviewed (${stage}`);
  expect(words).toContain('), so there is nothing to declare done.');
  expect(readState(dir, ID)).toBe(text);
});
