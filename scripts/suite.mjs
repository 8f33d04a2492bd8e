#!/usr/bin/env node
// Plays the slower suites, one after the other: npm run suite -- NAME… [part of a file's name…]
// Each leaves a report that scripts/check-conformance.mjs reads.

import { spawnSync } from 'node:child_process';

const SUITES = ['linux', 'fuzz', 'crash', 'race', 'web', 'full'];
const asked = process.argv.slice(2);
const names = asked.filter((each) => SUITES.includes(each));
const files = asked.filter((each) => !SUITES.includes(each));
if (names.length === 0) {
  console.error(`Say which suite: ${SUITES.join(', ')}. For example: npm run suite -- crash`);
  process.exit(2);
}

play('scripts/build.mjs');
for (const name of names) {
  const report = `.test-build/report-${name}.json`;
  play(
    ...['node_modules/vitest/vitest.mjs', 'run', '--project', name, ...files],
    ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
  );
}

function play(...args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}
