// Repositories that somebody filled for us, and what a patch made of them must not do: run a program, leave something
// unseen, break out of its line, show a reviewer what is not its business, grow without end. Each scene answers with
// what was wrong.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { makeChanges } from '../../src/engine/changes/make.ts';
import { gitIn, makeRepository, type Repository } from '../proof/repository.ts';

export type MakeChanges = typeof makeChanges;
export type ChangesScene = (make: MakeChanges) => Promise<string[]>;

type Seen = { lines: readonly string[]; text: string; since: string; bytes: number; count: number };

/** What a reviewer would be given since `since`; by default since the commit with which the scene begins. */
async function seenIn(make: MakeChanges, repository: Repository, since: string | null): Promise<Seen | null> {
  const home = path.join(repository.root, '.holdfast');
  fs.mkdirSync(path.join(home, 'attempts/one'), { recursive: true });
  const { root, env } = repository;
  const wanted = { attempt: 'one', since, without: ['.holdfast', '.taskie/plans'], whenAskedToEnd: () => {} };
  const made = await make({ root, home, env }, wanted);
  if (made === null) return null;
  const text = made.file === null ? '' : fs.readFileSync(made.file.path, 'utf8');
  const bytes = made.file?.bytes ?? 0;
  return { lines: made.lines, text, since: made.since.kind, bytes, count: made.count };
}

async function inRepository(
  scene: (repository: Repository, base: string) => Promise<string[]>,
): Promise<string[]> {
  const repository = makeRepository();
  try {
    repository.write('a.txt', 'one\n');
    repository.write('b.bin', 'two\n');
    repository.write('.holdfast/.gitignore', '*\n');
    repository.git('add', '-A');
    repository.git('commit', '-qm', 'first');
    return await scene(repository, repository.git('rev-parse', 'HEAD').trim());
  } finally {
    repository.end();
  }
}

const missing = (seen: Seen | null, ...parts: readonly string[]): string[] =>
  parts.filter((part) => seen?.text.includes(part) !== true).map((part) => `not in the patch: ${part}`);

/** Everything in a repository's config and attributes that names a program. */
export const programs: ChangesScene = (make) =>
  inRepository(async (repository, base) => {
    const evil = `touch ${repository.mark}; cat`;
    const settings = [
      ...['core.fsmonitor', 'core.sshCommand', 'core.pager', 'core.editor', 'diff.external'],
      ...['filter.evil.clean', 'filter.evil.smudge', 'filter.evil.process', 'merge.evil.driver'],
      ...['diff.evil.textconv', 'diff.evil.command', 'core.alternateRefsCommand', 'credential.helper'],
    ];
    for (const name of settings) repository.git('config', name, evil);
    for (const name of ['diff-index', 'ls-files', 'cat-file'])
      repository.git('config', `alias.${name}`, `!${evil}`);
    repository.git('config', 'core.hooksPath', path.join(repository.root, '.hooks'));
    for (const hook of ['post-index-change', 'fsmonitor-watchman', 'pre-commit']) {
      repository.write(`.hooks/${hook}`, `#!/bin/sh\n${evil}\n`);
      fs.chmodSync(path.join(repository.root, '.hooks', hook), 0o755);
    }
    repository.write('.git/info/attributes', '* filter=evil diff=evil merge=evil\n');
    repository.write('.gitattributes', '* filter=evil diff=evil\n');
    repository.write('a.txt', 'changed\n');
    const seen = await seenIn(make, repository, base);
    return [...missing(seen, '+changed\n'), ...ran(repository)];
  });

/** The same in a submodule, into which git looks with the submodule's own config. */
export const submodule: ChangesScene = (make) =>
  inRepository(async (repository) => {
    const inner = path.join(repository.root, 'inner');
    fs.mkdirSync(inner);
    const git = (...args: string[]): string => gitIn(inner, repository.home, args);
    git('init', '-q');
    fs.writeFileSync(path.join(inner, 'x'), 'x\n');
    git('add', '-A');
    git('commit', '-qm', 'inner');
    repository.git('add', 'inner');
    repository.git('commit', '-qm', 'second');
    const base = repository.git('rev-parse', 'HEAD').trim();
    git('config', 'core.fsmonitor', `touch ${repository.mark}; cat`);
    git('config', 'filter.evil.clean', `touch ${repository.mark}; cat`);
    fs.writeFileSync(path.join(inner, '.git/info/attributes'), '* filter=evil\n');
    fs.writeFileSync(path.join(inner, 'x'), 'y\n');
    repository.write('a.txt', 'changed\n');
    const seen = await seenIn(make, repository, base);
    return [...missing(seen, '+changed\n'), ...ran(repository)];
  });

/** A git that lies in the project, first on PATH. */
export const ownGit: ChangesScene = (make) =>
  inRepository(async (repository, base) => {
    repository.write('bin/git', `#!/bin/sh\ntouch ${repository.mark}\n`);
    fs.chmodSync(path.join(repository.root, 'bin/git'), 0o755);
    const env = { ...repository.env, PATH: `${repository.root}/bin:${repository.env.PATH}` };
    await seenIn(make, { ...repository, env }, base);
    return ran(repository);
  });

const ran = (repository: Repository): string[] =>
  fs.existsSync(repository.mark) ? ['a program was run'] : [];

/** Names and contents that steer a terminal, end a line, or hide. */
export const steering: ChangesScene = (make) =>
  inRepository(async (repository, base) => {
    const codes = ['\u001b]0;owned\u0007', '\u001b[2J', '\u202e', '\u200b', '\u009b31m', '\u2028', '\r'];
    for (const [at, code] of codes.entries()) {
      repository.write(`name ${at} ${code}.txt`, `content ${code}|\n`);
      repository.write(`line ${at}\n- and nothing else (+0 -0)${code}`, 'x\n');
    }
    repository.write('a.txt', `${codes.join('')}|\n`);
    const seen = await seenIn(make, repository, base);
    const given = [...(seen?.lines ?? []), seen?.text ?? ''].join('\n');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
    const loose = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u2028\u202e]/.exec(given);
    return [
      ...(seen === null ? ['nothing is shown'] : []),
      ...(loose === null ? [] : [`a control character goes out: ${JSON.stringify(loose[0])}`]),
      ...(seen?.lines ?? []).filter((line) => line.includes('\n')).map(() => 'a name has more than one line'),
      ...missing(seen, '<U+202E>', '<U+001B>'),
    ];
  });

/** What an agent could do so that its change is not seen. */
export const unseen: ChangesScene = (make) =>
  inRepository(async (repository) => {
    repository.write('flagged.txt', 'x\n');
    repository.write('skipped.txt', 'x\n');
    repository.git('add', '-A');
    repository.git('commit', '-qm', 'second');
    const base = repository.git('rev-parse', 'HEAD').trim();
    repository.write('committed.txt', 'committed\n');
    repository.git('add', '-A');
    repository.git('commit', '-qm', 'third');
    repository.git('update-index', '--assume-unchanged', 'flagged.txt');
    repository.git('update-index', '--skip-worktree', 'skipped.txt');
    repository.write('flagged.txt', 'y\n');
    repository.write('skipped.txt', 'y\n');
    repository.write('.gitattributes', 'a.txt -diff\n');
    repository.write('a.txt', 'marked as binary\n');
    repository.write('new/c.txt', 'never added\n');
    fs.mkdirSync(path.join(repository.root, 'nested'));
    gitIn(path.join(repository.root, 'nested'), repository.home, ['init', '-q']);
    const seen = await seenIn(make, repository, base);
    const named = [
      'committed.txt',
      'flagged.txt',
      'skipped.txt',
      'a.txt',
      'new/c.txt',
      'nested/',
      '.gitattributes',
    ];
    return [
      ...named
        .filter((name) => !seen?.lines.some((line) => line.startsWith(`${name} (`)))
        .map((name) => `not named: ${name}`),
      ...missing(seen, '+never added\n', '+committed\n'),
    ];
  });

/** Reviews start with a clean slate: earlier ones are not in the patch, committed or not. */
export const ownFiles: ChangesScene = (make) =>
  inRepository(async (repository, base) => {
    repository.write('.taskie/plans/p/task-1-review-1.md', 'an earlier review\n');
    repository.git('add', '-f', '.taskie');
    repository.git('commit', '-qm', 'second');
    repository.write('.taskie/plans/p/task-1-post-review-1.md', 'an earlier answer\n');
    repository.write('a.txt', 'changed\n');
    const seen = await seenIn(make, repository, base);
    const shown = [...(seen?.lines ?? []), seen?.text ?? ''].join('\n');
    return [
      ...missing(seen, '+changed\n'),
      ...(shown.includes('.taskie') ? ['our own files are shown'] : []),
    ];
  });

/** A base that is no commit here, or no base at all, is not taken for one. */
export const forgedBase: ChangesScene = (make) =>
  inRepository(async (repository, base) => {
    const output = `--output=${repository.mark}`;
    const blob = repository.git('rev-parse', `${base}:a.txt`).trim();
    repository.write('a.txt', 'changed\n');
    const found: string[] = [];
    for (const since of [output, 'HEAD', blob, 'f'.repeat(40), `${base}\n`]) {
      const seen = await seenIn(make, repository, since);
      if (seen?.since !== 'uncommitted')
        found.push(`${JSON.stringify(since)} is ${seen?.since ?? 'nothing'}`);
      found.push(...missing(seen, '+changed\n'));
    }
    return [...found, ...ran(repository)];
  });

/** Longer than anybody reads, of what git knows, of what it does not, and of nothing but hidden characters. */
export const endless: ChangesScene = (make) =>
  inRepository(async (repository, base) => {
    const found: string[] = [];
    const long = `${'x'.repeat(1023)}\n`.repeat(3 * 1024);
    for (const [file, content] of [
      ['a.txt', long],
      ['new.txt', long],
      ['a.txt', '\u0001'.repeat(1_000_000)],
    ] as const) {
      repository.write(file, content);
      const seen = await seenIn(make, repository, base);
      if (seen === null || seen.bytes > 1024 * 1024) found.push(`${file}: ${seen?.bytes ?? 'nothing'} bytes`);
      if (seen?.lines.some((line) => line.startsWith(file)) !== true) found.push(`not named: ${file}`);
      repository.git('clean', '-qf', '--', 'new.txt');
      repository.git('checkout', '-q', '--', 'a.txt');
    }
    for (let at = 0; at < 3000; at++) repository.write(`many/${'n'.repeat(100)}/${at}`, '');
    const seen = await seenIn(make, repository, base);
    if (seen?.count !== 3000) found.push(`${seen?.count} files are counted`);
    if ((seen?.lines.join('').length ?? 0) > 8000) found.push('the list in the prompt is too long');
    return found;
  });

/** What is no file, and what leads out of the repository. */
export const noFiles: ChangesScene = (make) =>
  inRepository(async (repository, base) => {
    const secret = path.join(repository.folder, 'secret');
    fs.writeFileSync(secret, 'a secret of the user\n');
    fs.symlinkSync(secret, path.join(repository.root, 'link'));
    execFileSync('mkfifo', [path.join(repository.root, 'fifo')]);
    const seen = await seenIn(make, repository, base);
    const leaks = seen?.text.includes('a secret of the user') === true;
    const found = [...missing(seen, `+${secret}`), ...(leaks ? ['a link is followed'] : [])];
    // In the place of a file that git knows it makes git fail: then there is no patch, and nobody waits for one.
    fs.rmSync(path.join(repository.root, 'b.bin'));
    execFileSync('mkfifo', [path.join(repository.root, 'b.bin')]);
    const failed = await seenIn(make, repository, base);
    return [...found, ...(failed === null ? [] : ['there is a patch of what git cannot read'])];
  });
