import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import { outputFolder } from '../../store/outputs.ts';
import type { Project } from '../project.ts';
import type { CannotRun, Check } from '../proof/types.ts';
import { makeAttemptFolders } from './attempt.ts';
import type { CheckRun, CheckWanted } from './check.ts';
import { Interrupted } from './interrupted.ts';
import { endProgram, run } from './run-check.ts';

const ATTEMPT = 'attempt-1';
const BEGUN = 1_000_000_000_000;
const HOUR = 3_600_000;

let project: Project;

/** A clock that stands still unless a test moves it: times are exact then. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: BEGUN });
  project = bareProject(BEGUN);
  makeAttemptFolders(project, ATTEMPT);
});
afterEach(() => void vi.useRealTimers());

const checkOf = (command: Check['run'], more: Partial<Check> = {}): Check => ({
  ...{ name: 'unit', run: command, timeout: 30, retries: 0, paths: null, cwd: null, from: 'user' },
  ...more,
});

function play(command: Check['run'], more: Partial<Check> = {}, over: Partial<CheckWanted> = {}) {
  return run(checkOf(command, more), {
    ...{ project, attempt: ATTEMPT, sandbox: { kind: 'none' }, deadline: BEGUN + HOUR },
    ...{ whenAskedToEnd: () => {}, interrupted: async () => {} },
    ...over,
  });
}

const passed = (tail = '', more: Partial<CheckRun> = {}): CheckRun => ({
  ...{ end: 'passed', code: 0, milliseconds: 0, flaky: false, tail },
  ...more,
});
const failed = (code: number, tail = ''): CheckRun => ({ ...passed(tail), end: 'failed', code });
const cannot = (why: CannotRun, tail: unknown = ''): CheckRun => ({
  ...passed(tail as string),
  ...{ end: 'cannot-run', code: null, why },
});

/** A sandbox that adds nothing, notes what it is given, and does something each time. */
function wrapping(each: (command: readonly string[], time: number) => readonly string[] | undefined) {
  const given: (readonly string[])[] = [];
  const argv = (command: readonly string[]): readonly string[] => {
    given.push(command);
    return each(command, given.length) ?? command;
  };
  return { given, sandbox: { kind: 'wrap', argv } as const };
}

const onward = (milliseconds: number): void => void vi.setSystemTime(Date.now() + milliseconds);
const log = (name = 'unit'): string => path.join(project.root, `.holdfast/checks/${name}.log`);
const stdout = (): string => `${outputFolder(project, ATTEMPT)}/stdout`;
/** In sh: how often it ran is the length of this file. */
const NOTE = 'printf x >>ran';
const ran = (): number => fs.statSync(path.join(project.root, 'ran')).size;

function program(file: string, script: string, mode = 0o755): string {
  const place = writeIn(project, file, script);
  fs.chmodSync(place, mode);
  return place;
}

describe('a check that runs', () => {
  it('passes with code 0, and its output is kept in its log as a terminal would have shown it', async () => {
    expect(await play('echo one; echo two >&2; echo three')).toEqual(passed('one\ntwo\nthree'));
    expect(fs.readFileSync(log(), 'utf8')).toBe('one\ntwo\nthree\n');
  });

  it('runs in the root or in its own folder, as the user and not as an agent', async () => {
    project = { ...project, env: { ...project.env, HOLDFAST_CLIENT: 'x', COLOUR: 'blue' } };
    fs.mkdirSync(path.join(project.root, 'sub'));
    const command = 'pwd; echo "$CI-$HOLDFAST_CLIENT-$COLOUR"';

    expect(await play(command)).toEqual(passed(`${project.root}\n1--blue`));
    expect(await play(command, { cwd: 'sub' })).toEqual(passed(`${project.root}/sub\n1--blue`));
  });

  it('fails with any other code', async () => {
    expect(await play('echo no; exit 1')).toEqual(failed(1, 'no'));
    expect(await play('exit 127')).toEqual(failed(127));
    expect(await play('kill -KILL $$')).toEqual(failed(137));
  });

  it('says the last 2,000 characters of a long output and keeps all of it', async () => {
    const long = writeIn(project, 'long', `${'x'.repeat(70_000)}é${'y'.repeat(999)}${'z'.repeat(1000)}`);

    expect(await play('cat long')).toEqual(passed(`é${'y'.repeat(999)}${'z'.repeat(1000)}`));
    expect(fs.readFileSync(log(), 'utf8')).toBe(fs.readFileSync(long, 'utf8'));
  });

  it('keeps the last four megabytes of a very long one, and says how much is left out', async () => {
    const most = 4 * 1024 * 1024;
    await play(`dd if=/dev/zero bs=1024 count=${most / 1024} 2>/dev/null | tr '\\0' x; printf end`);
    const kept = fs.readFileSync(log(), 'utf8');
    expect(kept.slice(0, 40)).toBe(`(3 bytes before this are left out)\n${'x'.repeat(5)}`);
    expect([kept.length, kept.slice(-3)]).toEqual([most + 35, 'end']);
  });

  it('says what it said although it took its output away, or put something else in its place', async () => {
    const gone = [
      `rm '${stdout()}'`,
      `rm '${stdout()}' && mkdir '${stdout()}'`,
      `ln -sf /etc/passwd '${stdout()}'`,
    ];
    for (const command of gone) {
      expect(await play(`echo said; ${command}`)).toEqual(passed('said'));
      expect(fs.readFileSync(log(), 'utf8')).toBe('said\n');
    }
  });

  it('says what it said although its log cannot be kept, and why that is so', async () => {
    fs.rmSync(path.dirname(log()), { recursive: true, force: true });
    fs.writeFileSync(path.dirname(log()), '');
    expect(await play('echo said')).toEqual(
      passed('said', { unkept: expect.stringContaining(path.dirname(log())) }),
    );
    fs.rmSync(path.dirname(log()));
    const outside = path.join(path.dirname(project.root), 'outside');
    writeIn({ ...project, root: outside }, 'unit.log', 'dear');
    fs.symlinkSync(outside, path.dirname(log()));
    expect(await play('echo said')).toEqual(
      passed('said', { unkept: expect.stringContaining('leads out of') }),
    );
    expect(fs.readFileSync(path.join(outside, 'unit.log'), 'utf8')).toBe('dear');
  });

  it('closes what it opened to read the output', async () => {
    const close = vi.spyOn(fs, 'closeSync');
    const open = vi.spyOn(fs, 'openSync');
    try {
      await play('echo said');
      const opened = open.mock.results.filter(({ type }) => type === 'return');
      expect(close.mock.calls).toHaveLength(opened.length);
    } finally {
      vi.restoreAllMocks();
    }
  });

  it('is too much when it prints more than 64 megabytes', async () => {
    const command = 'dd bs=1 count=1 seek=67108864 </dev/zero 2>/dev/null';
    expect(await play(command, { retries: 1 })).toEqual(cannot('too-much-output'));
  });
});

describe('a failure that is tried again', () => {
  it('is none when it passes at last, and the check is flaky', async () => {
    const command = `${NOTE}; [ "$(cat ran)" = xxx ]`;
    expect(await play(command, { retries: 2 })).toEqual(passed('', { flaky: true }));
    expect(ran()).toBe(3);
  });

  it('counts after as many tries as the user said', async () => {
    expect(await play(`${NOTE}; exit 3`, { retries: 0 })).toEqual(failed(3));
    expect(ran()).toBe(1);
    expect(await play(`${NOTE}; exit 3`, { retries: 2 })).toEqual(failed(3));
    expect(ran()).toBe(4);
  });

  it('is not flaky when the first try passes', async () => {
    expect(await play(NOTE, { retries: 2 })).toEqual(passed());
    expect(ran()).toBe(1);
  });

  it('is not tried again when it cannot run', async () => {
    expect(await play(`no-such-program; ${NOTE}; exit 127`, { retries: 2 })).toMatchObject(
      cannot('not-found', expect.any(String)),
    );
    expect(ran()).toBe(1);
  });

  it('takes the time of all tries', async () => {
    const { sandbox, given } = wrapping(() => void onward(700));
    const command = `${NOTE}; [ "$(cat ran)" = xx ]`;
    // The first try, whether it was the sandbox, and the second.
    expect(await play(command, { retries: 1 }, { sandbox })).toEqual(
      passed('', { flaky: true, milliseconds: 2100 }),
    );
    expect(given).toHaveLength(3);
  });

  it('takes the time of all tries when it fails, too', async () => {
    const { sandbox } = wrapping(() => void onward(700));
    expect(await play('exit 3', { retries: 1 }, { sandbox })).toEqual({ ...failed(3), milliseconds: 2800 });
  });

  it('counts when there is no time for another', async () => {
    const { sandbox, given } = wrapping((_, time) => void (time === 2 && onward(HOUR)));
    expect(await play('exit 3', { retries: 1 }, { sandbox })).toEqual({ ...failed(3), milliseconds: HOUR });
    expect(given).toHaveLength(2);
  });
});

describe('the time of a check', () => {
  it('is over at its own limit', async () => {
    expect(await play('exec sleep 60', { timeout: 0.15 })).toEqual({
      ...passed(),
      ...{ end: 'timed-out', code: null },
    });
  });

  it('is over at its own limit, also where the stop would have ended then', async () => {
    const over = { deadline: BEGUN + 100 };
    expect(await play('exec sleep 60', { timeout: 0.1 }, over)).toMatchObject({ end: 'timed-out' });
  });

  it('is over with that of the stop: then nobody knows what it would have said', async () => {
    const over = { deadline: BEGUN + 150 };
    expect(await play('exec sleep 60', {}, over)).toEqual(cannot('no-time'));
  });

  it('is not begun when the stop has none left', async () => {
    expect(await play(NOTE, {}, { deadline: BEGUN })).toEqual(cannot('no-time'));
    expect(fs.existsSync(path.join(project.root, 'ran'))).toBe(false);
    expect(fs.existsSync(log())).toBe(false);
  });
});

describe('a check that cannot run', () => {
  it('has no folder, or one that leads out of the project', async () => {
    fs.symlinkSync('/', path.join(project.root, 'out'));
    expect(await play(NOTE, { cwd: 'gone' })).toEqual(cannot('no-folder'));
    expect(await play(NOTE, { cwd: 'out' })).toEqual(cannot('no-folder'));
  });

  it('has a sandbox that nobody knows, whatever else is wrong with it', async () => {
    const over = { sandbox: { kind: 'unknown', why: 'a test' } } as const;
    expect(await play(NOTE, {}, over)).toEqual(cannot('no-sandbox'));
    expect(await play(NOTE, { cwd: 'gone' }, over)).toEqual(cannot('no-sandbox'));
    expect(fs.existsSync(path.join(project.root, 'ran'))).toBe(false);
  });

  it.each<[string, string[], CheckRun]>([
    ['on PATH', ['there', 'a', 'b  c'], passed('there:a:b  c')],
    ['on PATH where one before it may not be started', ['both', 'a', 'b'], passed('both:a:b')],
    ['in the folder it runs in', ['./inner', 'a', 'b'], passed('inner:a:b')],
    ['in another folder', ['../bin/there', 'a', 'b'], passed('there:a:b')],
    ['nowhere', ['nowhere'], cannot('not-found')],
    ['in a relative folder of PATH', ['hidden'], cannot('not-found')],
    ['not in the root, where it does not run', ['./bin/there'], cannot('not-found')],
    ['a folder', ['folder'], cannot('not-found')],
    ['a folder by its path', ['../bin/folder'], cannot('not-found')],
    ['not to be started', ['flat'], cannot('not-executable')],
    ['not to be started, by its path', ['../bin/flat'], cannot('not-executable')],
    ['for an interpreter that is gone', ['orphan'], cannot('not-found')],
    ['an empty word', [''], cannot('not-found')],
    ['no word at all', [], cannot('not-found')],
  ])('is a list whose program is %s, or runs when it is found', async (_, command, expected) => {
    const says = '#!/bin/sh\necho "$(basename "$0"):$1:$2"\n';
    program('bin/there', says);
    program('bin/both', says);
    program('early/both', says, 0o644);
    program('bin/flat', says, 0o644);
    program('bin/orphan', '#!/no/such/interpreter\n');
    program('sub/inner', says);
    program('sub/relative/hidden', says);
    fs.mkdirSync(path.join(project.root, 'bin/folder'));
    const PATH = `relative:${project.root}/early:${project.root}/bin:/usr/bin:/bin`;
    project = { ...project, env: { ...project.env, PATH } };

    expect(await play(command, { cwd: 'sub' })).toEqual(expected);
  });

  it('is a list whose program is nowhere where there is no PATH', async () => {
    project = { ...project, env: { ...project.env, PATH: undefined } };
    expect(await play(['true'])).toEqual(cannot('not-found'));
    expect(await play(['/bin/sh', '-c', 'echo "$0"', 'x'])).toEqual(passed('x'));
  });

  it.each([
    'no-such-program',
    '  no-such-program --all',
    'A=1 BC=two  no-such-program',
    'no-such-program;exit 127',
    'no-such-program; echo and more; exit 127',
    'echo=1 no-such-program|cat; exit 127',
    './no-such-program',
    'no-such-program; exit 126',
  ])('is a text whose first word the shell did not find: %s', async (command) => {
    expect(await play(command)).toEqual(cannot('not-found', expect.stringContaining('no-such-program')));
  });

  it('is a text whose first word may not be started', async () => {
    program('flat', '', 0o644);
    expect(await play('./flat')).toEqual(cannot('not-executable', expect.stringContaining('./flat')));
  });

  it.each<[string, string, number]>([
    ['what is missing is not the first word', 'true; no-such-program', 127],
    ['the first word is quoted', "'no-such-program'", 127],
    ['the first word is a variable', '$X no-such-program', 127],
    ['it says so and is there', 'echo "sh: 1: echo: not found"; exit 127', 127],
    ['the shell did not say so', 'no-such-program 2>/dev/null', 127],
    [
      'somebody else said so',
      'no-such-program 2>/dev/null || { echo see sh: no-such-program; exit 127; }',
      127,
    ],
    ['another shell said so', 'no-such-program 2>/dev/null || { echo zsh: no-such-program; exit 127; }', 127],
    ['it ended with another code', 'no-such-program; exit 3', 3],
  ])('runs and failed where %s', async (_, command, code) => {
    expect(await play(command)).toEqual(failed(code, expect.any(String) as unknown as string));
  });

  it.each(['sh: no-such-program: gone', '/usr/bin/sh: no-such-program: gone'])(
    'is told by the words of any shell: %s',
    async (line) => {
      const command = `no-such-program 2>/dev/null || { echo first; echo ${line}; exit 127; }`;
      expect(await play(command)).toEqual(cannot('not-found', `first\n${line}`));
    },
  );

  it('is never one that ran as a list, whatever its code and words are', async () => {
    const script = 'echo "sh: 1: no-such-program: not found"; exit 127';
    expect(await play(['/bin/sh', '-c', script])).toMatchObject({ end: 'failed', code: 127 });
  });
});

describe('a sandbox around it', () => {
  it('is given the command, and is not asked again when it passes', async () => {
    const { given, sandbox } = wrapping(() => ['/bin/sh', '-c', 'echo inside']);
    expect(await play('true && true', {}, { sandbox })).toEqual(passed('inside'));
    expect(await play(['/bin/echo', 'a b'], {}, { sandbox })).toEqual(passed('inside'));
    expect(given).toEqual([
      ['/bin/sh', '-c', 'true && true'],
      ['/bin/echo', 'a b'],
    ]);
  });

  it('is tried by itself when the check failed, and the failure counts when it works', async () => {
    const { given, sandbox } = wrapping(() => undefined);
    expect(await play('echo no; exit 5', {}, { sandbox })).toEqual(failed(5, 'no'));
    expect(given).toEqual([
      ['/bin/sh', '-c', 'echo no; exit 5'],
      ['/bin/sh', '-c', 'exit 42'],
    ]);
  });

  it.each<[string, readonly string[]]>([
    ['fails with another code', ['/bin/sh', '-c', 'exit 41']],
    ['passes what should fail', ['/bin/sh', '-c', 'exit 0']],
    ['is gone', ['/no/such/sandbox']],
  ])('is what failed where it %s', async (_, broken) => {
    const { sandbox } = wrapping((command, time) => {
      onward(10);
      return time === 2 ? broken : command;
    });
    const expected = { ...cannot('no-sandbox', 'no'), milliseconds: 20 };
    expect(await play('echo no; exit 5', {}, { sandbox })).toEqual(expected);
  });

  it('is missing when its program is', async () => {
    const { sandbox } = wrapping(() => ['no-such-sandbox']);
    expect(await play('true', {}, { sandbox })).toEqual(cannot('no-sandbox'));
    expect(await play('true', {}, { sandbox: { kind: 'wrap', argv: () => [] } })).toEqual(
      cannot('no-sandbox'),
    );
  });

  it('is not tried when it said itself, and alone, what it cannot do', async () => {
    const { given, sandbox } = wrapping(() => undefined);
    const alone = `echo "bwrap: Can't find source path"; exit 1`;
    expect(await play(alone, {}, { sandbox })).toEqual(cannot('no-sandbox', "bwrap: Can't find source path"));
    expect(given).toHaveLength(1);
  });

  it.each([
    `echo "bwrap: Can't find it"; echo more; exit 1`,
    `echo more; echo "bwrap: Can't find it"; exit 1`,
    `echo "see bwrap: Can't find it"; exit 1`,
    'echo "bwrap: No"; exit 1',
  ])('is tried when the check may have said it: %s', async (command) => {
    const { given, sandbox } = wrapping(() => undefined);
    expect(await play(command, {}, { sandbox })).toMatchObject({ end: 'failed', code: 1 });
    expect(given).toHaveLength(2);
  });

  it('is not tried where the shell in it did not find the program', async () => {
    const { given, sandbox } = wrapping(() => undefined);
    expect(await play('no-such-program', {}, { sandbox })).toMatchObject({ why: 'not-found' });
    expect(given).toHaveLength(1);
  });

  it('is not tried where there is none', async () => {
    expect(await play(`echo "bwrap: Can't find it"; exit 1`)).toMatchObject({ end: 'failed', code: 1 });
  });
});

describe('a hook that is asked to end', () => {
  it('notes it and interrupts the check', async () => {
    const interrupted = vi.fn(async () => {});
    const over = { whenAskedToEnd: (listener: () => void) => listener(), interrupted };
    await expect(play(NOTE, {}, over)).rejects.toBeInstanceOf(Interrupted);
    expect(interrupted).toHaveBeenCalledOnce();
    expect(fs.existsSync(path.join(project.root, 'ran'))).toBe(false);
  });

  it('interrupts the trial of the sandbox, too', async () => {
    const { given, sandbox } = wrapping(() => undefined);
    const whenAskedToEnd = (listener: () => void): void => void (given.length === 2 && listener());
    await expect(play('exit 5', {}, { sandbox, whenAskedToEnd })).rejects.toBeInstanceOf(Interrupted);
  });
});

it('has what the watcher ends a check with', () => {
  expect(endProgram).toBeInstanceOf(Function);
});
