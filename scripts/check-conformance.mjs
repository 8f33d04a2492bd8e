#!/usr/bin/env node
// Run after the suites, from the repository's top: did every test that CONFORMANCE.md names run, and did
// nothing fail or skip? Takes the reports of `vitest run --reporter=json --outputFile=…`.

import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';

const reports = process.argv.slice(2);
if (reports.length === 0) {
  console.error('usage: check-conformance.mjs <vitest report.json>…');
  process.exit(2);
}

const { checkRun, parseTable, readReport } = await loadChecks();
const workflows = Object.keys(JSON.parse(read('../test/conformance/requirements.json')));
const table = parseTable(readFileSync('CONFORMANCE.md', 'utf8'), workflows);
const ran = reports.flatMap(readTests);
const problems = [...table.problems, ...checkRun(table.rows, ran)];

for (const problem of problems) console.error(problem);
console.log(
  `conformance: ${table.rows.length} rows, ${ran.length} tests in ${reports.length} reports, ${problems.length} problems`,
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
