// The fault layer: loaded by node before the product (`--require`), it stands under every step by which a
// process changes anything: files, folders, processes, the answer. Nothing of it is in the product. It reads
//   HOLDFAST_FAULT        trace | slow | kill:N | torn:N | ENOSPC:N (or any other error code); with `code-` in
//                         front it is about keeping the byte code, after the answer, and otherwise that is left alone
//   HOLDFAST_FAULT_TRACE  a file that gets one line per step: what it does, and to which file
// In place of N: `full`, and every write of contents and every new folder fails, as on a disk without a free block; a
// path, and every change below it fails, as on a read-only disk; `all`, and no change is possible anywhere.
// kill:N dies with SIGKILL in the place of the N-th step; torn:N dies after half of that write.
'use strict';

const fs = require('node:fs');
const childProcess = require('node:child_process');

const [mode = '', number] = (process.env.HOLDFAST_FAULT ?? 'trace').split(':');
const what = mode.replace('code-', '');
const traceFile = process.env.HOLDFAST_FAULT_TRACE;
// What the process starts is not to fail as well.
for (const name of ['HOLDFAST_FAULT', 'HOLDFAST_FAULT_TRACE', 'NODE_OPTIONS']) delete process.env[name];

const real = { ...fs };
const paths = new Map();
let count = 0;
let inside = false;

/** A place in a folder that is held on to is named by the folder's path. */
function pathOf(file) {
  const [, way, name] = /^(\/proc\/self\/fd\/\d+)(\/.*)$/.exec(String(file)) ?? [];
  return way === undefined ? file : real.readlinkSync(way) + name;
}

/** Does the step, unless this is the one that must not be. `half` is what a torn write still does. */
function step(kind, named, act, half = () => {}) {
  const file = pathOf(named);
  // Node's own functions call each other: that is one step.
  if (inside || isNoStep(String(file))) return act();
  if (String(file).includes('/holdfast/code') !== mode.startsWith('code-')) return act();
  inside = true;
  try {
    count += 1;
    if (traceFile !== undefined) real.appendFileSync(traceFile, `${kind} ${file}\n`);
    if (what === 'slow') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    if (count === Number(number)) strike(kind, file, half);
    if (isImpossible(kind, String(file))) strike(kind, file, () => {});
    return act();
  } finally {
    inside = false;
  }
}

/**
 * What is read of other processes is as much as there are of them, and never the same twice. Our own code that cannot be
 * read is test/launcher's matter: nothing of ours runs then.
 */
function isNoStep(file) {
  return file.startsWith('/proc/') || /\/lib\/[\w-]+\.cjs$/.test(file);
}

const LOOKING = new Set(['open', 'read-verdict', 'sync', 'spawn', 'answer', 'line']);

function isImpossible(kind, file) {
  if (LOOKING.has(kind)) return false;
  if (number === 'full') return kind === 'write' || kind === 'make-folder';
  return number === 'all' || (number?.startsWith('/') === true && file.startsWith(number));
}

function strike(kind, file, half) {
  if (what !== 'kill') half();
  if (what === 'kill' || what === 'torn') process.kill(process.pid, 'SIGKILL');
  throw Object.assign(new Error(`${what}: injected at ${kind} '${file}'`), {
    code: what,
    syscall: kind,
    path: file,
  });
}

const isWriting = (flags) =>
  typeof flags === 'string' ? flags !== 'r' : (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) !== 0;

fs.openSync = (file, flags = 'r', mode = undefined) => {
  const descriptor = step(isWriting(flags) ? 'create' : 'open', file, () => real.openSync(file, flags, mode));
  paths.set(descriptor, pathOf(file));
  return descriptor;
};

fs.writeSync = (descriptor, content, ...rest) => {
  const names = { 1: 'answer', 2: 'line' };
  const half = () => {
    const from = typeof content === 'string' ? 0 : (rest[0] ?? 0);
    const bytes = Buffer.from(content).subarray(from);
    // At the file's own place: a lock's note is written at its beginning, everything else where the file stands.
    const at = typeof content === 'string' ? (rest[0] ?? null) : null;
    real.writeSync(descriptor, bytes, 0, Math.floor(bytes.length / 2), at);
  };
  const file = paths.get(descriptor) ?? String(descriptor);
  return step(names[descriptor] ?? 'write', file, () => real.writeSync(descriptor, content, ...rest), half);
};

fs.writeFileSync = (file, content, ...rest) => {
  const text = Buffer.from(content);
  const half = () => real.writeFileSync(file, text.subarray(0, Math.floor(text.length / 2)), ...rest);
  return step('write', paths.get(file) ?? file, () => real.writeFileSync(file, content, ...rest), half);
};

fs.readFileSync = (file, ...rest) => {
  const outer = inside;
  inside = true;
  try {
    return real.readFileSync(file, ...rest);
  } finally {
    inside = outer;
  }
};

/** What a program printed is read from its descriptor. */
fs.readSync = (descriptor, ...rest) => {
  const file = pathOf(`/proc/self/fd/${descriptor}/`).replace(/\/$/, '');
  const isVerdict = /\/attempts\/[^/]+\/stdout$/.test(file);
  const read = () => real.readSync(descriptor, ...rest);
  return isVerdict ? step('read-verdict', file, read) : read();
};

fs.fsync = (descriptor, callback) => {
  try {
    step('sync', paths.get(descriptor), () => {});
  } catch (error) {
    setImmediate(callback, error);
    return;
  }
  real.fsync(descriptor, callback);
};

const plain = { mkdirSync: 'make-folder', renameSync: 'rename', rmSync: 'remove', unlinkSync: 'remove' };
for (const [name, kind] of Object.entries(plain))
  fs[name] = (file, ...rest) => step(kind, file, () => real[name](file, ...rest));

const byDescriptor = { fsyncSync: 'sync', fchmodSync: 'set-mode', ftruncateSync: 'truncate' };
for (const [name, kind] of Object.entries(byDescriptor))
  fs[name] = (descriptor, ...rest) =>
    step(kind, paths.get(descriptor), () => real[name](descriptor, ...rest));

const { spawn, execFileSync } = childProcess;
childProcess.spawn = (program, ...rest) => step('spawn', program, () => spawn(program, ...rest));
childProcess.execFileSync = (program, ...rest) =>
  step('spawn', program, () => execFileSync(program, ...rest));
