// Folders for PATH that hold exactly what a test wants: real tools by name, and small programs of its own.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** Links to these tools as they are found on PATH; `node` is the one that runs the tests. */
export function binFolder(folder: string, tools: readonly string[]): string {
  fs.mkdirSync(folder, { recursive: true });
  for (const tool of tools) fs.symlinkSync(whereIs(tool), path.join(folder, tool));
  return folder;
}

/** A program of a few lines of shell. */
export function program(file: string, ...lines: string[]): string {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 });
  return file;
}

function whereIs(tool: string): string {
  if (tool === 'node') return process.execPath;
  return execFileSync('/bin/sh', ['-c', 'command -v "$0"', tool], { encoding: 'utf8' }).trim();
}
