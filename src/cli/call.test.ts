import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { emptyFolder } from '../../test/support/bare-project.ts';
import { startRun } from '../../test/support/cli-runs.ts';
import { cleanEnvironment } from '../../test/support/hook.ts';
import type { Project } from '../engine/project.ts';
import { cliCommand } from '../hook/runtime.ts';
import { printable } from '../text/printable.ts';
import { registry } from '../workflows/registry.ts';
import { makeCall } from './call.ts';

const { argv, env: environment } = process;
const { isTTY } = process.stdin;

let root: string;
let beside: string;
beforeEach(() => {
  root = emptyFolder();
  beside = path.dirname(root);
  vi.spyOn(process, 'cwd').mockReturnValue(root);
  // One of its own: what a client wrote down is read once for an environment.
  process.env = cleanEnvironment(root);
});
afterEach(() => {
  process.argv = argv;
  process.env = environment;
  process.stdin.isTTY = isTTY;
  vi.restoreAllMocks();
});

type Made = { warned: string[]; opened: Project[]; call: ReturnType<typeof makeCall> };

function made(isStart?: boolean, workflow: string | null = null): Made {
  const [warned, opened]: [string[], Project[]] = [[], []];
  const entry = registry.find(({ name }) => name === workflow) ?? null;
  const watched = {
    warn: (line: string) => void warned.push(line),
    opened: (project: Project) => void opened.push(project),
    ...(isStart === undefined ? {} : { isStart }),
  };
  return { warned, opened, call: makeCall({ flags: { json: true }, words: ['a'] }, watched, entry) };
}

const config = (text: string): void => fs.writeFileSync(path.join(root, 'holdfast.config.json'), text);

describe('a call', () => {
  it('has the words and flags, and where it is', () => {
    const before = Date.now();
    const { call } = made();
    expect(call).toMatchObject({ flags: { json: true }, words: ['a'], cwd: root });
    expect(call.env).toBe(process.env);
    expect(call.now).toBeGreaterThanOrEqual(before);
  });

  it('prints lines without what a terminal would obey', () => {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    made().call.print('a\u0007b');
    expect(write.mock.calls).toEqual([[`${printable('a\u0007b')}\n`]]);
    expect(printable('a\u0007b')).not.toContain('\u0007');
  });

  it('reads standard input, but not from a terminal', () => {
    const chunks = ['ab', 'c'];
    const read = vi
      .spyOn(fs, 'readSync')
      .mockImplementation(((_: number, buffer: Buffer) =>
        buffer.write(chunks.shift() ?? '')) as typeof fs.readSync);
    process.stdin.isTTY = true;
    expect(made().call.stdin()).toBe('');
    expect(read).not.toHaveBeenCalled();
    process.stdin.isTTY = false;
    expect(made().call.stdin()).toBe('abc');
  });

  it('finds the project where a run was, and makes one for a new run', async () => {
    const { call, opened } = made();
    expect(await call.existing()).toBeNull();
    expect(opened).toEqual([]);
    const project = await call.forNewRun();
    expect(project).toMatchObject({ root, home: path.join(root, '.holdfast'), cli: cliCommand() });
    await startRun(root, ['idle', 'loop', 'a task'], 's1');
    const existing = await call.existing();
    expect(existing).toEqual(project);
    expect(opened).toEqual([project, existing]);
  });

  it('of a workflow finds the folder with that workflow’s runs', async () => {
    fs.mkdirSync(path.join(root, '.taskie/plans'), { recursive: true });
    const inner = path.join(root, 'inner');
    fs.mkdirSync(path.join(inner, '.claude/claudex'), { recursive: true });
    vi.mocked(process.cwd).mockReturnValue(inner);
    expect((await made().call.existing())?.root).toBe(inner);
    expect((await made(false, 'taskie').call.existing())?.root).toBe(root);
  });
});

describe('what is wrong with the config', () => {
  it('is said once, however often the project is asked for', async () => {
    config('{"future":1,"later":2}');
    const { call, warned } = made();
    await call.forNewRun();
    expect(warned).toEqual([
      expect.stringContaining('there is no key "future"'),
      expect.stringContaining('there is no key "later"'),
    ]);
    await call.forNewRun();
    expect(warned).toHaveLength(2);
  });

  it('is left to the command where that refuses to start with such a budget', async () => {
    const folder = path.join(beside, 'home/.config/holdfast');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'holdfast.config.json'), '{"budget":{"tokens":"many"},"future":1}');
    const { call, warned } = made();
    const { config: read } = await call.forNewRun();
    expect(read.brokenBudget).not.toBeNull();
    expect(warned).toHaveLength(2);
    const starting = made(true);
    await starting.call.forNewRun();
    expect(starting.warned).toEqual([expect.stringContaining('there is no key "future"')]);
  });

  it('is said to a command that starts a run, too', async () => {
    config('{"future":1}');
    const { call, warned } = made(true);
    await call.forNewRun();
    expect(warned).toHaveLength(1);
  });

  it('needs nobody who wants the projects', async () => {
    const call = makeCall({ flags: {}, words: [] }, { warn: () => {} });
    expect((await call.forNewRun()).root).toBe(root);
  });
});

describe('a run that this session would never find', () => {
  let start: string;
  beforeEach(() => {
    start = path.join(beside, 'started here');
    fs.mkdirSync(path.join(start, '.git'), { recursive: true });
    const transcripts = path.join(beside, 'home/.claude/projects/p');
    fs.mkdirSync(transcripts, { recursive: true });
    fs.writeFileSync(path.join(transcripts, 's1.jsonl'), `${JSON.stringify({ cwd: start })}\n`);
    process.env.CLAUDE_CODE_SESSION_ID = 's1';
  });

  async function refusal(words: readonly string[]): Promise<string> {
    process.argv = ['node', 'holdfast', ...words];
    const error: unknown = await made()
      .call.forNewRun()
      .catch((reason: unknown) => reason);
    if (!(error instanceof Error)) throw new Error('it was not refused');
    expect(error.name).toBe('NotNow');
    const text = error.message;
    const [, command = ''] = /Start the run there: (.*) \(or start the client in /.exec(text) ?? [];
    return command;
  }
  const input = (isFile: boolean, file = '/tmp/a task'): void => {
    const { fstatSync } = fs;
    vi.spyOn(fs, 'fstatSync').mockImplementation(((descriptor: number, ...rest: []) =>
      descriptor === 0 ? { isFile: () => isFile } : fstatSync(descriptor, ...rest)) as typeof fs.fstatSync);
    vi.spyOn(fs, 'readlinkSync').mockImplementation(((link: string) => {
      if (link !== '/proc/self/fd/0') throw new Error(link);
      return file;
    }) as typeof fs.readlinkSync);
  };
  const there = (): string => `cd '${start}' && ${cliCommand()}`;

  it('is refused with the same command for the other folder; a long text is left out', async () => {
    input(false);
    expect(await refusal(['idle', 'loop', "it's", 'x'.repeat(80), 'x'.repeat(81)])).toBe(
      `${there()} idle loop 'it'\\''s' ${'x'.repeat(80)} …`,
    );
    expect(await refusal([])).toBe(there());
  });

  it('names the file that the text came from', async () => {
    input(true);
    expect(await refusal(['idle', 'loop'])).toBe(`${there()} idle loop < '/tmp/a task'`);
  });

  it('names none where nobody knows', async () => {
    input(true);
    vi.mocked(fs.readlinkSync).mockImplementation(() => {
      throw new Error('no /proc here');
    });
    expect(await refusal(['idle', 'loop'])).toBe(`${there()} idle loop`);
  });
});
