// The engine, the store and the command line name no client and no workflow: those stand in their own files and in the
// two registries alone. What was measured in a version of a client may be said in a comment, with that version.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { clients } from '../../src/clients/index.ts';
import { registry } from '../../src/workflows/registry.ts';

const src = path.resolve(import.meta.dirname, '../../src');
const FOLDERS = ['engine', 'store', 'cli', 'view', 'hook', 'config', 'text'];

/** These two stand for clients without a name. */
const NAMELESS = ['unknown', 'generic'];

/** Where a name may stand all the same. */
const exceptions: readonly { file: string; name: string; why: string }[] = [
  ...['config/config.ts', 'config/schema.ts', 'config/settings.ts'].map((file) => ({
    ...{ file, name: 'idle', why: 'its settings are read together with the shared ones' },
  })),
  // The one name is part of the other.
  ...['config/config.ts', 'config/schema.ts', 'config/settings.ts', 'cli/reviewer-checks.ts'].flatMap(
    (file) =>
      ['claude', 'claudex'].map((name) => ({ file, name, why: 'its reviewer is a setting: review.claudex' })),
  ),
  ...['claude', 'codex', 'claudex', 'taskie', 'flow', 'idle'].map((name) => ({
    ...{ file: 'cli/table.ts', name, why: 'every command has its row there' },
  })),
  ...['claude', 'claudex', 'taskie', 'flow', 'idle'].map((name) => ({
    ...{ file: 'cli/run.ts', name, why: 'the help of `run` shows what is typed' },
  })),
  ...['claude', 'claudex', 'taskie', 'idle'].map((name) => ({
    ...{ file: 'cli/init.ts', name, why: 'which folders git is to ignore, and what is typed next' },
  })),
  ...['claude', 'codex', 'claudex', 'idle'].map((name) => ({
    ...{
      file: 'store/denied-names.ts',
      name,
      why: 'what the clients deny to their agents, and what of it is ours',
    },
  })),
  { file: 'store/files.ts', name: 'claude', why: 'a folder of the client in which workflows keep files' },
  { file: 'cli/install.ts', name: 'idle', why: 'what is typed next' },
  { file: 'cli/install/own-files.ts', name: 'opencode', why: 'its plugin keeps a folder among our own' },
  { file: 'cli/run/options.ts', name: 'taskie', why: '--stop-at is about its stages' },
  { file: 'store/journal-forward.ts', name: 'cursor', why: 'how far a reader has come in the journal' },
  { file: 'view/project-reader.ts', name: 'cursor', why: 'how far a reader has come in the journal' },
];

/** Names, the first words of titles and programs, each once. */
const names = [
  ...clients
    .filter(({ name }) => !NAMELESS.includes(name))
    .flatMap(({ name, title, install }) => [name, title.split(' ')[0] ?? '', install?.program ?? '']),
  ...registry.map(({ name }) => name),
]
  .map((name) => name.toLowerCase())
  .filter((name, position, all) => name !== '' && all.indexOf(name) === position);

const COMMENT = /\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n?)+|\/\/.*$/gm;

/** The names that this source mentions. */
function namedIn(source: string): string[] {
  const told = source.replace(COMMENT, (comment) => (/\d+\.\d+\.\d+/.test(comment) ? '' : comment));
  return names.filter((name) => patternOf(name).test(told));
}

/** A cursor is also a place in a text, and an agent can be idle: then only the whole word counts, or the title. */
function patternOf(name: string): RegExp {
  if (name === 'cursor') return /'cursor'|\bCursor\b/;
  if (name === 'idle') return /\bidle\b/i;
  // It is in every workflow's name for itself.
  if (name === 'flow') return /\bflow\b/i;
  return new RegExp(name, 'i');
}

describe('a folder that serves every client and every workflow names none', () => {
  const files = FOLDERS.flatMap((folder) =>
    fs
      .readdirSync(path.join(src, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => path.join(folder, file)),
  );
  const found = files.flatMap((file) =>
    namedIn(fs.readFileSync(path.join(src, file), 'utf8')).map((name) => ({ file, name })),
  );
  const isExcepted = (each: { file: string; name: string }): boolean =>
    exceptions.some(({ file, name }) => file === each.file && name === each.name);

  it('in all of its sources', () => {
    expect(files.length).toBeGreaterThan(80);
    expect(found.filter((each) => !isExcepted(each))).toEqual([]);
  });

  it('but needs each of its exceptions', () => {
    for (const { file, name } of exceptions) expect(found).toContainEqual({ file, name });
  });
});

it('every name is found, but not in another meaning', () => {
  expect(names).toEqual(
    expect.arrayContaining(['claude-code', 'claude', 'codex', 'gemini', 'idle', 'taskie']),
  );
  expect(names).not.toContain('generic');
  const rows: [source: string, found: string[]][] = [
    ["if (client === 'codex') return;", ['codex']],
    ['const claudePlugins = [env.CLAUDE_CONFIG_DIR];', ['claude']],
    ['// Codex has two of them.', ['codex']],
    ['/** As Cursor does. */', ['cursor']],
    ['const cursor = new LineCursor(text); // where it stands', []],
    ['// Gemini holds on 127\n// (0.61.0).', []],
    ['/** Codex 0.166.0 has two of them. */', []],
    ['// Codex 0.166.0 has two of them.\nconst codex = 1;', ['codex']],
    ['// An idling agent.', []],
  ];
  for (const [source, found] of rows) expect(namedIn(source), source).toEqual(found);
});
