// Does a test notice this mutant? The tests that reach it are run in stages, the cheap ones first. A failure counts
// when it comes again, and a run that is only slow counts as nothing: the machine may be busy.

import fs from 'node:fs';
import path from 'node:path';
import { buildArguments, quickStages, toyArguments, vitestArguments } from './tests-for.mjs';

const BUILD_LIMIT_MS = 420_000;
/** In a short look, what takes longer than the same tests take without a mutant, many times over, is left undecided. */
const QUICK_PATIENCE = { leastMs: 60_000, times: 5 };
const HEALTHY_LIMIT_MS = 300_000;
/** Of a stage in a short look: nobody has measured its tests. */
const QUICK_EXPECTED_MS = 60_000;
const UNKNOWN_MS = 10_000;

/** How long the tests of a stage may take by what they took before, in ms; the first stage of each kind comes first. */
const UNIT_STAGES_MS = [8_000, 40_000];
const BUILT_STAGES_MS = [15_000, 60_000, 240_000];

/**
 * `{ result, by, ran, of }`: 'caught' by a test, 'survived', 'late' (it never came to an end in time, though it used
 * no more of the processor than others), or 'refused' (it cannot be built). `ran` of `of` tests were run. `deep` is
 * for what survived: the tests that were too many before.
 */
export async function judge(tree, mutant, tests, { deep = false } = {}) {
  const stagesOf = (some, budgets) =>
    deep ? inStages(some, budgets).slice(1) : inStages(some, budgets).slice(0, 1);
  const units = stagesOf(
    tests.filter(({ isUnit }) => isUnit),
    UNIT_STAGES_MS,
  );
  const built = stagesOf(
    tests.filter(({ isUnit }) => !isUnit),
    BUILT_STAGES_MS,
  );
  return runStages(tree, mutant, units, built, tests.length);
}

async function runStages(tree, mutant, units, built, of) {
  let ran = 0;
  const takeOut = tree.plant([mutant]);
  try {
    for (const stage of [...units, null, ...built]) {
      if (stage === null) {
        if (built.flat().length === 0 || (await isBuilt(tree))) continue;
        return { result: mutant.file.startsWith('src/') ? 'refused' : 'caught', by: 'the build', ran, of };
      }
      const verdict = stage.length === 0 ? null : await failing(tree, stage);
      ran += stage.length;
      if (verdict !== null) return { ...verdict, ran, of };
    }
    return { result: 'survived', by: null, ran, of };
  } finally {
    takeOut();
  }
}

/** Without knowing what the tests reach: a few by folder. */
export async function judgeQuickly(tree, mutant) {
  const stages = quickStages(mutant.file);
  const limits = await limitsOf(tree, stages);
  if (limits === null) return { result: 'unsound', by: null };
  const takeOut = tree.plant([mutant]);
  try {
    if (!(await isBuilt(tree))) return { result: 'refused', by: 'the build' };
    for (const [index, stage] of stages.entries()) {
      const run = async () =>
        (await runVitest(tree, stage, { limitMs: limits[index], expectedMs: QUICK_EXPECTED_MS })).code;
      const codes = [await run()];
      // A failure counts when it comes again.
      if (codes[0] !== 0 && codes[0] !== null) codes.push(await run());
      if (codes.includes(null)) return { result: 'late', by: null };
      if (codes.length === 2 && codes[1] !== 0) return { result: 'caught', by: stage[2] };
    }
    return { result: 'survived', by: null };
  } finally {
    takeOut();
  }
}

/** How long each stage may take with a mutant, by what it takes without one. Null: a test fails without any. */
async function limitsOf(tree, stages) {
  if (!(await isBuilt(tree))) throw new Error('the tree without a mutant does not build');
  const limits = [];
  for (const stage of stages) {
    const begun = Date.now();
    const { code } = await runVitest(tree, stage, {
      limitMs: HEALTHY_LIMIT_MS,
      expectedMs: QUICK_EXPECTED_MS,
    });
    if (code !== 0) return null;
    limits.push(QUICK_PATIENCE.leastMs + QUICK_PATIENCE.times * (Date.now() - begun));
  }
  return limits;
}

/** Those of the tests that fail without any mutant. */
export async function unsoundOf(tree, tests) {
  const each = tests.map((test) => [`${test.file} ${test.name}`, { ...test, ms: UNKNOWN_MS }]);
  const distinct = [...new Map(each).values()];
  if (distinct.length === 0) return [];
  if (!(await isBuilt(tree))) throw new Error('the tree without a mutant does not build');
  const { failed } = await runTests(tree, distinct, { bail: false });
  if (failed.length === 0) return [];
  return (
    await runTests(
      tree,
      failed.map((test) => ({ ...test, ms: UNKNOWN_MS })),
      { bail: false },
    )
  ).failed;
}

async function isBuilt(tree) {
  const built = await Promise.all(
    [buildArguments, toyArguments].map((args) => tree.run(process.execPath, args, BUILD_LIMIT_MS)),
  );
  return built.every(({ code }) => code === 0);
}

/** Lists of tests, each as long as its budget allows. */
function inStages(tests, budgets) {
  let rest = tests;
  const stages = [];
  for (const budget of budgets) {
    let left = budget;
    const stage = rest.filter(({ ms }, index) => {
      const fits = ms <= left || (index === 0 && rest.length === 1);
      if (fits) left -= ms;
      return fits;
    });
    stages.push(stage);
    rest = rest.filter((test) => !stage.includes(test));
  }
  return stages;
}

/** Null when all pass. A test that fails once and then passes is left out, and the rest is run again. */
async function failing(tree, stage) {
  let tests = stage;
  for (let round = 0; round < 3 && tests.length > 0; round++) {
    // What starts processes keeps nothing in its own: such files share one, the first time.
    const together = tests.every(({ isUnit }) => !isUnit);
    const { code, failed, isEndless } = await runTests(tree, tests, { together });
    if (code === 0) return null;
    if (isEndless && tests.every(({ isUnit }) => isUnit))
      return { result: 'caught', by: `${tests[0].file}: an endless loop`, test: null };
    if (code !== null && failed.length > 0 && failed.every(isCertain(tests)))
      return { result: 'caught', by: nameOf(failed[0]), test: failed[0] };
    const named = tests.filter((test) => failed.some(isOf(test)));
    const suspects = named.length === 0 ? tests : named;
    const again = await runTests(tree, suspects, { patience: 2 });
    if (code === null && again.code === null) return { result: 'late', by: nameOf(tests[0]), test: null };
    if (again.code !== 0 && again.code !== null) {
      const test = again.failed[0] ?? null;
      return { result: 'caught', by: test === null ? `${suspects[0].file}: as a whole` : nameOf(test), test };
    }
    tests = tests.filter((test) => !suspects.includes(test));
  }
  return null;
}

/** A unit test that failed for another reason than its time does so again. */
const isCertain = (tests) => (failed) =>
  !failed.isLate && tests.some((test) => test.isUnit && test.file === failed.file);
const isOf = (one) => (other) => one.file === other.file && (one.name === null || one.name === other.name);
const nameOf = ({ file, name }) => `${file}: ${name ?? 'as a whole'}`;

/** `failed` are the tests that failed, by the report; with a crash or an endless loop there may be none. */
async function runTests(tree, tests, { patience = 1, bail = true, together = false } = {}) {
  const files = [...new Set(tests.map(({ file }) => file))];
  const names = tests.flatMap(({ name, names: all }) => (name === null ? all : [name]));
  const pattern = `^\\s*(?:${names.map((name) => String(name).replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|')})$`;
  const byName = names.includes(null) || pattern.length > 60_000 ? [] : ['-t', pattern];
  const expectedMs = tests.reduce((sum, { ms }) => sum + ms, 0);
  const args = vitestArguments(
    'run',
    ...files,
    ...(bail ? ['--bail=1'] : []),
    '--passWithNoTests',
    ...byName,
  );
  return runVitest(tree, args, {
    expectedMs,
    limitMs: patience * (300_000 + 6 * expectedMs),
    environment: together ? { HOLDFAST_MUTANTS_TOGETHER: '1' } : {},
  });
}

async function runVitest(tree, args, { expectedMs = 0, limitMs, environment = {} }) {
  const report = path.join(tree.folder, '.report.json');
  fs.rmSync(report, { force: true });
  // An endless loop is told by the processor's time: however busy the machine is, only a loop uses it up.
  const processorSeconds = 20 + Math.ceil((3 * expectedMs) / 1000);
  const { code, output } = await tree.run(
    '/bin/sh',
    [
      ...['-c', `ulimit -t ${processorSeconds}; "$0" "$@"; code=$?; times >&2; exit $code`, process.execPath],
      ...[...args, '--reporter=json', `--outputFile=${report}`],
    ],
    limitMs,
    environment,
  );
  const isEndless = code !== 0 && processorSecondsIn(output) >= processorSeconds;
  return { code, failed: failedIn(report, tree.folder), isEndless };
}

/** The last line is what the shell says of all that it started: `0m1.234s 0m0.123s`. */
function processorSecondsIn(output) {
  const times = [...(output.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
  return times.reduce((sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds), 0);
}

function failedIn(report, root) {
  if (!fs.existsSync(report)) return [];
  const { testResults } = JSON.parse(fs.readFileSync(report, 'utf8'));
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => ({
        file: path.relative(root, name),
        name: fullName,
        isLate: failureMessages.some((message) => /timed out/i.test(message)),
      })),
  );
}
