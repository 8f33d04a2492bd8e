import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { emptyFolder } from '../../test/support/bare-project.ts';
import { cleanEnvironment } from '../../test/support/hook.ts';
import { type Call, type Command, NotNow, WrongUsage } from '../engine/workflow-cli.ts';
import { Refused } from '../store/files.ts';
import { LockBusy } from '../store/lock.ts';
import { commands } from './commands.ts';
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

const OVERVIEW = `Holdfast keeps a coding agent at its work until the work is really done, and lets go the moment it should.

  holdfast status     the runs of this project, where each stands and whose it is
  holdfast why        why the last stop was held or allowed, in plain words
  holdfast log        what happened to the runs, stop by stop
  holdfast findings   what reviewers found, and what became of it
  holdfast report     a run after the fact, to send around: Markdown, one HTML file, or JSON
  holdfast cancel     end a run; the agent is let go at its next stop
  holdfast adopt      make a run this session's, with a fresh count of holds
  holdfast resume     grant a run more than its budget; one that is paused goes on
  holdfast watch      the runs of this project, live in the terminal; --all: of all projects
  holdfast web        a page with all runs of all projects, live, for you alone
  holdfast run        drive a run with nobody there: start the client, keep it going, say how it ended
  holdfast check      run the project's checks now, as a claim to be done would
  holdfast trust      read the project's checks and allow Holdfast to run them
  holdfast ask        for agents: ask the user something; the run waits for the answer
  holdfast wait       for agents: wait for something in the background, at most 100 s a call
  holdfast notify     try whether you are called as your settings say
  holdfast export     send the journals of all projects to an OpenTelemetry collector
  holdfast doctor     check node, clients, hook, config and state; say how to fix what is wrong
  holdfast install    put Holdfast into Claude Code, Codex, Copilot CLI, Qwen Code, Droid, Gemini CLI and opencode, and check that it loaded
  holdfast uninstall  take Holdfast out of the clients again; your runs stay where they are
  holdfast replay     decide a recorded stop again and compare
  holdfast demo       watch the workflows at work with a scripted agent, in a temp folder

Workflows: claudex, taskie, flow, idle; \`holdfast <workflow> help\` lists theirs.

To stop it at once: \`holdfast cancel\` ends a run; HOLDFAST_DISABLE=1 silences the hook.`;

const FLOW = `  holdfast flow new     write a flow of the project's own
  holdfast flow list    the flows of this project, your own and the built-in ones
  holdfast flow check   prove that a flow ends, and show what it does
  holdfast flow start   hold the agent in a flow until it comes to an end
  holdfast flow status  the runs of this project, and where each stands
  holdfast flow cancel  end a run; the agent is let go at its next stop`;

const CANCEL = `end a run; the agent is let go at its next stop
Usage: holdfast flow cancel [run]

Without a name it ends the one live run of flow; with several it lists them.`;

const HOOK = `what the clients call; a stop is read from standard input, the answer goes to standard output
Usage: holdfast hook [stop|pre-compact|session-start|stop-failure] [--client NAME] [--limit N]

  --client NAME  who calls, where what it sends does not tell: claude-code, codex, copilot, qwen, droid, gemini, opencode, cursor, unknown, generic
  --limit N      the time limit that the client's hooks file gives this hook, as it stands there`;

describe('help', () => {
  it.each([[[]], [['help']], [['--help']], [['-h']]])('lists all commands: %j', async (args) => {
    expect(await typed(...args)).toEqual(said(OVERVIEW));
  });

  it.each([[['flow']], [['flow', 'help']], [['flow', '--help']], [['flow', '-h']], [['help', 'flow']]])(
    'lists the commands of a workflow: %j',
    async (args) => {
      expect(await typed(...args)).toEqual(said(FLOW));
    },
  );

  it('lists them for a command of a workflow that is not there', async () => {
    expect(await typed('help', 'flow', 'nothing')).toEqual(said(FLOW));
  });

  it.each([[['flow', 'cancel', '--help']], [['flow', 'cancel', '-h']], [['help', 'flow', 'cancel']]])(
    'is there for a command of a workflow: %j',
    async (args) => {
      expect(await typed(...args)).toEqual(said(CANCEL));
    },
  );

  it.each([[['hook', 'help']], [['hook', '--help']], [['hook', '-h']], [['help', 'hook']]])(
    'is there for the hook: %j',
    async (args) => {
      expect(await typed(...args)).toEqual(said(HOOK));
    },
  );

  it.each([[['own', '--help']], [['own', '-h']], [['help', 'own']]])(
    'is there for a command, with more about it or without: %j',
    async (args) => {
      const run = vi.fn();
      await withCommand({ run }, async () => {
        expect(await typed(...args)).toEqual(said('a command\nUsage: holdfast own [--flag]'));
      });
      await withCommand({ run, help: 'More.' }, async () => {
        expect(await typed(...args)).toEqual(said('a command\nUsage: holdfast own [--flag]\n\nMore.'));
      });
      expect(run).not.toHaveBeenCalled();
    },
  );
});

it.each(['--version', '-V'])('the version is said: %s', async (flag) => {
  expect(await typed(flag)).toEqual(said('1.2.3'));
});

it.each([
  [['stauts'], 'there is no command "stauts". `holdfast help` lists them.'],
  [['help', 'stauts'], 'there is no command "stauts". `holdfast help` lists them.'],
  [['flow', 'strat'], 'there is no command "flow strat". `holdfast flow help` lists them.'],

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
