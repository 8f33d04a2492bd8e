// `npm run bench`: what a stop costs, as ratios within this one run; what it costs as the past grows; how large
// what is loaded and what is said is. Prints tables, keeps bench/results.json, renews docs/performance.md.
//   node bench/run.mjs [--quick] [--only situations|growth|crowd|content|watched|sizes|instructions|nodes] [--match WORD] [--no-docs]
//                      [--node PROGRAM]… [--out FILE]
// The situations are also measured under other versions of Node: those of test/nodes, or those that --node names.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { installNodes } from '../test/nodes/nodes.mjs';
import { baselines, cases, reviewerAlone } from './cases.mjs';
import { measureContent } from './content.mjs';
import { crowd } from './crowd.mjs';
import { growth } from './growth.mjs';
import { countInstructions } from './instructions.mjs';
import { measure, peakMemory } from './measure.mjs';
import { writePage } from './page.mjs';
import { bundleSizes, loadedFiles, messageSizes } from './sizes.mjs';
import { measureOpening, measureWatched } from './watched.mjs';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    only: { type: 'string' },
    match: { type: 'string', default: '' },
    'no-docs': { type: 'boolean' },
    node: { type: 'string', multiple: true },
    out: { type: 'string', default: path.join(import.meta.dirname, 'results.json') },
  },
});
// A median of 60 still moved by 4 % from run to run on a shared machine.
const rounds = options.quick ? 10 : 150;
const onNode20 = process.versions.node.startsWith('20.');
const wanted = (part) => options.only === undefined || options.only === part;

const results = { machine: machineFacts(), rounds };
if (wanted('situations')) results.situations = measureSituations();
if (wanted('nodes')) results.nodes = measureOtherNodes();
if (wanted('growth')) results.growth = measureGrowth();
if (wanted('crowd')) results.crowd = await measureCrowd();
if (wanted('content')) results.content = await measureContent(options.quick ? 5 : 20);
if (wanted('watched'))
  results.watched = { stops: await measureWatched(options.quick ? 3 : 8), opening: await measureOpening() };
if (wanted('sizes'))
  results.sizes = { bundle: bundleSizes(), loaded: loadedFiles(), messages: messageSizes() };
if (wanted('instructions')) results.instructions = countInstructions();
print(results);
fs.writeFileSync(path.resolve(options.out), `${JSON.stringify(results, null, 2)}\n`);
if (!options['no-docs'] && options.only === undefined) writePage(results);
const broken = brokenBounds(results);
for (const line of broken) console.log(`over its bound: ${line}`);
process.exitCode = broken.length === 0 ? 0 : 1;

function measureSituations() {
  const made = Object.fromEntries(Object.entries(cases).map(([name, each]) => [name, each.make()]));
  const reviewer = reviewerAlone();
  // What waits is measured apart: a machine that has slept starts the next process slower, whichever that is.
  const waits = ([name]) => cases[name]?.bound === null;
  const [apart, together] = [
    Object.entries(made).filter(waits),
    Object.entries(made).filter((each) => !waits(each)),
  ];
  const times = {
    ...measure({ ...baselines, ...Object.fromEntries(together), 'the reviewer alone': reviewer }, { rounds }),
    ...measure(Object.fromEntries(apart), { rounds: options.quick ? 5 : 40 }),
  };
  const nodeMemory = peakMemory(baselines.node);
  const rows = Object.entries(cases).map(([name, { against, less, ...each }]) => {
    const bound = (onNode20 ? each.boundOnNode20 : undefined) ?? each.bound;
    const own = times[name].median - (less === undefined ? 0 : times[less].median);
    const memory = against === 'sh' ? null : peakMemory(made[name]) / nodeMemory;
    return {
      name,
      milliseconds: own,
      against,
      ratio: own / times[against].median,
      bound,
      memory,
      memoryBound: 1.3,
    };
  });
  for (const { scene } of [...Object.values(made), reviewer]) scene.remove();
  return { baselines: { sh: times.sh.median, node: times.node.median }, rows };
}

/** Each in a run of its own, whose hook, command line and baseline are all that node's. */
function measureOtherNodes() {
  const programs = options.node ?? installNodes().map(({ program }) => program);
  return programs.map((named) => {
    const program = fs.realpathSync(named);
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-'));
    const out = path.join(folder, 'results.json');
    const flags = ['--only', 'situations', '--no-docs', '--out', out, ...(options.quick ? ['--quick'] : [])];
    const env = { ...process.env, PATH: `${path.dirname(program)}:${process.env.PATH}` };
    // It fails when a bound is broken, which the bounds of this run then say.
    spawnSync(program, [import.meta.filename, ...flags], { env, stdio: ['ignore', 'ignore', 'inherit'] });
    const { machine, situations } = JSON.parse(fs.readFileSync(out, 'utf8'));
    fs.rmSync(folder, { recursive: true });
    return { node: machine.node, ...situations };
  });
}

function measureGrowth() {
  const chosen = Object.entries(growth).filter(([name]) => name.includes(options.match));
  return chosen.map(([name, { sizes, bound, make }]) => {
    const made = Object.fromEntries(sizes.map((size) => [String(size), make(size)]));
    const times = measure(made, { rounds: options.quick ? 8 : 80, warmUp: 3 });
    for (const { scene } of Object.values(made)) scene.remove();
    const points = sizes.map((size) => ({ size, milliseconds: times[String(size)].median }));
    const ratio = points.at(-1).milliseconds / points[0].milliseconds;
    return { name, points, ratio, bound, slope: slopePerDecade(points) };
  });
}

async function measureCrowd() {
  const costs = await crowd(options.quick ? [1, 2, 8] : [1, 2, 8, 32], options.quick ? 3 : 8);
  const points = Object.entries(costs).map(([size, milliseconds]) => ({ size: Number(size), milliseconds }));
  return { points, ratio: points.at(-1).milliseconds / points[0].milliseconds, bound: 1.5 };
}

/** Milliseconds more for ten times the size, by least squares. */
function slopePerDecade(points) {
  const xs = points.map(({ size }) => Math.log10(Math.max(1, size)));
  const ys = points.map(({ milliseconds }) => milliseconds);
  const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const [x, y] = [mean(xs), mean(ys)];
  const over = xs.reduce((sum, value, at) => sum + (value - x) * (ys[at] - y), 0);
  return over / xs.reduce((sum, value) => sum + (value - x) ** 2, 0);
}

function brokenBounds({ situations, nodes, growth: grown, crowd: crowded, content, watched }) {
  return [
    ...(nodes ?? []).flatMap(({ node, rows }) =>
      brokenBounds({ situations: { rows } }).map((line) => `Node ${node}: ${line}`),
    ),
    ...(situations?.rows ?? [])
      .filter((row) => row.bound !== null && row.ratio > row.bound)
      .map((row) => `${row.name}: ${row.ratio.toFixed(2)} > ${row.bound}`),
    ...(situations?.rows ?? [])
      .filter((row) => row.memory > row.memoryBound)
      .map((row) => `${row.name}, memory: ${row.memory.toFixed(2)} > ${row.memoryBound}`),
    ...(grown ?? [])
      .filter((row) => row.ratio > row.bound)
      .map((row) => `${row.name}: ${row.ratio.toFixed(2)} > ${row.bound}`),
    ...(crowded && crowded.ratio > crowded.bound
      ? [`many at once: ${crowded.ratio.toFixed(2)} > ${crowded.bound}`]
      : []),
    ...(content && content.ratio > content.bound
      ? [`${content.name}: ${content.ratio.toFixed(2)} > ${content.bound}`]
      : []),
    ...(watched ? brokenByWatching(watched) : []),
  ];
}

function brokenByWatching({ stops, opening }) {
  return [
    ...(stops.ratio > stops.bound
      ? [`with ${stops.watchers} watchers: ${stops.ratio.toFixed(2)} > ${stops.bound}`]
      : []),
    ...Object.entries(opening.bounds)
      .filter(([what, bound]) => opening[what] > bound)
      .map(
        ([what, bound]) => `opening ${opening.stops} stops: ${opening[what].toFixed(0)} ${what} > ${bound}`,
      ),
  ];
}

function print({ situations, nodes, growth: grown, crowd: crowded, content, watched, sizes, instructions }) {
  if (situations) {
    console.log(
      `sh -c : ${situations.baselines.sh.toFixed(2)} ms, node -e 0 ${situations.baselines.node.toFixed(2)} ms`,
    );
    console.table(
      situations.rows.map((row) => ({
        case: row.name,
        ms: row.milliseconds.toFixed(1),
        ratio: `${row.ratio.toFixed(2)} × ${row.against}`,
        bound: row.bound ?? 'reported apart',
        memory: row.memory?.toFixed(2) ?? '',
      })),
    );
  }
  for (const { node, baselines: floors, rows } of nodes ?? []) {
    console.log(`Node ${node}: node -e 0 ${floors.node.toFixed(2)} ms`);
    console.table(
      rows.map(({ name, ratio, against }) => ({ case: name, ratio: `${ratio.toFixed(2)} × ${against}` })),
    );
  }
  if (instructions) console.log(instructions);
  for (const row of grown ?? [])
    console.log(
      `${row.name}: ${row.points.map(({ size, milliseconds }) => `${size} → ${milliseconds.toFixed(1)} ms`).join(', ')}; largest/smallest ${row.ratio.toFixed(2)} (≤ ${row.bound}), ${row.slope.toFixed(2)} ms a decade`,
    );
  if (crowded)
    console.log(
      `at once: ${crowded.points.map(({ size, milliseconds }) => `${size} → ${milliseconds.toFixed(1)} ms`).join(', ')}; ${crowded.ratio.toFixed(2)} (≤ ${crowded.bound})`,
    );
  if (content)
    console.log(
      `${content.name}, ${content.files} files: ${content.milliseconds.toFixed(0)} ms, git status ${content.git.toFixed(0)} ms; ${content.ratio.toFixed(2)} (≤ ${content.bound})`,
    );
  if (watched)
    console.log(
      `with ${watched.stops.watchers} watchers: ${watched.stops.watched.toFixed(2)} × node, without ${watched.stops.alone.toFixed(2)}; ${watched.stops.ratio.toFixed(2)} (≤ ${watched.stops.bound}); opening ${watched.opening.stops} stops: ${watched.opening.milliseconds.toFixed(0)} ms, ${watched.opening.megabytes.toFixed(0)} MB`,
    );
  if (sizes) {
    console.table(sizes.bundle);
    for (const [name, files] of Object.entries(sizes.loaded))
      console.log(`${name} loads ${files.join(', ')}`);
    console.table(sizes.messages);
  }
}

function machineFacts() {
  const [cpu] = os.cpus();
  return {
    cpu: cpu?.model ?? 'unknown',
    cores: os.cpus().length,
    node: process.version,
    platform: `${os.platform()} ${os.arch()}`,
  };
}
