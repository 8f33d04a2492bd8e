// README is true: what it says to type works, typed by a new user, and what it shows is what is printed.

import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/parse.ts';
import { type ReadmeCommand, readReadme } from './commands.ts';
import { type Reader, reader, SESSION } from './reader.ts';
import { exempt, ways } from './ways.ts';

const LIMIT = { timeout: 600_000 };
const root = path.resolve(import.meta.dirname, '../..');
const readme = readReadme(fs.readFileSync(path.join(root, 'README.md'), 'utf8'));

/** Explained for each command below. */
const HELP = 'holdfast help <command>';
const named = [...new Set(readme.commands.map(({ command }) => command))];
const toRun = named.filter((command) => !(command in exempt) && command !== HELP);
const isListed = /^holdfast [a-z]/;

let installed: Reader;
beforeAll(async () => {
  installed = reader();
  const { exitCode, stdout, stderr } = await installed.type('npx holdfast install', installed.checkout);
  expect({ exitCode, stderr, stdout }).toEqual({ exitCode: 0, stderr: '', stdout });
}, LIMIT.timeout);
afterAll(() => installed.remove());

describe('the test', () => {
  it('knows every command and every block of README, and nothing that is not in it', () => {
    expect(readme.unknown).toEqual([]);
    expect(named.toSorted()).toEqual([...Object.keys(ways), ...Object.keys(exempt), HELP].toSorted());
  });

  it('finds commands wherever they stand', () => {
    const text = [
      'Run `npx holdfast x` or `/a:b c`, not `holdfast`.\n',
      '    npm i && holdfast w one|two WORD\n',
      'It says:\n\n    done\n',
      'And:\n\n    $ holdfast y\n    said\n\n    $ holdfast z\n',
      'Then\n\n    > /a:b-c words\n\n    ● Said.\n',
      'And\n\n    rm -r x\n',
      'With\n\n    { "a": 1 }\n',
    ].join('\n');
    const found = readReadme(text);
    expect(found.commands).toEqual([
      { command: 'npx holdfast x', shown: null },
      { command: 'npm i', shown: null },
      { command: 'holdfast w one', shown: null },
      { command: 'holdfast w two WORD', shown: ['done'] },
      { command: 'holdfast y', shown: ['said'] },
      { command: 'holdfast z', shown: [] },
    ]);
    expect(found.skills).toEqual(['/a:b', '/a:b-c']);
    expect(found.screens).toEqual([{ typed: '/a:b-c words', lines: ['● Said.'] }]);
    expect(found.unknown).toEqual(['rm -r x']);
    expect(found.configs).toEqual(['{ "a": 1 }']);
  });
});

describe('what goes into the config', () => {
  it.each(readme.configs)('has no mistake: %s', (text) => {
    const { problems } = parseConfig(text, 'holdfast.config.json');
    expect(problems).toEqual([]);
  });

  it('is there', () => {
    expect(readme.configs.length).toBeGreaterThan(0);
  });
});

describe.concurrent('as printed', () => {
  it.each(toRun)('%s', LIMIT, async (command) => {
    const way = ways[command];
    if (way === undefined) throw new Error('test/readme/ways.ts does not say how to run it');
    const { exitCode, stdout, stderr } = await way(command, installed);
    expect({ exitCode, stderr, stdout }).toEqual({ exitCode: 0, stderr: '', stdout });
    const shown = readme.commands.find((each) => each.command === command)?.shown ?? null;
    // Those after a stop are compared below, in the session they speak of.
    if (shown !== null && command !== 'holdfast why') expectExcerpt(shown, stdout);
  });

  it('npx holdfast install puts `holdfast` on PATH', LIMIT, async () => {
    const { stdout } = await installed.type('command -v holdfast', installed.home);
    expect(stdout).toBe(`${path.join(installed.home, '.local/bin/holdfast')}\n`);
  });

  it('the commands are all there are, and help explains each', LIMIT, async () => {
    const type = async (command: string) => (await installed.type(command, installed.home)).stdout;
    const overview = await type('holdfast help');
    const workflows = /^Workflows: ([a-z, ]+);/m.exec(overview)?.[1]?.split(', ') ?? [];
    const texts = [overview, ...(await Promise.all(workflows.map((name) => type(`holdfast ${name} help`))))];
    const all = texts.flatMap((text) =>
      [...text.matchAll(/^ {2}(holdfast .+?) {2}/gm)].map(([, found]) => found),
    );
    const listed = named.filter((command) => isListed.test(command) && command !== HELP).map(withoutCapitals);
    expect(listed.toSorted()).toEqual(all.toSorted());
    for (const command of listed)
      expect(await type(command.replace('holdfast', 'holdfast help'))).toContain(`Usage: ${command}`);
  });

  it('exit codes: 1 refused, 2 wrong usage', LIMIT, async () => {
    const folder = installed.repository('exit-codes');
    expect((await installed.type('holdfast cancel', folder)).exitCode).toBe(1);
    expect((await installed.type('holdfast adopt', folder)).exitCode).toBe(2);
  });
});

describe('in a client', () => {
  it('every skill is one of a plugin', () => {
    expect(readme.skills.length).toBeGreaterThan(5);
    const files = readme.skills.map((skill) => skill.slice(1).replace(':', '/skills/'));
    expect(files.filter((file) => !fs.existsSync(path.join(root, 'dist', file, 'SKILL.md')))).toEqual([]);
  });

  it('the session goes as shown, and why says so after each stop', LIMIT, async () => {
    const [screen, ...others] = readme.screens;
    if (screen === undefined || others.length > 0) throw new Error('README shows another number of sessions');
    const folder = installed.repository('session');
    const env = { CLAUDE_CODE_SESSION_ID: SESSION };
    const whys = readme.commands.filter(({ command, shown }) => command === 'holdfast why' && shown !== null);
    const [start = '', ...turns] = screen.lines.join('\n').split(/^● /m).slice(1);

    // What the skill does with the words after its name.
    const task = screen.typed.replace(/^\S+ /, '');
    const { stdout } = await installed.type('holdfast idle loop', folder, env, task);
    expectExcerpt([start.trim()], stdout);
    expect(whys.length).toBe(turns.length);
    for (const [index, turn] of turns.entries()) {
      const [message = '', hold] = turn.split('⎿').map((part) => part.trim());
      const { answer } = await installed.stop(folder, message.replaceAll(/^ +/gm, ''));
      if (hold === undefined) expect(answer).toBeNull();
      else expectExcerpt([hold], answer?.reason ?? '');
      await expectWhy(whys[index], folder);
    }
  });

  it('HOLDFAST_DISABLE=1 silences the hook', LIMIT, async () => {
    const folder = installed.repository('silent');
    await installed.type('holdfast idle loop A task', folder, { CLAUDE_CODE_SESSION_ID: SESSION });
    expect((await installed.stop(folder, 'Not yet.', { HOLDFAST_DISABLE: '1' })).stdout).toBe('');
    expect((await installed.stop(folder, 'Not yet.')).answer?.decision).toBe('block');
  });

  async function expectWhy(command: ReadmeCommand | undefined, folder: string): Promise<void> {
    const { stdout } = await installed.type(command?.command ?? '', folder);
    expect(shape(stdout.trim())).toBe(shape((command?.shown ?? []).join('\n')));
  }
});

const withoutCapitals = (command: string): string => command.replaceAll(/( --[a-z]+)? [A-Z]+/g, '');

/** The same text for every run, session and time. */
function shape(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/\bidle:loop-\d+-\d+/g, 'RUN')
    .replaceAll(/\b[0-9a-f]{8}-(?:…|[0-9a-f-]{27})/g, 'SESSION');
}

/** The lines are there in this order, others may stand between them; `…` is any text. */
function expectExcerpt(shown: readonly string[], printed: string): void {
  const lines = shape(printed).split('\n');
  let next = 0;
  for (const line of shown) {
    const parts = shape(line.trim()).split('…');
    const pattern = new RegExp(
      `^${parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('.*')}$`,
    );
    const found = lines.findIndex((each, index) => index >= next && pattern.test(each.trim()));
    expect(found, `“${line}” is not printed, or not in this order:\n${printed}`).not.toBe(-1);
    next = found + 1;
  }
}
