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
    const first = words.indexOf('--dev');
    expect(words[0]).toBe(bwrap);
    expect(words.slice(first, first + 9)).toEqual([
      ...['--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'],
      ...['--bind', project, project],
    ]);
    const from = words.indexOf('--unshare-net');
    expect(words.slice(from, from + 5)).toEqual([
      ...['--unshare-net', '--unshare-pid', '--unshare-ipc', '--die-with-parent', '--new-session'],
    ]);
    expect(words.slice(-2)).toEqual(['npm', 'test']);
    expect(words.filter((word) => word === '--bind')).toHaveLength(1);
  });

  it('has none of root’s rights over what it was made of', () => {
    const { words } = wrapped(() => {});
    const dropped = words.slice(words.indexOf('--unshare-user'), words.indexOf('--setenv'));
    expect(dropped).toEqual(
      process.geteuid?.() === 0 ? ['--unshare-user', '--cap-drop', 'ALL', '--cap-add', 'CAP_SETFCAP'] : [],
    );
  });

  it('binds what is there over itself, and something empty over what is not', () => {
    const { words, project } = wrapped((root) => {
      fs.mkdirSync(path.join(root, '.claude'));
      fs.writeFileSync(path.join(root, '.mcp.json'), '');
      fs.mkdirSync(path.join(root, 'packages/one/.claude'), { recursive: true });
    });
    const mounted = (name: string): string | undefined =>
      words[words.lastIndexOf(path.join(project, name)) - 1];
    for (const name of ['.claude', '.mcp.json', 'packages/one/.claude'])
      expect(mounted(name)).toBe(path.join(project, name));
    expect(mounted('.vscode')).toMatch(/holdfast\/covers\/folder$/);
    expect(words).not.toContain(path.join(project, 'packages/one/.mcp.json'));
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
