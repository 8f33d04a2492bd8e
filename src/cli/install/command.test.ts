import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { commandOnPath, installCommand, ownCommands, PATH_LINE, plannedCommand } from './command.ts';

let folder: string;
let home: string;
let usual: string;
let market: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-command-')));
  home = path.join(folder, 'home');
  usual = path.join(home, '.local/bin');
  market = path.join(folder, 'market');
  fs.mkdirSync(home);
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

const env = (...folders: string[]) => ({ HOME: home, PATH: folders.join(':') });

function write(file: string, text = '#!/bin/sh\n'): string {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text, { mode: 0o755 });
  return file;
}

/** A plugin folder of ours, with its command. */
function pluginIn(place: string): string {
  write(path.join(place, 'lib/entry.cjs'));
  return write(path.join(place, 'bin/holdfast'));
}

const NOT_YET = `It is not on your PATH yet; add this line to your shell's profile: ${PATH_LINE}`;

describe('the command on PATH', () => {
  it('is none where there is none, and where its folder passes away or is no file', () => {
    expect(commandOnPath(env())).toBeNull();
    expect(commandOnPath({ HOME: home })).toBeNull();
    write(path.join(folder, 'a/node_modules/.bin/holdfast'));
    write(path.join(folder, 'b/plugins/x/bin/holdfast'));
    fs.mkdirSync(path.join(folder, 'c/holdfast'), { recursive: true });
    write(path.join(folder, 'd'));
    const places = ['a/node_modules/.bin', 'b/plugins/x/bin', 'c', 'd', 'not-there'];
    expect(commandOnPath(env('relative', ...places.map((each) => path.join(folder, each))))).toBeNull();
  });

  it('is the first that is there, ours or not', () => {
    const other = write(path.join(folder, 'other/holdfast'));
    expect(commandOnPath(env(path.join(folder, 'none'), path.join(folder, 'other')))).toEqual({
      ...{ file: other, ours: false },
    });
    installCommand(market, env(usual));
    expect(commandOnPath(env(usual, path.join(folder, 'other')))).toEqual({
      ...{ file: path.join(usual, 'holdfast'), ours: true },
    });
    expect(commandOnPath(env(path.join(folder, 'other'), usual))).toMatchObject({ file: other, ours: false });
  });

  it('is ours by a link into a plugin, and not in the plugin’s own folder', () => {
    const real = pluginIn(path.join(folder, 'global/holdfast'));
    expect(commandOnPath(env(path.dirname(real)))).toBeNull();
    const link = path.join(folder, 'bin/holdfast');
    fs.mkdirSync(path.dirname(link));
    fs.symlinkSync(real, link);
    expect(commandOnPath(env(path.dirname(link)))).toEqual({ file: link, ours: true });
    fs.rmSync(path.join(folder, 'global/holdfast/lib'), { recursive: true });
    expect(commandOnPath(env(path.dirname(link)))).toEqual({ file: link, ours: false });
  });
});

describe('to install the command', () => {
  const command = (): string => path.join(usual, 'holdfast');

  it('writes it into the usual folder, and says so where that is not on PATH', () => {
    expect(plannedCommand(market, env('/usr/bin'))).toEqual([
      `${command()} would be the command \`holdfast\`.`,
      NOT_YET,
    ]);
    expect(fs.existsSync(usual)).toBe(false);
    expect(installCommand(market, env('/usr/bin'))).toEqual([
      `The command \`holdfast\` is ${command()}.`,
      NOT_YET,
    ]);
    const [first, mark, line] = fs.readFileSync(command(), 'utf8').split('\n');
    expect([first, mark, line]).toEqual([
      '#!/bin/sh',
      '# Written by `holdfast install`; `holdfast uninstall` removes it.',
      `command=${market}/holdfast/bin/holdfast`,
    ]);
    expect(fs.statSync(command()).mode & 0o777).toBe(0o755);
    expect(ownCommands(env())).toEqual([command()]);
  });

  it('says nothing more where it is on PATH, and nothing at all the second time', () => {
    expect(installCommand(market, env(usual))).toEqual([`The command \`holdfast\` is ${command()}.`]);
    expect(installCommand(market, env(usual))).toEqual([]);
    expect(plannedCommand(market, env(usual))).toEqual([]);
    expect(installCommand(market, env())).toEqual([NOT_YET]);
    expect(installCommand(`${market}-2`, env(usual))).toEqual([`The command \`holdfast\` is ${command()}.`]);
    expect(fs.readFileSync(command(), 'utf8')).toContain(`command=${market}-2/holdfast/bin/holdfast\n`);
  });

  it('takes a folder of the user’s own on PATH, the usual one first', () => {
    const mine = path.join(home, 'bin');
    fs.mkdirSync(mine);
    expect(plannedCommand(market, env('/usr/bin', mine))).toEqual([
      `${path.join(mine, 'holdfast')} would be the command \`holdfast\`.`,
    ]);
    expect(plannedCommand(market, env(mine, usual))).toEqual([
      `${command()} would be the command \`holdfast\`.`,
    ]);
    expect(plannedCommand(market, env(mine, path.join(home, 'not-there'), home))).toEqual([
      `${path.join(mine, 'holdfast')} would be the command \`holdfast\`.`,
    ]);
    // HOME itself, and what lies outside of it, are nobody's place for commands.
    expect(plannedCommand(market, env(home, folder))[0]).toBe(
      `${command()} would be the command \`holdfast\`.`,
    );
  });

  it('takes no folder that the user may not write to', () => {
    const closed = path.join(home, 'closed');
    fs.mkdirSync(closed);
    // Root may write everywhere.
    const { accessSync } = fs;
    const asked = vi.spyOn(fs, 'accessSync').mockImplementation((place, mode) => {
      if (place === closed && mode === fs.constants.W_OK) throw new Error('EACCES');
      accessSync(place, mode);
    });
    onTestFinished(() => asked.mockRestore());
    expect(plannedCommand(market, env(closed))).toEqual([
      `${command()} would be the command \`holdfast\`.`,
      NOT_YET,
    ]);
  });

  it('leaves alone what is not ours', () => {
    write(command(), '#!/bin/sh\necho mine\n');
    const said = [`${command()} is there and is not Holdfast's, so it was left alone.`];
    expect(installCommand(market, env(usual))).toEqual(said);
    expect(plannedCommand(market, env(usual))).toEqual(said);
    expect(fs.readFileSync(command(), 'utf8')).toBe('#!/bin/sh\necho mine\n');
    expect(ownCommands(env(usual))).toEqual([]);
  });

  it('leaves alone a link of the user’s to our own script', () => {
    installCommand(market, env(usual));
    const kept = path.join(folder, 'kept');
    fs.renameSync(path.join(usual, 'holdfast'), kept);
    fs.symlinkSync(kept, path.join(usual, 'holdfast'));
    const before = fs.readFileSync(kept, 'utf8');
    installCommand(path.join(folder, 'another'), env(usual));
    expect(fs.readlinkSync(path.join(usual, 'holdfast'))).toBe(kept);
    expect(fs.readFileSync(kept, 'utf8')).toBe(before);
    expect(ownCommands(env(usual))).toEqual([]);
  });

  it('says which other command comes first', () => {
    const other = write(path.join(folder, 'other/holdfast'));
    expect(installCommand(market, env(path.dirname(other), usual))).toEqual([
      `The command \`holdfast\` is ${command()}.`,
      `Another \`holdfast\` comes first on your PATH, or takes its place: ${other}`,
    ]);
  });

  it('has nothing to do where npm has put it on PATH, and replaces our own where that is', () => {
    const real = pluginIn(path.join(folder, 'global/holdfast'));
    const link = path.join(folder, 'bin/holdfast');
    fs.mkdirSync(path.dirname(link));
    fs.symlinkSync(real, link);
    expect(installCommand(market, env(path.dirname(link), usual))).toEqual([]);
    expect(fs.existsSync(usual)).toBe(false);
    const mine = path.join(home, 'bin');
    fs.mkdirSync(mine);
    installCommand(market, env(mine));
    expect(installCommand(`${market}-2`, env(mine, usual))).toEqual([
      `The command \`holdfast\` is ${path.join(mine, 'holdfast')}.`,
    ]);
    expect(ownCommands(env(mine, usual))).toEqual([path.join(mine, 'holdfast')]);
  });
});
