import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { how, look, removal, wishes } from '../../../test/support/installing.ts';
import { type Doings, type Programs, programs, says } from '../../../test/support/programs.ts';
import { installer } from './install.ts';

/** Copies as Qwen Code does, with what it notes of a copy. */
const COPY = `name=$(basename "$3"); to="$HOME/.qwen/extensions/$name"; mkdir -p "$to" && cp -r "$3/." "$to"
echo "{\\"source\\":\\"$3\\"}" >"$to/.qwen-extension-install.json"`;

const qwen = (more: Doings = {}): Record<string, Doings> => ({
  qwen: { '--version': says('a first line\n0.24.4'), ...more },
});

/** A machine with a marketplace of two plugins. */
function machine(more: Doings = {}): { here: Programs; dist: string } {
  const here = programs(qwen(more));
  const dist = path.join(here.folder, 'dist');
  for (const [name, rest] of [
    ['holdfast', {}],
    ['idle', { dependencies: ['holdfast'] }],
  ] as const) {
    fs.mkdirSync(path.join(dist, name, '.claude-plugin'), { recursive: true });
    fs.writeFileSync(path.join(dist, name, '.claude-plugin/plugin.json'), JSON.stringify({ name, ...rest }));
  }
  fs.mkdirSync(path.join(dist, 'holdfast/hooks'));
  fs.writeFileSync(path.join(dist, 'holdfast/hooks/stop'), '#!/bin/sh\n');
  return { here, dist };
}

const installs: Doings = {
  '*': `case $2 in install) ${COPY} ;; uninstall) rm -r "$HOME/.qwen/extensions/$3" ;; esac`,
};

describe('a look at Qwen Code', () => {
  it('finds nothing where it is not on PATH', async () => {
    expect(await installer.look(programs({}).project)).toBeNull();
  });

  it('finds none of ours', async () => {
    expect(await look(installer, machine().here)).toMatchObject({ source: null, hasPlugins: false });
  });

  it('finds what is there, and the folder it was copied from', async () => {
    const { here, dist } = machine(installs);
    await (await look(installer, here)).install(wishes(here, dist), how(here));
    expect(await look(installer, here)).toMatchObject({ source: dist, hasPlugins: true });
  });

  it('finds no folder where its copy does not say', async () => {
    const { here } = machine();
    here.write('.qwen/extensions/holdfast/.claude-plugin/plugin.json', '{"name":"holdfast"}');
    expect(await look(installer, here)).toMatchObject({ source: null, hasPlugins: true });
  });
});

describe('an installation in Qwen Code', () => {
  it('installs each, and says so; the second time there is nothing to do', async () => {
    const { here, dist } = machine(installs);
    expect(await (await look(installer, here)).install(wishes(here, dist), how(here))).toEqual({
      good: true,
      changed: true,
      lines: ['Qwen Code 0.24.4: installed holdfast, idle for all your projects.'],
    });
    expect(here.calls().slice(1)).toEqual([
      `qwen extensions install ${dist}/holdfast --consent`,
      `qwen extensions install ${dist}/idle --consent`,
    ]);
    expect(await (await look(installer, here)).install(wishes(here, dist), how(here))).toEqual({
      good: true,
      changed: false,
      lines: ['Qwen Code 0.24.4: holdfast, idle for all your projects: installed already.'],
    });
  });

  it('says what is not there afterwards', async () => {
    const { here, dist } = machine();
    expect(await (await look(installer, here)).install(wishes(here, dist), how(here))).toEqual({
      good: false,
      changed: true,
      lines: [
        'Qwen Code 0.24.4: holdfast is not there after its installation',
        'Qwen Code 0.24.4: idle is not there after its installation',
      ],
    });
  });

  it('only shows its commands in a dry run', async () => {
    const { here, dist } = machine(installs);
    expect(await (await look(installer, here)).install(wishes(here, dist), how(here, true))).toEqual({
      good: true,
      changed: false,
      lines: [
        'Qwen Code 0.24.4 would be changed by:',
        `  qwen extensions install ${dist}/holdfast --consent`,
        `  qwen extensions install ${dist}/idle --consent`,
      ],
    });
    expect(here.calls()).toEqual(['qwen --version']);
  });
});

describe('taking it out of Qwen Code', () => {
  it('says what went', async () => {
    const { here, dist } = machine(installs);
    await (await look(installer, here)).install(wishes(here, dist), how(here));
    expect(await (await look(installer, here)).uninstall(removal(here))).toEqual({
      good: true,
      changed: true,
      lines: ['Qwen Code 0.24.4: removed holdfast, idle.'],
    });
    expect(here.calls().slice(-2)).toEqual([
      'qwen extensions uninstall idle',
      'qwen extensions uninstall holdfast',
    ]);
  });

  it('does not name what is still there, and is not good then', async () => {
    const { here, dist } = machine({
      ...installs,
      'extensions uninstall idle': 'true',
    });
    await (await look(installer, here)).install(wishes(here, dist), how(here));
    expect(await (await look(installer, here)).uninstall(removal(here))).toEqual({
      good: false,
      changed: true,
      lines: ['Qwen Code 0.24.4: removed holdfast.'],
    });
  });

  it('only shows its commands in a dry run', async () => {
    const { here, dist } = machine(installs);
    await (await look(installer, here)).install(wishes(here, dist), how(here));
    const { lines, changed } = await (await look(installer, here)).uninstall(removal(here, true));
    expect(lines).toEqual([
      'Qwen Code 0.24.4 would be changed by:',
      '  qwen extensions uninstall idle',
      '  qwen extensions uninstall holdfast',
    ]);
    expect(changed).toBe(false);
    expect(await look(installer, here)).toMatchObject({ hasPlugins: true });
  });

  it('says that nothing is there', async () => {
    const { here } = machine();
    const { lines } = await (await look(installer, here)).uninstall(removal(here));
    expect(lines).toEqual(['Qwen Code 0.24.4: nothing of Holdfast is installed there.']);
  });
});

describe('what doctor says of Qwen Code', () => {
  const judged = async (before: (here: Programs) => void = () => {}) => {
    const { here, dist } = machine(installs);
    await (await look(installer, here)).install(wishes(here, dist), how(here));
    before(here);
    return { here, findings: await (await look(installer, here)).check(how(here)) };
  };

  it('is that the extension is installed', async () => {
    expect((await judged()).findings).toEqual([
      { result: 'good', what: 'Qwen Code 0.24.4: the extension is installed', fix: null },
    ]);
  });

  it('is that its files are gone', async () => {
    const { findings } = await judged(({ home }) =>
      fs.rmSync(path.join(home, '.qwen/extensions/holdfast/hooks/stop')),
    );
    const what = 'Qwen Code 0.24.4 has an extension of Holdfast without its files';
    expect(findings).toEqual([{ result: 'bad', what, fix: 'holdfast install --client qwen' }]);
  });

  it('is that it is switched off here', async () => {
    const state = {
      extensions: { a: { name: 'other' }, b: { name: 'holdfast', defaultActivation: 'disabled' } },
    };
    const { findings } = await judged((here) => {
      here.write('.qwen/extension-store/state.json', JSON.stringify(state));
    });
    const what = 'Qwen Code 0.24.4 has Holdfast switched off here';
    expect(findings).toEqual([{ result: 'bad', what, fix: 'qwen extensions enable holdfast' }]);
  });

  it('is which settings switch all hooks off', async () => {
    const { here, findings } = await judged((machine) => {
      machine.write('.qwen/settings.json', '{"disableAllHooks":true}');
    });
    const file = `${here.home}/.qwen/settings.json`;
    const what = `Qwen Code 0.24.4 runs no hooks at all: ${file} has disableAllHooks`;
    expect(findings).toEqual([{ result: 'bad', what, fix: `remove disableAllHooks from ${file}` }]);
  });

  it.each(['{"disableAllHooks":false}', '{"disableAllHooks":"true"}', '[]', 'no JSON'])(
    'is good with the settings %s',
    async (settings) => {
      const { findings } = await judged((here) => {
        here.write('.qwen/settings.json', settings);
      });
      expect(findings).toMatchObject([{ result: 'good' }]);
    },
  );
});
