// Whoever watches must not slow a stop: the same hold with and without twenty terminal views, a page and an exporter
// on its project. And what it takes to open a view of a million stops.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { baselines, makeIdle } from './cases.mjs';
import { measure } from './measure.mjs';
import { plugin, SESSION } from './scene.mjs';

const WATCHERS = 20;
const STOPS = 1_000_000;
const REST_MS = 900;

/** Ratios to a bare node; a few stops at a time with watchers and without, in turn. */
export async function measureWatched(rounds) {
  const made = makeIdle();
  const turns = { alone: [], watched: [] };
  for (let turn = 0; turn < 4; turn++) {
    turns.alone.push(ratioOf(made, rounds));
    const children = await startWatching(made.scene);
    turns.watched.push(ratioOf(made, rounds));
    await Promise.all(children.map(end));
  }
  made.scene.remove();
  const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const [alone, watched] = [mean(turns.alone), mean(turns.watched)];
  return { watchers: WATCHERS, alone, watched, ratio: watched / alone, bound: 1.1 };
}

/** Before each the views come to rest, as they are when a turn of minutes ends. */
function ratioOf(made, rounds) {
  const rested = (each) => ({
    cwd: made.scene.root,
    ...each,
    before() {
      each.before?.();
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, REST_MS);
    },
  });
  const times = measure({ node: rested(baselines.node), hold: rested(made) }, { rounds, warmUp: 2 });
  return times.hold.median / times.node.median;
}

async function startWatching(scene) {
  const collector = start(process.execPath, ['-e', COLLECTOR], scene);
  const port = /\d+/.exec(await firstOutput(collector))[0];
  const command = path.join(plugin, 'bin', 'holdfast');
  const views = [
    ...Array.from({ length: WATCHERS }, () => start(command, ['watch'], scene)),
    start(command, ['web'], scene),
  ];
  const exporter = start(command, ['export', '--otlp', `http://127.0.0.1:${port}`, '--follow'], scene);
  await Promise.all(views.map(firstOutput));
  return [...views, exporter, collector];
}

/** Takes all it is sent. */
const COLLECTOR = `require('node:http').createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end());
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;

/** Milliseconds until a view of a million stops has shown its first line, and the most memory it took for that. */
export async function measureOpening() {
  const { scene, ...stop } = makeIdle();
  stop.before();
  await finished(start(stop.command, stop.args, scene, stop.input));
  repeatLastStop(path.join(scene.root, '.holdfast', 'journal.jsonl'));
  const begin = process.hrtime.bigint();
  const view = start(path.join(plugin, 'bin', 'holdfast'), ['watch'], scene);
  await firstOutput(view);
  const milliseconds = Number(process.hrtime.bigint() - begin) / 1e6;
  const status = fs.readFileSync(`/proc/${view.pid}/status`, 'utf8');
  const megabytes = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)[1]) / 1024;
  await end(view);
  scene.remove();
  return { stops: STOPS, milliseconds, megabytes, bounds: { milliseconds: 2000, megabytes: 300 } };
}

function repeatLastStop(journal) {
  const lines = fs.readFileSync(journal, 'utf8').trimEnd().split('\n');
  const { time, ...rest } = JSON.parse(lines.findLast((line) => line.includes('"event":"stop"')));
  const last = Date.parse(time);
  const end = `,${JSON.stringify(rest).slice(1)}\n`;
  const atOnce = 10_000;
  for (let done = 0; done < STOPS; done += atOnce) {
    const lineAt = (_, at) =>
      `{"time":"${new Date(last - (STOPS - done - at) * 60_000).toISOString()}"${end}`;
    fs.appendFileSync(journal, Array.from({ length: atOnce }, lineAt).join(''));
  }
}

function start(command, args, { root, env }, input = '') {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...env, CLAUDE_CODE_SESSION_ID: SESSION },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => {}).end(input);
  return child;
}

function firstOutput(child) {
  return new Promise((resolve, reject) => {
    child.stdout.once('data', (data) => {
      child.stdout.resume();
      resolve(String(data));
    });
    child.once('exit', (code) => reject(new Error(`${child.spawnargs.join(' ')} exited ${code}`)));
  });
}

function finished(child) {
  return new Promise((resolve) => child.once('close', resolve));
}

async function end(child) {
  const ended = finished(child);
  child.kill('SIGTERM');
  await ended;
}
