import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { how, look, removal, wishes } from '../../../test/support/installing.ts';
import { type Programs, programs, says } from '../../../test/support/programs.ts';
import { installer } from './install.ts';

const FILE = '.config/opencode/plugins/holdfast.js';
const loader = fs.readFileSync(
  path.resolve(import.meta.dirname, '../../../extensions/opencode/loader.js'),
  'utf8',
);

/** A machine with opencode and a marketplace as it was built. */
function machine(): { here: Programs; dist: string; file: string } {
  const here = programs({ opencode: { '--version': says('1.18.33') } });
  const dist = path.join(here.folder, 'dist');
  fs.mkdirSync(path.join(dist, 'opencode'), { recursive: true });
  fs.writeFileSync(path.join(dist, 'opencode/loader.js'), loader);
  fs.writeFileSync(path.join(dist, 'opencode/plugin.mjs'), '');
  return { here, dist, file: path.join(here.home, FILE) };
}

/** The same, with Holdfast in it. */
async function installed(): Promise<ReturnType<typeof machine>> {
  const made = machine();
  await (await look(installer, made.here)).install(wishes(made.here, made.dist), how(made.here));
  return made;
}

describe('a look at opencode', () => {
  it('finds nothing where it is not on PATH', async () => {
    expect(await installer.look(programs({}).project)).toBeNull();
  });

  it('says what it said when it fails', async () => {
    const here = programs({ opencode: { '--version': 'echo "no database" >&2; exit 1' } });
    await expect(installer.look(here.project)).rejects.toMatchObject({
      name: 'ClientFailed',
      message: '`opencode --version` failed: no database',
    });
  });

  it('finds none of ours, or ours with the folder that it names', async () => {
    expect(await look(installer, machine().here)).toMatchObject({ source: null, hasPlugins: false });
    const { here, dist } = await installed();
    expect(await look(installer, here)).toMatchObject({ source: dist, hasPlugins: true });
  });

  it.each(['export const Mine = 1;\n', ''])(
    'takes a file of somebody else’s for none of ours: %j',
    async (text) => {
      const { here } = machine();
      here.write(FILE, text);
      expect(await look(installer, here)).toMatchObject({ source: null, hasPlugins: false });
    },
  );

  it('takes what cannot be read for somebody else’s', async () => {
    const { here, dist, file } = machine();
    fs.mkdirSync(file, { recursive: true });
    const client = await look(installer, here);
    await expect(client.install(wishes(here, dist), how(here))).rejects.toThrow('was left alone');
  });
});

describe('an installation in opencode', () => {
  it('writes one file, which names the folder and the plugins, and says so', async () => {
    const { here, dist, file } = machine();
    expect(await (await look(installer, here)).install(wishes(here, dist), how(here))).toEqual({
      good: true,
      changed: true,
      lines: [`opencode 1.18.33: installed holdfast, idle for all your projects (${file}).`],
    });
    const lines = here.read(FILE).split('\n');
    expect(lines.slice(1, 3)).toEqual([
      `const marketplace = ${JSON.stringify(dist)};`,
      'const plugins = ["holdfast","idle"];',
    ]);
    expect([lines[0], ...lines.slice(3)]).toEqual([loader.split('\n')[0], ...loader.split('\n').slice(3)]);
  });

  it('changes nothing where it is there as wanted', async () => {
    const { here, dist, file } = await installed();
    expect(await (await look(installer, here)).install(wishes(here, dist), how(here))).toEqual({
      good: true,
      changed: false,
      lines: [`opencode 1.18.33: holdfast, idle for all your projects: installed already (${file}).`],
    });
  });

  it('writes it again for other plugins', async () => {
    const { here, dist } = await installed();
    const core = { ...wishes(here, dist), plugins: ['holdfast'] };
    const { changed } = await (await look(installer, here)).install(core, how(here));
    expect(changed).toBe(true);
    expect(here.read(FILE)).toContain('const plugins = ["holdfast"];');
  });

  it('writes through a folder that is a link', async () => {
    const { here, dist } = machine();
    fs.mkdirSync(path.join(here.home, 'dotfiles'));
    fs.mkdirSync(path.join(here.home, '.config/opencode'), { recursive: true });
    fs.symlinkSync('../../dotfiles', path.join(here.home, '.config/opencode/plugins'));
    await (await look(installer, here)).install(wishes(here, dist), how(here));
    expect(here.read('dotfiles/holdfast.js')).toContain('"idle"');
  });

  it('only says what it would do in a dry run', async () => {
    const { here, dist, file } = machine();
    expect(await (await look(installer, here)).install(wishes(here, dist), how(here, true))).toEqual({
      good: true,
      changed: false,
      lines: [`opencode 1.18.33: ${file} would be written, with holdfast, idle.`],
    });
    expect(fs.existsSync(path.dirname(file))).toBe(false);
  });

  it('leaves a file of somebody else’s alone, and says so', async () => {
    const { here, dist, file } = machine();
    here.write(FILE, 'export const Mine = 1;\n');
    await expect((await look(installer, here)).install(wishes(here, dist), how(here))).rejects.toMatchObject({
      name: 'ClientFailed',
      message: `${file} is there and is not Holdfast's, so it was left alone. Move it away.`,
    });
    expect(here.read(FILE)).toBe('export const Mine = 1;\n');
  });
});

describe('taking it out of opencode', () => {
  it('removes the file, its folder where that is empty, and the transcripts', async () => {
    const { here, file } = await installed();
    here.write('.local/state/holdfast/opencode/ses_1.jsonl', '{}\n');
    here.write('.local/state/holdfast/other', '');
    expect(await (await look(installer, here)).uninstall(removal(here))).toEqual({
      good: true,
      changed: true,
      lines: [`opencode 1.18.33: removed holdfast, idle (${file}).`],
    });
    expect(fs.existsSync(path.dirname(file))).toBe(false);
    expect(fs.readdirSync(path.join(here.home, '.local/state/holdfast'))).toEqual(['other']);
  });

  it('leaves a folder with other plugins, and needs no transcripts', async () => {
    const { here, file } = await installed();
    here.write('.config/opencode/plugins/mine.js', '');
    expect((await (await look(installer, here)).uninstall(removal(here))).changed).toBe(true);
    expect(fs.readdirSync(path.dirname(file))).toEqual(['mine.js']);
  });

  it('only says what it would do in a dry run', async () => {
    const { here, file } = await installed();
    expect(await (await look(installer, here)).uninstall(removal(here, true))).toEqual({
      good: true,
      changed: false,
      lines: [`opencode 1.18.33: ${file} would be removed.`],
    });
    expect(fs.existsSync(file)).toBe(true);
  });

  it.each(['nothing', 'a file of somebody else’s'])(
    'says that none of ours is there, with %s',
    async (what) => {
      const { here } = machine();
      if (what !== 'nothing') here.write(FILE, 'export const Mine = 1;\n');
      expect(await (await look(installer, here)).uninstall(removal(here))).toEqual({
        good: true,
        changed: false,
        lines: ['opencode 1.18.33: nothing of Holdfast is installed there.'],
      });
      expect(fs.existsSync(path.join(here.home, FILE))).toBe(what !== 'nothing');
    },
  );
});

describe('what doctor says of opencode', () => {
  const fix = 'holdfast install --client opencode';

  it('is that the plugin is installed', async () => {
    const { here } = await installed();
    expect(await (await look(installer, here)).check(how(here))).toEqual([
      { result: 'good', what: 'opencode 1.18.33: the plugin is installed', fix: null },
    ]);
  });

  it('is that it is absent', async () => {
    const { here } = machine();
    expect(await (await look(installer, here)).check(how(here))).toEqual([
      {
        result: 'bad',
        what: 'opencode 1.18.33: the Holdfast plugin is not installed in it',
        fix,
        absent: true,
      },
    ]);
  });

  it('is that the folder it names is gone', async () => {
    const { here, dist, file } = await installed();
    fs.rmSync(path.join(dist, 'opencode/plugin.mjs'));
    expect(await (await look(installer, here)).check(how(here))).toEqual([
      {
        result: 'bad',
        what: `opencode 1.18.33: ${file} names ${dist}, which is gone, so nothing is held`,
        fix,
      },
    ]);
  });
});
