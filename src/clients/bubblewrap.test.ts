// Where our own sandbox can be had; its words, and that it keeps what it says, are the Linux suite's.

import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { programs } from '../../test/support/programs.ts';
import { bubblewrap } from './bubblewrap.ts';

const isLinux = process.platform === 'linux';

describe('our own sandbox', () => {
  it('is not known where bubblewrap is not installed, or no Linux is', () => {
    const { project } = programs({});
    expect(bubblewrap(project, { PATH: '/nonexistent' })).toEqual({
      kind: 'unknown',
      why: isLinux
        ? 'bubblewrap is not installed (its program `bwrap` is not on PATH)'
        : 'no sandbox for checks is known on this system',
    });
  });

  it('is not known on another system, whatever is installed there', () => {
    const { project, env } = programs({ bwrap: {} });
    const { platform } = process;
    Object.defineProperty(process, 'platform', { value: 'darwin' });
    onTestFinished(() => void Object.defineProperty(process, 'platform', { value: platform }));
    expect(bubblewrap(project, env)).toEqual({
      kind: 'unknown',
      why: 'no sandbox for checks is known on this system',
    });
  });

  it('is never a program of the project’s own', () => {
    const { project } = programs({});
    fs.writeFileSync(path.join(project, 'bwrap'), '#!/bin/sh\n', { mode: 0o755 });
    expect(bubblewrap(project, { PATH: project }).kind).toBe('unknown');
  });

  it('cannot be had where it could not deny what it has to', () => {
    const { project, env } = programs({ bwrap: {} });
    fs.symlinkSync('/etc/hosts', path.join(project, '.mcp.json'));
    expect(bubblewrap(project, env)).toEqual({
      kind: 'unknown',
      why: isLinux
        ? `${path.join(project, '.mcp.json')} is a link, and a check could put something else in its place`
        : 'no sandbox for checks is known on this system',
    });
  });

  it('closes our own folder in the user’s home where that is the project', () => {
    const { home, env } = programs({ bwrap: {} });
    const state = path.join(home, '.local/state/holdfast');
    fs.mkdirSync(state, { recursive: true });
    const sandbox = bubblewrap(home, env);
    const argv = sandbox.kind === 'wrap' ? sandbox.argv(['true']).join(' ') : '';
    if (isLinux) expect(argv).toContain(`--bind ${home} ${home} --ro-bind ${state} ${state} `);
  });

  it('covers the sockets of others, but for those that are not seen in it', async () => {
    const { project, home, env } = programs({ bwrap: {} });
    const places = [home, project].map((folder) => path.join(folder, 'socket'));
    const servers = await Promise.all(places.map(listenAt));
    const sandbox = bubblewrap(project, env);
    const argv = sandbox.kind === 'wrap' ? sandbox.argv([]) : [];
    for (const server of servers) server.close();
    const covered = places.map((place) => argv.join(' ').includes(`--ro-bind /dev/null ${place} `));
    expect(covered).toEqual([isLinux && !home.startsWith('/tmp/'), false]);
  });
});

async function listenAt(place: string): Promise<net.Server> {
  const server = net.createServer().listen(place);
  await once(server, 'listening');
  return server;
}
