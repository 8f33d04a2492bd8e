#!/usr/bin/env node
// Run after the suites, from the repository's top: does every requirement have a test that ran and passed, and did
// nothing fail or skip? Takes the reports of `vitest run --reporter=json --outputFile=…`, and writes from them the
// table of requirements and tests, .test-build/conformance.md.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { transformSync } from 'esbuild';

const TABLE = '.test-build/conformance.md';
const reports = process.argv.slice(2);
if (reports.length === 0) {
  console.error('usage: check-conformance.mjs <vitest report.json>…');
  process.exit(2);
}

const { checkRun, listDeviations, listRequirements, readReport, renderTable } = await loadChecks();
const requirements = listRequirements(JSON.parse(read('../test/conformance/requirements.json')));
const deviations = listDeviations(JSON.parse(read('../test/conformance/settled.json')));
const ran = reports.flatMap(readTests);
const problems = checkRun(requirements, ran);
mkdirSync('.test-build', { recursive: true });
writeFileSync(TABLE, renderTable(requirements, deviations, ran));

for (const problem of problems) console.error(problem);
const tagged = ran.filter(({ tags }) => tags.length > 0).length;
console.log(
  `conformance: ${requirements.length} requirements, ${tagged} of ${ran.length} tests tagged, ` +
    `${problems.length} problems; ${TABLE} has the table`,
);
process.exitCode = problems.length === 0 ? 0 : 1;

/** The checks are TypeScript, shared with the test suite; Node 20 needs their types taken off. */
async function loadChecks() {
  const { code } = transformSync(read('../test/conformance/conformance.ts'), { loader: 'ts', format: 'esm' });
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
}

function readTests(report) {
  try {
    return readReport(readFileSync(report, 'utf8'), process.cwd());
  } catch (error) {
    console.error(`${report}: ${error.message}`);
    process.exit(1);
  }
}

function read(path) {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}
