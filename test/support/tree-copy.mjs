// A copy of the repository to break on purpose. The tests run in it as they do in the original; the original is
// never touched, so a run that is cut short leaves nothing behind but a temporary folder.

import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export function copyTree(repository) {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-copy-')));
  // Tests that run as another user must get in.
  fs.chmodSync(folder, 0o755);
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: repository,
    encoding: 'utf8',
  });
  for (const file of listed.split('\0')) {
    if (file === '' || !fs.existsSync(path.join(repository, file))) continue;
    fs.mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    fs.copyFileSync(path.join(repository, file), path.join(folder, file));
  }
  fs.symlinkSync(path.join(repository, 'node_modules'), path.join(folder, 'node_modules'));
  return {
    folder,
    /** Mutants are `{ file, from, to, replacement }`. */
    plant: (mutants) => plant(folder, mutants),
    run: (program, args, limitMs, environment) => run(folder, program, args, limitMs, environment),
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}

/** Writes the mutants into their files, at most one to a file; answers with what takes them out again. */
function plant(folder, mutants) {
  const sound = mutants.map(({ file }) => [
    path.join(folder, file),
    fs.readFileSync(path.join(folder, file), 'utf8'),
  ]);
  for (const [index, { from, to, replacement }] of mutants.entries()) {
    const [file, text] = sound[index];
    fs.writeFileSync(file, text.slice(0, from) + replacement + text.slice(to));
  }
  return () => {
    for (const [file, text] of sound) fs.writeFileSync(file, text);
  };
}

const running = new Set();

/** For a run that is cut short: nothing it started goes on, and then its copies can be removed. */
export function endAll() {
  for (const group of running) endGroup(group);
}

function endGroup(group) {
  running.delete(group);
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // Gone by itself.
  }
}

/** The exit code (null: it had to be ended) and what was printed. A group of its own, so that all of it ends. */
function run(folder, program, args, limitMs, environment = {}) {
  return new Promise((resolve) => {
    const env = { ...process.env, CI: 'true', ...environment };
    const child = spawn(program, args, {
      cwd: folder,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const keep = (chunk) => {
      output = (output + chunk).slice(-200_000);
    };
    running.add(child.pid);
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      endGroup(child.pid);
    }, limitMs);
    child.on('close', (code) => {
      clearTimeout(timer);
      endGroup(child.pid);
      resolve({ code: late ? null : code, output });
    });
  });
}
