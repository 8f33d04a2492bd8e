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
 * Errors are told apart by their files. One in a file without a mutant is somebody else's doing, most likely of one that
 * the file imports: they are asked first.
 */
async function refusedOf(mutants, tree) {
  const refused = new Set();
  const rest = () => mutants.filter((mutant) => !refused.has(mutant));
  for (let files = await faultyWith(rest(), tree); files.length > 0; files = await faultyWith(rest(), tree)) {
    const own = rest().filter(({ file }) => files.includes(file));
    const imported = importsOf(files, tree);
    const found =
      own.length > 0
        ? own
        : await whoIsToBlame(
            rest().filter(({ file }) => imported.has(file)),
            tree,
          );
    for (const mutant of found.length > 0 ? found : await whoIsToBlame(rest(), tree)) refused.add(mutant);
  }
  return [...refused];
}

async function whoIsToBlame(mutants, tree) {
  if (mutants.length === 0 || (await faultyWith(mutants, tree)).length === 0) return [];
  if (mutants.length === 1) return mutants;
  const middle = Math.ceil(mutants.length / 2);
  return [
    ...(await whoIsToBlame(mutants.slice(0, middle), tree)),
    ...(await whoIsToBlame(mutants.slice(middle), tree)),
  ];
}

/** The files in which the compiler finds an error. */
async function faultyWith(mutants, tree) {
  const takeOut = tree.plant(mutants);
  const { code, output } = await tree.run(
    process.execPath,
    ['node_modules/typescript/bin/tsc', '--noEmit', '--pretty', 'false'],
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
