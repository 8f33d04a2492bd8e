import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import { outputFolder } from '../../store/outputs.ts';
import type { Project } from '../project.ts';
import type { CannotRun, Check } from '../proof/types.ts';
import { makeAttemptFolders } from './attempt.ts';
import { type CheckRun, type CheckWanted, logOf } from './check.ts';
import { Interrupted } from './interrupted.ts';
import { run } from './run-check.ts';

const BEGUN = 1_000_000_000_000;
const HOUR = 3_600_000;
/** In sh: how often it ran is the length of this file. */
const NOTE = 'printf x >>ran';

let project: Project;
/** A clock that stands still unless a test moves it: times are exact then. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: BEGUN });
  project = bareProject(BEGUN);
  makeAttemptFolders(project, 'attempt-1');
});
afterEach(() => void vi.useRealTimers());

const play = (command: Check['run'], more: Partial<Check> = {}, over: Partial<CheckWanted> = {}) =>
  run(
    {
      ...{ name: 'unit', run: command, timeout: 30, retries: 0, paths: null, cwd: null, from: 'user' },
      ...more,
    },
    {
      ...{ project, attempt: 'attempt-1', sandbox: { kind: 'none' }, deadline: BEGUN + HOUR },
      ...{ whenAskedToEnd: () => {}, interrupted: async () => {}, ...over },
    },
  );
const passed = (tail = '', more: Partial<CheckRun> = {}): CheckRun => ({
  ...{ end: 'passed', code: 0, milliseconds: 0, flaky: false, tail },
  ...more,
});
const failed = (code: number, tail: unknown = '') => ({ ...passed(), tail, end: 'failed', code });
const cannot = (why: CannotRun, tail: unknown = '') => ({
  ...passed(),
  tail,
  end: 'cannot-run',
  code: null,
  why,
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
const log = (): string => path.join(project.root, '.holdfast/checks/unit.log');
const ran = (): number => {
  const file = path.join(project.root, 'ran');
  return fs.existsSync(file) ? fs.statSync(file).size : 0;
};

it.each([
  ...['test', 'T', '0', 'a.b_c-D', 'x', 'xx-a', `a${'b'.repeat(100)}`].map((name) => [name, name]),
  ...['', '.', '..', '-a', '_a', '../a', 'a b', 'a:b', 'é', 'a\n', 'x-a', `a${'b'.repeat(101)}`].map(
    (name) => [...[name, `x-${fingerprint(JSON.stringify(name))}`]],
  ),
])('the log of a check %j leads nowhere else', (name, file) => {
  expect(logOf(name ?? '')).toBe(`.holdfast/checks/${file}.log`);
});

describe('a check that runs', () => {
  it('passes with code 0 and fails with any other; its log is what a terminal would have shown', async () => {
    expect(await play('echo one; echo two >&2; echo three')).toEqual(passed('one\ntwo\nthree'));
    expect(fs.readFileSync(log(), 'utf8')).toBe('one\ntwo\nthree\n');
    expect(await play('echo no; exit 1')).toEqual(failed(1, 'no'));
    expect(await play('kill -KILL $$')).toEqual(failed(137));
  });

  it('runs in the root or in its own folder, as the user and not as an agent', async () => {
    project = { ...project, env: { ...project.env, HOLDFAST_CLIENT: 'x', COLOUR: 'blue' } };
    fs.mkdirSync(path.join(project.root, 'sub'));
    const command = 'pwd; echo "$CI-$HOLDFAST_CLIENT-$COLOUR"';
    expect((await play(command)).tail).toBe(`${project.root}\n1--blue`);
    expect((await play(command, { cwd: 'sub' })).tail).toBe(`${project.root}/sub\n1--blue`);
  });

  it('keeps the last four megabytes of its output, and says how much is left out', async () => {
    const most = 4 * 1024 * 1024;
    await play(`dd if=/dev/zero bs=1024 count=${most / 1024} 2>/dev/null | tr '\\0' x; printf end`);
    const kept = fs.readFileSync(log(), 'utf8');
    expect(kept.slice(0, 36)).toBe('(3 bytes before this are left out)\nx');
    expect([kept.length, kept.slice(-4)]).toEqual([most + 35, 'xend']);
  });

  it.each([
    ['and ends', 'yes | head -c 100000000', 'y'],
    ['and goes on', 'yes', 'y'],
  ])(
    'is ended when it prints more than 64 megabytes %s, and no more than that is written',
    async (_, command, line) => {
      const ended = await play(`echo said >/dev/stderr; ${command}`);
      expect(ended).toEqual(cannot('too-much-output', expect.stringMatching(`(${line}\n)+${line}`)));
      expect(fs.statSync(`${outputFolder(project, 'attempt-1')}/stdout`).size).toBe(64 * 1024 * 1024);
      expect(fs.statSync(log()).size).toBeLessThan(4 * 1024 * 1024 + 100);
    },
  );

  it('keeps what it says although something that it leaves running has its output open', async () => {
    expect(await play('echo said; setsid env -i sleep 30 & echo more')).toEqual(passed('said\nmore'));
  });

  it('says what it said although it took its output away, and where no log can be kept, why', async () => {
    const stdout = `${outputFolder(project, 'attempt-1')}/stdout`;
    for (const command of [`rm '${stdout}' && mkdir '${stdout}'`, `ln -sf /etc/passwd '${stdout}'`])
      expect(await play(`echo said; ${command}`)).toEqual(passed('said'));
    fs.rmSync(path.dirname(log()), { recursive: true });
    const outside = path.join(path.dirname(project.root), 'outside');
    writeIn({ ...project, root: outside }, 'unit.log', 'dear');
    fs.symlinkSync(outside, path.dirname(log()));
    const unkept = expect.stringContaining('leads out of');
    expect(await play('echo said')).toEqual(passed('said', { unkept }));
    expect(fs.readFileSync(path.join(outside, 'unit.log'), 'utf8')).toBe('dear');
  });

  it('has no log written through a link to what it could not write itself', async () => {
    writeIn(project, '.claude/settings.local.json', 'dear');
    const plant =
      'mkdir -p .holdfast/checks; ln -s ../../.claude/settings.local.json .holdfast/checks/unit.log';
    const unkept = expect.stringContaining('is a link and is not written through');
    expect(await play(`${plant}; echo said`)).toEqual(passed('said', { unkept }));
    expect(fs.readFileSync(path.join(project.root, '.claude/settings.local.json'), 'utf8')).toBe('dear');
  });

  it.each<[string, number, number, object]>([
    [`${NOTE}; [ "$(cat ran)" = xxx ]`, 2, 3, passed('', { flaky: true })],
    [`${NOTE}; exit 3`, 2, 3, failed(3)],
    [`${NOTE}; exit 3`, 0, 1, failed(3)],
    [NOTE, 2, 1, passed()],
    [`no-such-program; ${NOTE}; exit 127`, 2, 1, cannot('not-found', expect.any(String))],
  ])('is tried again after a failure: %s, %i times', async (command, retries, times, end) => {
    expect(await play(command, { retries })).toEqual(end);
    expect(ran()).toBe(times);
  });

  it('takes the time of all tries, and is not tried again without any', async () => {
    const timed = (each: (time: number) => number) => wrapping((_, time) => void onward(each(time)));
    const { sandbox, given } = timed(() => 700);
    // Each try, and whether it was the sandbox.
    expect(await play('exit 3', { retries: 1 }, { sandbox })).toEqual({ ...failed(3), milliseconds: 2800 });
    expect(given).toHaveLength(4);
    const late = timed((time) => (time === 2 ? HOUR : 0));
    vi.setSystemTime(BEGUN);
    await play('exit 3', { retries: 1 }, { sandbox: late.sandbox });
    expect(late.given).toHaveLength(2);
  });

  it.each<[string, number, number, object]>([
    ['its own limit', 0.15, HOUR, { end: 'timed-out', code: null }],
    ['its own limit, with which the stop would end', 0.1, 100, { end: 'timed-out' }],
    ['the stop’s: nobody knows what it would have said', 30, 150, cannot('no-time')],
    ['the stop’s, which was over before', 30, 0, cannot('no-time')],
  ])('is ended by %s', async (_, timeout, left, end) => {
    const ended = await play(`${NOTE}; exec sleep 60`, { timeout }, { deadline: BEGUN + left });
    expect([ended, ran()]).toMatchObject([end, left === 0 ? 0 : 1]);
  });

  it('is interrupted by the end of the hook, which is noted, and so is the trial of its sandbox', async () => {
    const interrupted = vi.fn(async () => {});
    const over = { whenAskedToEnd: (listener: () => void) => listener(), interrupted };
    await expect(play(NOTE, {}, over)).rejects.toBeInstanceOf(Interrupted);
    expect([interrupted.mock.calls.length, ran()]).toEqual([1, 0]);
    const { given, sandbox } = wrapping(() => undefined);
    const whenAskedToEnd = (listener: () => void): void => void (given.length === 2 && listener());
    await expect(play('exit 5', {}, { sandbox, whenAskedToEnd })).rejects.toBeInstanceOf(Interrupted);
  });
});

describe('a check that cannot run', () => {
  it('has no folder, one that leads out of the project, or a sandbox that nobody knows', async () => {
    fs.symlinkSync('/', path.join(project.root, 'out'));
    for (const cwd of ['gone', 'out']) expect(await play(NOTE, { cwd })).toEqual(cannot('no-folder'));
    const over = { sandbox: { kind: 'unknown', why: 'a test' } } as const;
    for (const cwd of [null, 'gone']) expect(await play(NOTE, { cwd }, over)).toEqual(cannot('no-sandbox'));
    expect(ran()).toBe(0);
  });

  it.each<[string, string[], object]>([
    ['on PATH', ['there', 'a', 'b  c'], passed('there:a:b  c')],
    ['on PATH where one before it may not be started', ['both', 'a', 'b'], passed('both:a:b')],
    ['in the folder it runs in', ['./inner', 'a', 'b'], passed('inner:a:b')],
    ['in another folder', ['../bin/there', 'a', 'b'], passed('there:a:b')],
    ['nowhere', ['nowhere'], cannot('not-found')],
    ['in a relative folder of PATH', ['hidden'], cannot('not-found')],
    ['not in the root, where it does not run', ['./bin/there'], cannot('not-found')],
    ['a folder', ['../bin/folder'], cannot('not-found')],
    ['not to be started', ['flat'], cannot('not-executable')],
    ['for an interpreter that is gone', ['orphan'], cannot('not-found')],
    ['an empty word', [''], cannot('not-found')],
    ['no word at all', [], cannot('not-found')],
    ['a shell that says so itself', ['/bin/sh', '-c', 'echo "sh: 1: x: not found"; exit 127'], { code: 127 }],
  ])('is a list whose program is %s, or runs when it is found', async (_, command, expected) => {
    const says = '#!/bin/sh\necho "$(basename "$0"):$1:$2"\n';
    for (const [file, mode, script] of [
      ...([
        ['bin/there', 0o755],
        ['bin/both', 0o755],
        ['early/both', 0o644],
        ['bin/flat', 0o644],
      ] as const),
      ...([
        ['sub/inner', 0o755],
        ['sub/relative/hidden', 0o755],
      ] as const),
      ['bin/orphan', 0o755, '#!/no/such/interpreter\n'] as const,
    ])
      fs.chmodSync(writeIn(project, file, script ?? says), mode);
    fs.mkdirSync(path.join(project.root, 'bin/folder'));
    const PATH = `relative:${project.root}/early:${project.root}/bin:/usr/bin:/bin`;
    project = { ...project, env: { ...project.env, PATH } };
    expect(await play(command, { cwd: 'sub' })).toMatchObject(expected);
  });

  it.each<[string, CannotRun | number]>([
    ['no-such-program', 'not-found'],
    ['  no-such-program --all', 'not-found'],
    ['A=1 BC=two  no-such-program', 'not-found'],
    ['no-such-program;exit 127', 'not-found'],
    ['echo=1 no-such-program|cat; exit 127', 'not-found'],
    ['./no-such-program', 'not-found'],
    ['no-such-program; exit 126', 'not-found'],
    ['./flat', 'not-executable'],
    [
      'no-such-program 2>/dev/null || { echo first; echo /usr/bin/sh: no-such-program: gone; exit 127; }',
      'not-found',
    ],
    // Whatever else means 127.
    ['true; no-such-program', 127],
    ["'no-such-program'", 127],
    ['$X no-such-program', 127],
    ['echo "sh: 1: echo: not found"; exit 127', 127],
    ['no-such-program 2>/dev/null', 127],
    ['no-such-program 2>/dev/null || { echo see sh: no-such-program; exit 127; }', 127],
    ['no-such-program 2>/dev/null || { echo zsh: no-such-program; exit 127; }', 127],
    ['no-such-program; exit 3', 3],
  ])('is a text whose first word the shell did not find, and no other: %s', async (command, end) => {
    writeIn(project, 'flat', '');
    const said = expect.any(String);
    expect(await play(command)).toEqual(typeof end === 'number' ? failed(end, said) : cannot(end, said));
  });
});

describe('a sandbox around a check', () => {
  it('is given the command, and is tried by itself where the check failed', async () => {
    const { given, sandbox } = wrapping(() => undefined);
    expect(await play('true && true', {}, { sandbox })).toEqual(passed());
    expect(await play(['/bin/echo', 'a b'], {}, { sandbox })).toEqual(passed('a b'));
    expect(await play('echo no; exit 5', {}, { sandbox })).toEqual(failed(5, 'no'));
    const sh = (script: string) => ['/bin/sh', '-c', script];
    expect(given).toEqual([sh('true && true'), ['/bin/echo', 'a b'], sh('echo no; exit 5'), sh('exit 42')]);
  });

  it.each<[string, readonly string[]]>([
    ['fails with another code', ['/bin/sh', '-c', 'exit 41']],
    ['passes what should fail', ['/bin/sh', '-c', 'exit 0']],
    ['is gone', ['/no/such/sandbox']],
  ])('is what failed where it %s', async (_, broken) => {
    const { sandbox } = wrapping((command, time) => (time === 2 ? broken : command));
    expect(await play('echo no; exit 5', {}, { sandbox })).toEqual(cannot('no-sandbox', 'no'));
    const all = wrapping(() => broken.slice(0, 1).filter((word) => word.includes('such')));
    expect(await play('true', {}, { sandbox: all.sandbox })).toEqual(cannot('no-sandbox'));
  });

  it.each<[string, object, number]>([
    [`echo "bwrap: Can't find it"; exit 1`, { why: 'no-sandbox' }, 1],
    [`echo "bwrap: Can't find it"; echo more; exit 1`, { code: 1 }, 2],
    [`echo more; echo "bwrap: Can't find it"; exit 1`, { code: 1 }, 2],
    [`echo "see bwrap: Can't find it"; exit 1`, { code: 1 }, 2],
    ['no-such-program', { why: 'not-found' }, 1],
  ])('is not tried where it said itself, and alone, what it cannot do: %s', async (command, end, times) => {
    const { given, sandbox } = wrapping(() => undefined);
    expect(await play(command, {}, { sandbox })).toMatchObject(end);
    expect(given).toHaveLength(times);
  });
});
