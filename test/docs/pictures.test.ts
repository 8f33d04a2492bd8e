// Pictures that a script draws are what it draws.

import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { it } from 'vitest';

it('docs/reviews.svg is drawn from the docket beside it', () => {
  const script = path.resolve(import.meta.dirname, '../../scripts/draw-reviews.mjs');
  execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe', timeout: 120_000 });
});
