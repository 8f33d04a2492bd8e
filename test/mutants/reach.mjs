// Which tests reach which statement? Runs all suites once over copies with probes in them, and keeps the answer until
// a source or a test changes. A test that does not pass there is in the list of nobody: what it says of a mutant
// would mean nothing.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { copyTree } from '../support/tree-copy.mjs';
import { unitFor, unitsOf, withProbes } from './probes.mjs';
import { buildArguments, launcherTests, toyArguments, vitestArguments } from './tests-for.mjs';

const LIMIT_MS = 3_600_000;
/** The crash suites count the system calls of what they disturb, and a probe makes some. */
const projects = ['fast', 'linux', 'fuzz', 'race'];

/**
 * A function that gives the tests for a mutant, `{ file, name, ms, isUnit, width }`. A name of null is all of the file;
 * a unit test starts nothing that is built; the width is how much of the source a test runs.
 */
export async function reachOf(repository, files, workers, log) {
  const sources = files.filter((file) => /\.(ts|cjs)$/.test(file));
  const kept = path.join(repository, '.test-build', `reach-${keyOf(repository)}.json`);
  const texts = new Map(sources.map((file) => [file, fs.readFileSync(path.join(repository, file), 'utf8')]));
  const units = new Map(sources.map((file) => [file, unitsOf(file, texts.get(file))]));
  const first = new Map();
  let next = 0;
  for (const file of sources) {
    first.set(file, next);
    next += units.get(file).length;
  }
  if (!fs.existsSync(kept)) {
    log(`running all tests once over ${next} probes`);
    const parts = Array.from({ length: workers }, (_, index) =>
      runShard(repository, { index, workers, texts, units, first }),
    );
    const tests = (await Promise.all(parts)).flat();
    fs.mkdirSync(path.dirname(kept), { recursive: true });
    fs.writeFileSync(kept, JSON.stringify(tests));
  }
  const tests = wholeWhereMixed(JSON.parse(fs.readFileSync(kept, 'utf8')));
  const by = byUnit(tests);
  log(`${tests.length} tests reach ${by.size} of ${next} places`);
  return (mutant) => {
    const own = units.get(mutant.file);
    if (own === undefined) return wholeFiles(tests, launcherTests);
    const reaching = (index) => by.get(first.get(mutant.file) + index) ?? [];
    const order = mostTellingFirst(reaching(unitFor(own, mutant)), near(own, mutant).map(reaching));
    const files = nearestFirst(
      mutant.file,
      order.filter(({ name }) => name === null),
    );
    // Few of the named ones are about what a file does while it is loaded; the whole test beside it is.
    const beside = files.filter(({ file }) => isBeside(file, mutant.file));
    return [...new Set([...beside, ...order.filter(({ name }) => name !== null), ...files])];
  };
}

const isBeside = (test, source) => test === source.replace(/\.[^.]+$/, '.test.ts');

/** In characters: the places that show what a test is about. */
const NEAR = 500;

function near(units, { from, to }) {
  return units.flatMap((unit, index) =>
    !unit.isFile && unit.from > from - NEAR && unit.to < to + NEAR ? [index] : [],
  );
}

/**
 * A test says the more of a place, the fewer others run what stands around it: one that goes into a rare branch comes
 * before the many that pass by. What a test before it ran counts half.
 */
function mostTellingFirst(tests, around) {
  const places = around.map((reaching) => ({
    reaching: new Set(reaching),
    worth: 1 / (reaching.length || 1),
  }));
  const left = new Set([...tests].sort((one, other) => one.width - other.width));
  const order = [];
  while (left.size > 0 && order.length < MOST_ORDERED) {
    const worthOf = (test) =>
      places.reduce((sum, { reaching, worth }) => sum + (reaching.has(test) ? worth : 0), 0);
    const [best] = [...left].reduce(
      (best, test) => {
        const worth = worthOf(test);
        return worth > best[1] ? [test, worth] : best;
      },
      [left.values().next().value, -1],
    );
    order.push(best);
    left.delete(best);
    for (const place of places) if (place.reaching.has(best)) place.worth /= 2;
  }
  return [...order, ...left];
}

/**
 * What a file does while it is loaded, a table or a limit, is run by all files of tests that load it: the one beside it
 * says most of it, then those of its folder.
 */
function nearestFirst(source, tests) {
  const distance = ({ file }) => {
    if (isBeside(file, source)) return 0;
    return path.dirname(file) === path.dirname(source) ? 1 : 2;
  };
  return tests.toSorted((one, other) => distance(one) - distance(other) || one.ms - other.ms);
}

const MOST_ORDERED = 60;

async function runShard(repository, { index, workers, texts, units, first }) {
  const tree = copyTree(repository);
  const folder = path.join(tree.folder, '.probes');
  fs.mkdirSync(folder);
  for (const [file, text] of texts)
    fs.writeFileSync(
      path.join(tree.folder, file),
      withProbes(text, units.get(file), first.get(file), folder),
    );
  try {
    for (const args of [buildArguments, toyArguments]) {
      const { code, output } = await tree.run(process.execPath, args, LIMIT_MS);
      if (code !== 0) throw new Error(`the copy with probes does not build: ${output}`);
    }
    const report = path.join(tree.folder, '.report.json');
    await tree.run(
      process.execPath,
      [
        ...vitestArguments('run'),
        ...projects.flatMap((project) => ['--project', project]),
        ...[
          '--maxConcurrency=1',
          `--shard=${index + 1}/${workers}`,
          '--reporter=json',
          `--outputFile=${report}`,
        ],
      ],
      LIMIT_MS,
      { HOLDFAST_PROBES: folder },
    );
    return collected(tree.folder, folder, JSON.parse(fs.readFileSync(report, 'utf8')));
  } finally {
    tree.remove();
  }
}

/** One entry per test and one per file, the latter for what runs outside of its tests. */
function collected(root, folder, report) {
  const outcomes = new Map();
  const fileMs = new Map();
  for (const { name, assertionResults } of report.testResults) {
    const file = path.relative(root, name);
    for (const { fullName, status, duration } of assertionResults) {
      const key = `${file}\n${fullName}`;
      outcomes.set(key, { ms: Math.ceil(duration ?? 0), isSound: status === 'passed' });
      fileMs.set(file, (fileMs.get(file) ?? 0) + (duration ?? 0));
    }
  }
  const tests = [];
  for (const entry of fs.readdirSync(folder).filter((each) => each.endsWith('.json'))) {
    const noted = JSON.parse(fs.readFileSync(path.join(folder, entry), 'utf8'));
    const file = path.relative(root, noted.file);
    const outcome =
      noted.name === null
        ? { ms: Math.ceil(fileMs.get(file) ?? 0), isSound: true }
        : outcomes.get(`${file}\n${noted.name}`);
    const lines = fs
      .readFileSync(path.join(folder, entry.replace('.json', '.hits')), 'utf8')
      .trim()
      .split('\n');
    const ids = (isHere) => [
      ...new Set(
        lines
          .filter((line) => line !== '' && line.startsWith('here') === isHere)
          .map((line) => Number(line.replace('here ', ''))),
      ),
    ];
    tests.push({
      file,
      name: noted.name,
      ...(outcome ?? { ms: 0, isSound: false }),
      here: ids(true),
      started: ids(false),
    });
  }
  return tests;
}

/** Tests that run at the same time are not told apart for certain: there, the whole file reaches what any of them does. */
function wholeWhereMixed(tests) {
  const files = [...new Set(tests.map(({ file }) => file))];
  const mixed = new Set(files.filter((file) => fs.readFileSync(file, 'utf8').includes('.concurrent')));
  return tests.map((test) => {
    if (test.name !== null || !mixed.has(test.file)) return test;
    const own = tests.filter(({ file }) => file === test.file);
    const all = (key) => [...new Set(own.flatMap((each) => each[key]))];
    return { ...test, ms: Math.ceil(test.ms / 4), here: all('here'), started: all('started') };
  });
}

function byUnit(tests) {
  const starting = new Set(tests.filter(({ started }) => started.length > 0).map(({ file }) => file));
  const by = new Map();
  for (const test of tests) {
    if (!test.isSound) continue;
    const ids = new Set([...test.here, ...test.started]);
    const entry = entryOf(test, tests, !starting.has(test.file), ids.size);
    for (const id of ids) {
      if (!by.has(id)) by.set(id, []);
      by.get(id).push(entry);
    }
  }
  return by;
}

function entryOf({ file, name, ms }, tests, isUnit, width) {
  if (name !== null) return { file, name, ms, isUnit, width };
  const names = tests.filter((test) => test.file === file && test.name !== null && test.isSound);
  return { file, name, names: names.map((test) => test.name), ms, isUnit, width: Number.MAX_SAFE_INTEGER };
}

/** The launcher is sh and has no probes. */
function wholeFiles(tests, parts) {
  return tests
    .filter(({ file, name }) => name === null && parts.some((part) => file.startsWith(part)))
    .map((test) => entryOf(test, tests, false, test.ms));
}

/** Changes with every file of the sources and the tests. */
function keyOf(repository) {
  const hash = createHash('sha256');
  const walk = (folder) => {
    for (const entry of fs
      .readdirSync(folder, { withFileTypes: true })
      .sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const file = path.join(folder, entry.name);
      if (entry.name === 'node_modules' || entry.name === 'mutants') continue;
      if (entry.isDirectory()) walk(file);
      else if (entry.isFile())
        hash.update(`${path.relative(repository, file)}\0`).update(fs.readFileSync(file));
    }
  };
  for (const folder of ['src', 'test', 'plugins', 'scripts']) walk(path.join(repository, folder));
  return hash.digest('hex').slice(0, 12);
}
