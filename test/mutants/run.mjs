#!/usr/bin/env node
// How many small wrong changes to the source do the tests notice? Draws a seeded sample of them over all of src/
// and the launcher, plants each as text in a copy of the tree, builds, and runs the tests that can see it. A
// change that the compiler or the bundler refuses is not counted; one that hangs the tests is caught.
//   node test/mutants/run.mjs [--count N] [--seed N] [--only PART-OF-A-PATH] [--report FILE] [--quick]
// HOLDFAST_MUTANTS and HOLDFAST_MUTANTS_SEED do the same as --count and --seed. --quick leaves the slow suites
// out. It is a report: survivors are places to look at, and the exit code is 0 whatever the score.

import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { copyTree, endAll } from '../support/tree-copy.mjs';
import { stagesFor } from './tests-for.mjs';

const WORKERS = 2;
const STAGE_LIMIT_MS = 420_000;

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: process.env.HOLDFAST_MUTANTS ?? '20' },
    seed: { type: 'string', default: process.env.HOLDFAST_MUTANTS_SEED ?? '1' },
    only: { type: 'string', default: '' },
    report: { type: 'string', default: '.test-build/mutants.json' },
    quick: { type: 'boolean', default: false },
  },
});
const suite = import.meta.dirname;
const repository = path.resolve(suite, '../..');
process.chdir(repository);
const count = wholeNumber('count');
const seed = wholeNumber('seed');

installTools();
const { drawMutants } = await import('./draw.mjs');
const drawn = await drawMutants(sources(), seed);
console.log(`${drawn.length} mutants in ${sources().length} files; seed ${seed}`);

const trees = Array.from({ length: WORKERS }, () => copyTree(repository));
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    // Cut short, it still says what was seen so far.
    endAll();
    writeReport();
    removeTrees();
    process.exit(1);
  });
const judged = [];
try {
  const sample = await soundOnes(drawn, count, trees[0]);
  console.log(`${sample.length} of the first ${sample.drawn} pass the compiler; running them`);
  await Promise.all(trees.map((tree) => work(tree, sample)));
} finally {
  removeTrees();
}
writeReport();

function removeTrees() {
  for (const tree of trees) tree.remove();
}

/** What is mutated: the product, no tests, no texts. */
function sources() {
  const listed = execFileSync('git', ['ls-files', 'src', 'plugins/holdfast/hooks', 'plugins/holdfast/lib'], {
    encoding: 'utf8',
  });
  const isSource = (file) =>
    /^src\/.*(?<!\.test|\.d)\.ts$/.test(file) || /^plugins\/holdfast\/(hooks\/stop|lib\/.*\.cjs)$/.test(file);
  return listed
    .trim()
    .split('\n')
    .filter((file) => isSource(file) && file.includes(options.only));
}

/** The first `wanted` that the compiler takes. Many are checked at once, each in a file of its own. */
async function soundOnes(mutants, wanted, tree) {
  const sound = [];
  let next = 0;
  while (sound.length < wanted && next < mutants.length) {
    const batch = mutants.slice(next, next + Math.max(20, wanted));
    next += batch.length;
    const refused = new Set();
    for (let rest = batch; rest.length > 0; ) {
      const once = firstOfEachFile(rest);
      for (const mutant of await refusedOf(once, tree)) refused.add(mutant);
      rest = rest.filter((mutant) => !once.includes(mutant));
    }
    sound.push(...batch.filter((mutant) => !refused.has(mutant)));
  }
  const sample = sound.slice(0, wanted);
  const last = sample.at(-1);
  return Object.assign(sample, { drawn: last === undefined ? next : mutants.indexOf(last) + 1 });
}

function firstOfEachFile(mutants) {
  return [...new Map(mutants.toReversed().map((mutant) => [mutant.file, mutant])).values()];
}

/** Errors are told apart by their files; one in a file without a mutant belongs to another, which is searched for. */
async function refusedOf(mutants, tree) {
  const takeOut = tree.plant(mutants);
  const { code, output } = await tree.run(
    process.execPath,
    ['node_modules/typescript/bin/tsc', '--noEmit', '--pretty', 'false'],
    STAGE_LIMIT_MS,
  );
  takeOut();
  if (code === 0) return [];
  const files = new Set([...output.matchAll(/^(\S+?)\(\d+,\d+\): error/gm)].map((match) => match[1]));
  const named = mutants.filter(({ file }) => files.has(file));
  const hasOthers = [...files].some((file) => !mutants.some((mutant) => mutant.file === file));
  if (!hasOthers || mutants.length === 1) return named.length > 0 ? named : mutants;
  const middle = Math.ceil(mutants.length / 2);
  return [
    ...(await refusedOf(mutants.slice(0, middle), tree)),
    ...(await refusedOf(mutants.slice(middle), tree)),
  ];
}

async function work(tree, sample) {
  for (let mutant = sample.shift(); mutant !== undefined; mutant = sample.shift()) {
    const result = await judge(tree, mutant);
    judged.push({ ...mutant, result });
    const done = judged.filter((each) => each.result !== 'refused');
    console.log(`${done.length} ${result === 'survived' ? 'SURVIVED' : result}: ${mutant.name}`);
  }
}

/** 'refused': it cannot be built. */
async function judge(tree, mutant) {
  const takeOut = tree.plant([mutant]);
  try {
    const built = await tree.run(process.execPath, ['scripts/build.mjs'], STAGE_LIMIT_MS);
    if (built.code !== 0) return mutant.file.startsWith('src/') ? 'refused' : 'caught';
    const stages = stagesFor(mutant.file);
    for (const stage of options.quick ? stages.slice(0, 2) : stages) {
      const { code } = await tree.run(process.execPath, stage, STAGE_LIMIT_MS);
      if (code !== 0) return 'caught';
    }
    return 'survived';
  } finally {
    takeOut();
  }
}

function writeReport() {
  const counted = judged.filter(({ result }) => result !== 'refused');
  const survivors = counted.filter(({ result }) => result === 'survived');
  console.log(`\nScore by folder (seed ${seed}):`);
  const folders = [...new Set(counted.map(folderOf))].sort();
  for (const folder of folders)
    console.log(
      line(
        folder,
        counted.filter((each) => folderOf(each) === folder),
      ),
    );
  console.log(line('all', counted));
  if (survivors.length > 0) console.log('\nSurvivors:');
  for (const { name } of survivors) console.log(`  ${name}`);
  fs.mkdirSync(path.dirname(options.report), { recursive: true });
  fs.writeFileSync(options.report, `${JSON.stringify({ seed, judged }, null, 2)}\n`);
}

function line(name, mutants) {
  const caught = mutants.filter(({ result }) => result === 'caught').length;
  const percent = mutants.length === 0 ? 0 : Math.round((1000 * caught) / mutants.length) / 10;
  return `  ${name.padEnd(24)} ${String(caught).padStart(4)} of ${String(mutants.length).padStart(4)}  ${percent} %`;
}

function folderOf({ file }) {
  const [top, folder, inner] = file.split('/');
  return folder === 'workflows' && inner?.includes('.') === false
    ? `${top}/${folder}/${inner}`
    : `${top}/${folder}`;
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
