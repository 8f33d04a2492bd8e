// Pictures that a script draws are what it draws.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

it('docs/reviews.svg is drawn from the docket beside it', () => {
  const script = path.resolve(import.meta.dirname, '../../scripts/draw-reviews.mjs');
  execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe', timeout: 120_000 });
});

it('docs/images/session.svg shows a whole session, with no script and no folder of who recorded it', () => {
  const picture = fs.readFileSync(path.resolve(import.meta.dirname, '../../docs/images/session.svg'), 'utf8');
  // Each word is an element of its own.
  const words = picture.replaceAll(/(?:<[^>]+>)+/g, ' ');
  const story = ['Shall I continue', '[ITERATION 1/10]', 'not ok drops accents', 'done and proven: test'];
  expect(story.filter((part) => !words.includes(part))).toEqual([]);
  expect(picture.match(/<script|javascript:/)).toBeNull();
  expect(words.match(/\/(?:home|Users|srv|root)\//)).toBeNull();
});
