// Beside what ../installers.test.ts shows: whose the status line is, and what its file may be.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { programs } from '../../../test/support/programs.ts';
import { removeStatusLine, setStatusLine } from './status-line.ts';

const FILE = '.claude/settings.json';

function user(settings: string | null) {
  const here = programs({});
  if (settings !== null) here.write(FILE, settings);
  const given = { cwd: here.project, env: here.env, cli: '/opt/holdfast/bin/holdfast' };
  const set = (dryRun = false, more: object = {}) => setStatusLine({ ...given, ...more }, dryRun);
  const remove = (dryRun = false) => removeStatusLine(here.env, dryRun);
  return { ...here, file: path.join(here.home, FILE), set, remove };
}
const LINE =
  '{"statusLine":{"type":"command","command":"/opt/holdfast/bin/holdfast status --line","refreshInterval":5}}';

describe('the status line of a user', () => {
  it('is ours where they have none, once, and is taken away again with nothing else', () => {
    const { set, remove, read, file } = user('\uFEFF{"model":"opus"}');
    expect(set(true).lines).toEqual([`Claude Code: ${file} would get ${LINE}.`]);
    expect([set().changed, set().changed]).toEqual([true, false]);
    expect(JSON.parse(read(FILE))).toEqual({ model: 'opus', ...JSON.parse(LINE) });
    expect(set(false, { cli: "'/my tools/holdfast'" }).changed).toBe(true);
    expect(read(FILE)).toContain("'/my tools/holdfast' status --line");
    expect([remove(true), remove()]).toEqual([
      expect.stringContaining('would be'),
      expect.stringContaining(file),
    ]);
    expect([JSON.parse(read(FILE)), remove()]).toEqual([{ model: 'opus' }, null]);
  });

  it('is set through a link, and where CLAUDE_CONFIG_DIR says', () => {
    const { set, remove, read, write, home, env } = user(null);
    write('.claude/x', '');
    fs.symlinkSync(write('dotfiles.json', '{}'), path.join(home, FILE));
    set();
    expect(JSON.parse(read('dotfiles.json'))).toEqual(JSON.parse(LINE));
    remove();
    expect([fs.lstatSync(path.join(home, FILE)).isSymbolicLink(), read('dotfiles.json')]).toEqual([
      true,
      '{}\n',
    ]);
    set(false, { env: { ...env, CLAUDE_CONFIG_DIR: path.join(home, 'elsewhere') } });
    expect(fs.existsSync(path.join(home, 'elsewhere/settings.json'))).toBe(true);
  });

  it.each([
    ['{"statusLine":{"type":"command","command":"my-line"}}', 'my-line'],
    ['{"statusLine":"mine"}', '<yours>'],
  ])('stays where they have one, with how to show both: %s', (own, shown) => {
    const { set, remove, read } = user(own);
    const { changed, good, lines } = set();
    expect({ changed, good }).toEqual({ changed: false, good: true });
    const both = `| ${shown}; printf '%s' "$input" | /opt/holdfast/bin/holdfast status --line`;
    expect(lines[1]).toBe(`  input=$(cat); printf '%s' "$input" ${both}`);
    expect([remove(), read(FILE)]).toEqual([null, own]);
  });

  it.each(['no json', '[]', '7', ''])('is left alone where the settings are %j', (content) => {
    const { set, remove, read, file } = user(content);
    const lines = [
      `Claude Code: ${file} is not a JSON object, so nothing was changed; to set it yourself, add ${LINE}.`,
    ];
    expect(set()).toEqual({ good: false, changed: false, lines });
    expect([remove(), read(FILE)]).toEqual([null, content]);
  });

  it('is left alone where the settings cannot be read', () => {
    const { set, remove, file } = user(null);
    fs.mkdirSync(file, { recursive: true });
    expect(set()).toMatchObject({
      good: false,
      changed: false,
      lines: [expect.stringContaining('cannot be read (')],
    });
    expect(remove()).toBeNull();
  });

  it.each([
    ['holdfast status --line', true],
    ['bin/holdfast status --line', true],
    ["'/my tools/holdfast' status --line", true],
    ['holdfast status --line --json', false],
    ['my-line; holdfast status --line', false],
    ["'/my tools/fast' status --line", false],
    [7, false],
  ])('is ours or theirs by its command: %s', (command, isOurs) => {
    expect(user(JSON.stringify({ statusLine: { command } })).remove(true) !== null).toBe(isOurs);
  });
});
