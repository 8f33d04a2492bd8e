#!/usr/bin/env node
// Records again what Claude Code, in each version that is installed here, starts its sandbox with:
// test/fixtures/recorded/claude-code/sandbox-VERSION.txt. The scenario that asks for it writes it.

import { spawnSync } from 'node:child_process';
import path from 'node:path';

const run = path.join(import.meta.dirname, 'run.mjs');
const { status } = spawnSync(process.execPath, [run, '12-sandbox'], {
  stdio: 'inherit',
  env: { ...process.env, HOLDFAST_TEST_RECORD: '1' },
});
process.exitCode = status ?? 1;
