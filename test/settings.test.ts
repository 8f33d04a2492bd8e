// Every environment variable that the product reads is documented for users, and none is documented that it does not.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { registry } from '../src/workflows/registry.ts';

const repository = path.resolve(import.meta.dirname, '..');
const read = (file: string): string => fs.readFileSync(path.join(repository, file), 'utf8');

/** Every system has these; what is put in by the build, or is a field of a payload, is no variable. */
const NOT_OURS = new Set([
  'HOME',
  'PATH',
  'PWD',
  'TERM',
  'HOLDFAST_VERSION',
  'HOLDFAST_DIAGRAMS',
  'CLAUDE_ENV_FILE',
]);

/** `env.NAME` and `process.env.NAME`; the shell's `${NAME-`; and names by their beginnings, however they are looked up. */
const READS = [
  /\benv\.([A-Z][A-Z0-9_]*)\b/g,
  /\$\{([A-Z][A-Z0-9_]*):?-/g,
  /\b((?:HOLDFAST|CLAUDEX|IDLE|TASKIE|CLAUDE|CODEX|COPILOT|QWEN|GEMINI|XDG)_[A-Z0-9_]+)\b/g,
];

function variablesIn(text: string): string[] {
  return READS.flatMap((pattern) => Array.from(text.matchAll(pattern), (match) => match[1] ?? ''));
}

const programs = ['src', 'plugins'].flatMap((folder) =>
  fs
    .readdirSync(path.join(repository, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(md|json|txt)$|\.test\.ts$/.test(entry.name))
    .map((entry) => path.relative(repository, path.join(entry.parentPath, entry.name))),
);
const used = new Set(
  programs.flatMap((file) => variablesIn(read(file))).filter((name) => !NOT_OURS.has(name)),
);
const documented = new Set(
  Array.from(read('docs/settings.md').matchAll(/`([A-Z][A-Z0-9]*_[A-Z0-9_]+)`/g), (match) => match[1] ?? ''),
);

describe('the environment variables', () => {
  it('that are read stand all in docs/settings.md', () => {
    expect(used.size).toBeGreaterThan(12);
    expect([...used].filter((name) => !documented.has(name))).toEqual([]);
  });

  it('that stand in docs/settings.md are all read', () => {
    expect([...documented].filter((name) => !used.has(name))).toEqual([]);
  });

  it('have a link to them in the README', () => {
    expect(read('README.md')).toContain('(docs/settings.md)');
  });

  it.each([
    ['env.SOME_NAME', 'SOME_NAME'],
    ['process.env.PLAIN', 'PLAIN'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a shell's
    ['state=${SOME_STATE:-x}', 'SOME_STATE'],
    ['const { HOLDFAST_NEW: value } = env', 'HOLDFAST_NEW'],
  ])('are found in %s', (text, name) => {
    expect(variablesIn(text)).toContain(name);
  });
});

describe('the worst case of reviews', () => {
  it('is told for every workflow that reviews', () => {
    const page = read('docs/settings.md');
    expect(page).toContain('24 + 8 N');
    for (const { name } of registry) expect(page).toContain(`| ${name}`);
  });
});
