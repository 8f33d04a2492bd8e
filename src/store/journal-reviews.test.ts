// Whether a review's line is in the journal already.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject, writeIn } from '../../test/support/bare-project.ts';
import type { Project } from '../engine/project.ts';
import { hasReviewLine } from './journal-reviews.ts';

const JOURNAL = '.holdfast/journal.jsonl';
const line = { schema: 2, time: 't', session: null, event: 'review', workflow: 'taskie', run: 'a' };
const review = (attempt: string): string => `${JSON.stringify({ ...line, attempt })}\n`;

let project: Project;
beforeEach(() => {
  project = bareProject();
});
const has = (attempt = 'a1'): boolean => hasReviewLine(project.root, attempt);
const nextDescriptor = (): number => {
  const descriptor = fs.openSync(project.root, 'r');
  fs.closeSync(descriptor);
  return descriptor;
};

describe('the line of a review', () => {
  it('is found by its attempt, wherever it stands, and the journal is closed again', () => {
    expect(has()).toBe(false);
    writeIn(project, JOURNAL, review('a0') + review('a1') + review('a2'));
    const before = nextDescriptor();
    expect([has('a0'), has('a1'), has('a2'), has('a3')]).toEqual([true, true, true, false]);
    expect(nextDescriptor()).toBe(before);
  });

  it.each([
    review('a11'),
    JSON.stringify({ ...line, event: 'start', attempt: 'a1' }),
    JSON.stringify({ ...line, attempt: 'other', file: 'a1' }),
    '{"event":"review","attempt":"a1"',
  ])('is not %s', (text) => {
    writeIn(project, JOURNAL, text);
    expect(has()).toBe(false);
  });

  it('is found behind another line that only names its attempt', () => {
    writeIn(project, JOURNAL, `${review('a1')}${JSON.stringify({ ...line, attempt: 'b', file: 'a1' })}\n`);
    expect(has()).toBe(true);
  });

  it('is looked for in the last MiB', () => {
    const filled = (bytes: number): string => `${review('a1')}${'x'.repeat(bytes - 1)}\n`;
    const most = 1024 * 1024;
    writeIn(project, JOURNAL, filled(most - review('a1').length - 1));
    expect(has()).toBe(true);
    writeIn(project, JOURNAL, filled(most));
    expect(has()).toBe(false);
  });

  it('is not looked for through a link', () => {
    const elsewhere = writeIn(project, 'elsewhere.jsonl', review('a1'));
    fs.mkdirSync(path.join(project.root, '.holdfast'));
    fs.symlinkSync(elsewhere, path.join(project.root, JOURNAL));
    expect(has()).toBe(false);
  });
});
