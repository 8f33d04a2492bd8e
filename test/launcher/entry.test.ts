// The first file that node runs, as a function of the process it is given: bundles of the test's own beside it, and a
// process that only notes what is done with it. Real stops through it are the other tests of this folder.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import vm from 'node:vm';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

const ENTRY = path.resolve(import.meta.dirname, '../../plugins/holdfast/lib/entry.cjs');
const source = fs.readFileSync(ENTRY, 'utf8');
const ownRequire = createRequire(ENTRY);

const HOOK = `
  const other = require('./other.cjs');
  exports.main = (args, leave) => { globalThis.entrySeen.push(['hook', args, other.name, module.filename === __filename]); globalThis.entryLeave = leave; };
`;
const BUNDLES: Readonly<Record<string, string>> = {
  'hook.cjs': HOOK,
  'other.cjs': `exports.name = require('path').basename(__filename); require('./hook.cjs');`,
  'cli.cjs': `exports.main = (args) => globalThis.entrySeen.push(['cli', args]);`,
  'line.cjs': `exports.main = (args) => globalThis.entrySeen.push(['line', args]);`,
};

type Seen = unknown[];
const shared = globalThis as unknown as {
  entrySeen: Seen;
  entryLeave?: (code: number, held?: boolean) => void;
};

function scene(bundles: Readonly<Record<string, string>> = BUNDLES) {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-entry-')));
  onTestFinished(() => fs.rmSync(root, { recursive: true }));
  const lib = path.join(root, 'lib');
  fs.mkdirSync(lib);
  for (const [name, text] of Object.entries(bundles)) fs.writeFileSync(path.join(lib, name), text);
  const state = path.join(root, 'state');
  type Options = {
    argv?: string[];
    env?: Record<string, string>;
    node?: string;
    listeners?: number;
    euid?: number;
    uid?: number;
  };
  /** Node runs the file once. */
  function run(given: string, options: Options = {}) {
    const seen: Seen = [];
    shared.entrySeen = seen;
    delete shared.entryLeave;
    const exits: ((code: number) => void)[] = [];
    const env: Record<string, string> = { XDG_STATE_HOME: state, ...options.env };
    const fake = {
      env,
      argv: ['node', 'entry.cjs', ...(options.argv ?? [])],
      versions: { node: options.node ?? '22.1.0' },
      ...{ version: 'v22.1.0', arch: 'x64', pid: 7, execPath: '/bin/node', exitCode: undefined },
      stdout: { write: (text: string) => seen.push(['stdout', text]) },
      stderr: { write: (text: string) => seen.push(['stderr', text]) },
      on: (name: string, listener: (code: number) => void) => name === 'exit' && exits.push(listener),
      listenerCount: (name: string) => (name === 'exit' ? (options.listeners ?? 0) : 9),
      exit: (code: number) => seen.push(['exit', code]),
      reallyExit: (code: number) => seen.push(['reallyExit', code]),
      getuid: () => options.uid ?? process.getuid?.(),
      geteuid: () => options.euid ?? 1000,
    };
    const names = ['exports', 'require', 'module', '__filename', '__dirname', 'process'];
    const entry: { main?: (given: string) => void } = {};
    vm.compileFunction(source, names)(entry, ownRequire, {}, path.join(lib, 'entry.cjs'), lib, fake);
    entry.main?.(given);
    const modules = Object.keys(bundles).flatMap((name) => ownRequire.cache[path.join(lib, name)] ?? []);
    for (const name of Object.keys(bundles)) delete ownRequire.cache[path.join(lib, name)];
    return {
      seen,
      env,
      fake,
      modules,
      leave: shared.entryLeave as ((code: number, held?: boolean) => void) | undefined,
      end: (code: number) => exits.map((each) => each(code)),
    };
  }
  const code = path.join(state, 'holdfast', 'code');
  const kept = (): string[] => (fs.existsSync(code) ? fs.readdirSync(code).sort() : []);
  const keyOf = (name: string): string => {
    const { size, mtimeMs, ino } = fs.statSync(path.join(lib, name));
    return `${name}-${size}-${Math.round(mtimeMs)}-${ino}-v22.1.0-x64`;
  };
  return { root, lib, state, code, run, kept, keyOf };
}

/** A hook that is run, and ends. */
function stop(made: ReturnType<typeof scene>, given: string, code: number, held?: boolean, more = {}): Seen {
  const { leave, seen } = made.run(given, more);
  leave?.(code, held);
  return seen;
}

describe('PATH', () => {
  it.each([
    ['/a:/b', '/a:/b'],
    ['a:/b', '/b'],
    ['/a::/b', '/a:/b'],
    ['/a:', '/a'],
    [':/a', '/a'],
    ['/a:./b:/c', '/a:/c'],
    ['.', '/nonexistent'],
    ['', '/nonexistent'],
  ])('%j is left as %j', (PATH, left) => {
    expect(scene().run('hook', { env: { PATH } }).env.PATH).toBe(left);
  });

  it('is not made where there is none', () => {
    expect(scene().run('hook').env).not.toHaveProperty('PATH');
  });
});

describe('what is run', () => {
  it.each<[string, string[], unknown]>([
    ['hook', ['hook', 'stop', '--x'], ['hook', ['stop', '--x'], 'other.cjs', true]],
    ['hook:idle', ['hook:idle'], ['hook', [], 'other.cjs', true]],
    ['cli', ['status', '--line'], ['line', ['status', '--line']]],
    ['cli', ['status', '--line', 'x'], ['cli', ['status', '--line', 'x']]],
    ['cli', ['status', '--json'], ['cli', ['status', '--json']]],
    ['cli', ['other', '--line'], ['cli', ['other', '--line']]],
    ['cli', [], ['cli', []]],
  ])('as %s with %j', (given, argv, seen) => {
    const { seen: found, fake } = scene().run(given, { argv });
    expect(found).toEqual([seen]);
    expect(fake.exitCode).toBeUndefined();
  });

  it.each([
    ['20.0.0', true],
    ['100.1.1', true],
    ['19.9.9', false],
    ['4.0.0', false],
  ])('with node %s: %s', (node, runs) => {
    const text = `Holdfast needs Node 20 or later; this is ${node} at /bin/node. Install a newer one, or set HOLDFAST_NODE to its path.`;
    const made = scene();
    const cli = made.run('cli', { node });
    expect(cli.seen).toEqual(runs ? [['cli', []]] : [['stderr', `${text}\n`]]);
    expect(cli.fake.exitCode).toBe(runs ? undefined : 1);
    const said = [['stdout', `${JSON.stringify({ systemMessage: text })}\n`]];
    expect(made.run('hook', { node }).seen).toEqual(runs ? [expect.arrayContaining(['hook'])] : said);
    // Once for each user.
    if (!runs) expect(made.run('hook', { node }).seen).toEqual([]);
    if (!runs) expect(fs.readdirSync(path.join(made.state, 'holdfast'))).toEqual(['notified-old-node']);
    // Where nothing can be kept it is said each time.
    const nowhere = { node, env: { XDG_STATE_HOME: 'relative' } };
    for (let time = 0; time < 2; time++)
      expect(made.run('hook', nowhere).seen).toEqual(runs ? [expect.arrayContaining(['hook'])] : said);
  });

  it('says that node is too old each time where the note cannot be written', () => {
    const made = scene();
    fs.writeFileSync(made.state, 'a file in the place of the folder');
    for (let time = 0; time < 2; time++) expect(made.run('hook', { node: '18.0.0' }).seen).toHaveLength(1);
  });
});

describe('a file that is loaded', () => {
  it('is a module as node makes them, and known under its path', () => {
    const { lib, run } = scene({
      'hook.cjs': `exports.main = () => {}; globalThis.entrySeen.push(module.loaded, new Error('x').stack);`,
    });
    const { seen, modules } = run('hook');
    const filename = path.join(lib, 'hook.cjs');
    const whole = { id: filename, filename, loaded: true, children: [], paths: [] };
    expect(modules).toEqual([{ ...whole, exports: { main: expect.any(Function) } }]);
    expect(seen).toEqual([false, expect.stringContaining(`${filename}:1:`)]);
  });

  it('is not left open, and neither is its byte code', () => {
    const made = scene();
    const opened = vi.spyOn(fs, 'openSync');
    const closed = vi.spyOn(fs, 'closeSync');
    onTestFinished(() => {
      opened.mockRestore();
      closed.mockRestore();
    });
    stop(made, 'hook', 0);
    stop(made, 'hook', 0);
    const descriptors = opened.mock.results.flatMap(({ type, value }) => (type === 'return' ? [value] : []));
    // Two files each time, two written, two read.
    expect(descriptors).toHaveLength(8);
    expect(closed.mock.calls.flat()).toEqual(expect.arrayContaining(descriptors));
    expect(closed).toHaveBeenCalledTimes(8);
  });
});

describe('a plugin that is broken', () => {
  const why = (lib: string, what: string): string =>
    `Holdfast cannot be loaded from ${lib} (${what}). Install it again, in the clone of Holdfast: npx holdfast install`;

  it.each<[string, Record<string, string>, string]>([
    ['is empty', { 'hook.cjs': '' }, 'hook.cjs is empty'],
    ['has something else', { 'hook.cjs': 'exports.main = 7;' }, 'hook.cjs is empty'],
    ['fails', { 'hook.cjs': "throw new Error('one\\ntwo');" }, 'one'],
  ])('allows the stop and says so where it %s', (_, bundles, what) => {
    const { lib, run } = scene(bundles);
    const systemMessage = `${why(lib, what)} This stop was allowed.`;
    const said = [['stdout', `${JSON.stringify({ systemMessage })}\n`]];
    expect(run('hook', { argv: ['hook', 'stop'] }).seen).toEqual(said);
    expect(run('hook', { argv: ['hook'] }).seen).toEqual(said);
    expect(run('hook', { argv: ['hook', 'claude', 'pre-compact'] }).seen).toEqual([]);
    expect(run('hook', { argv: ['hook', 'stop-failure'] }).seen).toEqual([]);
  });

  it('fails a command, and keeps nothing', () => {
    const { lib, run, kept } = scene({ 'cli.cjs': "throw new Error('one\\ntwo');" });
    const { seen, fake } = run('cli');
    expect(seen).toEqual([['stderr', `${why(lib, 'one')}\n`]]);
    expect(fake.exitCode).toBe(1);
    expect(kept()).toEqual([]);
  });

  it('says which file is gone', () => {
    const { run } = scene({});
    const [said] = run('cli').seen as [[string, string]];
    expect(said[1]).toContain('ENOENT');
    expect(said[1]).toContain('cli.cjs');
  });
});

describe('the byte code', () => {
  it.each<[string, boolean | undefined, string]>([
    ['hook', true, ''],
    ['hook', undefined, ''],
    ['hook:idle', false, '-idle'],
    ['hook:idle', undefined, '-idle'],
    ['hook:idle', true, '-idle-held'],
    ['hook:', true, '--held'],
  ])('of a stop as %s, held %s, is kept under names that end in %j', (given, held, ending) => {
    const made = scene();
    const expected = ['hook.cjs', 'other.cjs'].map((name) => `${made.keyOf(name)}${ending}`);
    expect(stop(made, given, 0, held).slice(1)).toEqual([['reallyExit', 0]]);
    expect(made.kept()).toEqual(expected.sort());
    for (const name of expected) {
      const { mode, size } = fs.statSync(path.join(made.code, name));
      expect(mode & 0o777).toBe(0o600);
      expect(size).toBeGreaterThan(0);
    }
    expect(fs.statSync(made.code).mode & 0o777).toBe(0o700);
  });

  it('is not kept of what failed', () => {
    const made = scene();
    expect(stop(made, 'hook:idle', 1).at(-1)).toEqual(['reallyExit', 1]);
    expect(made.kept()).toEqual([]);
  });

  it('is kept before the process ends as it must where somebody listens', () => {
    const made = scene();
    expect(stop(made, 'hook', 0, false, { listeners: 1 }).slice(1)).toEqual([
      ['exit', 0],
      ['reallyExit', 0],
    ]);
    expect(made.kept()).toHaveLength(2);
  });

  it('of a command is kept when it ends well, where a stop has made the folder', () => {
    const made = scene();
    made.run('cli').end(0);
    expect(made.kept()).toEqual([]);
    fs.mkdirSync(made.code, { recursive: true });
    made.run('cli').end(1);
    expect(made.kept()).toEqual([]);
    made.run('cli').end(0);
    expect(made.kept()).toEqual([made.keyOf('cli.cjs')]);
  });

  /** When each was written: set back first, so that writing it again shows. */
  function setBack(made: ReturnType<typeof scene>): () => string[] {
    const before = new Date(Date.now() - 3_600_000);
    for (const name of made.kept()) fs.utimesSync(path.join(made.code, name), before, before);
    return () =>
      made.kept().filter((name) => fs.statSync(path.join(made.code, name)).mtimeMs > before.getTime() + 1000);
  }

  it('that is there is used, and not written again', () => {
    const made = scene();
    stop(made, 'hook:idle', 0, true);
    const written = setBack(made);
    stop(made, 'hook:idle', 0, true);
    stop(made, 'hook:idle', 0, false);
    expect(written()).toEqual([]);
    expect(made.kept()).toHaveLength(2);
  });

  it('of an allowed stop is not enough for one that is held', () => {
    const made = scene();
    stop(made, 'hook:idle', 0, false);
    const written = setBack(made);
    stop(made, 'hook:idle', 0, false);
    expect(written()).toEqual([]);
    stop(made, 'hook:idle', 0, true);
    expect(written()).toEqual(
      ['hook.cjs', 'other.cjs'].map((name) => `${made.keyOf(name)}-idle-held`).sort(),
    );
  });

  it('of a stop that was held is only for stops of a workflow', () => {
    const made = scene();
    stop(made, 'hook', 0);
    const plain = made.kept();
    for (const name of plain) fs.renameSync(path.join(made.code, name), path.join(made.code, `${name}-held`));
    stop(made, 'hook', 0);
    expect(made.kept()).toEqual([...plain, ...plain.map((name) => `${name}-held`)].sort());
  });

  it.each<[string, (file: string) => void]>([
    ['may be written by others', (file) => fs.chmodSync(file, 0o602)],
    ['may be written by its group', (file) => fs.chmodSync(file, 0o620)],
    [
      'is a link',
      (file) => {
        fs.renameSync(file, `${path.dirname(path.dirname(file))}/moved-${path.basename(file)}`);
        fs.symlinkSync(`../moved-${path.basename(file)}`, file);
      },
    ],
  ])('that %s is made again', (_, spoil) => {
    const made = scene();
    stop(made, 'hook', 0);
    for (const name of made.kept()) spoil(path.join(made.code, name));
    expect(stop(made, 'hook', 0)[0]).toEqual(['hook', [], 'other.cjs', true]);
    expect(made.kept()).toHaveLength(2);
    for (const name of made.kept()) {
      const found = fs.lstatSync(path.join(made.code, name));
      expect([found.isFile(), found.mode & 0o777, found.size > 100]).toEqual([true, 0o600, true]);
    }
  });

  it('that others may only read or run is used', () => {
    const made = scene();
    stop(made, 'hook', 0);
    for (const name of made.kept()) fs.chmodSync(path.join(made.code, name), 0o755);
    const written = setBack(made);
    stop(made, 'hook', 0);
    expect(written()).toEqual([]);
  });

  it('of another user is made again', () => {
    const made = scene();
    stop(made, 'hook', 0);
    const written = setBack(made);
    stop(made, 'hook', 0, false, { uid: (process.getuid?.() ?? 0) + 1 });
    expect(written()).toHaveLength(2);
  });

  it('is on the disk before it has its name', () => {
    const made = scene();
    const done: string[] = [];
    const { fsyncSync, renameSync } = fs;
    const synced = vi.spyOn(fs, 'fsyncSync').mockImplementation((file) => {
      done.push('synced');
      fsyncSync(file);
    });
    const renamed = vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
      done.push('renamed');
      renameSync(from, to);
    });
    onTestFinished(() => {
      synced.mockRestore();
      renamed.mockRestore();
    });
    stop(made, 'hook', 0);
    expect(done).toEqual(['synced', 'renamed', 'synced', 'renamed']);
  });

  it('that cannot be written leaves nothing behind, and fails nothing', () => {
    const made = scene();
    fs.mkdirSync(path.join(made.code, made.keyOf('hook.cjs')), { recursive: true });
    expect(stop(made, 'hook', 0).at(-1)).toEqual(['reallyExit', 0]);
    expect(made.kept()).toEqual([made.keyOf('hook.cjs')]);
    expect(fs.readdirSync(path.join(made.code, made.keyOf('hook.cjs')))).toEqual([]);
  });

  it('of a week ago is removed, and no younger one', () => {
    const made = scene();
    fs.mkdirSync(made.code, { recursive: true });
    const week = 7 * 24 * 3_600_000;
    for (const [name, age] of [
      ['old', week + 60_000],
      ['young', week - 60_000],
    ] as const) {
      fs.writeFileSync(path.join(made.code, name), '');
      const time = new Date(Date.now() - age);
      fs.utimesSync(path.join(made.code, name), time, time);
    }
    stop(made, 'hook', 0);
    expect(made.kept()).toContain('young');
    expect(made.kept()).not.toContain('old');
  });

  it.each<[string, (root: string) => Record<string, string>, string | null]>([
    ['the user’s state folder', (root) => ({ XDG_STATE_HOME: `${root}/s`, HOME: `${root}/h` }), 's/holdfast'],
    ['the home', (root) => ({ XDG_STATE_HOME: '', HOME: `${root}/h` }), 'h/.local/state/holdfast'],
    ['no relative folder', (root) => ({ XDG_STATE_HOME: 's', HOME: `${root}/h` }), 'h/.local/state/holdfast'],
    ['no relative home', () => ({ XDG_STATE_HOME: '', HOME: 'h' }), null],
    ['nowhere', () => ({ XDG_STATE_HOME: '', HOME: '' }), null],
  ])('is kept in %s', (_, variables, folder) => {
    const made = scene();
    expect(stop(made, 'hook', 0, false, { env: variables(made.root) }).at(-1)).toEqual(['reallyExit', 0]);
    const places = ['s/holdfast', 'h/.local/state/holdfast'];
    const found = places.filter((place) => fs.existsSync(path.join(made.root, place, 'code')));
    expect(found).toEqual(folder === null ? [] : [folder]);
  });

  it('is kept by root in its own home', () => {
    const made = scene();
    const { statSync } = fs;
    // As root sees its own folders.
    const seen = vi
      .spyOn(fs, 'statSync')
      .mockImplementation(((file: string) => Object.assign(statSync(file), { uid: 0 })) as never);
    onTestFinished(() => seen.mockRestore());
    stop(made, 'hook', 0, false, { euid: 0 });
    expect(made.kept()).toHaveLength(2);
    for (const count of [1, 0])
      expect(made.run('hook', { node: '18.0.0', euid: 0 }).seen).toHaveLength(count);
  });

  it('is not kept by root in the home of another, and a note only read there', () => {
    const made = scene();
    if (process.getuid?.() === 0) fs.chownSync(made.root, 1, 1);
    expect(stop(made, 'hook', 0, false, { euid: 0 }).at(-1)).toEqual(['reallyExit', 0]);
    expect(fs.existsSync(made.state)).toBe(false);
    const old = { node: '18.0.0', euid: 0 };
    for (let time = 0; time < 2; time++) expect(made.run('hook', old).seen).toHaveLength(1);
    expect(fs.existsSync(made.state)).toBe(false);
    stop(made, 'hook', 0);
    fs.writeFileSync(path.join(made.state, 'holdfast', 'notified-old-node'), '');
    if (process.getuid?.() === 0) fs.chownSync(path.join(made.state, 'holdfast'), 1, 1);
    expect(made.run('hook', old).seen).toEqual([]);
  });
});
