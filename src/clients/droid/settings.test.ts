import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Programs, programs } from '../../../test/support/programs.ts';
import { giveBackSettings, keepSettings, withoutComments } from './settings.ts';

const SETTINGS = '.factory/settings.json';
const KEPT = '.local/state/holdfast/droid-settings.json';
const has = ({ home }: Programs, file: string): boolean => fs.existsSync(path.join(home, file));
const mode = ({ home }: Programs, file: string): number => fs.statSync(path.join(home, file)).mode & 0o777;

describe('the user’s text of Droid’s settings', () => {
  it('is kept for its owner alone, the newest each time', () => {
    const here = programs({});
    here.write(SETTINGS, '// old');
    keepSettings(here.env);
    here.write(SETTINGS, '// new\n{}');
    keepSettings(here.env);
    expect(here.read(KEPT)).toBe('// new\n{}');
    expect(mode(here, KEPT)).toBe(0o600);
    expect(here.read(SETTINGS)).toBe('// new\n{}');
  });

  it('is not kept where there is none', () => {
    const here = programs({});
    keepSettings(here.env);
    expect(has(here, '.local')).toBe(false);
    giveBackSettings(here.env);
    expect(has(here, SETTINGS)).toBe(false);
  });

  it.each<[string, string, string, boolean]>([
    ['in its own layout', '{ "a": 1, } // x', '{"a":1}', true],
    ['with two empty lists', '{"a":1}', '{"a":1,"extraKnownMarketplaces":{},"enabledPlugins":{}}', true],
    ['without the lists', '{"a":1,"extraKnownMarketplaces":{},"enabledPlugins":{}}', '{ "a":1}', true],
    ['with its own list', '{ "enabledPlugins":{"x@y":true}}', '{"enabledPlugins":{"x@y":true}}', true],
    ['with a comment', '{}', '{ /* x */ }', true],
    ['with another value', '{"a":1}', '{"a":2}', false],
    ['with another plugin', '{"a":1}', '{"a":1,"enabledPlugins":{"x@y":true}}', false],
    ['with another marketplace', '{}', '{"extraKnownMarketplaces":{"x":{}}}', false],
    ['that cannot be read', '{}', '{', false],
    ['that are a list', '{}', '[]', false],
    ['in place of what could not be read', '{', '{}', false],
    ['in place of a list', '[]', '{}', false],
  ])('comes back after settings %s, or not', (_, mine, now, comes) => {
    const here = programs({});
    here.write(SETTINGS, mine);
    keepSettings(here.env);
    here.write(SETTINGS, now);
    giveBackSettings(here.env);
    expect(here.read(SETTINGS)).toBe(comes ? mine : now);
    expect(has(here, KEPT)).toBe(false);
  });

  it('does not come back where the settings are gone, nor where none was kept', () => {
    const gone = programs({});
    gone.write(SETTINGS, '{}');
    keepSettings(gone.env);
    fs.rmSync(path.join(gone.home, SETTINGS));
    giveBackSettings(gone.env);
    expect([has(gone, SETTINGS), has(gone, KEPT)]).toEqual([false, false]);
    const none = programs({});
    none.write(SETTINGS, '{ }');
    giveBackSettings(none.env);
    expect(none.read(SETTINGS)).toBe('{ }');
  });
});

describe('a text without comments', () => {
  it.each([
    ['a // b\nc', 'a \nc'],
    ['a // b', 'a '],
    ['a /* b\n * c */ d /* e */ f', 'a  d  f'],
    ['/**/x', 'x'],
    ['a / b', 'a / b'],
    ['"// a" // b', '"// a" '],
    ['"/* a */"', '"/* a */"'],
    ['"\\"// a" // b', '"\\"// a" '],
    ['"a\\\\" // b', '"a\\\\" '],
    ['"" // b', '"" '],
    ['[1,2,]', '[1,2]'],
    ['{"a":1, \n}', '{"a":1 \n}'],
    ['[1, 2, 3]', '[1, 2, 3]'],
    ['",}"', '",}"'],
    ['",]" ,]', '",]" ]'],
    ['"\\",}"', '"\\",}"'],
    ['[1, // x\n]', '[1 \n]'],
    ['', ''],
  ])('of %j is %j', (text, without) => {
    expect(withoutComments(text)).toBe(without);
  });
});
