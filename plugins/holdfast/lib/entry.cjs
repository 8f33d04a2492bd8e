// The first file node runs, for the hook and the CLI alike. So plain that any old node can read it and say
// that it is too old, instead of dying on newer syntax in the bundle beside it.
//
// The files of the hook and the commands are loaded with the byte code V8 made of them at an earlier time: compiling
// them again was half of what a held stop cost beyond node's own start. The code lies in the user's state folder, is V8's to accept
// or refuse, and is made again whenever it is missing. Nothing of that may ever fail a stop.
'use strict';

const fs = require('fs');
const path = require('path');
const vm = require('vm');

/** `cli`, or `hook`, or `hook:` with the workflow whose folder the launcher found. */
function main(given) {
  const [role, near] = given.split(':');
  if (near !== undefined) kind = `-${near}`;
  takeRelativeFoldersOutOfPath();
  if (Number(process.versions.node.split('.')[0]) < 20) tooOld(role);
  else if (role === 'hook') runHook(process.argv.slice(3));
  else runCli();
}

/** They lead into the folder the agent works in, and a repository's program would be run for git or a reviewer. */
function takeRelativeFoldersOutOfPath() {
  const { PATH: folders } = process.env;
  if (folders === undefined || !/(^|:)(?!\/)/.test(folders)) return;
  const absolute = folders.split(':').filter((folder) => folder.startsWith('/'));
  // An empty PATH means the working folder.
  process.env.PATH = absolute.join(':') || '/nonexistent';
}

/**
 * A plugin that is broken, or just being replaced, allows the stop and says so. The hooks of a compaction and of a
 * failed turn may print nothing.
 */
function runHook(args) {
  let hook;
  try {
    hook = load('hook.cjs');
    if (typeof hook.main !== 'function') throw new Error('hook.cjs is empty');
  } catch (error) {
    const text = `${cannotLoad(error)} This stop was allowed.`;
    if (!args.includes('pre-compact') && !args.includes('stop-failure'))
      process.stdout.write(`${JSON.stringify({ systemMessage: text })}\n`);
    return;
  }
  hook.main(args, leave);
}

function cannotLoad(error) {
  const [what] = error.message.split('\n');
  return `Holdfast cannot be loaded from ${__dirname} (${what}). Install it again, in the clone of Holdfast: npx holdfast install`;
}

function runCli() {
  makesFolder = false;
  process.on('exit', (code) => keepCode(code));
  let cli;
  try {
    cli = load(isLine(process.argv.slice(2)) ? 'line.cjs' : 'cli.cjs');
  } catch (error) {
    process.stderr.write(`${cannotLoad(error)}\n`);
    process.exitCode = 1;
    return;
  }
  cli.main(process.argv.slice(2));
}

/** A status line is drawn every second, so it has a small file of its own. */
function isLine([command, flag, ...rest]) {
  return command === 'status' && flag === '--line' && rest.length === 0;
}

const loaded = new Map();
const folder = codeFolder();
/**
 * Each workflow's stops have byte code of their own: V8 takes in all of it that it is given, also functions that only
 * another workflow's stops run.
 */
let kind = '';
const OF_HOLD = '-held';
/** A command makes no folder for it: a dry run writes nothing, and uninstalling leaves nothing. */
let makesFolder = true;

/** What `require` would give for a file of this folder. */
function load(name) {
  const known = loaded.get(name);
  if (known !== undefined) return known.module.exports;
  const file = `${__dirname}/${name}`;
  const key = keyOf(name, file);
  const found = key === null ? {} : findCode(key);
  const script = new vm.Script(readAsFunction(file), { filename: file, cachedData: found.code });
  const module = { id: file, filename: file, exports: {}, loaded: false, children: [], paths: [] };
  const isFresh = found.code !== undefined && !script.cachedDataRejected;
  loaded.set(name, { module, script, key, isFresh, isOfHold: found.isOfHold === true });
  require.cache[file] = module;
  script.runInThisContext()(module.exports, requireBeside, module, file, __dirname);
  module.loaded = true;
  return module.exports;
}

/**
 * The file's text with what `require` would put around it, put together before it is a string: V8 would copy a joined
 * one once more, and have so much to clear away that it does it in the middle of a review.
 */
function readAsFunction(file) {
  const head = '(function (exports, require, module, __filename, __dirname) {';
  const tail = '\n})';
  const descriptor = fs.openSync(file, 'r');
  try {
    const { size } = fs.fstatSync(descriptor);
    const text = Buffer.allocUnsafe(head.length + size + tail.length);
    // The build refuses a bundle that is not ASCII, and latin1 is the quickest to read. `write` and `toString` would do
    // the same after node has compiled how they choose between encodings.
    text.latin1Write(head, 0);
    const end = head.length + fs.readSync(descriptor, text, head.length, size, 0);
    text.latin1Write(tail, end);
    return text.latin1Slice(0, end + tail.length);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** What a held stop left comes first: an allowed one runs fewer functions, and the rest would be compiled at every hold. */
function findCode(key) {
  const code = kind === '' ? undefined : readOwn(`${folder}/${key}${OF_HOLD}`);
  return code === undefined ? { code: readOwn(`${folder}/${key}`) } : { code, isOfHold: true };
}

/**
 * How the hook ends. `process.exit` would first compile what it does for listeners, so it is called only where somebody
 * listens.
 */
function leave(code, held) {
  keepCode(code, held && kind !== '');
  if (process.listenerCount('exit') > 0) process.exit(code);
  process.reallyExit(code);
}

/**
 * Once the answer is out: the byte code of what this stop or command ran is kept for the next one. All of it again
 * when one file had none: a first stop of its kind also runs functions of the others that no stop ran before.
 */
function keepCode(code, held) {
  const files = [...loaded.values()];
  if (code !== 0 || folder === null) return;
  if (files.every(({ isFresh, isOfHold }) => isFresh && (isOfHold || held !== true))) return;
  if (!makesFolder && !fs.existsSync(folder)) return;
  for (const { script, key, isOfHold } of files) {
    try {
      if (!mayKeepIn(folder)) return;
      write(held === true || isOfHold ? `${key}${OF_HOLD}` : key, script.createCachedData());
    } catch {
      return; // A full or read-only disk: the next stop compiles again.
    }
  }
}

function requireBeside(name) {
  return name.startsWith('./') ? load(name.slice(2)) : require(name);
}

/** V8 checks its own version and flags and the length of the source; the rest is for us to tell apart. */
function keyOf(name, file) {
  if (folder === null) return null;
  const { size, mtimeMs, ino } = fs.statSync(file);
  return `${name}-${size}-${Math.round(mtimeMs)}-${ino}-${process.version}-${process.arch}${kind}`;
}

/** Null without a HOME: nothing is kept, least of all in the working folder. */
function codeFolder() {
  const { XDG_STATE_HOME: state, HOME: home } = process.env;
  if (state && path.isAbsolute(state)) return `${state}/holdfast/code`;
  return home && path.isAbsolute(home) ? `${home}/.local/state/holdfast/code` : null;
}

/** Code is run, so it is taken only from a file that is this user's own and that nobody else may write. */
function readOwn(file) {
  let descriptor;
  try {
    descriptor = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK);
    const found = fs.fstatSync(descriptor);
    const isOwn = found.isFile() && found.uid === process.getuid() && (found.mode & 0o022) === 0;
    if (!isOwn) return undefined;
    const twice = Buffer.allocUnsafe(found.size);
    const read = fs.readSync(descriptor, twice, 0, found.size, 0);
    const code = twice.subarray(0, found.size >> 1);
    // Comparing costs a tenth of a millisecond, a sum in script two: nothing is compiled yet that could add it up.
    if (read === found.size && read > 0 && code.equals(twice.subarray(code.length))) return code;
    setAside(file);
    return undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

/** Damaged: kept for a week, for doctor to speak of. */
function setAside(file) {
  const aside = `${folder}/damaged-${path.basename(file)}`;
  fs.renameSync(file, aside);
  const now = new Date();
  fs.utimesSync(aside, now, now);
}

/** Root in the home of another user (sudo -E, a container) would lock that user out of every folder it makes there. */
function mayKeepIn(wanted) {
  if (process.geteuid() !== 0) return true;
  let near = wanted;
  while (!fs.existsSync(near)) near = path.dirname(near);
  return fs.statSync(near).uid === 0;
}

function write(key, data) {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const temporary = `${folder}/.${key}.${process.pid}.tmp`;
  const descriptor = fs.openSync(temporary, 'wx', 0o600);
  try {
    try {
      fs.writeFileSync(descriptor, Buffer.concat([data, data]));
      fs.fsyncSync(descriptor); // A power cut must not leave half of what will be run.
    } finally {
      fs.closeSync(descriptor);
    }
    fs.renameSync(temporary, `${folder}/${key}`);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
  for (const other of fs.readdirSync(folder)) removeIfOld(`${folder}/${other}`);
}

// Each client has its own copy of the plugin and so its own byte code; what an upgrade left behind goes in time.
function removeIfOld(file) {
  const weekAgo = Date.now() - 7 * 24 * 3600 * 1000;
  if (fs.statSync(file).mtimeMs < weekAgo) fs.rmSync(file, { force: true });
}

function tooOld(role) {
  const text = `Holdfast needs Node 20 or later; this is ${process.versions.node} at ${process.execPath}. Install a newer one, or set HOLDFAST_NODE to its path.`;
  if (role !== 'hook') {
    process.stderr.write(`${text}\n`);
    process.exitCode = 1;
    return;
  }
  if (!wasNotified()) process.stdout.write(`${JSON.stringify({ systemMessage: text })}\n`);
}

// Once per user, like the launcher's own notice about a missing node.
function wasNotified() {
  if (folder === null) return false;
  const state = path.dirname(folder);
  try {
    const note = `${state}/notified-old-node`;
    if (!mayKeepIn(state)) return fs.existsSync(note);
    fs.mkdirSync(state, { recursive: true });
    fs.closeSync(fs.openSync(note, 'wx'));
    return false;
  } catch (error) {
    return error.code === 'EEXIST';
  }
}

exports.main = main;
if (require.main === module) main(process.argv[2] || 'cli');
