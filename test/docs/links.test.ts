// What a document or a comment points to is there: files, headings, decisions.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  anchorsIn,
  brokenLinks,
  decisionsIn,
  missingDocs,
  readFiles,
  unknownDecisions,
} from './documents.ts';

const root = path.resolve(import.meta.dirname, '../..');
const exists = (file: string): boolean => fs.existsSync(path.join(root, file));

const atTop = fs.readdirSync(root).filter((name) => name.endsWith('.md'));
const documents = {
  ...Object.fromEntries(atTop.map((name) => [name, fs.readFileSync(path.join(root, name), 'utf8')])),
  ...readFiles(root, ['docs'], ['.md']),
  ...readFiles(root, ['test', 'bench', 'plugins'], ['README.md', 'seen.md']),
};
// Without this file, whose examples are broken on purpose.
const { 'test/docs/links.test.ts': _, ...sources } = readFiles(
  root,
  ['src', 'test', 'scripts', 'bench'],
  ['.ts', '.mjs', '.cjs'],
);

describe('the documents', () => {
  it('are the ones people read first, and those in docs', () => {
    expect(Object.keys(documents)).toEqual(
      expect.arrayContaining([
        ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'],
        ...['docs/decisions.md', 'docs/deviations.md', 'docs/settings.md'],
        ...['claudex', 'flows', 'idle', 'taskie'].map((name) => `docs/contracts/${name}.md`),
      ]),
    );
  });

  it('have no link that leads nowhere', () => {
    expect(brokenLinks(documents, exists)).toEqual([]);
  });

  it('name no page of docs that is not there; nor does the code', () => {
    expect(missingDocs({ ...documents, ...sources }, exists)).toEqual([]);
  });
});

describe('the decisions', () => {
  const known = decisionsIn(documents['docs/decisions.md'] ?? '');

  it('are numbered from 1 without a gap', () => {
    expect(known.length).toBeGreaterThan(20);
    expect(known).toEqual(known.map((_, index) => index + 1));
  });

  it('are all there that code, tests and documents cite', () => {
    expect(Object.keys(sources).length).toBeGreaterThan(300);
    expect(unknownDecisions({ ...sources, ...documents }, known)).toEqual([]);
  });
});

// Each check is shown to fail on a small example.
describe('a link', () => {
  const page = '# Top\n\n## Decision 3: what `it_is`, not that\n\n## Same\n\n## Same\n';
  const there =
    (...files: string[]) =>
    (file: string) =>
      files.includes(file);

  it.each([
    ['a file that is not there', '[x](gone.md)', 'docs/a.md: gone.md leads nowhere'],
    ['a file of the wrong folder', '[x](README.md)', 'docs/a.md: README.md leads nowhere'],
    ['a heading that is not there', '[x](b.md#bottom)', 'docs/a.md: b.md#bottom names no heading'],
    ['a heading of its own that is not there', '[x](#bottom)', 'docs/a.md: #bottom names no heading'],
    [
      'an anchor in no document',
      '[x](b.svg#top)',
      'docs/a.md: b.svg#top has an anchor in something that is no document',
    ],
    ['an image that is not there', '![x](gone.svg)', 'docs/a.md: gone.svg leads nowhere'],
    [
      'a file that is not there, in a table',
      '| a |\n| --- |\n| [x](gone.md) |',
      'docs/a.md: gone.md leads nowhere',
    ],
  ])('to %s is found', (_, text, problem) => {
    const files = { 'README.md': '', 'docs/a.md': text, 'docs/b.md': page };
    expect(brokenLinks(files, there(...Object.keys(files), 'docs/b.svg'))).toEqual([problem]);
  });

  it.each([
    ['a file beside it', '[x](b.md)'],
    ['a file above it', '[x](../README.md)'],
    ['a heading', '[x](b.md#decision-3-what-it_is-not-that)'],
    ['the second heading of that name', '[x](b.md#same-1)'],
    ['another site', '[x](https://example.com/gone.md)'],
    ['nothing, as it is code', '`[x](gone.md)`'],
  ])('to %s is sound', (_, text) => {
    const files = { 'README.md': '', 'docs/a.md': text, 'docs/b.md': page };
    expect(brokenLinks(files, there(...Object.keys(files)))).toEqual([]);
  });

  it('finds headings by the names that GitHub gives them', () => {
    expect(anchorsIn('# Über *uns*: `a.b` & c\n')).toEqual(['über-uns-ab--c']);
  });
});

describe('a mention', () => {
  it('of a page that is not there is found, with or without a full stop after it', () => {
    const text = 'See docs/gone.md. And `docs/here.md`, docs/contracts/<name>.md, other/docs/gone.md.';
    const exists = (file: string): boolean => ['docs/here.md', 'docs/contracts'].includes(file);
    expect(missingDocs({ 'a.ts': text }, exists)).toEqual(['a.ts: there is no docs/gone.md']);
  });

  it('of a decision that nobody made is found, one by one', () => {
    const text = 'Decision 2, (decision 24), decisions 1, 7 and 99; a decision of 5.';
    expect(unknownDecisions({ 'a.ts': text }, [1, 2, 7])).toEqual([
      'a.ts: there is no decision 24',
      'a.ts: there is no decision 99',
    ]);
  });

  it('counts as a decision only under a heading of its own', () => {
    expect(decisionsIn('## Decision 1: one\n\n### Decision 2: two\n\nDecision 3: three\n')).toEqual([1]);
  });
});
