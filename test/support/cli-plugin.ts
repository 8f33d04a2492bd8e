// A plugin's folder with a launcher and a command line of the test's own. Under vitest the sources lie where no plugin is
// around them; until the test is over they find this one there.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished, vi } from 'vitest';

const { resolve } = path;

/** `stop`: the launcher, in sh. `cli`: the command line, in JavaScript. */
export function standInPlugin({ stop, cli = '' }: { stop: string; cli?: string }): string {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-plugin-')));
  for (const [file, text] of [
    ['hooks/stop', `#!/bin/sh\n${stop}\n`],
    ['bin/holdfast', cli],
  ] as const) {
    fs.mkdirSync(path.join(folder, path.dirname(file)));
    fs.writeFileSync(path.join(folder, file), text, { mode: 0o755 });
  }
  const spy = vi.spyOn(path, 'resolve').mockImplementation((...parts) => {
    const [above, ...rest] = parts.slice(-3);
    const isOurs = above === '..' && ['hooks/stop', 'bin/holdfast'].includes(rest.join('/'));
    return isOurs ? path.join(folder, ...rest) : resolve(...parts);
  });
  onTestFinished(() => {
    spy.mockRestore();
    fs.rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}
