// Every small wrong change that can be made to the source, and a seeded sample of them. A mutant is a place in a
// file and another text for it. Stryker's instrumenter finds most; what it does not know (a statement left out, a
// guard left out, another number) is added here, and the launcher, which is sh, has operators of its own.

import fs from 'node:fs';
import { parse, traverse } from '@babel/core';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { seeded, shuffled } from '../support/seeded.mjs';
import { launcherMutants } from './launcher.mjs';

/** Texts are many and mostly words: more of them would drown what the code does. */
const STRINGS_PER_FILE = 3;

/** All mutants of these files, in an order that depends on nothing but the sources and the seed. */
export async function drawMutants(files, seed) {
  const random = seeded(seed);
  const lists = await Promise.all(files.map((file) => mutantsOf(file)));
  const drawn = lists.flatMap((list) => withFewStrings(shuffled(list, random)));
  return shuffled(drawn, random).map(named);
}

async function mutantsOf(file) {
  const source = fs.readFileSync(file, 'utf8');
  if (!/\.(ts|cjs)$/.test(file)) return launcherMutants(file, source);
  return [...(await fromStryker(file, source)), ...leftOut(file, source)];
}

const quiet = new Proxy({}, { get: (_, name) => (String(name).startsWith('is') ? () => false : () => {}) });

async function fromStryker(file, source) {
  const options = { plugins: null, excludedMutations: [], ignorers: [] };
  const { mutants } = await new Instrumenter(quiet).instrument(
    [{ name: file, mutate: true, content: source }],
    options,
  );
  const lines = lineStarts(source);
  const at = ({ line, column }) => lines[line] + column;
  return mutants.map(({ location, mutatorName, replacement }) => ({
    file,
    kind: mutatorName,
    line: location.start.line + 1,
    from: at(location.start),
    to: at(location.end),
    replacement,
  }));
}

/** Statements that stand for themselves, guards that leave early, and numbers. */
function leftOut(file, source) {
  const tree = parse(source, {
    filename: file,
    configFile: false,
    babelrc: false,
    sourceType: 'unambiguous',
    parserOpts: { plugins: ['typescript'] },
  });
  const found = [];
  const add = (kind, { node }, replacement) => {
    found.push({ file, kind, line: node.loc.start.line, from: node.start, to: node.end, replacement });
  };
  traverse(tree, {
    ExpressionStatement: (path) => add('StatementLeftOut', path, ';'),
    IfStatement(path) {
      const leaves = ['ReturnStatement', 'ThrowStatement', 'ContinueStatement', 'BreakStatement'];
      if (path.node.alternate === null && leaves.includes(path.node.consequent.type))
        add('GuardLeftOut', path, ';');
    },
    NumericLiteral: (path) => add('OtherNumber', path, String(path.node.value + 1)),
  });
  return found;
}

function withFewStrings(mutants) {
  let strings = 0;
  return mutants.filter(({ kind }) => kind !== 'StringLiteral' || ++strings <= STRINGS_PER_FILE);
}

/** A name that stays the same for the same sources: `src/engine/guard/guard.ts:25 LogicalOperator → …`. */
function named(mutant) {
  const shown = mutant.replacement.replace(/\s+/g, ' ').slice(0, 60);
  return { ...mutant, name: `${mutant.file}:${mutant.line} ${mutant.kind} → ${shown}` };
}

function lineStarts(source) {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
