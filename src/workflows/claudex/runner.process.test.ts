// The runner with a codex that fails, hangs, floods or will not end.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../test/fixtures/claudex/loop.ts';
import { RunnerBench } from '../../../test/fixtures/claudex/runner.ts';

let bench: RunnerBench;
beforeEach(() => {
  bench = new RunnerBench();
});
afterEach(() => bench.remove());

describe('the runner, when codex misbehaves', () => {
  it.each(['sh', 'bash'])(
    'keeps the exit code of a codex that crashes, and shows its last words (%s)',
    (shell) => {
      const { files } = bench.make('a cache');
      const { code, complained, said } = bench.run(files.runner, 'crash', shell);
      expect(code).toBe(7);
      expect(fs.readFileSync(files.exit(1), 'utf8')).toBe('7\n');
      expect(complained).toContain('codex: stream disconnected');
      expect(said).toContain(`Not written: ${files.findings(1)}`);
    },
  );

  it.each(['sh', 'bash'])('says that codex is at its usage limit, and until when, by codex (%s)', (shell) => {
    const { files } = bench.make('a cache');
    const { code, complained } = bench.run(files.runner, 'limit', shell);
    expect(code).toBe(69);
    expect(fs.readFileSync(files.exit(1), 'utf8')).toBe('69\n');
    expect(complained).toContain('Codex is at its usage limit');
    expect(complained).toContain('Try again at 3:56 AM');
  });

  it('says when codex wrote no findings', () => {
    const { files } = bench.make('a cache');
    const { code, said } = bench.run(files.runner, 'nothing');
    expect(code).toBe(0);
    expect(said).toContain(`Not written: ${files.findings(1)}`);
  });

  it("keeps what codex prints out of the agent's way, however much it is", () => {
    const { files } = bench.make('a cache');
    const { code, said } = bench.run(files.runner, 'flood');
    expect(code).toBe(0);
    expect(said.length).toBeLessThan(1000);
    expect(fs.statSync(files.output(1)).size).toBeGreaterThan(4_000_000);
    expect(fs.existsSync(files.findings(1))).toBe(true);
  });

  it('ends with 127 and a clear line when there is no codex', () => {
    const { files } = bench.make('a cache');
    const tools = path.join(bench.record, 'tools');
    fs.mkdirSync(tools);
    for (const tool of ['mkdir', 'rm', 'cat', 'sh'])
      fs.symlinkSync(spawnSync('which', [tool], { encoding: 'utf8' }).stdout.trim(), path.join(tools, tool));
    const ran = spawnSync('sh', [files.runner], { env: { PATH: tools }, encoding: 'utf8', timeout: 20_000 });
    expect(ran.status).toBe(127);
    expect(ran.stderr).toContain('codex was not found on PATH');
    expect(fs.readFileSync(files.exit(1), 'utf8')).toBe('127\n');
    expect(fs.existsSync(files.heartbeat)).toBe(false);
  });

  it.each(['hang', 'stubborn'])('ends a codex that does not end by itself: %s', async (behaviour) => {
    const { files } = bench.make('a cache', { timeoutMs: 1000 });
    const { code, complained } = bench.run(files.runner, behaviour);
    expect(code).toBe(124);
    expect(complained).toContain('took longer than 1 seconds');
    expect(fs.readFileSync(files.exit(1), 'utf8')).toBe('124\n');
    expect(fs.existsSync(files.heartbeat)).toBe(false);
    await until(() => !bench.isAlive('pid') && (behaviour !== 'stubborn' || !bench.isAlive('child')));
  });

  it('beats while it runs, and ends codex when its loop is ended', async () => {
    const { files } = bench.make('a cache');
    const ending = bench.background(files.runner, 'hang');
    await until(() => bench.hasRecorded('pid'));
    expect(fs.readFileSync(files.heartbeat, 'utf8')).toBe('1\n');
    const first = fs.statSync(files.heartbeat).mtimeMs;
    await until(() => fs.statSync(files.heartbeat).mtimeMs > first);
    fs.rmSync(files.runner);
    expect(await ending.code).toBe(125);
    await until(() => !bench.isAlive('pid'));
  });

  it('ends codex and leaves an exit code when it is told to end', async () => {
    const { files } = bench.make('a cache');
    const ending = bench.background(files.runner, 'hang');
    await until(() => bench.hasRecorded('pid'));
    ending.child.kill('SIGTERM');
    expect(await ending.code).toBe(143);
    expect(fs.readFileSync(files.exit(1), 'utf8')).toBe('143\n');
    await until(() => !bench.isAlive('pid'));
  });

  it('stops beating and ends codex when it is killed', async () => {
    const { files } = bench.make('a cache');
    const ending = bench.background(files.runner, 'hang');
    await until(() => bench.hasRecorded('pid'));
    ending.child.kill('SIGKILL');
    await ending.code;
    await until(() => !bench.isAlive('pid') && !fs.existsSync(files.heartbeat));
    expect(fs.existsSync(files.exit(1))).toBe(false);
  });
});
