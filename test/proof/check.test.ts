// Checks as real processes: whatever one does, it ends, nothing of it is left, and what it said is known.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CheckScene, eventually, isRunning, makeCheckScene } from './checks.ts';

let scene: CheckScene;

beforeEach(async () => {
  scene = await makeCheckScene({
    CLAUDE_CODE_SESSION_ID: 's',
    CLAUDE_CODE_MESSAGING_SOCKET: '/socket',
    CLAUDE_CODE_MESSAGING_TOKEN: 'secret',
    CLAUDECODE: '1',
    CODEX_THREAD_ID: 't',
    GEMINI_CLI: '1',
    HOLDFAST_DISABLE: '1',
    HOLDFAST_EXTRA_CA_CERTS: '/certificates',
    MINE: 'kept',
  });
});

afterEach(() => scene.end());

describe('a check', () => {
  it('passes with 0 and fails with anything else, and its output is kept in order', async () => {
    const passed = await scene.check({ run: 'echo one; echo two >&2; echo three' });
    expect(passed).toMatchObject({ end: 'passed', code: 0, flaky: false, tail: 'one\ntwo\nthree' });
    expect(passed.log).toBe('one\ntwo\nthree\n');
    expect(await scene.check({ run: 'echo no; exit 3' })).toMatchObject({
      end: 'failed',
      code: 3,
      tail: 'no',
    });
    expect(await scene.check({ run: ['sh', '-c', 'exit 4'] })).toMatchObject({ end: 'failed', code: 4 });
    expect(fs.statSync(path.join(scene.root, '.holdfast/checks/test.log')).mode & 0o777).toBe(0o600);
  });

  it('is a list of words that no shell reads', async () => {
    const { tail } = await scene.check({ run: ['printf', '%s|', '$HOME', 'a b', ';', '*'] });
    expect(tail).toBe('$HOME|a b|;|*|');
  });

  it('has the user’s environment, without the client’s and ours, and no input', async () => {
    const { log } = await scene.check({ run: 'cat; env' });
    const names = log.split('\n').map((line) => line.split('=')[0] ?? '');
    expect(names.filter((name) => /^(CLAUDE|CODEX|GEMINI|HOLDFAST)/.test(name))).toEqual([
      'HOLDFAST_ATTEMPT',
    ]);
    expect(log).toContain('MINE=kept\n');
    expect(log).toContain('CI=1\n');
    expect(log).toContain('NODE_EXTRA_CA_CERTS=/certificates\n');
    const own = await makeCheckScene({ CI: 'mine' });
    try {
      expect((await own.check({ run: 'echo "$CI"' })).tail).toBe('mine');
    } finally {
      own.end();
    }
  });

  it('runs in its folder, which must be inside the project', async () => {
    scene.write('sub/here', '');
    expect((await scene.check({ run: 'pwd', cwd: 'sub' })).tail).toBe(path.join(scene.root, 'sub'));
    fs.symlinkSync('/', path.join(scene.root, 'out'));
    for (const cwd of ['nowhere', '..', 'out/usr', 'sub/here'])
      expect(await scene.check({ run: 'pwd', cwd }), cwd).toMatchObject({
        end: 'cannot-run',
        why: 'no-folder',
      });
  });

  it('may take its own folder away, and even ours: what it said is known all the same', async () => {
    scene.write('sub/here', '');
    const cwd = await scene.check({ run: 'rm -r "$PWD"; exit 1', cwd: 'sub' });
    expect(cwd).toMatchObject({ end: 'failed', code: 1 });
    const all = await scene.check({ run: 'echo hello; rm -r .holdfast; exit 1' });
    expect(all).toMatchObject({ end: 'failed', code: 1, tail: 'hello' });
  });

  it('is run again as often as the user says; a pass is called flaky then', async () => {
    const third = 'echo x >> count; test "$(wc -l < count)" -ge 3';
    expect(await scene.check({ run: third, retries: 2 })).toMatchObject({ end: 'passed', flaky: true });
    scene.remove('count');
    expect(await scene.check({ run: third, retries: 1 })).toMatchObject({ end: 'failed', flaky: false });
    expect(fs.readFileSync(path.join(scene.root, 'count'), 'utf8')).toBe('x\nx\n');
  });

  it('is ended at its time limit, with all that it started', async () => {
    const began = Date.now();
    const run = 'sleep 50 & echo $! >> pids; nohup sleep 50 >/dev/null 2>&1 & echo $! >> pids; wait';
    expect(await scene.check({ run, timeout: 1 })).toMatchObject({ end: 'timed-out', code: null });
    expect(Date.now() - began).toBeLessThan(10_000);
    expect((await scene.noted(2)).filter(isRunning)).toEqual([]);
  });

  it('that is cut off by the stop’s own deadline said nothing', async () => {
    const soon = { deadline: Date.now() + 1000 };
    expect(await scene.check({ run: 'sleep 50' }, soon)).toMatchObject({ end: 'cannot-run', why: 'no-time' });
    const past = { deadline: Date.now() - 1 };
    const late = await scene.check({ run: 'echo x > ran' }, past);
    expect(late).toMatchObject({ end: 'cannot-run', why: 'no-time' });
    expect(fs.existsSync(path.join(scene.root, 'ran'))).toBe(false);
  });

  it('leaves nothing running when it ends by itself', async () => {
    const { end } = await scene.check({
      run: '(sleep 50 & echo $! >> pids); sleep 50 & echo $! >> pids; true',
    });
    expect(end).toBe('passed');
    expect((await scene.noted(2)).filter(isRunning)).toEqual([]);
  });

  it('that kills itself, its group or ignores every signal has failed, by the number of the signal', async () => {
    expect(await scene.check({ run: 'kill -9 $$' })).toMatchObject({ end: 'failed', code: 137 });
    expect(await scene.check({ run: 'kill -TERM 0; sleep 5' })).toMatchObject({ end: 'failed', code: 143 });
    const deaf = "trap '' INT TERM HUP; echo $$ >> pids; while :; do sleep 1; done";
    expect(await scene.check({ run: deaf, timeout: 1 })).toMatchObject({ end: 'timed-out' });
    expect((await scene.noted(1)).filter(isRunning)).toEqual([]);
  });

  it('that prints without end is ended', async () => {
    const flood = await scene.check({ run: 'echo $$ >> pids; yes 0123456789012345678901234567890123456789' });
    expect(flood).toMatchObject({ end: 'cannot-run', why: 'too-much-output' });
    expect(flood.tail.length).toBeGreaterThan(100);
    expect((await scene.noted(1)).filter(isRunning)).toEqual([]);
  });

  it('that may not be run again is not: one without a sandbox, one that is not there', async () => {
    const unknown = { kind: 'unknown', why: 'x' } as const;
    const none = await scene.check({ run: 'echo x > ran', retries: 3 }, { sandbox: unknown });
    expect(none).toMatchObject({ end: 'cannot-run', why: 'no-sandbox' });
    expect(fs.existsSync(path.join(scene.root, 'ran'))).toBe(false);
  });

  it('is ended, and known as interrupted, when the hook is asked to end', async () => {
    let end = (): void => {};
    let noted = 0;
    const running = scene.check(
      { run: 'sleep 50 & echo $! >> pids; wait' },
      { whenAskedToEnd: (listener) => (end = listener), interrupted: async () => void noted++ },
    );
    const [pid = 0] = await scene.noted(1);
    end();
    await expect(running).rejects.toThrow('the next stop takes it up again');
    expect(noted).toBe(1);
    await eventually(() => !isRunning(pid));
  });
});

describe('a program that is not there', () => {
  it('is told from one that failed', async () => {
    scene.write('plain.sh', '#!/bin/sh\n');
    const missing = { end: 'cannot-run', why: 'not-found', code: null };
    const plain = { end: 'cannot-run', why: 'not-executable', code: null };
    expect(await scene.check({ run: 'no-such-program --x' })).toMatchObject(missing);
    expect(await scene.check({ run: 'A=1 B=2 no-such-program' })).toMatchObject(missing);
    expect(await scene.check({ run: './no-such.sh && true' })).toMatchObject(missing);
    expect(await scene.check({ run: ['no-such-program'] })).toMatchObject(missing);
    expect(await scene.check({ run: ['./no-such.sh'] })).toMatchObject(missing);
    expect(await scene.check({ run: ['/'] })).toMatchObject(missing);
    expect(await scene.check({ run: './plain.sh' })).toMatchObject(plain);
    expect(await scene.check({ run: ['./plain.sh'] })).toMatchObject(plain);
    fs.chmodSync(path.join(scene.root, 'plain.sh'), 0o755);
    expect(await scene.check({ run: ['./plain.sh'] })).toMatchObject({ end: 'passed' });
    scene.write('sub/own.sh', '#!/bin/sh\nexit 5\n');
    fs.chmodSync(path.join(scene.root, 'sub/own.sh'), 0o755);
    expect(await scene.check({ run: ['./own.sh'], cwd: 'sub' })).toMatchObject({ end: 'failed', code: 5 });
  });

  it('is not blamed for what a check means by 127', async () => {
    const failed = (code: number) => ({ end: 'failed', code });
    expect(await scene.check({ run: 'exit 127' })).toMatchObject(failed(127));
    expect(await scene.check({ run: 'sh -c "no-such-program"' })).toMatchObject(failed(127));
    expect(await scene.check({ run: 'echo "sh: 1: sh: not found" >&2; exit 127' })).toMatchObject(
      failed(127),
    );
    expect(await scene.check({ run: 'true && no-such-program' })).toMatchObject(failed(127));
    expect(await scene.check({ run: 'exit 126' })).toMatchObject(failed(126));
  });
});

describe('the log', () => {
  it('of a name that is no file name lies in our folder all the same', async () => {
    const name = '../../out of "here"\n';
    await scene.check({ name, run: 'echo hello' });
    const [file = ''] = fs.readdirSync(path.join(scene.root, '.holdfast/checks'));
    expect(file).toMatch(/^x-[0-9a-f]+\.log$/);
    expect(fs.readdirSync(scene.folder).sort()).toEqual(['home', 'project']);
  });

  it('is not written through a link that leads out, and costs nothing', async () => {
    scene.write('.holdfast/.gitignore', '*\n');
    fs.symlinkSync(scene.home, path.join(scene.root, '.holdfast/checks'));
    expect(await scene.check({ run: 'echo hello' })).toMatchObject({ end: 'passed', tail: 'hello' });
    expect(fs.readdirSync(scene.home)).toEqual(['.local']);
  });
});
