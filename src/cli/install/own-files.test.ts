import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { installCommand } from './command.ts';
import { isRecorded, nodeRecordPath, ownFiles, recordNode, removeOwnFiles } from './own-files.ts';

let home: string;
let env: Record<string, string>;
let state: string;

beforeEach(() => {
  home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-own-')));
  env = { HOME: home, PATH: path.join(home, '.local/bin') };
  state = path.join(home, '.local/state/holdfast');
});
afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

const write = (file: string): void => {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, '');
};

it('the path of node is recorded once', () => {
  const file = path.join(home, '.config/holdfast/node');
  expect(nodeRecordPath(env)).toBe(file);
  expect(isRecorded('/bin/node', env)).toBe(false);
  expect(recordNode('/bin/node', env)).toBe(true);
  expect(fs.readFileSync(file, 'utf8')).toBe('/bin/node\n');
  expect(isRecorded('/bin/node', env)).toBe(true);
  expect(recordNode('/bin/node', env)).toBe(false);
  expect(isRecorded('/bin/other', env)).toBe(false);
  expect(recordNode('/bin/other', env)).toBe(true);
  expect(fs.readFileSync(file, 'utf8')).toBe('/bin/other\n');
});

it('what is ours is listed and removed, and what a person gave stays', () => {
  expect(ownFiles(env)).toEqual([]);
  removeOwnFiles(env);
  recordNode('/bin/node', env);
  installCommand('/market', env);
  for (const name of [
    'lock',
    'lock.lease',
    'notified-a',
    'next-session/x',
    'projects/y',
    'code/a',
    'export/b',
    'opencode/c',
  ])
    write(path.join(state, name));
  for (const name of ['trust/z', 'my-lock', 'lock2', 'unnotified-a']) write(path.join(state, name));
  const ours = ['code', 'export', 'lock', 'lock.lease', 'next-session', 'notified-a', 'opencode', 'projects'];
  expect([...ownFiles(env)].sort()).toEqual(
    [
      nodeRecordPath(env),
      ...ours.map((name) => path.join(state, name)),
      path.join(home, '.local/bin/holdfast'),
    ].sort(),
  );
  removeOwnFiles(env);
  expect(ownFiles(env)).toEqual([]);
  expect(fs.readdirSync(state).sort()).toEqual(['lock2', 'my-lock', 'trust', 'unnotified-a']);
  expect(fs.existsSync(path.join(home, '.local/bin'))).toBe(false);
  expect(fs.existsSync(path.join(home, '.config/holdfast'))).toBe(false);
});

it('a folder that has something else in it stays, and one that is empty goes', () => {
  recordNode('/bin/node', env);
  installCommand('/market', env);
  write(path.join(home, '.local/bin/mine'));
  write(path.join(home, '.config/holdfast/holdfast.config.json'));
  write(path.join(state, 'lock'));
  removeOwnFiles(env);
  expect(fs.readdirSync(path.join(home, '.local/bin'))).toEqual(['mine']);
  expect(fs.readdirSync(path.join(home, '.config/holdfast'))).toEqual(['holdfast.config.json']);
  expect(fs.existsSync(state)).toBe(false);
});
