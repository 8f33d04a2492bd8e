// What our own sandbox is called with. That it keeps what it says, the sandboxes' own tests show.

import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bubblewrap } from '../../src/clients/bubblewrap.ts';
import { programs } from '../support/programs.ts';

describe('the words of our own sandbox', () => {
  it('may write the project alone, and reaches no network and no other process', () => {
    const { words, bwrap, project } = wrapped(() => {});
    expect(words).toEqual([
      bwrap,
      ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'],
      ...['--bind', project, project],
      ...['--unshare-net', '--unshare-pid', '--unshare-ipc', '--die-with-parent', '--new-session'],
      ...['--setenv', 'TMPDIR', '/tmp', '--', 'npm', 'test'],
    ]);
  });

  it('may not write what makes somebody else’s program run, where that is there', () => {
    const { words, project } = wrapped((root) => {
      fs.mkdirSync(path.join(root, '.git/hooks'), { recursive: true });
      fs.writeFileSync(path.join(root, '.git/config'), '');
      fs.mkdirSync(path.join(root, '.claude'));
      for (const name of ['.claude/settings.json', '.claude/settings.local.json', '.mcp.json'])
        fs.writeFileSync(path.join(root, name), '');
    });
    const names = [
      '.git/hooks',
      '.git/config',
      '.claude/settings.json',
      '.claude/settings.local.json',
      '.mcp.json',
    ];
    const bound = names
      .map((name) => path.join(project, name))
      .flatMap((place) => ['--ro-bind', place, place]);
    const from = words.indexOf('--bind') + 3;
    expect(words.slice(from, from + bound.length + 1)).toEqual([...bound, '--unshare-net']);
  });

  it('binds nothing for a link: it may lead anywhere', () => {
    const { words } = wrapped((root) => fs.symlinkSync('/etc/passwd', path.join(root, '.mcp.json')));
    expect(words.filter((word) => word === '--ro-bind')).toHaveLength(1);
  });

  it('reaches no socket in the file system, but for those of the project', async () => {
    // The folder for temporary files is another one in there.
    const outside = fs.mkdtempSync('/var/tmp/holdfast-socket-');
    onTestFinished(() => fs.rmSync(outside, { recursive: true }));
    const socket = path.join(outside, 'with a blank');
    await listening(socket);
    await listening(path.join(outside, 'gone'));
    fs.rmSync(path.join(outside, 'gone'));
    const made = wrapped(() => {}, outside);
    await listening(path.join(made.project, 'own'));
    const words = made.again();
    const at = words.indexOf(socket);
    expect(words.slice(at - 2, at + 1)).toEqual(['--ro-bind', '/dev/null', socket]);
    expect(words.filter((word) => word === socket)).toHaveLength(1);
    expect(words).not.toContain(path.join(outside, 'gone'));
    expect(words).not.toContain(path.join(made.project, 'own'));
  });
});

function listening(socket: string): Promise<void> {
  const server = net.createServer();
  onTestFinished(() => {
    server.close();
  });
  return new Promise((resolve) => server.listen(socket, resolve));
}

/** The words that `npm test` is called with in the project of a machine with bubblewrap. Sockets of others are left out. */
function wrapped(prepare: (root: string) => void, folder?: string) {
  const here = programs({ bwrap: {} });
  const project = folder === undefined ? here.project : path.join(folder, 'project');
  fs.mkdirSync(project, { recursive: true });
  prepare(project);
  const again = (): readonly string[] => {
    const sandbox = bubblewrap(project, here.env);
    if (sandbox.kind !== 'wrap') throw new Error(`it is ${sandbox.kind}`);
    return sandbox.argv(['npm', 'test']);
  };
  return { words: withoutSockets(again()), again, project, bwrap: path.join(here.folder, 'bin/bwrap') };
}

function withoutSockets(words: readonly string[]): string[] {
  const at = words.indexOf('/dev/null');
  return at < 0 ? [...words] : withoutSockets([...words.slice(0, at - 1), ...words.slice(at + 2)]);
}
