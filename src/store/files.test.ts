import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { ended, said } from '../../test/fixtures/lock/processes.ts';
import { disk } from './disk.ts';
import {
  appendLine,
  carryOut,
  changedAt,
  forget,
  isDenied,
  isInside,
  isPassing,
  Refused,
  readInside,
  replaceFile,
  stageFile,
} from './files.ts';
import { openOwn } from './open.ts';

let folder: string;
let root: string;
let outside: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-files-')));
  root = path.join(folder, 'project');
  outside = path.join(folder, 'outside');
  fs.mkdirSync(root);
  fs.mkdirSync(outside);
});

afterEach(() => {
  vi.restoreAllMocks();
  fs.rmSync(folder, { recursive: true });
});

const at = (...parts: string[]): string => path.join(root, ...parts);
const read = (file: string): string => fs.readFileSync(file, 'utf8');
const modeOf = (file: string): number => fs.statSync(file).mode & 0o777;

/** From the first use of `step` on nothing works any more, as for a process that is dead. */
function dieAt(step: keyof typeof disk): void {
  const error = new Error(`died at ${step}`);
  let dead = false;
  for (const name of Object.keys(disk) as (keyof typeof disk)[]) {
    const real = disk[name] as (...args: unknown[]) => unknown;
    vi.spyOn(disk, name).mockImplementation(((...args: unknown[]) => {
      dead ||= name === step;
      if (dead) throw error;
      return real(...args);
    }) as never);
  }
}

function failAt(step: keyof typeof disk): void {
  vi.spyOn(disk, step).mockImplementation(() => {
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  });
}

/** The lowest that is free. */
function nextDescriptor(): number {
  const descriptor = fs.openSync(folder, 'r');
  fs.closeSync(descriptor);
  return descriptor;
}

/** What must not be opened as a file; each is put in the place of `file`. */
const things: Readonly<Record<string, (file: string) => void>> = {
  FIFO: (file) => execFileSync('mkfifo', [file]),
  folder: (file) => fs.mkdirSync(file),
};

describe('replacing a file', () => {
  it('creates it with its folders and gives it its whole content', () => {
    replaceFile(at('a/b/c.json'), 'é\n', root);

    expect(read(at('a/b/c.json'))).toBe('é\n');
    expect(fs.readdirSync(at('a/b'))).toEqual(['c.json']);
  });

  it('leaves a reader that had it open with the old content: the file is swapped, not written over', () => {
    fs.writeFileSync(at('state'), 'old');
    const open = fs.openSync(at('state'), 'r');

    replaceFile(at('state'), 'new', root);

    expect(fs.readFileSync(open, 'utf8')).toBe('old');
    fs.closeSync(open);
    expect(read(at('state'))).toBe('new');
  });

  it('never shows half of it to a process that reads all the time', async () => {
    const size = 256 * 1024;
    const contents = ['a', 'b'].map((letter) => letter.repeat(size));
    replaceFile(at('state'), contents[0] ?? '', root);
    const program = `
      const fs = require('node:fs');
      const seen = new Set();
      let reads = 0;
      while (!fs.existsSync(process.argv[2])) {
        const text = fs.readFileSync(process.argv[1], 'utf8');
        if (text.length !== ${size} || text !== text[0].repeat(${size})) { console.log('half'); process.exit(1); }
        seen.add(text[0]);
        if (++reads === 1) console.log('reading');
      }
      console.log([...seen].sort().join(''));`;
    const reader = spawn(process.execPath, ['-e', program, at('state'), at('enough')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    reader.stdout.on('data', (chunk) => {
      output += chunk;
    });
    await said(reader, 'reading');

    for (let i = 0; i < 150; i++) {
      replaceFile(at('state'), contents[i % 2] ?? '', root);
      await new Promise(setImmediate);
    }
    fs.writeFileSync(at('enough'), '');

    expect(await ended(reader)).toBe(0);
    expect(output).toBe('reading\nab\n');
  });

  it('keeps the mode of what was there, whatever the umask', () => {
    const before = process.umask(0o077);
    try {
      for (const mode of [0o600, 0o664, 0o755]) {
        fs.writeFileSync(at('state'), 'old');
        fs.chmodSync(at('state'), mode);

        replaceFile(at('state'), 'new', root);

        expect(modeOf(at('state')).toString(8)).toBe(mode.toString(8));
      }
    } finally {
      process.umask(before);
    }
  });

  it('gives a new file what the umask leaves, and an explicit mode no more than that', () => {
    const before = process.umask(0o027);
    try {
      replaceFile(at('plain'), '', root);
      replaceFile(at('runner'), '', root, 0o755);
      replaceFile(at('secret'), '', root, 0o600);

      expect(['plain', 'runner', 'secret'].map((name) => modeOf(at(name)).toString(8))).toEqual([
        '640',
        '750',
        '600',
      ]);
    } finally {
      process.umask(before);
    }
  });

  it('goes through its steps in the order that a power cut cannot hurt', () => {
    const order: string[] = [];
    for (const name of Object.keys(disk) as (keyof typeof disk)[]) {
      const real = disk[name] as (...args: unknown[]) => unknown;
      vi.spyOn(disk, name).mockImplementation(((...args: unknown[]) => {
        order.push(name);
        return real(...args);
      }) as never);
    }

    replaceFile(at('state'), 'new', root);

    expect(order).toEqual(['createNew', 'writeAll', 'sync', 'close', 'rename', 'syncFolder']);
  });

  const steps = ['createNew', 'setMode', 'writeAll', 'sync', 'rename'] as const;

  test.each(steps)('leaves the old content and no other file when %s fails', (step) => {
    fs.writeFileSync(at('state'), 'old');
    failAt(step);

    expect(() => replaceFile(at('state'), 'new', root)).toThrow('no space left on device');

    expect(read(at('state'))).toBe('old');
    expect(fs.readdirSync(root)).toEqual(['state']);
  });

  test.each([...steps, 'close'] as const)(
    'leaves the old content whole when the process dies at %s',
    (step) => {
      fs.writeFileSync(at('state'), 'old');
      dieAt(step);

      expect(() => replaceFile(at('state'), 'new', root)).toThrow(`died at ${step}`);

      expect(read(at('state'))).toBe('old');
    },
  );

  it('has the new content whole when the process dies after the rename', () => {
    fs.writeFileSync(at('state'), 'old');
    dieAt('syncFolder');

    expect(() => replaceFile(at('state'), 'new', root)).toThrow('died at syncFolder');

    expect(read(at('state'))).toBe('new');
  });

  it('tells the first error when tidying up fails too', () => {
    failAt('rename');
    vi.spyOn(disk, 'remove').mockImplementation(() => {
      throw new Error('and this as well');
    });

    expect(() => replaceFile(at('state'), 'new', root)).toThrow('no space left on device');
  });

  it('fails on a folder in its place and leaves nothing behind', () => {
    fs.mkdirSync(at('state'));

    expect(() => replaceFile(at('state'), 'new', root)).toThrow('EISDIR');

    expect(fs.readdirSync(root)).toEqual(['state']);
  });

  it('takes the place of a FIFO without waiting on it', () => {
    execFileSync('mkfifo', [at('state')]);

    replaceFile(at('state'), 'new', root);

    expect(read(at('state'))).toBe('new');
  });
});

describe('links and writing', () => {
  const writes: Readonly<Record<string, (file: string) => void>> = {
    replace: (file) => replaceFile(file, 'new\n', root),
    append: (file) => appendLine(file, 'new', root),
  };

  describe.each(Object.keys(writes))('%s', (name) => {
    const write = (file: string): void => writes[name]?.(file);

    it('goes through a link that stays inside', () => {
      fs.writeFileSync(at('real'), '');
      fs.symlinkSync('real', at('link'));

      write(at('link'));

      expect(read(at('real'))).toBe('new\n');
      expect(fs.lstatSync(at('link')).isSymbolicLink()).toBe(true);
    });

    it('refuses a link that leads out', () => {
      fs.writeFileSync(path.join(outside, 'precious'), 'precious');
      fs.symlinkSync(path.join(outside, 'precious'), at('link'));

      expect(() => write(at('link'))).toThrow(Refused);
      expect(() => write(at('link'))).toThrow(`${at('link')} leads out of ${root} and is left alone`);

      expect(read(path.join(outside, 'precious'))).toBe('precious');
    });

    it('refuses a link to nowhere, wherever that is', () => {
      fs.symlinkSync(path.join(outside, 'new'), at('out'));
      fs.symlinkSync('nothing', at('in'));

      for (const link of ['out', 'in']) expect(() => write(at(link))).toThrow(Refused);

      expect(fs.readdirSync(outside)).toEqual([]);
      expect(fs.readdirSync(root).sort()).toEqual(['in', 'out']);
    });

    it('refuses a folder on the way that leads out, and makes none there', () => {
      fs.symlinkSync(outside, at('linked'));

      expect(() => write(at('linked/file'))).toThrow(Refused);
      expect(() => write(at('linked/deeper/file'))).toThrow(Refused);

      expect(fs.readdirSync(outside)).toEqual([]);
    });

    it('fails on a folder on the way that leads nowhere, and makes none there', () => {
      fs.symlinkSync(path.join(outside, 'nothing'), at('linked'));

      expect(() => write(at('linked/file'))).toThrow();

      expect(fs.readdirSync(outside)).toEqual([]);
    });

    test.each(['..', '../outside/file', 'sub/../../outside/file', '../project-two/file', '.'])(
      'refuses a path that climbs out: %s',
      (climbing) => {
        fs.mkdirSync(at('sub'));
        const before = fs.readdirSync(folder);

        expect(() => write(`${root}/${climbing}`)).toThrow(Refused);

        expect(fs.readdirSync(folder)).toEqual(before);
        expect(fs.readdirSync(outside)).toEqual([]);
      },
    );
  });

  it('never follows a link that took the place of its temp file', () => {
    fs.symlinkSync(path.join(outside, 'new'), at('temporary'));

    expect(() => disk.createNew(at('temporary'), 0o600)).toThrow('EEXIST');
    expect(() => disk.openAppend(at('temporary'), 0o600)).toThrow('ELOOP');

    expect(fs.readdirSync(outside)).toEqual([]);
  });
});

describe('appending a line', () => {
  it('adds to what is there and creates what is not, folders included', () => {
    appendLine(at('logs/log'), 'one', root);
    appendLine(at('logs/log'), 'two', root);

    expect(read(at('logs/log'))).toBe('one\ntwo\n');
  });

  it('ends a torn line first, so that the new one stands alone', () => {
    fs.writeFileSync(at('log'), 'one\ntw');

    appendLine(at('log'), 'three', root);

    expect(read(at('log'))).toBe('one\ntw\nthree\n');
  });

  it('is one write, so that two who append at once never mix', () => {
    fs.writeFileSync(at('log'), 'torn');
    const writeAll = vi.spyOn(disk, 'writeAll');

    appendLine(at('log'), 'line', root);

    expect(writeAll.mock.calls.map(([, content]) => content)).toEqual(['\nline\n']);
  });

  it('is on the disk when it returns, unless that was said not to matter', () => {
    const sync = vi.spyOn(disk, 'sync');

    appendLine(at('log'), 'line', root);
    appendLine(at('log'), 'line', root, { durable: false });

    expect(sync).toHaveBeenCalledTimes(1);
  });

  it('gives a new file the mode it was asked for', () => {
    appendLine(at('log'), 'line', root, { mode: 0o600 });

    expect(modeOf(at('log')).toString(8)).toBe('600');
  });

  test.each(Object.keys(things))('fails on a %s in its place without waiting', (thing) => {
    things[thing]?.(at('log'));

    expect(() => appendLine(at('log'), 'line', root)).toThrow(/not a regular file|EISDIR/);
  });

  it('leaves no descriptor open, also when it fails', () => {
    execFileSync('mkfifo', [at('pipe')]);
    const before = nextDescriptor();

    for (let i = 0; i < 5; i++) {
      appendLine(at('log'), 'line', root);
      expect(() => appendLine(at('pipe'), 'line', root)).toThrow(Refused);
    }

    expect(nextDescriptor()).toBe(before);
  });
});

test.each(['setMode', 'writeAll', 'sync', 'rename'] as const)(
  'a file that cannot be replaced is left closed: %s fails',
  (step) => {
    fs.writeFileSync(at('state'), 'old');
    const before = nextDescriptor();
    failAt(step);

    expect(() => replaceFile(at('state'), 'new', root)).toThrow('no space left on device');

    expect(nextDescriptor()).toBe(before);
  },
);

describe('reading', () => {
  it('gives the text, and null where there is nothing', () => {
    fs.writeFileSync(at('file'), 'é');

    expect(readInside(at('file'), root)).toBe('é');
    expect(readInside(at('missing'), root)).toBeNull();
    expect(readInside(at('missing/file'), root)).toBeNull();
    expect(readInside(at('file/below'), root)).toBeNull();
  });

  it('follows a link that stays inside and refuses one that leads out', () => {
    fs.writeFileSync(at('file'), 'inside');
    fs.writeFileSync(path.join(outside, 'secret'), 'secret');
    fs.symlinkSync('file', at('in'));
    fs.symlinkSync(path.join(outside, 'secret'), at('out'));
    fs.symlinkSync(outside, at('folder'));

    expect(readInside(at('in'), root)).toBe('inside');
    expect(() => readInside(at('out'), root)).toThrow(Refused);
    expect(() => readInside(at('folder/secret'), root)).toThrow(Refused);
    expect(() => readInside(at('../outside/secret'), root)).toThrow(Refused);
  });

  it('takes a link to nowhere for nothing, and fails on one that goes in circles', () => {
    fs.symlinkSync('nothing', at('dangling'));
    fs.symlinkSync('circle', at('circle'));

    expect(readInside(at('dangling'), root)).toBeNull();
    expect(() => readInside(at('circle'), root)).toThrow('ELOOP');
  });

  test.each(Object.keys(things))('refuses a %s without waiting', (thing) => {
    things[thing]?.(at('file'));

    expect(() => readInside(at('file'), root)).toThrow(`${at('file')} is not a regular file`);
  });

  it('refuses a device', () => {
    expect(() => openOwn('/dev/zero')).toThrow('/dev/zero is not a regular file');
  });

  it('refuses a file longer than the limit, and reads one just as long', () => {
    fs.writeFileSync(at('file'), '12345');

    expect(readInside(at('file'), root, 5)).toBe('12345');
    expect(() => readInside(at('file'), root, 4)).toThrow(
      `${at('file')} is 5 bytes long, more than the 4 that are read`,
    );
  });

  it('refuses by default what would fill the memory', () => {
    fs.closeSync(fs.openSync(at('file'), 'w'));
    fs.truncateSync(at('file'), 64 * 1024 * 1024 + 1);

    expect(() => readInside(at('file'), root)).toThrow(Refused);
  });
});

describe('moving', () => {
  const move = (from: string, to: string) => carryOut({ kind: 'move', from, to }, root);

  it('takes a file or a folder to its new place, and makes the folder for it', () => {
    fs.writeFileSync(at('file'), 'text');
    fs.mkdirSync(at('folder'));

    move(at('file'), at('aside/file'));
    move(at('folder'), at('aside/folder'));

    expect(read(at('aside/file'))).toBe('text');
    expect(fs.readdirSync(root)).toEqual(['aside']);
  });

  it('does nothing where there is nothing', () => {
    move(at('missing'), at('file'));
    move(at('missing/deeper'), at('file'));

    expect(fs.readdirSync(root)).toEqual([]);
  });

  it('moves a link itself, not what it leads to', () => {
    fs.writeFileSync(path.join(outside, 'precious'), 'precious');
    fs.symlinkSync(path.join(outside, 'precious'), at('link'));

    move(at('link'), at('aside'));

    expect(read(path.join(outside, 'precious'))).toBe('precious');
    expect(fs.lstatSync(at('aside')).isSymbolicLink()).toBe(true);
  });

  it('takes nothing from outside and brings nothing there', () => {
    fs.writeFileSync(at('file'), 'mine');
    fs.writeFileSync(path.join(outside, 'precious'), 'precious');
    fs.symlinkSync(outside, at('linked'));

    expect(() => move(at('file'), at('linked/file'))).toThrow(Refused);
    expect(() => move(at('linked/precious'), at('stolen'))).toThrow(Refused);
    expect(() => move(at('file'), at('../outside/file'))).toThrow(Refused);
    expect(() => move(`${root}/..`, at('stolen'))).toThrow(Refused);

    expect(fs.readdirSync(outside)).toEqual(['precious']);
    expect(fs.readdirSync(root).sort()).toEqual(['file', 'linked']);
  });
});

describe('removing', () => {
  const remove = (file: string) => carryOut({ kind: 'remove', path: file }, root);

  it('takes away a file or a whole folder, and does nothing where there is nothing', () => {
    fs.writeFileSync(at('file'), '');
    fs.mkdirSync(at('folder/deeper'), { recursive: true });

    remove(at('file'));
    remove(at('folder'));
    remove(at('missing'));
    remove(at('missing/deeper'));

    expect(fs.readdirSync(root)).toEqual([]);
  });

  it('takes away a link itself, not what it leads to', () => {
    fs.writeFileSync(path.join(outside, 'precious'), 'precious');
    fs.symlinkSync(outside, at('link'));

    remove(at('link'));

    expect(fs.readdirSync(outside)).toEqual(['precious']);
    expect(fs.readdirSync(root)).toEqual([]);
  });

  test.each(['..', 'sub/../..', '.', 'sub/..', '../outside', 'linked/precious'])(
    'refuses what is the root or outside it: %s',
    (name) => {
      fs.mkdirSync(at('sub'));
      fs.writeFileSync(path.join(outside, 'precious'), 'precious');
      fs.symlinkSync(outside, at('linked'));

      expect(() => remove(`${root}/${name}`)).toThrow(Refused);

      expect(read(path.join(outside, 'precious'))).toBe('precious');
      expect(fs.readdirSync(root).sort()).toEqual(['linked', 'sub']);
    },
  );

  test.each(['.git', '.git/config', 'sub/.git'])('refuses what is git’s: %s', (name) => {
    fs.mkdirSync(at('.git'));
    fs.mkdirSync(at('sub'));
    fs.writeFileSync(at('.git/config'), '');
    fs.writeFileSync(at('sub/.git'), 'gitdir: elsewhere\n');

    expect(() => remove(at(name))).toThrow(Refused);

    expect(fs.existsSync(at(name))).toBe(true);
  });
});

describe('carrying out a write', () => {
  it('replaces and appends as the write says', () => {
    carryOut({ kind: 'replace', path: at('run'), content: 'text', mode: 0o700 }, root);
    carryOut({ kind: 'append', path: at('log'), line: 'line' }, root);

    expect(read(at('run'))).toBe('text');
    expect(modeOf(at('run')).toString(8)).toBe('700');
    expect(read(at('log'))).toBe('line\n');
  });
});

describe('git’s own folder', () => {
  beforeEach(() => {
    fs.mkdirSync(at('.git/hooks'), { recursive: true });
    fs.writeFileSync(at('.git/hooks/run'), 'theirs');
    fs.writeFileSync(at('file'), 'mine');
    fs.symlinkSync('.git/hooks', at('folder'));
    fs.symlinkSync('.git/hooks/run', at('link'));
  });

  test.each([
    ['replace', 'folder/run', (file: string) => replaceFile(file, 'new', root)],
    ['replace', 'folder/deeper/new', (file: string) => replaceFile(file, 'new', root)],
    ['replace', 'link', (file: string) => replaceFile(file, 'new', root)],
    ['replace', '.git/hooks/run', (file: string) => replaceFile(file, 'new', root)],
    ['replace', '.git', (file: string) => replaceFile(file, 'new', root)],
    ['append', 'folder/run', (file: string) => appendLine(file, 'new', root)],
    ['append', 'link', (file: string) => appendLine(file, 'new', root)],
    ['remove', 'folder/run', (file: string) => carryOut({ kind: 'remove', path: file }, root)],
    ['move', 'folder/run', (file: string) => carryOut({ kind: 'move', from: file, to: at('new') }, root)],
    ['move', '.git', (file: string) => carryOut({ kind: 'move', from: file, to: at('new') }, root)],
    ['move', 'folder/new', (file: string) => carryOut({ kind: 'move', from: at('file'), to: file }, root)],
  ])('is left alone: %s %s', (_, name, write) => {
    expect(() => write(at(name))).toThrow(new Refused(`${at(name)} leads into .git and is left alone`));

    expect(fs.readdirSync(at('.git/hooks'))).toEqual(['run']);
    expect(read(at('.git/hooks/run'))).toBe('theirs');
    expect(fs.readdirSync(root).sort()).toEqual(['.git', 'file', 'folder', 'link']);
  });

  it('is not meant by a name that only begins or ends like it, or lies above the root', () => {
    replaceFile(at('.github/a'), 'a', root);
    replaceFile(at('my.git/b'), 'b', root);
    replaceFile(at('.git/hooks/inner/c'), 'c', at('.git/hooks'));

    expect(['.github/a', 'my.git/b', '.git/hooks/inner/c'].map((name) => read(at(name)))).toEqual([
      'a',
      'b',
      'c',
    ]);
  });
});

describe('what a client denies to its agent', () => {
  beforeEach(() => {
    fs.mkdirSync(at('.claude'));
    fs.writeFileSync(at('.claude/settings.json'), 'theirs');
    fs.writeFileSync(at('file'), 'mine');
    fs.symlinkSync('.claude', at('folder'));
    fs.symlinkSync('.claude/settings.json', at('link'));
  });

  test.each([
    ['replace', (file: string) => replaceFile(file, 'new', root)],
    ['append', (file: string) => appendLine(file, 'new', root)],
    ['move to', (file: string) => carryOut({ kind: 'move', from: at('file'), to: file }, root)],
  ])('is not written through a link: %s', (_, write) => {
    for (const name of ['link', 'folder/settings.json', 'folder/agents/new'])
      expect(() => write(at(name))).toThrow(
        new Refused(`${at(name)} leads to .claude, which no agent may write, and is left alone`),
      );
    expect(fs.readdirSync(at('.claude'))).toEqual(['settings.json']);
    expect(read(at('.claude/settings.json'))).toBe('theirs');
  });

  test.each(['.claude/settings.json', '.claude', 'folder/settings.json'])('is not moved away: %s', (name) => {
    expect(() => carryOut({ kind: 'move', from: at(name), to: at('new') }, root)).toThrow(Refused);
  });

  it('is not what the workflows keep in .claude', () => {
    fs.rmSync(at('.claude'), { recursive: true });
    for (const name of ['.claude/idle-loop.local.md', '.claude/claudex/log', 'dotfiles/.claude/claudex/a'])
      replaceFile(at(name), 'new', root);
    carryOut({ kind: 'remove', path: at('.claude/claudex') }, root);
    expect(fs.readdirSync(at('.claude'))).toEqual(['idle-loop.local.md']);
  });
});

describe('what goes on between two steps', () => {
  /** Puts a link to a folder outside in the place of `sub`, at the moment when that step is taken. */
  function swapAt(step: 'createNew' | 'openAppend' | 'rename' | 'remove' | 'makeNewFolder'): void {
    const real = disk[step] as (...args: unknown[]) => unknown;
    let isSwapped = false;
    vi.spyOn(disk, step).mockImplementation(((...args: unknown[]) => {
      if (!isSwapped) {
        isSwapped = true;
        fs.renameSync(at('sub'), at('kept'));
        fs.symlinkSync(outside, at('sub'));
      }
      return real(...args);
    }) as never);
  }

  test.each([
    ['createNew', 'written again', () => replaceFile(at('sub/file'), 'new', root), 'new'],
    ['openAppend', 'appended to', () => appendLine(at('sub/file'), 'line', root), 'old\nline\n'],
    ['rename', 'put in place', () => replaceFile(at('sub/file'), 'new', root), 'new'],
    ['remove', 'removed', () => carryOut({ kind: 'remove', path: at('sub/file') }, root), null],
    [
      'rename',
      'moved away',
      () => carryOut({ kind: 'move', from: at('sub/file'), to: at('elsewhere') }, root),
      null,
    ],
    ['makeNewFolder', 'left as it is', () => replaceFile(at('sub/made/file'), 'x', root), 'old\n'],
  ] as const)(
    'a folder that is swapped for a link at %s leads nowhere else: its file is %s',
    (step, _, act, left) => {
      fs.mkdirSync(at('sub'));
      fs.writeFileSync(at('sub/file'), 'old\n');
      fs.mkdirSync(outside, { recursive: true });
      fs.writeFileSync(path.join(outside, 'file'), 'dear');
      swapAt(step);

      act();

      expect(fs.readdirSync(outside)).toEqual(['file']);
      expect(read(path.join(outside, 'file'))).toBe('dear');
      expect(fs.existsSync(at('kept/file')) ? read(at('kept/file')) : null).toBe(left);
    },
  );

  it('a folder that is emptied is the one that was looked at, and not what a link in its place leads to', () => {
    fs.mkdirSync(at('sub/deep'), { recursive: true });
    fs.writeFileSync(at('sub/deep/file'), '');
    fs.mkdirSync(outside, { recursive: true });
    fs.writeFileSync(path.join(outside, 'file'), 'dear');
    const list = fs.readdirSync;
    vi.spyOn(fs, 'readdirSync').mockImplementationOnce(((place: string) => {
      const names = list(place);
      fs.renameSync(at('sub'), at('kept'));
      fs.symlinkSync(outside, at('sub'));
      fs.mkdirSync(path.join(outside, 'deep'));
      fs.writeFileSync(path.join(outside, 'deep/file'), 'dear');
      return names;
    }) as never);

    expect(() => carryOut({ kind: 'remove', path: at('sub') }, root)).toThrow('ENOTDIR');

    expect(read(path.join(outside, 'deep/file'))).toBe('dear');
    expect(fs.readdirSync(at('kept'))).toEqual([]);
  });

  it('a file is read where it was found to lie, whatever took its place', () => {
    fs.writeFileSync(at('file'), 'text');
    fs.mkdirSync(outside, { recursive: true });
    fs.writeFileSync(path.join(outside, 'secret'), 'secret');
    const look = fs.readlinkSync;
    vi.spyOn(fs, 'readlinkSync').mockImplementationOnce(((place: string) => {
      const found = look(place);
      fs.rmSync(at('file'));
      fs.symlinkSync(path.join(outside, 'secret'), at('file'));
      return found;
    }) as never);

    expect(readInside(at('file'), root)).toBe('text');
    expect(() => readInside(at('file'), root)).toThrow('leads out of');
  });

  it('a file with a second name is not appended to, since that may lie anywhere', () => {
    fs.writeFileSync(at('file'), 'text\n');
    fs.linkSync(at('file'), at('other'));

    expect(() => appendLine(at('file'), 'line', root)).toThrow('one of 2 names of the same file');

    expect(read(at('other'))).toBe('text\n');
  });

  it('what lies in the place a file is moved to is not lost', () => {
    fs.writeFileSync(at('file'), 'mine');
    fs.mkdirSync(at('taken'));

    expect(() => carryOut({ kind: 'move', from: at('file'), to: at('taken') }, root)).toThrow('EISDIR');

    expect(fs.readdirSync(root).sort()).toEqual(['file', 'taken']);
  });

  it('a file that is all but written lies hidden beside its place, under the name of its process', () => {
    const staged = stageFile(at('a/state'), 'text', root);

    expect([staged.folder.real, staged.name]).toEqual([at('a'), 'state']);
    expect(staged.temporary).toMatch(new RegExp(`^\\.state\\.${process.pid}\\.[a-z0-9]{8,12}\\.tmp$`));
    expect(read(at(`a/${staged.temporary}`))).toBe('text');
    const other = stageFile(at('a/state'), '', root);
    expect(other.temporary).not.toBe(staged.temporary);
    for (const each of [staged, other]) forget(each);
    expect(fs.readdirSync(at('a'))).toEqual([]);
  });
});

test('a path from the working folder is taken from there', () => {
  const file = path.relative(process.cwd(), at('file'));
  replaceFile(file, 'text', root);
  expect(read(at('file'))).toBe('text');
  carryOut({ kind: 'remove', path: file }, root);
  expect(fs.readdirSync(root)).toEqual([]);
});

test('a refusal says which place it is about, where something is to be seen there', () => {
  fs.symlinkSync('nothing', at('link'));
  fs.mkdirSync(at('folder'));
  expect(() => replaceFile(at('link'), '', root)).toThrow(expect.objectContaining({ file: at('link') }));
  expect(() => readInside(at('folder'), root)).toThrow(expect.objectContaining({ file: at('folder') }));
  execFileSync('mkfifo', [at('pipe')]);
  expect(() => appendLine(at('pipe'), '', root)).toThrow(expect.objectContaining({ file: at('pipe') }));
  expect(new Refused('x', { cause: 'why' })).toMatchObject({
    name: 'Refused',
    file: undefined,
    cause: 'why',
  });
});

test('when a file was last changed', () => {
  fs.writeFileSync(at('file'), '');
  fs.utimesSync(at('file'), 5, 7);
  fs.symlinkSync('circle', at('circle'));
  expect(['file', 'missing', 'circle'].map((name) => changedAt(at(name)))).toEqual([7000, 0, 0]);
});

test.each([
  ['EACCES', true],
  ['EPERM', true],
  ['EROFS', true],
  ['ENOENT', false],
  ['EIO', false],
])('%s is a matter of rights: %s', (code, expected) => {
  const error = Object.assign(new Error('failed'), { code });
  expect(isDenied(error)).toBe(expected);
  expect(isDenied(new Refused('x', { cause: error }))).toBe(expected);
  expect(isDenied(new Error('x', { cause: error }))).toBe(false);
});

describe('being inside', () => {
  test.each([
    ['/a/b', '/a/b', true],
    ['/a/b/c', '/a/b', true],
    ['/a/bc', '/a/b', false],
    ['/a', '/a/b', false],
    ['/etc/passwd', '/', true],
  ])('%s in %s: %s', (real, of, inside) => {
    expect(isInside(real, of)).toBe(inside);
  });
});

test.each([
  ['EIO', true],
  ['EMFILE', true],
  ['ENFILE', true],
  ['ENOMEM', true],
  ['ENOENT', false],
  ['EACCES', false],
])('%s passes by itself: %s', (code, passes) => {
  expect(isPassing(Object.assign(new Error('failed'), { code }))).toBe(passes);
});
