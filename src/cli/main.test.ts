import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { emptyFolder } from '../../test/support/bare-project.ts';
import { cleanEnvironment } from '../../test/support/hook.ts';
import { type Call, type Command, NotNow, WrongUsage } from '../engine/workflow-cli.ts';
import { Refused } from '../store/files.ts';
import { LockBusy } from '../store/lock.ts';
import { registry } from '../workflows/registry.ts';
import { commands } from './commands.ts';
import { everyCommand } from './help.ts';
import { main } from './main.ts';

let root: string;
let own: NodeJS.ProcessEnv;
let listeners: ((...words: unknown[]) => void)[];

beforeEach(() => {
  root = emptyFolder();
  own = process.env;
  process.env = cleanEnvironment(root);
  vi.stubGlobal('HOLDFAST_VERSION', '1.2.3');
  vi.spyOn(process, 'cwd').mockReturnValue(root);
  listeners = process.stdout.listeners('error') as typeof listeners;
});
afterEach(() => {
  process.env = own;
  process.exitCode = undefined;
  process.stdout.removeAllListeners('error');
  for (const listener of listeners) process.stdout.on('error', listener);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

type Typed = { code: unknown; out: string; err: string };

async function typed(...args: string[]): Promise<Typed> {
  const said = { out: '', err: '' };
  const listen = (stream: NodeJS.WriteStream, name: keyof typeof said) =>
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      said[name] += text;
      return true;
    });
  process.stdout.removeAllListeners('error');
  const spies = [listen(process.stdout, 'out'), listen(process.stderr, 'err')];
  try {
    await main(args);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return { code: process.exitCode, ...said };
}

const said = (out: string): Typed => ({ code: 0, out: `${out}\n`, err: '' });
const refused = (code: number, err: string): Typed => ({ code, out: '', err: `holdfast: ${err}\n` });

/** A command of the test's own, beside ours until `work` is over. */
async function withCommand<T>(over: Partial<Command>, work: () => Promise<T>): Promise<T> {
  const command: Command = {
    ...{ name: 'own', summary: 'a command', usage: '[--flag]', options: { flag: { type: 'boolean' } } },
    ...{ writes: false, words: { least: 0, most: 2 }, run: () => 0 },
    ...over,
  };
  const all = commands as Command[];
  all.push(command);
  try {
    return await work();
  } finally {
    all.splice(all.indexOf(command), 1);
  }
}

const write = (file: string, text: string): void => {
  fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  fs.writeFileSync(path.join(root, file), text);
};

describe('help', () => {
  it.each([[['help']], [['--help']], [['-h']], [['help', '--all']], [['help', '-a']]])(
    'lists what can be typed: %j',
    async (args) => {
      const { code, out } = await typed(...args);
      expect(code).toBe(0);
      expect(out).toContain('\nStart\n  init ');
      expect(out.includes('\nFor agents and workflows\n')).toBe(args.length > 1);
    },
  );

  it.each([
    [['flow'], ['flow', 'help'], ['flow', '--help'], ['help', 'flow'], ['help', 'flow', 'nothing']],
    [
      ['flow', 'cancel', '--help'],
      ['flow', 'cancel', '-h'],
      ['help', 'flow', 'cancel'],
    ],
    [
      ['hook', 'help'],
      ['hook', '--help'],
      ['help', 'hook'],
    ],
    [
      ['web', '-h'],
      ['help', 'web'],
    ],
  ])('is the same however it is asked for: %j', async (...ways) => {
    const first = await typed(...(ways[0] ?? []));
    expect(first).toMatchObject({ code: 0, err: '' });
    for (const way of ways) expect(await typed(...way)).toEqual(first);
  });

  it('is this, for all of it', async () => {
    const pages = [await typed('help', '--all'), await typed('hook', 'help')];
    for (const { name } of registry) pages.push(await typed(name));
    for (const { name, command } of await everyCommand())
      if (command !== null) pages.push(await typed('help', ...name.split(' ')));
    await expect(pages.map(({ out }) => out).join(`\n${'─'.repeat(80)}\n`)).toMatchFileSnapshot(
      './golden/help.txt',
    );
  });
});

it('alone it says what runs here, and what one could do next', async () => {
  const { code, out } = await typed();
  expect(code).toBe(0);
  await expect(out).toMatchFileSnapshot('./golden/alone.txt');
});

it.each(['--version', '-v', '-V'])('the version is said: %s', async (flag) => {
  expect(await typed(flag)).toEqual(said('1.2.3'));
});

it.each([
  [['stauts'], 'there is no command "stauts" (did you mean "status"?). `holdfast help` lists them.'],
  [['help', 'ilde'], 'there is no command "ilde" (did you mean "idle"?). `holdfast help` lists them.'],
  [
    ['flow', 'strat'],
    'there is no command "flow strat" (did you mean "start"?). `holdfast flow help` lists them.',
  ],

  [['web', 'now'], 'web: "now" is one word too many. Usage: holdfast web [--port N] [--open] [--read-only]'],
])('wrong usage is told in a line: %j', async (args, line) => {
  expect(await typed(...args)).toEqual(refused(2, line));
});

it('a command gets its flags and words, as it arranges them', async () => {
  const got: unknown[] = [];
  const run = ({ flags, words, cwd }: Call): number => {
    got.push({ ...flags }, words, cwd);
    return 7;
  };
  await withCommand({ run }, async () => {
    expect(await typed('own', '--flag', 'a', 'b')).toEqual({ code: 7, out: '', err: '' });
  });
  expect(got.splice(0)).toEqual([{ flag: true }, ['a', 'b'], root]);
  await withCommand({ run, arrange: (args) => ['--flag', ...args] }, () => typed('own', 'a'));
  expect(got).toEqual([{ flag: true }, ['a'], root]);
});

describe('an error', () => {
  const system = Object.assign(new Error('ENOSPC: no space left'), { syscall: 'write' });
  it.each<[string, unknown, number, string]>([
    ['of usage', new WrongUsage('own: not so.'), 2, 'own: not so.'],
    ['that refuses', new NotNow('not now.'), 1, 'not now.'],
    ['of a file that is none of ours', new Refused('/x is a link'), 1, '/x is a link'],
    ['of the lock', new LockBusy('it is busy'), 1, 'it is busy'],
    ['of the system', system, 1, 'ENOSPC: no space left'],
    ['of our own', new TypeError('x is not\na thing'), 3, 'internal error, please report it: x is not'],
    ['that is none', 'text', 3, 'internal error, please report it: text'],
    ['with what steers a terminal', new NotNow('a\u001b[2Jb'), 1, 'a [2Jb'],
  ])('%s has its exit code and one line', async (_, error, code, line) => {
    const run = (): never => {
      throw error;
    };
    await withCommand({ run }, async () => {
      expect(await typed('own')).toEqual(refused(code, line));
    });
  });

  it('of what is in the way says how to fix it, from where the project begins', async () => {
    write('.taskie/plans', 'a file');
    const place = path.join(root, '.taskie/plans/p');
    const run = (): never => {
      fs.mkdirSync(place);
      throw new Error('it could be made');
    };
    await withCommand({ run }, async () => {
      expect(await typed('own')).toEqual(
        refused(
          1,
          `${root}/.taskie/plans is a file where a folder belongs: run \`mv ${root}/.taskie/plans ${root}/.taskie/plans.aside\``,
        ),
      );
    });
  });
});

it('a reader that leaves early ends it with 0', async () => {
  await typed('--version');
  const exit = vi.spyOn(process, 'exit').mockImplementation((() => {}) as never);
  const added = process.stdout.listeners('error').filter((each) => !listeners.includes(each as never));
  expect(added).toHaveLength(1);
  added[0]?.(new Error('EPIPE'));
  expect(exit.mock.calls).toEqual([[0]]);
});

describe('HOLDFAST_DISABLE=1', () => {
  it('is for commands that write', async () => {
    process.env.HOLDFAST_DISABLE = '1';
    const run = vi.fn(() => 0);
    await withCommand({ run, writes: true }, async () => {
      expect(await typed('own')).toEqual(
        refused(1, 'own writes, and HOLDFAST_DISABLE=1 is set here: nothing was done.'),
      );
    });
    expect(run).not.toHaveBeenCalled();
    await withCommand({ run }, async () => {
      expect(await typed('own')).toEqual({ code: 0, out: '', err: '' });
    });
    expect(await typed('flow', 'cancel')).toEqual(
      refused(1, 'flow cancel writes, and HOLDFAST_DISABLE=1 is set here: nothing was done.'),
    );
    process.env.HOLDFAST_DISABLE = '0';
    await withCommand({ run, writes: true }, async () => {
      expect(await typed('own')).toEqual({ code: 0, out: '', err: '' });
    });
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('silences the hook', async () => {
    process.env.HOLDFAST_DISABLE = '1';
    expect(await typed('hook', 'stop')).toEqual({ code: 0, out: '', err: '' });
  });
});

describe('the temp files of processes that were killed', () => {
  const LEFT = '.holdfast/.a.json.123.abc.tmp';
  const old = new Date(Date.now() - 2 * 3600 * 1000);
  const opening = async (call: Call): Promise<number> => {
    await call.forNewRun();
    return 0;
  };
  beforeEach(() => {
    write(LEFT, '');
    fs.utimesSync(path.join(root, LEFT), old, old);
  });

  it('are removed by a command that writes, also where it fails', async () => {
    await withCommand({ run: opening }, () => typed('own'));
    expect(fs.existsSync(path.join(root, LEFT))).toBe(true);
    await withCommand({ run: () => 0, writes: true }, () => typed('own'));
    expect(fs.existsSync(path.join(root, LEFT))).toBe(true);
    const run = async (call: Call): Promise<never> => {
      await call.forNewRun();
      throw new NotNow('no.');
    };
    await withCommand({ run, writes: true }, async () => {
      expect(await typed('own')).toEqual(refused(1, 'no.'));
    });
    expect(fs.existsSync(path.join(root, LEFT))).toBe(false);
  });

  it('never make a command fail', async () => {
    const run = async (call: Call): Promise<number> => {
      const project = await call.forNewRun();
      Object.defineProperty(project, 'env', {
        get: () => {
          throw new Error('out of order');
        },
      });
      return 0;
    };
    await withCommand({ run, writes: true }, async () => {
      expect(await typed('own')).toEqual({ code: 0, out: '', err: '' });
    });
  });
});

describe('a config that is wrong', () => {
  const userConfig = (text: string): string => {
    const file = path.join(path.dirname(root), 'home/.config/holdfast/holdfast.config.json');
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    return file;
  };
  const run = async (call: Call): Promise<number> => {
    await call.forNewRun();
    await call.forNewRun();
    return 0;
  };

  it('is named once, without what steers a terminal', async () => {
    write('holdfast.config.json', '{"a\\u001b[2Jb":1}');
    await withCommand({ run }, async () => {
      const { code, out, err } = await typed('own');
      expect({ code, out }).toEqual({ code: 0, out: '' });
      expect(err.split('\n')).toHaveLength(2);
      expect(err.startsWith(`holdfast: ${root}/holdfast.config.json: there is no key "a [2Jb"`)).toBe(true);
    });
  });

  it('is doctor’s to list, and not named beside', async () => {
    write('holdfast.config.json', '{"nothing":1}');
    const { out, err } = await typed('doctor');
    expect(err).toBe('');
    expect(out).toContain('there is no key "nothing"');
  });

  it('with a budget that cannot be read is named by what starts no run, and refused by what does', async () => {
    const file = userConfig('{"budget":{"tokens":"many"}}');
    const named = `holdfast: ${file}: budget.tokens: `;
    await withCommand({ run }, async () => {
      const { code, err } = await typed('own');
      expect(code).toBe(0);
      expect(err.startsWith(named)).toBe(true);
    });
    await withCommand({ run, starts: true }, async () => {
      expect(await typed('own')).toEqual({ code: 0, out: '', err: '' });
    });
    const begun = await typed('run', 'idle', 'loop', 'x');
    expect(begun.code).toBe(1);
    expect(begun.err).toMatch(
      /^holdfast: nothing is started before your budget can be read; put this right: [^\n]+\n$/,
    );
    const continued = await typed('run', '--continue');
    expect(continued.code).toBe(1);
    expect(continued.err.startsWith(named)).toBe(true);
    expect(continued.err).toContain('\nholdfast: no run goes on here, so there is nothing to continue.');
  });
});

describe('a workflow’s command', () => {
  const hidden = (name: string): string =>
    `${root}/${name} is a link to nowhere; to fix it, run \`rm ${root}/${name}\``;

  it('says what hides its runs, and nothing of what hides those of others', async () => {
    fs.symlinkSync('/nowhere', path.join(root, '.jwz'));
    expect(await typed('taskie', 'status')).toEqual(
      refused(1, 'there is no .taskie/plans here or above. Begin with /taskie:new-plan.'),
    );
    expect(await typed('idle', 'cancel')).toEqual(refused(1, hidden('.jwz')));
    fs.symlinkSync('/nowhere', path.join(root, '.taskie'));
    expect(await typed('taskie', 'status')).toEqual(refused(1, hidden('.taskie')));
  });

  it('finds the project that has runs of its own', async () => {
    write('.taskie/plans/p/plan.md', '# Plan\n');
    expect(await typed('taskie', 'cancel', 'x')).toEqual(
      refused(1, 'there is no run "x" in this project. `holdfast status --all` lists them.'),
    );
  });
});
