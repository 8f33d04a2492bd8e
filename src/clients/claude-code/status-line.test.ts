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
});
