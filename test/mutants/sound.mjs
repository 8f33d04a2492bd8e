// Which mutants does the compiler take? One that it refuses can reach nobody, so it is no mutant.

import fs from 'node:fs';
import path from 'node:path';

const LIMIT_MS = 1_200_000;

/** The first `wanted` that the compiler takes. Many are checked at once, each in a file of its own. */
export async function soundOnes(mutants, wanted, tree) {
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

/**
 * Errors are told apart by their files. One in a file without a mutant is the doing of one that it imports, and all of
 * those are passed over: to find out which it was would take longer than all the rest. Tests are not compiled: they say
 * for themselves what they make of a mutant.
 */
async function refusedOf(mutants, tree) {
  const refused = new Set();
  const rest = () => mutants.filter((mutant) => !refused.has(mutant));
  for (let files = await faultyWith(rest(), tree); files.length > 0; files = await faultyWith(rest(), tree)) {
    const own = rest().filter(({ file }) => files.includes(file));
    const imported = importsOf(files, tree);
    const suspects = own.length > 0 ? own : rest().filter(({ file }) => imported.has(file));
    for (const mutant of suspects.length > 0 ? suspects : rest()) refused.add(mutant);
  }
  return [...refused];
}

/** The files of the product in which the compiler finds an error. */
async function faultyWith(mutants, tree) {
  const takeOut = tree.plant(mutants);
  const settings = {
    extends: './tsconfig.json',
    include: ['src'],
    exclude: ['src/**/*.test.ts', 'src/views/page'],
  };
  fs.writeFileSync(path.join(tree.folder, 'tsconfig.product.json'), JSON.stringify(settings));
  const { code, output } = await tree.run(
    process.execPath,
    ['node_modules/typescript/bin/tsc', '--noEmit', '--pretty', 'false', '-p', 'tsconfig.product.json'],
    LIMIT_MS,
  );
  takeOut();
  const files = [...new Set([...output.matchAll(/^(\S+?)\(\d+,\d+\): error/gm)].map((match) => match[1]))];
  if (code !== 0 && files.length === 0) throw new Error(`the compiler failed: ${output}`);
  if (files.length > 0 && mutants.length === 0) throw new Error(`it does not compile as it is: ${output}`);
  return files;
}

function importsOf(files, tree) {
  const imports = files.flatMap((file) =>
    [...fs.readFileSync(path.join(tree.folder, file), 'utf8').matchAll(/from '(\.[^']+)'/g)].map((match) =>
      path.join(path.dirname(file), match[1]),
    ),
  );
  return new Set(imports);
}
