import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TempProject, tempProject } from '../../../test/support/project.ts';
import { removeStatusLine, setStatusLine } from './status-line.ts';

let temp: TempProject;
let file: string;
let here: { cwd: string; env: { HOME: string }; cli: string };
beforeEach(() => {
  temp = tempProject('project', { emptyHome: true });
  file = path.join(temp.home, '.claude/settings.json');
  here = { cwd: temp.root, env: { HOME: temp.home }, cli: '/opt/holdfast/bin/holdfast' };
});
afterEach(() => temp.remove());

const settings = (): Record<string, unknown> => JSON.parse(fs.readFileSync(file, 'utf8'));
function write(content: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content);
}

describe('the status line of a user', () => {
  it('is ours where they have none, once, and is taken away again with nothing else', () => {
    write('{"model":"opus"}');
    expect(setStatusLine(here, false)).toMatchObject({ good: true, changed: true });
    expect(settings()).toMatchObject({
      model: 'opus',
      statusLine: { type: 'command', command: '/opt/holdfast/bin/holdfast status --line' },
    });
    expect(setStatusLine(here, false)).toMatchObject({ good: true, changed: false });
    expect(removeStatusLine(here.env, false)).toContain(file);
    expect(settings()).toEqual({ model: 'opus' });
    expect(removeStatusLine(here.env, false)).toBeNull();
  });

  it('is set where there is no file yet, and through a link', () => {
    setStatusLine(here, false);
    expect(settings()).toHaveProperty('statusLine');
    const kept = path.join(temp.home, 'dotfiles.json');
    fs.renameSync(file, kept);
    fs.symlinkSync(kept, file);
    removeStatusLine(here.env, false);
    expect(fs.lstatSync(file).isSymbolicLink()).toBe(true);
    expect(JSON.parse(fs.readFileSync(kept, 'utf8'))).toEqual({});
  });

  it('follows ours to another place', () => {
    setStatusLine(here, false);
    setStatusLine({ ...here, cli: "'/my tools/holdfast'" }, false);
    expect(settings().statusLine).toMatchObject({ command: "'/my tools/holdfast' status --line" });
    expect(removeStatusLine(here.env, false)).not.toBeNull();
  });

  it('stays where they have one, with how to show both', () => {
    const own = '{"statusLine":{"type":"command","command":"my-line"}}';
    write(own);
    const { changed, lines } = setStatusLine(here, false);
    expect(changed).toBe(false);
    expect(lines.join('\n')).toContain('my-line; printf');
    expect(removeStatusLine(here.env, false)).toBeNull();
    expect(fs.readFileSync(file, 'utf8')).toBe(own);
  });

  it.each(['no json', '[]', '7', ''])('is left alone where the settings are %j', (content) => {
    write(content);
    expect(setStatusLine(here, false)).toMatchObject({ good: false, changed: false });
    expect(fs.readFileSync(file, 'utf8')).toBe(content);
  });

  it('is only shown by a dry run', () => {
    const { lines } = setStatusLine(here, true);
    expect(lines.join()).toContain('would get');
    expect(fs.existsSync(file)).toBe(false);
  });

  it('says in each case what was done, or why nothing was', () => {
    const command = '/opt/holdfast/bin/holdfast status --line';
    const line = JSON.stringify({ statusLine: { type: 'command', command, refreshInterval: 5 } });
    expect(setStatusLine(here, true)).toEqual({
      ...{ good: true, changed: false, lines: [`Claude Code: ${file} would get ${line}.`] },
    });
    expect(setStatusLine(here, false).lines).toEqual([
      `Claude Code: its status line shows Holdfast's runs now (${file}).`,
    ]);
    expect(setStatusLine(here, false).lines).toEqual(["Claude Code: its status line is Holdfast's already."]);
    expect(removeStatusLine(here.env, true)).toBe(
      `Claude Code: its status line in ${file} would be taken away.`,
    );
    expect(settings()).toHaveProperty('statusLine');
    expect(removeStatusLine(here.env, false)).toBe(
      `Claude Code: took Holdfast's status line out of ${file}.`,
    );
    write('[]');
    expect(setStatusLine(here, false).lines).toEqual([
      `Claude Code: ${file} is not a JSON object, so nothing was changed; to set it yourself, add ${line}.`,
    ]);
    expect(removeStatusLine(here.env, false)).toBeNull();
  });

  it('is left alone where the settings cannot be read', () => {
    fs.mkdirSync(file, { recursive: true });
    const { good, changed, lines } = setStatusLine(here, false);
    expect({ good, changed }).toEqual({ good: false, changed: false });
    expect(lines[0]).toMatch(
      /settings\.json cannot be read \(EISDIR.*\), so nothing was changed; to set it yourself/,
    );
    expect(removeStatusLine(here.env, false)).toBeNull();
  });

  it('may begin with a mark of the encoding, and lie where CLAUDE_CONFIG_DIR says', () => {
    write('\uFEFF{"model":"opus"}');
    expect(setStatusLine(here, false).changed).toBe(true);
    expect(settings().model).toBe('opus');
    const elsewhere = path.join(temp.home, 'elsewhere');
    setStatusLine({ ...here, env: { ...here.env, CLAUDE_CONFIG_DIR: elsewhere } as typeof here.env }, false);
    expect(fs.existsSync(path.join(elsewhere, 'settings.json'))).toBe(true);
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
    write(JSON.stringify({ statusLine: { command } }));
    expect(removeStatusLine(here.env, true) !== null).toBe(isOurs);
  });

  it('of theirs without a command is named so', () => {
    write('{"statusLine":"mine"}');
    expect(setStatusLine(here, false).lines).toEqual([
      `Claude Code: you have a status line already (yours in ${file}), and it stays. To show both, let a script run both:`,
      `  input=$(cat); printf '%s' "$input" | <yours>; printf '%s' "$input" | /opt/holdfast/bin/holdfast status --line`,
    ]);
  });
});
