// What an attacker who may write in a project puts in the way, and when: loaded by node before the product (`--require`),
// it stands under every call that names a path below the project's root, notes it, or plants right before one of them, as
// an attacker does who waits for the moment between a look and a use. The same from within a check or a reviewer, which
// starts this file as a program. Nothing of it is in the product.
//   HOLDFAST_PLANTS  a JSON file: { root, trace } or { root, strike }; also the argument of the program
'use strict';

const { execFileSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');

/** Stands in what lies outside of the project: it must not be seen inside, nor in any answer. */
const SECRET = 'the-secret-that-lies-outside';

const real = { ...fs };
const realNative = fs.realpathSync.native;

const beside = (root, ...names) => path.join(path.dirname(root), ...names);
const outsideOf = (root, ...names) => beside(root, 'outside', ...names);

/** Places that differ in the ids of each run alone are one place. */
function normalized(place) {
  return place
    .replace(/\.\d+\.[0-9a-z]+\.tmp\b/g, '.TMP')
    .replace(/\d{8}-\d{6}-[0-9a-f]{6}/g, 'LOOP')
    .replace(/[0-9A-HJKMNP-TV-Z]{26}/g, 'ULID')
    .replace(/[0-9a-z]{6,}-\d+-[0-9a-z]+/g, 'ATTEMPT')
    .replace(/check-[0-9a-z]+-\d+/g, 'ATTEMPT')
    .replace(/loop-\d+-\d+/g, 'RUN')
    .replace(/\d{5,}/g, 'NUMBER')
    .replace(/[0-9a-f]{16,}/g, 'HASH');
}

/** Each puts something at `at`, where `was` had been: a file's text, a folder (null), or nothing (undefined). */
const ATTACKS = {
  'a link to a secret file': ({ root, at }) => real.symlinkSync(outsideOf(root, 'secret.txt'), at),
  'a link to a copy of it that holds a secret': ({ root, at, kept, isAbove }) =>
    real.symlinkSync(copyOf(root, kept, isAbove), at),
  'a link to a folder': ({ root, at }) => real.symlinkSync(outsideOf(root, 'folder'), at),
  'a hard link': ({ root, at }) => real.linkSync(outsideOf(root, 'precious.txt'), at),
  'a FIFO': ({ at }) => execFileSync('mkfifo', [at], { env: { PATH: process.env.PATH } }),
  'a dangling link': ({ root, at }) => real.symlinkSync(outsideOf(root, 'not-there'), at),
  'a link into .git': ({ root, at, kept, isAbove }) =>
    real.symlinkSync(path.join(root, '.git', isFolder(kept, isAbove) ? 'hooks' : 'config'), at),
};

/** An attacker may also remove: what a run loses by that alone, it may lose by the others. */
const REMOVAL = 'nothing at all';

const lookAt = (at) => real.lstatSync(at, { throwIfNoEntry: false });
const isFolder = (kept, isAbove) => (kept === null ? isAbove : lookAt(kept).isDirectory());

/** What lies outside of every project here; the attacked project's parent must be empty of it. */
function makeOutside(root) {
  for (const name of ['outside', 'kept', 'planted.json'])
    real.rmSync(beside(root, name), { recursive: true, force: true });
  real.mkdirSync(outsideOf(root, 'folder'), { recursive: true });
  real.mkdirSync(beside(root, 'kept'));
  real.writeFileSync(outsideOf(root, 'secret.txt'), `${SECRET}\n`, { mode: 0o600 });
  real.writeFileSync(outsideOf(root, 'precious.txt'), 'mine\n', { mode: 0o640 });
  for (const name of ['precious.md', 'state.json', 'config'])
    real.writeFileSync(outsideOf(root, 'folder', name), `${SECRET}\n`);
}

/** Not ours, and so much like ours that it would be believed. */
function copyOf(root, kept, isAbove) {
  const copy = outsideOf(root, 'copy');
  if (kept === null && isAbove) real.mkdirSync(copy);
  else copyWithSecret(kept, copy);
  return copy;
}

function copyWithSecret(from, to) {
  const found = from === null ? undefined : lookAt(from);
  if (found?.isDirectory()) {
    real.mkdirSync(to);
    for (const name of real.readdirSync(from)) copyWithSecret(path.join(from, name), path.join(to, name));
  } else if (found === undefined || found.isFile())
    real.writeFileSync(to, withSecret(found === undefined ? '' : real.readFileSync(from, 'utf8')), {
      mode: found === undefined ? 0o644 : found.mode & 0o777,
    });
}

function withSecret(text) {
  try {
    const value = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return JSON.stringify({ ...value, secret: SECRET });
  } catch {
    // No JSON: a line more.
  }
  return `${text}\n${SECRET}\n`;
}

/** What lies there, to be compared: nothing of it may change. Of a folder what is in it, and whose it is. */
function snapshot(folder) {
  return Object.fromEntries(
    real.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const place = path.join(folder, entry.name);
      const { mode, uid, gid, ino, mtimeMs } = real.lstatSync(place);
      const whose = `${mode.toString(8)} ${uid} ${gid} ${ino}`;
      if (entry.isDirectory()) return [[place, whose], ...Object.entries(snapshot(place))];
      const content = entry.isFile()
        ? createHash('sha256').update(real.readFileSync(place)).digest('hex')
        : '';
      return [[place, `${whose} ${mtimeMs} ${content}`]];
    }),
  );
}

/** Plants at `at`; what was there is kept elsewhere. Leaves a note, from which `undo` and the test know it. */
function plantAt(root, at, attack, isAbove) {
  real.mkdirSync(path.dirname(at), { recursive: true });
  const kept = lookAt(at) === undefined ? null : beside(root, 'kept', 'original');
  if (kept !== null) real.renameSync(at, kept);
  if (attack !== REMOVAL) ATTACKS[attack]({ root, at, kept, isAbove });
  const ino = lookAt(at)?.ino ?? null;
  const note = { at, kept, ino, outside: snapshot(outsideOf(root)) };
  real.writeFileSync(beside(root, 'planted.json'), JSON.stringify(note));
}

/** The plant goes, if it lies there still, and what was there comes back; whether that is so. Only once. */
function undo(root) {
  const file = beside(root, 'planted.json');
  const { at, kept, ino, isWhole, ...note } = JSON.parse(real.readFileSync(file, 'utf8'));
  if (isWhole !== undefined) return isWhole;
  const isThere = (lookAt(at)?.ino ?? null) === ino;
  if (isThere) {
    if (ino !== null) real.unlinkSync(at);
    if (kept !== null) real.renameSync(kept, at);
  }
  real.writeFileSync(file, JSON.stringify({ ...note, isWhole: isThere || kept === null }));
  return isThere || kept === null;
}

/** The path below the root that the call is about, through a folder's descriptor too; null: none of ours. */
function placeOf(root, given) {
  if (given instanceof URL) return placeOf(root, given.pathname);
  if (Buffer.isBuffer(given)) return placeOf(root, given.toString());
  if (typeof given !== 'string') return null;
  const [, number, name = ''] = /^\/(?:proc\/self|dev)\/fd\/(\d+)(\/.*)?$/.exec(given) ?? [];
  const whole = number === undefined ? path.resolve(given) : behind(number) + name;
  return whole.startsWith(`${root}/`) ? whole.slice(root.length + 1) : null;
}

function behind(descriptor) {
  try {
    return real.readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return '';
  }
}

const upwards = (place, up) =>
  place
    .split('/')
    .slice(0, place.split('/').length - up)
    .join('/');

/** For a check or a reviewer: the plants are put there while it runs. Ids in the place are those of this run. */
function plantNow({ root, during: { place, attack, isAbove } }) {
  let at = root;
  for (const part of place.split('/')) {
    const names = lookAt(at)?.isDirectory() ? real.readdirSync(at) : [];
    at = path.join(
      at,
      names.includes(part) ? part : (names.find((name) => normalized(name) === part) ?? part),
    );
  }
  plantAt(root, at, attack, isAbove);
}

function watchCalls({ root, trace, strike }) {
  const seen = new Map();
  let isInside = false;

  /** Notes the call, or plants before it. */
  const around = (kind, paths, act) => {
    // Node's own functions call each other: that is one call.
    if (isInside) return act();
    isInside = true;
    try {
      for (const given of paths) {
        const place = placeOf(root, given);
        if (place === null) continue;
        const key = `${kind} ${normalized(place)}`;
        const occurrence = (seen.get(key) ?? 0) + 1;
        seen.set(key, occurrence);
        if (trace !== undefined) note(kind, place, occurrence);
        if (strike !== undefined && key === strike.key && occurrence === strike.occurrence) {
          plantAt(root, path.join(root, upwards(place, strike.up)), strike.attack, strike.up > 0);
          if (!strike.isBrief) continue;
          try {
            return act();
          } finally {
            undo(root);
          }
        }
      }
      return act();
    } finally {
      isInside = false;
    }
  };

  const note = (kind, place, occurrence) => {
    Error.stackTraceLimit = 40;
    const frames = new Error().stack.split('\n').filter((line) => /\/lib\/[\w-]+\.cjs:/.test(line));
    const site = frames.map((line) => /([\w-]+\.cjs:\d+:\d+)/.exec(line)[1]).join(' ');
    real.appendFileSync(trace, `${JSON.stringify({ kind, place, occurrence, site })}\n`);
  };

  const two = new Set(['rename', 'link', 'copyFile', 'cp']);
  const noCalls = new Set(['symlink', 'symlinkSync', 'unwatchFile', 'openAsBlob', 'glob', 'globSync']);
  const wrap = (owner, name) => {
    const original = owner[name];
    const kind = name.replace(/Sync$/, '');
    const wrapped = (...given) =>
      around(kind, two.has(kind) ? given.slice(0, 2) : given.slice(0, 1), () => original.apply(owner, given));
    owner[name] = Object.assign(wrapped, original);
  };
  for (const owner of [fs, fs.promises])
    for (const [name, value] of Object.entries(owner))
      if (typeof value === 'function' && /^[a-z]/.test(name) && !name.startsWith('_') && !noCalls.has(name))
        wrap(owner, name);
  const native = (...given) => around('realpath', given.slice(0, 1), () => realNative(...given));
  fs.realpathSync.native = native;
}

const plan = process.env.HOLDFAST_PLANTS;
if (require.main === module) plantNow(JSON.parse(real.readFileSync(process.argv[2], 'utf8')));
else if (plan !== undefined) {
  // What the process starts is not watched.
  for (const name of ['HOLDFAST_PLANTS', 'NODE_OPTIONS']) delete process.env[name];
  watchCalls(JSON.parse(real.readFileSync(plan, 'utf8')));
}

module.exports = {
  ATTACKS: Object.keys(ATTACKS),
  REMOVAL,
  SECRET,
  makeOutside,
  normalized,
  snapshot,
  undo,
  upwards,
};
