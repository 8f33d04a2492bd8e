// Which mutants does the compiler take? One that it refuses can reach nobody, so it is no mutant.

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

/** Errors are told apart by their files; one in a file without a mutant belongs to another, which is searched for. */
async function refusedOf(mutants, tree) {
  const takeOut = tree.plant(mutants);
  const { code, output } = await tree.run(
    process.execPath,
    ['node_modules/typescript/bin/tsc', '--noEmit', '--pretty', 'false'],
    LIMIT_MS,
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
