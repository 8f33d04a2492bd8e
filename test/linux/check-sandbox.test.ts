// A check in the sandbox that bubblewrap makes: no more than the project can be written, and nothing else is reached.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { bubblewrap } from '../../src/clients/bubblewrap.ts';
import { removeLeftMountPoints } from '../../src/clients/mount-points.ts';
import type { SessionSandbox } from '../../src/clients/sandbox.ts';
import { type CheckScene, eventually, isRunning, makeCheckScene } from '../proof/checks.ts';
import { probedIn, probing, RECORDED_SANDBOXES, recordedDenials } from '../support/client-sandbox.ts';

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

  it.for(RECORDED_SANDBOXES)(
    'writes, fills, moves and removes nothing that Claude Code %s denies to its shell, there or not, and leaves nothing behind',
    async (version) => {
      const denied = recordedDenials(version);
      scene.write('.gitignore', '.holdfast\n');
      const before = namesIn(scene.root);
      const { tail } = await check(probing(denied));
      expect(probedIn(tail)).toEqual(Object.fromEntries(denied.map((place) => [place, 'denied'])));
      expect(namesIn(scene.root)).toEqual(before);
    },
  );

  it('cannot move the folder of a denied name away, nor take a mount off', async () => {
    scene.write('.claude/settings.json', '{}');
    scene.write('packages/one/.mcp.json', '{}');
    const moves = ['.claude', '.git', '.git/objects', 'packages', 'packages/one'].map(
      (place) => `mv ${place} x`,
    );
    const mounts = [
      'umount .mcp.json',
      'umount -l .mcp.json',
      'mount -o remount,rw /',
      'mount -o remount,rw,bind .claude',
    ];
    const inOwn = mounts.map((each) => `unshare --user --map-root-user --mount sh -c '${each}'`);
    for (const each of [...moves, ...mounts, ...inOwn])
      expect(await check(`${each} 2>/dev/null`), each).toMatchObject({ end: 'failed' });
    const into = 'echo x >.claude/settings.local.json || echo x >packages/one/.mcp.json || echo x >.mcp.json';
    expect(await check(into)).toMatchObject({ end: 'failed' });
  });

  it('sees of git what it sees outside, and may clean the tree', async () => {
    const here = await sceneThatIsSeen();
    const ignored = path.join(here.home, 'ignored');
    fs.writeFileSync(ignored, '*.mine\n');
    fs.writeFileSync(path.join(here.home, '.gitconfig'), `[core]\n\texcludesFile = ${ignored}\n`);
    here.write('.git/info/exclude', '*.excluded');
    here.write('.gitignore', '.holdfast\nbuilt\n');
    here.write('tracked', 'x\n');
    here.git('add', 'tracked', '.gitignore');
    here.git(...COMMIT);
    for (const name of ['tracked', 'a.mine', 'b.excluded', 'built', 'new', '.idea/of-the-user'])
      here.write(name, 'y\n');
    const inside = { sandbox: bubblewrap(here.root, here.env) };
    const run = 'git status --porcelain && git add -A && git status --porcelain && git reset -q';
    const outside = (await here.check({ run })).log;
    expect(outside).toContain('A  new\n');
    expect(outside).not.toMatch(/mine|excluded|built/);
    expect((await here.check({ run }, inside)).log).toBe(outside);
    fs.rmSync(path.join(here.root, '.idea'), { recursive: true });
    const stash = `git ${COMMIT.slice(0, 4).join(' ')} stash -u -q && ! test -e new && git stash pop -q && test -e new`;
    expect(await here.check({ run: stash }, inside)).toMatchObject({ end: 'passed' });
    expect(await here.check({ run: 'git clean -xfdq && ! test -e new' }, inside)).toMatchObject({
      end: 'passed',
    });
  });

  it('has temp folders, loopback, its own processes, a terminal multiplexer and sandboxes in it', async () => {
    const loopback = `require('net').createServer().listen(0, '127.0.0.1', function () { require('net').connect(this.address().port, '127.0.0.1', () => process.exit(0)) })`;
    const tries = [
      'echo x >"$(mktemp)"',
      `'${process.execPath}' -e "${loopback}"`,
      'test "$(ps ax | wc -l)" -lt 20',
      'tmux -f /dev/null new-session -d "sleep 60" && tmux ls && tmux kill-server',
      'bwrap --ro-bind / / --dev /dev --tmpfs /tmp --unshare-pid --unshare-net true',
    ];
    for (const each of tries) expect(await check(each), each).toMatchObject({ end: 'passed' });
  });

  it('leaves the mount points to another check that still runs', async () => {
    const slow = check(
      `touch began; for _ in $(seq 400); do test -e go && break; sleep 0.05; done; ${probing(['.mcp.json', '.git/config.lock'])}`,
      { name: 'slow' },
    );
    await eventually(() => fs.existsSync(path.join(scene.root, 'began')));
    const other = bubblewrap(scene.root, scene.env);
    await scene.check({ run: 'true', name: 'quick' }, { sandbox: other });
    expect(fs.existsSync(path.join(scene.root, '.mcp.json'))).toBe(true);
    scene.write('go', '');
    expect(probedIn((await slow).tail)).toEqual({ '.mcp.json': 'denied', '.git/config.lock': 'denied' });
    expect(fs.existsSync(path.join(scene.root, '.mcp.json'))).toBe(false);
  });

  it('keeps its hold where a sandbox of the client’s ends meanwhile, whose mount points go with it', async () => {
    // As the client does it for a command in the background.
    const place = path.join(scene.root, '.mcp.json');
    const own = path.join(scene.root, '.gitmodules');
    fs.writeFileSync(own, '');
    const words = ['--dev-bind', '/', '/', '--ro-bind', '/dev/null', place, '--ro-bind', own, own];
    const client = spawn('bwrap', [...words, '--die-with-parent', 'sleep', '60'], { stdio: 'ignore' });
    onTestFinished(() => void client.kill('SIGKILL'));
    await eventually(() => fs.existsSync(place));
    const slow = check(
      `touch began; for _ in $(seq 400); do test -e go && break; sleep 0.05; done; ${probing(['.mcp.json', '.gitmodules'])}`,
    );
    await eventually(() => fs.existsSync(path.join(scene.root, 'began')));
    const ended = once(client, 'exit');
    client.kill('SIGKILL');
    await ended;
    if (fs.statSync(place).size === 0) fs.rmSync(place);
    scene.write('go', '');
    expect(probedIn((await slow).tail)).toEqual({ '.mcp.json': 'denied', '.gitmodules': 'denied' });
    expect(fs.existsSync(place)).toBe(false);
    expect(fs.readFileSync(own, 'utf8')).toBe('');
  });

  it('takes away what a killed check left, but nothing that is not its own', async () => {
    const left = sandbox.kind === 'wrap' ? sandbox.argv(['true']) : [];
    expect(left).not.toEqual([]);
    scene.write('.vscode/settings.json', '{}');
    fs.rmdirSync(path.join(scene.root, '.mcp.json'));
    scene.write('.mcp.json', '');
    scene.write('.git/config.lock', '');
    // As a kill would: the lock goes with the process.
    const state = path.join(scene.home, '.local/state/holdfast');
    for (const name of fs.readdirSync(state).filter((each) => each.endsWith('.lock') && each !== 'lock'))
      fs.rmSync(path.join(state, name));
    removeLeftMountPoints(scene.env);
    for (const name of ['.vscode/settings.json', '.mcp.json', '.git/config.lock'])
      expect(fs.existsSync(path.join(scene.root, name)), name).toBe(true);
    for (const name of ['.bashrc', '.idea', '.claude', '.git/glab-cli', '.git/config.worktree'])
      expect(fs.existsSync(path.join(scene.root, name)), name).toBe(false);
  });

  it('does not write what the account trusts, where the project is the home', async () => {
    const env = { ...scene.env, HOME: scene.root };
    fs.mkdirSync(path.join(scene.root, '.config'));
    const atHome = bubblewrap(scene.root, env);
    const trusted = ['.local/state/holdfast', '.config/holdfast', '.claude', '.bashrc', '.gitconfig'];
    const { log } = await scene.check(
      {
        run: `${probing(trusted)}mv .local x || mv .config x || git status --porcelain >/dev/null && bash -lc 'echo shell'`,
      },
      { sandbox: atHome },
    );
    expect(probedIn(log)).toEqual(Object.fromEntries(trusted.map((place) => [place, 'denied'])));
    expect(log).toMatch(/^shell$/m);
  });

  it('cannot be had where a denied name is a link, which nothing keeps in its place', () => {
    fs.symlinkSync('elsewhere', path.join(scene.root, '.claude'));
    expect(bubblewrap(scene.root, scene.env)).toMatchObject({
      kind: 'unknown',
      why: expect.stringContaining('.claude is a link'),
    });
  });

  it('in a work tree whose repository lies outside, and in a folder of the project that the session began in', async () => {
    const here = await sceneThatIsSeen();
    here.write('tracked', 'x\n');
    here.git('add', 'tracked');
    here.git(...COMMIT);
    const tree = path.join(here.folder, 'tree');
    here.git('worktree', 'add', '-q', tree);
    const names = [
      ...['.git', '.mcp.json', '.claude/settings.local.json'],
      ...['../project/.git/hooks/x', '../project/.git/worktrees/tree/commondir'],
    ];
    const inTree = await here.check(
      { run: `cd '${tree}' && ${probing(names)}git status --porcelain` },
      { sandbox: bubblewrap(tree, here.env) },
    );
    expect(inTree.log).toBe(names.map((place) => `probed ${place}: denied\n`).join(''));
    fs.mkdirSync(path.join(here.root, 'packages/one'), { recursive: true });
    const writable = path.join(here.root, 'packages/one');
    const places = [
      'tracked',
      '.claude',
      '.git/hooks',
      'packages/two',
      'packages/one/.claude',
      'packages/one/.vscode',
    ];
    const { tail } = await here.check(
      { run: `${probing(places)}touch packages/one/in && git -C packages/one status --porcelain` },
      { sandbox: bubblewrap(here.root, here.env, { writable }) },
    );
    expect(probedIn(tail)).toEqual(Object.fromEntries(places.map((place) => [place, 'denied'])));
    expect(tail.trimEnd().split('\n').at(-1)).toBe('?? packages/');
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

const COMMIT = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-qm', 'first'];

/** In no folder for temporary files: of those the sandbox has its own. */
async function sceneThatIsSeen(): Promise<CheckScene> {
  const { TMPDIR } = process.env;
  process.env.TMPDIR = '/var/tmp';
  try {
    const made = await makeCheckScene();
    onTestFinished(() => made.end());
    return made;
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}

/** Of all files and folders but ours and those that git writes at each commit. */
const namesIn = (root: string): string[] =>
  fs
    .readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('.holdfast'))
    .toSorted();

function commandOf(pid: string): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
