import { createHash } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { bareProject, writeIn } from '../../test/support/bare-project.ts';
import type { Project } from '../engine/project.ts';
import { findAgain, headAt, isHead } from './head.ts';

const TEXT = `${'a'.repeat(300)}\n${'b'.repeat(400)}\n`;
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const cursor = (segment: number, offset: number) => ({ segment, offset, before: 7 });

let project: Project;
beforeEach(() => {
  project = bareProject();
  writeIn(project, '.holdfast/journal.jsonl', TEXT);
});

it.each([
  [0, 0],
  [301, 301],
  [511, 511],
  [512, 512],
  [513, 512],
  [702, 512],
])('a segment of which %d bytes were read is known by the first %d', (offset, bytes) => {
  expect(headAt(project.root, cursor(1, offset))).toEqual({ bytes, hash: hash(TEXT.slice(0, bytes)) });
});

it('a segment that is shorter than what was read is known by all of it', () => {
  writeIn(project, '.holdfast/journal.jsonl', 'short\n');
  expect(headAt(project.root, cursor(1, 100))).toEqual({ bytes: 6, hash: hash('short\n') });
});

it('a segment that is gone has no head', () => {
  expect(headAt(project.root, cursor(4, 100))).toEqual({ bytes: 0, hash: '' });
});

it('a cursor stays where its segment is as it was', () => {
  const at = cursor(1, 301);
  const head = headAt(project.root, at);
  expect(findAgain(project.root, at, head)).toBe(at);
  writeIn(project, '.holdfast/journal.jsonl', `${TEXT}more\n`);
  expect(findAgain(project.root, at, head)).toBe(at);
});

it('a cursor stays where nothing was read yet', () => {
  const at = cursor(3, 0);
  expect(findAgain(project.root, at, { bytes: 0, hash: '' })).toBe(at);
});

it('a cursor goes where its segment has gone', () => {
  const head = headAt(project.root, cursor(1, 301));
  expect(findAgain(project.root, cursor(5, 301), head)).toEqual({ segment: 1, offset: 301, before: 0 });
});

it('a cursor is of no use where its segment is gone, or another is in its place', () => {
  const at = cursor(1, 301);
  const head = headAt(project.root, at);
  writeIn(project, '.holdfast/journal.jsonl', `x${TEXT}`);
  expect(findAgain(project.root, at, head)).toBeNull();
  expect(findAgain(bareProject().root, at, head)).toBeNull();
});

it.each([
  [{ bytes: 0, hash: '' }, true],
  [{ bytes: 5, hash: 'h' }, true],
  [{ bytes: -1, hash: 'h' }, false],
  [{ bytes: 0.5, hash: 'h' }, false],
  [{ bytes: 5, hash: 5 }, false],
  [{ hash: 'h' }, false],
  [{ bytes: 5 }, false],
  [null, false],
])('%j read from disk is a head: %j', (value, is) => {
  expect(isHead(value)).toBe(is);
});
