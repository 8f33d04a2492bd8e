// README is true: what it says to type works, typed by a new user in its order.

import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readReadme } from './commands.ts';
import { type Reader, reader } from './reader.ts';
import { exempt, ways } from './ways.ts';

const root = path.resolve(import.meta.dirname, '../..');
const { typed, unknown } = readReadme(fs.readFileSync(path.join(root, 'README.md'), 'utf8'));

describe('the test', () => {
  it('knows every line of README that is typed, in its order, and nothing that is not in it', () => {
    expect(unknown).toEqual([]);
    expect(typed.filter((line) => !(line in exempt))).toEqual(Object.keys(ways));
    expect(Object.keys(exempt).filter((line) => !typed.includes(line))).toEqual([]);
  });

  it('finds lines wherever they stand', () => {
    const text = [
      'Run `npx holdfast x`, not `holdfast`.\n',
      '    npm i && holdfast y\n',
      '| in | type |\n| --- | --- |\n| a | `$a:b-c words` |\n',
      'And\n\n    rm -r x\n',
    ].join('\n');
    expect(readReadme(text)).toEqual({
      typed: ['npx holdfast x', 'npm i', 'holdfast y', '$a:b-c words'],
      unknown: ['rm -r x'],
    });
  });
});

describe('as a new user types it', () => {
  let newUser: Reader;
  beforeAll(() => {
    newUser = reader();
  });
  afterAll(() => newUser.remove());

  it.each(Object.entries(ways))('%s', async (line, way) => {
    await way(line, newUser);
  });

  it('HOLDFAST_DISABLE=1 silences the hook', async () => {
    const session = { CLAUDE_CODE_SESSION_ID: 'silent' };
    await newUser.type('dist/holdfast/bin/holdfast install', newUser.checkout);
    await newUser.type('holdfast idle loop A task', newUser.project, session);
    expect((await newUser.stop('Not yet.', { ...session, HOLDFAST_DISABLE: '1' })).stdout).toBe('');
    expect((await newUser.stop('Not yet.', session)).answer?.decision).toBe('block');
  });
});
