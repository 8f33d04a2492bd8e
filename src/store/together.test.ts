import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type TempProject, tempProject } from '../../test/support/project.ts';
import { disk } from './disk.ts';
import { Refused } from './files.ts';
import { carryOutTogether } from './together.ts';
import type { Write } from './writes.ts';

let temp: TempProject;
beforeEach(() => {
  temp = tempProject();
});
afterEach(() => {
  vi.restoreAllMocks();
  temp.remove();
});

const at = (name: string): string => path.join(temp.root, name);
const placed = (writes: readonly Write[]) => writes.map((write) => ({ write, root: temp.root }));
const temporaries = (): string[] => fs.readdirSync(temp.root).filter((name) => name.endsWith('.tmp'));

const three: () => Write[] = () => [
  { kind: 'replace', path: at('first'), content: '1' },
  { kind: 'append', path: at('log'), line: 'a line' },
  { kind: 'replace', path: at('last'), content: '2' },
];

describe('writes carried out together', () => {
  it('all take place', () => {
    temp.write('gone', '');
    temp.write('from', 'moved');

    carryOutTogether(
      placed([
        ...three(),
        { kind: 'remove', path: at('gone') },
        { kind: 'move', from: at('from'), to: at('to') },
      ]),
    );

    expect([temp.read('first'), temp.read('log'), temp.read('last'), temp.read('to')]).toEqual([
      '1',
      'a line\n',
      '2',
      'moved',
    ]);
    expect(temp.exists('gone')).toBe(false);
    expect(temporaries()).toEqual([]);
  });

  it('change no name before every new content is synced, and then change them in order', () => {
    const steps: string[] = [];
    const { sync, syncFolder, rename } = disk;
    vi.spyOn(disk, 'sync').mockImplementation((descriptor) => {
      steps.push('sync');
      sync(descriptor);
    });
    vi.spyOn(disk, 'syncFolder').mockImplementation((folder) => {
      steps.push('sync folder');
      syncFolder(folder);
    });
    vi.spyOn(disk, 'rename').mockImplementation((from, to) => {
      steps.push(path.basename(to));
      rename(from, to);
    });

    carryOutTogether(placed(three()));

    // Two contents; then the log and the one folder they are all in.
    expect(steps).toEqual(['sync', 'sync', 'first', 'last', 'sync', 'sync folder']);
  });

  it('change nothing and leave nothing behind when one of them is refused', () => {
    const outside = path.join(path.dirname(temp.root), 'outside');

    const writes = placed([...three(), { kind: 'replace', path: outside, content: '' }]);

    expect(() => carryOutTogether(writes)).toThrow(Refused);
    expect([temp.exists('first'), temp.exists('log'), temp.exists('last')]).toEqual([false, false, false]);
    expect(temporaries()).toEqual([]);
  });

  it('leave no temp file behind when the disk fails at a sync', () => {
    vi.spyOn(disk, 'sync').mockImplementation(() => {
      throw new Error('no space');
    });

    expect(() => carryOutTogether(placed(three()))).toThrow('no space');

    expect(temp.exists('first')).toBe(false);
    expect(temporaries()).toEqual([]);
  });

  it('keep every descriptor closed, also after a failure', () => {
    const open = (): number => fs.readdirSync('/dev/fd').length;
    const before = open();

    carryOutTogether(placed(three()));
    vi.spyOn(disk, 'rename').mockImplementation(() => {
      throw new Error('a rename that fails');
    });
    expect(() => carryOutTogether(placed(three()))).toThrow('a rename that fails');

    expect(open()).toBe(before);
  });
});
