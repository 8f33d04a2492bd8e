import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { asBuilt } from '../support/as-built.ts';

const file = path.join(import.meta.dirname, 'diagrams.ts');

it('the diagrams in docs/states.md are what the explorer finds; if not: node scripts/draw-states.mjs', {
  timeout: 600_000,
}, async () => {
  const { drawStates } = await asBuilt<typeof import('./diagrams.ts')>(file);
  expect(fs.readFileSync('docs/states.md', 'utf8')).toBe(drawStates());
});
