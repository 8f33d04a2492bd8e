import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { programs } from '../../../test/support/programs.ts';
import { tidySettings, withoutUs } from './settings.ts';

const FILE = '.copilot/settings.json';

it.each<[Record<string, unknown>, object]>([
  [{}, {}],
  [{ a: 1, enabledPlugins: {}, extraKnownMarketplaces: {} }, { a: 1 }],
  [{ enabledPlugins: { 'idle@holdfast': false } }, {}],
  [{ enabledPlugins: { 'idle@holdfast': true } }, { enabledPlugins: { 'idle@holdfast': true } }],
  [{ enabledPlugins: { 'x@y': false, 'idle@holdfast': false } }, { enabledPlugins: { 'x@y': false } }],
  [{ extraKnownMarketplaces: { 'x@holdfast': false } }, { extraKnownMarketplaces: { 'x@holdfast': false } }],
  [
    { enabledPlugins: null, extraKnownMarketplaces: [] },
    { enabledPlugins: null, extraKnownMarketplaces: [] },
  ],
  [
    { enabledPlugins: 'x', a: 1 },
    { a: 1, enabledPlugins: 'x' },
  ],
])('of the settings %j this is left: %j', (settings, left) => {
  expect(withoutUs(settings)).toEqual(left);
});

describe('the settings of Copilot CLI', () => {
  const tidied = (text: string): string => {
    const here = programs({});
    here.write(FILE, text);
    tidySettings(here.env);
    return here.read(FILE);
  };

  it('lose what it left of us', () => {
    expect(tidied('{"a":1,"enabledPlugins":{"idle@holdfast":false}}')).toBe('{\n  "a": 1\n}\n');
  });

  it.each([['{"a":1}'], ['{"enabledPlugins":{"x@y":false}, "a":1'], ['[]'], ['']])(
    'stay to the byte where there is nothing of it: %j',
    (text) => {
      expect(tidied(text)).toBe(text);
    },
  );

  it('need not be there', () => {
    const here = programs({});
    tidySettings(here.env);
    expect(fs.readdirSync(here.home)).toEqual([]);
  });

  it('stay a link where they are one', () => {
    const here = programs({});
    const real = here.write('real.json', '{"enabledPlugins":{}}');
    here.write('.copilot/x', '');
    fs.symlinkSync(real, path.join(here.home, FILE));
    tidySettings(here.env);
    expect(here.read('real.json')).toBe('{}\n');
    expect(fs.lstatSync(path.join(here.home, FILE)).isSymbolicLink()).toBe(true);
  });
});
