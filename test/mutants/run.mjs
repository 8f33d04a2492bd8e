#!/usr/bin/env node
// How many small wrong changes to the source do the tests notice? Draws a seeded sample of them over all of src/
// and the launcher, plants each as text in a copy of the tree, and runs the tests that reach it. A change that the
// compiler or the bundler refuses is not counted.
//   node test/mutants/run.mjs [--count N] [--seed N] [--only PART-OF-A-PATH] [--report FILE] [--again FILE] [--quick]
//     [--workers N]
// HOLDFAST_MUTANTS and HOLDFAST_MUTANTS_SEED do the same as --count and --seed. --again goes on with
// an earlier report: its survivors instead of a sample, of the same seed and sources. --quick does not learn first what the tests reach, which takes all of them
// once, and runs a few by folder. It is a report: survivors are places to look at, and the exit code is 0 whatever
// the score.

import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { copyTree, endAll } from '../support/tree-copy.mjs';
import { judge, judgeQuickly, unsoundOf } from './judge.mjs';
import { printScore, writeReport } from './score.mjs';
import { soundOnes } from './sound.mjs';

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: process.env.HOLDFAST_MUTANTS ?? '20' },
    seed: { type: 'string', default: process.env.HOLDFAST_MUTANTS_SEED ?? '1' },
    only: { type: 'string', default: '' },
    report: { type: 'string', default: '.test-build/mutants.json' },
    again: { type: 'string' },
    quick: { type: 'boolean', default: false },
    // One for each core; more of them are a load for what is tested beside them.
    workers: { type: 'string', default: '2' },
  },
});
const suite = import.meta.dirname;
const repository = path.resolve(suite, '../..');
process.chdir(repository);
const count = wholeNumber('count');
const seed = wholeNumber('seed');
const workers = wholeNumber('workers');

installTools();
const { drawMutants } = await import('./draw.mjs');
const { reachOf } = await import('./reach.mjs');
const all = sources();
const chosen = all.filter((file) => file.includes(options.only));
const drawn = await drawMutants(chosen, seed);
console.log(`${drawn.length} mutants in ${chosen.length} files; seed ${seed}`);

const trees = Array.from({ length: workers }, () => copyTree(repository));
const judged = [];
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    // Cut short, it still says what was seen so far.
    endAll();
    finish();
    process.exit(1);
  });
try {
  const sample =
    options.again === undefined ? await soundOnes(drawn, count, trees[0]) : survivorsOf(options.again);
  console.log(`${sample.length} of them, which the compiler takes`);
  if (options.quick) await inTurns(sample, (tree, mutant) => judgeQuickly(tree, mutant));
  else await judgeAll(sample);
} finally {
  finish();
}

async function judgeAll(sample) {
  const testsFor = await reachOf(repository, all, workers, console.log);
  await inTurns(sample, (tree, mutant) => judge(tree, mutant, testsFor(mutant)));
  console.log('\nThe rest of the tests, for those that survived:');
  const survivors = judged.filter(({ result, ran, of }) => result === 'survived' && ran < of);
  await inTurns(survivors, (tree, mutant) => judge(tree, mutant, testsFor(mutant), { deep: true }));
  // A test that fails without any mutant has caught none.
  const catching = judged.flatMap(({ test }) => test ?? []);
  const unsound = await unsoundOf(trees[0], catching);
  for (const mutant of judged)
    if (unsound.some(({ file, name }) => mutant.test?.file === file && mutant.test.name === name))
      mutant.result = 'unsound';
}

async function inTurns(mutants, verdictOn) {
  const left = [...mutants];
  const work = async (tree) => {
    for (let mutant = left.shift(); mutant !== undefined; mutant = left.shift()) {
      const started = Date.now();
      const verdict = await verdictOn(tree, mutant);
      note(mutant, verdict, Math.round((Date.now() - started) / 1000));
    }
  };
  await Promise.all(trees.map(work));
}

function note(mutant, verdict, seconds) {
  const known = judged.find(({ name, from }) => name === mutant.name && from === mutant.from);
  if (known === undefined) judged.push({ ...mutant, ...verdict, seconds });
  else Object.assign(known, verdict, { ran: known.ran + verdict.ran, seconds: known.seconds + seconds });
  const result = verdict.result === 'caught' ? 'caught' : verdict.result.toUpperCase();
  console.log(`${judged.length} ${result} in ${seconds} s: ${mutant.name}`);
  writeReport(options.report, seed, judged);
}

function finish() {
  for (const tree of trees) tree.remove();
  writeReport(options.report, seed, judged);
  printScore(judged, seed);
}

/** What was caught then is taken over: tests are only ever added. */
function survivorsOf(report) {
  const { judged: before } = JSON.parse(fs.readFileSync(report, 'utf8'));
  const isDone = ({ result }) => result === 'caught' || result === 'refused';
  judged.push(...before.filter(isDone));
  const same = (one) => (other) =>
    one.name === other.name && one.from === other.from && one.replacement === other.replacement;
  return before.filter((mutant) => !isDone(mutant)).flatMap((survivor) => drawn.find(same(survivor)) ?? []);
}

/** What is mutated: the product, no tests, no texts. */
function sources() {
  const listed = execFileSync('git', ['ls-files', 'src', 'plugins/holdfast/hooks', 'plugins/holdfast/lib'], {
    encoding: 'utf8',
  });
  const isSource = (file) =>
    /^src\/.*(?<!\.test|\.d)\.ts$/.test(file) || /^plugins\/holdfast\/(hooks\/stop|lib\/.*\.cjs)$/.test(file);
  return listed.trim().split('\n').filter(isSource);
}

function installTools() {
  if (fs.existsSync(path.join(suite, 'node_modules/@stryker-mutator/instrumenter'))) return;
  const npm = spawnSync('npm', ['ci', '--no-progress'], { cwd: suite, encoding: 'utf8' });
  if (npm.status === 0) return;
  console.error(`\`npm ci\` failed in ${suite}: ${npm.stderr}`);
  process.exit(1);
}

function wholeNumber(name) {
  const value = Number(options[name]);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  console.error(`--${name} takes a whole number, not "${options[name]}"`);
  process.exit(2);
}
