// Builds the plugin once more with the toy workflow in it, for the engine's tests. The product itself is
// built by `npm run build`, which `npm test` calls first.

import { execFileSync } from 'node:child_process';

export default function buildToy(): void {
  execFileSync(process.execPath, [
    'scripts/build.mjs',
    ...[
      '--out',
      '.test-build/toy',
      '--registry',
      'test/toy/registry.ts',
      '--reviewers',
      'test/toy/reviewers.ts',
    ],
  ]);
}
