// A command as a person types it, in a terminal of its own, which util-linux's `script` makes. Its errors are kept apart
// from what it prints.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { shellQuote } from '../../src/text/shell.ts';
import { plugin, type Ran, type RunOptions, run } from './hook.ts';

export async function typeCli(cwd: string, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-typed-'));
  const errors = path.join(folder, 'stderr');
  const program = path.join(options.plugin ?? plugin, 'bin', 'holdfast');
  const line = `${[program, ...args].map(shellQuote).join(' ')} 2>${shellQuote(errors)}`;
  try {
    const { stdout, exitCode } = await run('script', ['-qec', line, '/dev/null'], cwd, {
      ...options,
      env: { SHELL: '/bin/sh', ...options.env },
      stdin: '',
    });
    return { exitCode, stdout: stdout.replaceAll('\r\n', '\n'), stderr: fs.readFileSync(errors, 'utf8') };
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}
