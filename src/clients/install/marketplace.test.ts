import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import type { Project } from '../../engine/project.ts';
import { isOurs, pluginId, readMarketplace } from './marketplace.ts';

let project: Project;
const list = (name: string, ...plugins: unknown[]): void =>
  void writeIn(
    project,
    '.claude-plugin/marketplace.json',
    JSON.stringify({ name, plugins: plugins.map((each) => ({ name: each, source: './x' })) }),
  );
beforeEach(() => {
  project = bareProject();
  list('holdfast', 'idle', 'holdfast', 'task-2');
  writeIn(project, 'holdfast/.claude-plugin/plugin.json', '{"version":"1.2.3"}');
});

describe('a marketplace folder', () => {
  it('names its version and its workflows', () => {
    expect(readMarketplace(project.root)).toEqual({
      folder: project.root,
      version: '1.2.3',
      workflows: ['idle', 'task-2'],
    });
  });

  it('is none by another name', () => {
    list('other', 'holdfast');
    expect(readMarketplace(project.root)).toBe(null);
  });

  it.each(['', 'Idle', '2idle', '-idle', 'id_le', 'idle ', '../idle', 7])(
    'is none with a plugin called %j',
    (name) => {
      list('holdfast', 'idle', name);
      expect(readMarketplace(project.root)).toBe(null);
    },
  );

  it.each(['{}', '{"version":1}', '{'])('is none where the core says %s', (text) => {
    writeIn(project, 'holdfast/.claude-plugin/plugin.json', text);
    expect(readMarketplace(project.root)).toBe(null);
  });

  it('is none that is not there', () => {
    expect(readMarketplace(`${project.root}/none`)).toBe(null);
  });
});

it('a plugin’s id says that it is ours', () => {
  expect(pluginId('idle')).toBe('idle@holdfast');
  expect(['idle@holdfast', 'idle@other', 'holdfast', 'a@holdfast@b'].map(isOurs)).toEqual([
    ...[true, false, false, false],
  ]);
});
