#!/usr/bin/env node
// All mutants of one source file against the tests beside it, in a minute: for whoever writes those tests. What
// survives here may still be caught by a test elsewhere; run.mjs, which asks all suites, gives the score.
//   node test/mutants/of-file.mjs SOURCE [TEST…] [--limit N]
// Without a TEST it is the one beside the source. One vitest stays up, and the mutant is put in the file's place while
// it is read: nothing is written. --limit takes the first N of a seeded order.

import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { copyTree } from '../support/tree-copy.mjs';
import { drawMutants } from './draw.mjs';

const SEED = 1;
/** A mutant that is silent for so long runs for ever. */
const SILENCE_MS = 45_000;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { limit: { type: 'string', default: '100000' }, child: { type: 'string' } },
});
process.chdir(path.resolve(import.meta.dirname, '../..'));
const [source, ...named] = positionals.map((each) => path.relative('', path.resolve(each)));
const tests = named.length > 0 ? named : [source.replace(/\.ts$/, '.test.ts')];
const mutants = (await drawMutants([source], SEED)).slice(0, Number(options.limit));

if (options.child === undefined) await ask();
else await answer(Number(options.child));

async function ask() {
  const results = new Map();
  while (results.size < mutants.length) await askFrom(results);
  const survivors = mutants.filter((_, index) => results.get(index) === 'survived');
  const sound = soundOf(survivors);
  for (const { name, from, to } of sound) {
    const text = fs.readFileSync(source, 'utf8').slice(from, to).replace(/\s+/g, ' ');
    console.log(`survived: ${name}   (was: ${text.slice(0, 100)})`);
  }
  const caught = mutants.length - survivors.length;
  console.log(
    `${source}: ${caught} caught, ${sound.length} survived, ${survivors.length - sound.length} refused by the compiler`,
  );
}

/** Goes on where the last one was ended: an endless loop is caught. */
function askFrom(results) {
  const first = results.size;
  const child = spawn(
    process.execPath,
    [import.meta.filename, source, ...tests, '--limit', options.limit, '--child', String(first)],
    { stdio: ['ignore', 'pipe', 'inherit'], detached: true },
  );
  const end = () => process.kill(-child.pid, 'SIGKILL');
  // Ended from outside, it takes along what it started.
  const leave = () => {
    end();
    process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, leave);
  let timer = null;
  const restart = () => {
    clearTimeout(timer);
    timer = setTimeout(end, SILENCE_MS);
  };
  restart();
  return new Promise((resolve, reject) => {
    let healthy = false;
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!line.startsWith('@')) return;
      restart();
      const [index, result] = line.slice(1).split(' ');
      if (index === 'healthy') healthy = result === 'survived';
      else results.set(Number(index), result);
    });
    child.on('close', () => {
      clearTimeout(timer);
      for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, leave);
      if (!healthy) reject(new Error(`${tests.join(' ')}: does not pass without a mutant`));
      if (results.size < mutants.length) results.set(results.size, 'caught');
      resolve();
    });
  });
}

async function answer(first) {
  const { createVitest } = await import('vitest/node');
  const file = path.resolve(source);
  let current = null;
  globalThis.holdfastMutant = (id) => {
    if (current === null || id !== file) return null;
    const text = fs.readFileSync(file, 'utf8');
    return text.slice(0, current.from) + current.replacement + text.slice(current.to);
  };
  const vitest = await createVitest('test', {
    config: 'test/mutants/vitest.config.mjs',
    root: '.',
    watch: false,
    bail: 1,
    project: ['fast'],
    reporters: [{}],
    testTimeout: 20_000,
  });
  const specifications = await vitest.globTestSpecifications(tests);
  const run = async (mutant) => {
    current = mutant;
    vitest.invalidateFile(file);
    vitest.state.filesMap.clear();
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
    const passes = unhandledErrors.length === 0 && testModules.every((each) => each.ok());
    return passes ? 'survived' : 'caught';
  };
  console.log(`@healthy ${await run(null)}`);
  for (let index = first; index < mutants.length; index++)
    console.log(`@${index} ${await run(mutants[index])}`);
  process.exit(0);
}

/** Without those that the compiler refuses. What others make of the file is not looked at: that would take the longest. */
function soundOf(survivors) {
  const tree = copyTree(process.cwd());
  const settings = {
    extends: './tsconfig.json',
    include: [],
    files: [source, 'src/text/markdown-files.d.ts'],
  };
  fs.writeFileSync(path.join(tree.folder, 'tsconfig.file.json'), JSON.stringify(settings));
  try {
    return survivors.filter((mutant) => {
      const takeOut = tree.plant([mutant]);
      const args = ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.file.json'];
      const { status } = spawnSync(process.execPath, args, { cwd: tree.folder });
      takeOut();
      return status === 0;
    });
  } finally {
    tree.remove();
  }
}
