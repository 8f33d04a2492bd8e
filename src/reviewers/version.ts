// Whether a reviewer's program answers, asked of the program itself. For commands.

import { execFile } from 'node:child_process';
import type { Environment } from '../store/environment.ts';
import { isMissing, withoutProjectOnPath } from '../store/on-path.ts';
import { plainText } from '../text/printable.ts';

export type ProgramFound =
  | { kind: 'answers'; version: string }
  | { kind: 'missing' }
  | { kind: 'failed'; why: string };

const PATIENCE_MS = 15_000;

/** It may be slow, but it is not waited for without end. */
export function versionOf(
  program: string,
  { cwd, env: asked }: { cwd: string; env: Environment },
): Promise<ProgramFound> {
  const env = withoutProjectOnPath(asked, cwd);
  return new Promise((resolve) => {
    execFile(program, ['--version'], { timeout: PATIENCE_MS, cwd, env }, (error, stdout) => {
      if (isMissing(error, program, env)) resolve({ kind: 'missing' });
      else if (error !== null) resolve({ kind: 'failed', why: firstLine(error.message) });
      else resolve({ kind: 'answers', version: firstLine(stdout) });
    });
  });
}

function firstLine(text: string): string {
  return plainText(text).trim().split('\n')[0]?.slice(0, 200) ?? '';
}
