// A check in the sandbox that bubblewrap makes: no more than the project can be written, and nothing else is reached.

import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bubblewrap } from '../../src/clients/bubblewrap.ts';
import type { SessionSandbox } from '../../src/clients/sandbox.ts';
import { type CheckScene, isRunning, makeCheckScene } from '../proof/checks.ts';

let scene: CheckScene;
let sandbox: SessionSandbox;

beforeEach(async () => {
  scene = await makeCheckScene();
  sandbox = bubblewrap(scene.root, scene.env);
  expect(sandbox.kind).toBe('wrap');
});

afterEach(() => scene.end());

const check = (run: string | readonly string[], more = {}) => scene.check({ run, ...more }, { sandbox });

describe('a check in a sandbox', () => {
  it('keeps its exit code, its output, its folder and its environment', async () => {
    scene.write('sub/here', '');
    expect(await check('echo "$PWD $CI"; exit 7', { cwd: 'sub' })).toMatchObject({
      ...{ end: 'failed', code: 7, tail: `${scene.root}/sub 1` },
    });
    expect(await check(['true'])).toMatchObject({ end: 'passed', code: 0 });
    expect(await check('kill -9 $$')).toMatchObject({ end: 'failed', code: 137 });
  });

  it('writes in the project and nowhere else', async () => {
    const home = path.join(scene.home, 'out');
    const temporary = path.join(os.tmpdir(), `holdfast-out-${process.pid}`);
    const ran = await check(
      `echo x > in && echo y > '${temporary}'; echo z > "$TMPDIR/t" || exit 9; echo x > '${home}' || exit 3`,
    );
    expect(ran).toMatchObject({ end: 'failed', code: 3 });
    expect(fs.existsSync(path.join(scene.root, 'in'))).toBe(true);
    expect(fs.existsSync(home)).toBe(false);
    expect(fs.existsSync(temporary)).toBe(false);
  });

  it('does not write where a program of somebody else’s could be made to run', async () => {
    scene.write('.claude/settings.json', '{}');
    const places = ['.git/hooks/pre-commit', '.git/config', '.claude/settings.json'];
    for (const place of places)
      expect(await check(`echo x > ${place}`), place).toMatchObject({ end: 'failed' });
    expect(await check('git config a.b c || echo x > .git/ours')).toMatchObject({ end: 'passed' });
  });

  it('reaches no network, no socket and no process outside', async () => {
    const folder = fs.mkdtempSync('/var/tmp/holdfast-sockets-');
    const server = net.createServer((socket) => socket.end('reached\n'));
    const local = net.createServer((socket) => socket.end('reached\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await new Promise<void>((resolve) => local.listen(path.join(folder, 'socket'), resolve));
    try {
      const { port } = server.address() as net.AddressInfo;
      const connect = (to: string) =>
        `require('net').connect(${to}).on('data', d => console.log(String(d))).on('error', e => console.log(e.code))`;
      const both = [`${port}, '127.0.0.1'`, `'${folder}/socket'`].map(connect).join(';');
      expect((await scene.check({ run: [process.execPath, '-e', both] })).tail).toBe('reached\n\nreached');
      const inside = await check([process.execPath, '-e', both]);
      expect(inside.tail.split('\n').sort()).toEqual(['ECONNREFUSED', expect.stringMatching(/^E/)]);
      expect(await check(`kill -0 ${process.pid}`)).toMatchObject({ end: 'failed' });
    } finally {
      server.close();
      local.close();
      fs.rmSync(folder, { recursive: true });
    }
  });

  it('is ended with all that it started, whatever session that is in', async () => {
    const run = 'setsid sleep 4321 & env -i setsid nohup sleep 4321 >/dev/null 2>&1 & sleep 4321';
    expect(await check(run, { timeout: 1 })).toMatchObject({ end: 'timed-out' });
    const left = fs
      .readdirSync('/proc')
      .filter((pid) => /^\d+$/.test(pid) && isRunning(Number(pid)) && commandOf(pid).includes('4321'));
    expect(left).toEqual([]);
  });

  it('that is missing a program is told from a sandbox that does not work', async () => {
    expect(await check('no-such-program')).toMatchObject({ end: 'cannot-run', why: 'not-found' });
    expect(await check(['no-such-program'])).toMatchObject({ end: 'cannot-run', why: 'not-found' });
    expect(await check('echo "bwrap: this is only said"; exit 1')).toMatchObject({ end: 'failed', code: 1 });
    const unmade = `echo "bwrap: Can't create file at /run/gone: Read-only file system"; exit 1`;
    expect(await check(unmade)).toMatchObject({ end: 'cannot-run', why: 'no-sandbox' });
    const broken: SessionSandbox = { kind: 'wrap', argv: (command) => ['/bin/false', ...command] };
    expect(await scene.check({ run: 'true' }, { sandbox: broken })).toMatchObject({ why: 'no-sandbox' });
    const gone: SessionSandbox = { kind: 'wrap', argv: (command) => ['/no/such', ...command] };
    expect(await scene.check({ run: 'true' }, { sandbox: gone })).toMatchObject({ why: 'no-sandbox' });
  });
});

function commandOf(pid: string): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
