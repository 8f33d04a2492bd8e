import fs from 'node:fs';
import { expect, it } from 'vitest';
import { drawStates } from './diagrams.ts';

it('the diagrams in docs/states.md are what the explorer finds; if not: node scripts/draw-states.mjs', () => {
  expect(fs.readFileSync('docs/states.md', 'utf8')).toBe(drawStates());
});
