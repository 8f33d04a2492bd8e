// Every reader against thousands of broken texts. A failure prints its seed and the smallest text that shows it.

import fs from 'node:fs';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { RUNS, SEED } from './broken.ts';
import { readers } from './readers.ts';
import { scratch, targets } from './targets.ts';

afterAll(() => fs.rmSync(scratch, { recursive: true, force: true }));

const each = Math.ceil(RUNS / targets.length);
console.log(`fuzz: ${targets.length} readers, ${each} texts each, seed ${SEED}`);

describe('broken text', () => {
  test.each(targets.map((target) => [target.name, target] as const))(
    'of the kind "%s" is never misread',
    { timeout: 300_000 + each * 100 },
    async (_, { input, check }) => {
      let texts = 0;
      await fc.assert(
        fc.asyncProperty(input, async (text) => {
          texts++;
          await check(text, readers);
        }),
        { seed: SEED, numRuns: each },
      );
      expect(texts).toBe(each);
      expect(Object.prototype).not.toHaveProperty('polluted');
    },
  );
});
