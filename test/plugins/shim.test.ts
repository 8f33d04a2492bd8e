// The shim in each workflow's `bin/`: in Codex it is how a skill reaches the command line of the core.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { built, workflowNames } from './plugins.ts';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "holdfast shim's-"));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

describe('the shim of each workflow', () => {
  it('is there and can be executed', () => {
    for (const workflow of workflowNames()) {
      const { mode } = fs.statSync(path.join(built, workflow, 'bin', 'holdfast'));
      expect(mode & 0o111, workflow).toBe(0o111);
    }
  });

  it('finds the core beside it in a marketplace folder, and hands its arguments on', () => {
    for (const workflow of workflowNames()) {
      place('holdfast', 'core');
      expect(run(placeShim(workflow, workflow)), workflow).toBe("core: status it's $(fine)\n");
    }
  });

  it("finds the newest core in a client's cache, by number and not by letter", () => {
    for (const workflow of workflowNames()) {
      place('holdfast/0.10.0', 'newest');
      place('holdfast/0.9.0', 'older');
      expect(run(placeShim(workflow, `${workflow}/0.8.0`)), workflow).toBe("newest: status it's $(fine)\n");
    }
  });

  it('says what is missing where there is no core', () => {
    for (const workflow of workflowNames()) {
      const shim = placeShim(workflow, workflow);
      expect(() => execFileSync(shim, ['status'], { stdio: 'pipe' }), workflow).toThrow(
        expect.objectContaining({ status: 127 }),
      );
    }
  });
});

function place(at: string, name: string): void {
  const bin = path.join(folder, at, 'bin');
  fs.mkdirSync(bin, { recursive: true });
  fs.writeFileSync(path.join(bin, 'holdfast'), `#!/bin/sh\necho "${name}: $*"\n`, { mode: 0o755 });
}

function placeShim(workflow: string, at: string): string {
  const bin = path.join(folder, at, 'bin');
  fs.mkdirSync(bin, { recursive: true });
  fs.copyFileSync(path.join(built, workflow, 'bin', 'holdfast'), path.join(bin, 'holdfast'));
  return path.join(bin, 'holdfast');
}

function run(shim: string): string {
  return execFileSync(shim, ['status', "it's $(fine)"], { encoding: 'utf8', timeout: 5000 });
}
