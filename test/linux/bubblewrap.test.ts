// What our own sandbox is called with, where no check shows it: check-sandbox.test.ts has the rest.

import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bubblewrap } from '../../src/clients/bubblewrap.ts';
import { programs } from '../support/programs.ts';

describe('the words of our own sandbox', () => {
  it('reaches no socket in the file system, but for those of the project', async () => {
    // The folder for temporary files is another one in there.
    const outside = fs.mkdtempSync('/var/tmp/holdfast-socket-');
    onTestFinished(() => fs.rmSync(outside, { recursive: true }));
    const socket = path.join(outside, 'with a blank');
    await listening(socket);
    await listening(path.join(outside, 'gone'));
    fs.rmSync(path.join(outside, 'gone'));
    const made = wrapped(outside);
    await listening(path.join(made.project, 'own'));
    const words = made.words();
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

/** The words that `npm test` is called with in the project of a machine with bubblewrap. */
function wrapped(folder: string) {
  const here = programs({ bwrap: {} });
  const project = path.join(folder, 'project');
  fs.mkdirSync(project, { recursive: true });
  const sandbox = bubblewrap(project, here.env);
  if (sandbox.kind !== 'wrap') throw new Error(`it is ${sandbox.kind}`);
  return { project, words: () => sandbox.argv(['npm', 'test']) };
}
