#!/usr/bin/env node
// Would a requirement's tests fail if it were broken? Plants the breaks of breaks.json one by one in a copy of this
// tree, builds it and runs only the tests that carry the requirement's id as a tag. It is proven when one of them
// fails. The order is seeded, so that `--count` is a sample and the same one each time.
//   npm run test:rows -- [--only ID,ID…] [--count N] [--seed N] [--sound] [--list]

import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { seeded, shuffled } from '../support/seeded.mjs';
import { copyTree, endAll } from '../support/tree-copy.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    count: { type: 'string' },
    seed: { type: 'string', default: '12' },
    list: { type: 'boolean', default: false },
    /** The tests are known to pass as the tree is. */
    sound: { type: 'boolean', default: false },
  },
});
const BUILD_MS = 120_000;
const TESTS_MS = 300_000;

const testFiles = ['src', 'test'].flatMap(listTests);
const all = JSON.parse(fs.readFileSync(path.join(import.meta.dirname, 'breaks.json'), 'utf8'));
const breaks = chosen(all);
const problems = breaks.flatMap(problemsOf);
if (problems.length > 0) {
  for (const problem of problems) console.error(problem);
  process.exit(2);
}
if (options.list) {
  for (const { row, file, find } of breaks) console.log(`${row}\t${file}\t${JSON.stringify(find)}`);
  process.exit(0);
}

const copy = copyTree(root);
process.on('exit', () => {
  endAll();
  copy.remove();
});
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));
// None of these tests needs the toy, which would be built again for each break.
fs.writeFileSync(
  path.join(copy.folder, 'test/global-setup.ts'),
  'export default function buildNothing() {}\n',
);
const missed = [];
const unclear = [];
if (!options.sound) await soundFirst();
for (const [index, each] of breaks.entries()) {
  const outcome = await breakRow(each);
  console.log(`${index + 1}/${breaks.length} ${outcome.word}: ${each.row}: ${each.file}: ${outcome.detail}`);
  if (outcome.word === 'missed') missed.push(each.row);
  if (outcome.word === 'unclear') unclear.push(each.row);
}
const caught = breaks.length - missed.length - unclear.length;
console.log(`rows: ${caught} of ${breaks.length} breaks caught`);
if (missed.length > 0) console.log(`missed: ${missed.join(' ')}`);
if (unclear.length > 0) console.log(`unclear: ${unclear.join(' ')}`);
process.exitCode = caught === breaks.length ? 0 : 1;

function chosen(list) {
  const only = options.only?.split(',');
  const wanted =
    only === undefined
      ? shuffled(list, seeded(Number(options.seed)))
      : list.filter(({ row }) => only.includes(row));
  for (const row of only ?? [])
    if (!list.some((each) => each.row === row)) throw new Error(`breaks.json has no break for ${row}`);
  return options.count === undefined ? wanted : wanted.slice(0, Number(options.count));
}

/** Texts move while the code changes: a break that does not fit any more must be written again, not passed over. */
function problemsOf({ row, file, find, replace }) {
  if (filesOf(row).length === 0) return [`${row}: no test has this tag`];
  const target = path.join(root, file);
  if (!fs.existsSync(target)) return [`${row}: there is no ${file}`];
  const times = fs.readFileSync(target, 'utf8').split(find).length - 1;
  if (times !== 1) return [`${row}: ${file} holds this text ${times} times instead of once: ${find}`];
  return find === replace ? [`${row}: the break changes nothing`] : [];
}

/** A test that fails without any break would seem to catch every one. */
async function soundFirst() {
  const ids = breaks.map(({ row }) => row);
  const result = (await build()) ?? (await runTests(ids, 4 * TESTS_MS));
  if (typeof result === 'string' || result.failed > 0) {
    console.error(`The tests do not pass as the tree is: ${result.detail ?? result}`);
    process.exit(2);
  }
  console.log(`sound: ${result.passed} tests pass without a break`);
}

async function breakRow({ row, file, find, replace }) {
  const from = fs.readFileSync(path.join(copy.folder, file), 'utf8').indexOf(find);
  const takeOut = copy.plant([{ file, from, to: from + find.length, replacement: replace }]);
  try {
    // Unit tests take the sources as they are.
    const needsBuild = filesOf(row).some((file) => file.startsWith('test/'));
    const failure = needsBuild ? await build() : null;
    if (failure !== null) return { word: 'unclear', detail: failure };
    const result = await runTests([row]);
    if (typeof result === 'string') return { word: 'unclear', detail: result };
    if (result.failed > 0) return { word: 'caught', detail: result.detail };
    if (result.passed === 0) return { word: 'unclear', detail: 'no test ran' };
    return { word: 'missed', detail: `${result.passed} tests pass all the same` };
  } finally {
    takeOut();
  }
}

async function build() {
  const { code, output } = await copy.run(process.execPath, ['scripts/build.mjs'], BUILD_MS);
  return code === 0 ? null : `the build ended with exit code ${code}: ${output.slice(-300)}`;
}

async function runTests(ids, timeout = TESTS_MS) {
  const report = path.join(copy.folder, 'report.json');
  fs.rmSync(report, { force: true });
  const files = new Set(ids.flatMap(filesOf));
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'fast', ...files];
  const { code, output } = await copy.run(
    process.execPath,
    [...args, `--tags-filter=${ids.join(' || ')}`, '--reporter=json', `--outputFile=${report}`],
    timeout,
  );
  if (!fs.existsSync(report)) return `no report, exit code ${code}: ${output.slice(-300)}`;
  const { testResults } = JSON.parse(fs.readFileSync(report, 'utf8'));
  const ran = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = ran.filter(({ status }) => status === 'failed');
  // A file that cannot even be loaded any more was broken too.
  const unloaded = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  return {
    passed: ran.filter(({ status }) => status === 'passed').length,
    failed: failed.length + unloaded.length,
    detail: failed[0]?.fullName ?? unloaded[0]?.message ?? '',
  };
}

/** vitest would load every test file to look for a tag. */
function filesOf(id) {
  return testFiles.filter(({ text }) => text.includes(`'${id}'`)).map(({ file }) => file);
}

function listTests(folder) {
  return fs
    .readdirSync(path.join(root, folder), { recursive: true })
    .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))
    .map((name) => path.join(folder, name))
    .map((file) => ({ file, text: fs.readFileSync(path.join(root, file), 'utf8') }));
}
