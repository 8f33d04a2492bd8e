import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { programs } from '../../../test/support/programs.ts';
import { builtPlugin, pluginPath, pluginText, readLoader, readPluginFile } from './plugin-file.ts';

const MARK = '// Written by `holdfast install`; `holdfast uninstall` removes it.';
const FILE = '.config/opencode/plugins/holdfast.js';
const text = `${MARK}\nconst marketplace = "/m \\"x\\"";\nconst plugins = ["a","b"];\nexport {};\n`;

it.each([
  [{ HOME: '/h' }, '/h/.config/opencode/plugins/holdfast.js'],
  [{ HOME: '/h', XDG_CONFIG_HOME: '/c' }, '/c/opencode/plugins/holdfast.js'],
  [{ HOME: '/h', XDG_CONFIG_HOME: 'c' }, '/h/.config/opencode/plugins/holdfast.js'],
])('with %j the file is %s', (env, file) => {
  expect(pluginPath(env)).toBe(file);
});

it('what the build left lies in the marketplace', () => {
  const { home, write } = programs({});
  write('opencode/loader.js', 'a loader');
  expect(builtPlugin('/m')).toBe('/m/opencode/plugin.mjs');
  expect(readLoader(home)).toBe('a loader');
});

it('the loader is filled in as JavaScript, whatever the names hold', () => {
  const loader = "const marketplace = '@MARKETPLACE@';\nconst plugins = '@PLUGINS@';\n";
  expect(pluginText(loader, '/m "$&"', ["'@PLUGINS@'", '$1'])).toBe(
    'const marketplace = "/m \\"$&\\"";\nconst plugins = ["\'@PLUGINS@\'","$1"];\n',
  );
});

describe('the file in the user’s folder', () => {
  const read = (content: string) => {
    const here = programs({});
    here.write(FILE, content);
    return readPluginFile(here.env);
  };

  it('is ours, and tells what it names', () => {
    expect(read(text)).toEqual({ kind: 'ours', text, source: '/m "x"', plugins: ['a', 'b'] });
  });

  it.each([
    [''],
    [`\n${text}`],
    [text.replace(MARK, `${MARK} `)],
    [text.replace('const marketplace', '// const marketplace')],
    [text.replace('const plugins', '// const plugins')],
    [text.replace('x\\"";', 'x\\""; // mine')],
    [text.replace('["a","b"];', '["a","b"]')],
    [text.replace('["a","b"];', '["a","b"]; more')],
    [text.replace('"/m \\"x\\""', '/m')],
    [text.replaceAll('\n', ' ')],
  ])('is somebody else’s: %j', (content) => {
    expect(read(content)).toEqual({ kind: 'foreign' });
  });

  it('is not there', () => {
    expect(readPluginFile(programs({}).env)).toEqual({ kind: 'none' });
  });

  it('is somebody else’s where it cannot be read', () => {
    const { home, env } = programs({});
    fs.mkdirSync(path.join(home, FILE), { recursive: true });
    expect(readPluginFile(env)).toEqual({ kind: 'foreign' });
    const other = programs({});
    fs.mkdirSync(path.dirname(path.join(other.home, FILE)), { recursive: true });
    fs.symlinkSync('/nonexistent', path.join(other.home, FILE));
    expect(readPluginFile(other.env)).toEqual({ kind: 'foreign' });
  });
});
