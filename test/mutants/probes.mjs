// Probes: which statements of the source does a test run? Each statement of a copy gets a call in front of it that
// notes its number once per test, in whatever process it runs: the tests' own or a hook they start.

import { parse, traverse } from '@babel/core';

/**
 * The units of a file, `{ from, to }`: statements, and arrow functions' bodies that are expressions. The first one is
 * the whole file, run when it is loaded.
 */
export function unitsOf(file, source) {
  const units = [{ from: 0, to: source.length, isFile: true }];
  traverse(treeOf(file, source), {
    Statement(path) {
      if (isRun(path)) units.push({ from: path.node.start, to: path.node.end, isBare: !path.inList });
    },
    ArrowFunctionExpression({ node: { body } }) {
      if (body.type !== 'BlockStatement') units.push({ from: body.start, to: body.end, isExpression: true });
    },
  });
  return units;
}

function isRun(path) {
  const { node, parent, listKey, key } = path;
  if (/Declaration$/.test(node.type) && node.type !== 'VariableDeclaration') return false;
  if (node.type === 'BlockStatement' || node.declare) return false;
  if (path.inList) return listKey === 'body' || parent.type === 'SwitchCase';
  return ['consequent', 'alternate', 'body'].includes(key) && parent.type !== 'LabeledStatement';
}

/** The source with a probe at each unit; the n-th has the number `first` + n. */
export function withProbes(source, units, first, folder) {
  const insertions = units.flatMap(({ from, to, isFile, isExpression, isBare }, index) => {
    const probe = `__holdfastProbe(${first + index})`;
    if (isFile) return [];
    if (isExpression) return pair(from, to, `(${probe},`, ')');
    return isBare ? pair(from, to, `{${probe};`, '}') : [{ at: from, text: `${probe};`, depth: from - to }];
  });
  // At one place the outer one comes first when it opens, and last when it closes.
  insertions.sort((one, other) => one.at - other.at || one.depth - other.depth);
  let text = '';
  let done = 0;
  for (const { at, text: inserted } of insertions) {
    text += source.slice(done, at) + inserted;
    done = at;
  }
  const [shebang = ''] = source.match(/^#!.*\n/) ?? [];
  text = (text + source.slice(done)).slice(shebang.length);
  return `${shebang}${runtime(folder)}__holdfastProbe(${first});${text}`;
}

const pair = (from, to, open, close) => [
  { at: from, text: open, depth: from - to },
  { at: to, text: close, depth: to - from - 2 ** 40 },
];

// Hoisted functions, so that they are there whatever is loaded first. The system calls are taken before a test
// can put others in their place.
const runtime = (folder) => `function __holdfastMake() {
  const { openSync, writeSync, closeSync } = process.getBuiltinModule('fs');
  const seen = new Set();
  const isHere = () => globalThis.__vitest_worker__ !== undefined && globalThis.__holdfastInside !== true;
  let file = null;
  const probe = (id) => {
    if (seen.has(id)) return;
    seen.add(id);
    try {
      file ??= openSync(${JSON.stringify(`${folder}/current`)}, 'a');
      writeSync(file, (isHere() ? 'here ' : '') + id + '\\n');
    } catch {}
  };
  probe.next = () => {
    seen.clear();
    if (file !== null) closeSync(file);
    file = null;
  };
  return probe;
}
function __holdfastProbe(id) { (globalThis.__holdfastProbes ??= __holdfastMake())(id); }
`;

/** The unit whose tests can see a change of this place: the nearest around it, or the first in a function. */
export function unitFor(units, { from, to, kind }) {
  if (kind === 'BlockStatement' || kind === 'ArrowFunction') {
    const inner = units.findIndex((unit) => !unit.isFile && unit.from >= from && unit.to <= to);
    if (inner >= 0) return inner;
  }
  let nearest = 0;
  for (const [index, unit] of units.entries())
    if (unit.from <= from && to <= unit.to && unit.to - unit.from <= units[nearest].to - units[nearest].from)
      nearest = index;
  return nearest;
}

function treeOf(file, source) {
  return parse(source, {
    filename: file,
    configFile: false,
    babelrc: false,
    sourceType: 'unambiguous',
    parserOpts: { plugins: ['typescript'] },
  });
}
