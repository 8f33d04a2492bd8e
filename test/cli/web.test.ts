// `holdfast web` as a command, without a browser: which port, who may look, how it is opened, how it ends.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cleanEnvironment, plugin, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';
import { startWeb, type WebCommand } from '../web/command.ts';

let project: TempProject;

beforeEach(() => {
  project = tempProject();
});
afterEach(() => project.remove());

/** As a browser that was given the address comes in. */
async function enter(address: string): Promise<{ mayWrite: boolean }> {
  const authorization = `Bearer ${new URL(address).hash.slice('#token='.length)}`;
  const session = await fetch(new URL('/api/session', address), { headers: { authorization } });
  return JSON.parse(await session.text());
}

/** Whoever answers also listens for ^C by now. */
async function ended(web: WebCommand): Promise<number | null> {
  await enter(web.address);
  return web.end();
}

const opener = (name: string): string => {
  const bin = path.join(path.dirname(project.root), 'bin');
  const said = path.join(path.dirname(project.root), 'opened');
  fs.mkdirSync(bin, { recursive: true });
  const script = `#!/bin/sh\ncat "\${1#file://}" > '${said}.new'\nmv '${said}.new' '${said}'\n`;
  fs.writeFileSync(path.join(bin, name), script, { mode: 0o755 });
  return `${bin}:${process.env.PATH}`;
};

describe('holdfast web', () => {
  it.each(['', 'x', '-1', '80.5', '65536', '1e3', ' 80'])('takes no port such as %j', async (port) => {
    expect(await runCli(project.root, ['web', `--port=${port}`])).toEqual({
      ...{ exitCode: 2, stdout: '' },
      stderr: `holdfast: web: --port takes a number up to 65535, not "${port}".\n`,
    });
  });

  it('says so where the port is taken, and takes the one that is named where it is free', async () => {
    const server = net.createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    expect(await runCli(project.root, ['web', '--port', String(port)])).toEqual({
      ...{ exitCode: 1, stdout: '' },
      stderr: `holdfast: port ${port} is taken; name another, or leave --port out to get one that is free.\n`,
    });
    await new Promise((resolve) => server.close(resolve));
    const web = await startWeb(project.root, ['--port', String(port)]);
    expect(new URL(web.address).port).toBe(String(port));
    expect(await ended(web)).toBe(0);
  });

  it('prints its address and that it is for the user alone, and ends with 0 when it is asked to', async () => {
    const web = await startWeb(project.root);
    expect(web.printed()).toBe(
      `Holdfast is at ${web.address}\nThe address is for you alone: whoever has it can see your runs. ^C ends it.\n`,
    );
    expect(await enter(web.address)).toMatchObject({ mayWrite: true });
    expect(await ended(web)).toBe(0);
  });

  it.each([
    ['--read-only', ['--read-only'], {}],
    ['HOLDFAST_DISABLE=1', [], { HOLDFAST_DISABLE: '1' }],
    ['an agent’s shell', [], { CLAUDE_CODE_SESSION_ID: 's1' }],
  ])('only looks: %s', async (_, args, env) => {
    const web = await startWeb(project.root, args, env as Record<string, string>);
    expect(await enter(web.address)).toMatchObject({ mayWrite: false });
    expect(await ended(web)).toBe(0);
  });

  it('--open gives the browser the address in a file', async () => {
    const web = await startWeb(project.root, ['--open'], { PATH: opener('xdg-open') });
    const opened = path.join(path.dirname(project.root), 'opened');
    await expect.poll(() => fs.existsSync(opened), { timeout: 120_000 }).toBe(true);
    expect(fs.readFileSync(opened, 'utf8')).toContain(`url=${web.address.replaceAll('&', '&amp;')}"`);
    expect(await ended(web)).toBe(0);
    const state = path.join(project.home, '.local/state/holdfast');
    expect(fs.readdirSync(state).filter((name) => name.startsWith('open-'))).toEqual([]);
    expect(web.printed().trimEnd().split('\n')).toHaveLength(2);
  });

  it('--open says so where nothing can open it', async () => {
    const bin = path.join(path.dirname(project.root), 'few');
    fs.mkdirSync(bin);
    for (const name of ['sh', 'env', 'dirname', 'readlink', 'uname', 'cat'])
      for (const folder of ['/usr/bin', '/bin'])
        if (fs.existsSync(path.join(folder, name)) && !fs.existsSync(path.join(bin, name)))
          fs.symlinkSync(path.join(folder, name), path.join(bin, name));
    fs.symlinkSync(process.execPath, path.join(bin, 'node'));
    const web = await startWeb(project.root, ['--open'], { PATH: bin });
    await expect
      .poll(() => web.printed(), { timeout: 120_000 })
      .toContain('\nThere is no xdg-open here to open it with: open the address yourself.\n');
    expect(await ended(web)).toBe(0);
  });

  it.each(['SIGTERM', 'SIGHUP'] as const)('ends with 0 at %s', async (signal) => {
    const child = spawn(path.join(plugin, 'bin', 'holdfast'), ['web'], {
      ...{ cwd: project.root, env: cleanEnvironment(project.root), stdio: ['ignore', 'pipe', 'ignore'] },
    });
    const closed = new Promise((resolve) =>
      child.on('close', (code, by) => resolve(`code ${code}, signal ${by}`)),
    );
    let text = '';
    child.stdout?.on('data', (chunk) => {
      text += chunk;
    });
    await expect.poll(() => text, { timeout: 120_000 }).toContain('^C');
    // Whoever answers listens.
    await enter(/http:\S+/.exec(text)?.[0] ?? '');
    child.kill(signal);
    expect(await closed).toBe('code 0, signal null');
  });
});
