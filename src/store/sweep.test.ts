import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type TempProject, tempProject } from '../../test/support/project.ts';
import { disk } from './disk.ts';
import { replaceFile } from './files.ts';
import { sweepBudgets, sweepNotified, sweepPins, sweepTemporaries } from './sweep.ts';

const HOUR = 3600_000;
let temp: TempProject;
beforeEach(() => {
  temp = tempProject('project', { emptyHome: true });
});
afterEach(() => {
  vi.restoreAllMocks();
  temp.remove();
});

const names = (folder: string): string[] => fs.readdirSync(path.join(temp.root, folder)).sort();
const age = (file: string, ms: number): void => {
  const time = (Date.now() - ms) / 1000;
  fs.utimesSync(path.join(temp.root, file), time, time);
};
const sweep = (...folders: string[]): void =>
  sweepTemporaries(
    folders.map((folder) => path.join(temp.root, folder)),
    temp.root,
    Date.now(),
  );

/** As a process that is killed leaves it: nothing is tidied up. */
function leaveBehind(file: string): string {
  for (const step of ['rename', 'remove'] as const)
    vi.spyOn(disk, step).mockImplementation(() => {
      throw new Error('killed');
    });
  const folder = path.dirname(path.join(temp.root, file));
  expect(() => replaceFile(path.join(temp.root, file), 'half', temp.root)).toThrow('killed');
  vi.restoreAllMocks();
  const left = fs.readdirSync(folder).find((name) => name.endsWith('.tmp'));
  return path.join(path.dirname(file), left ?? '');
}

it('removes what a killed write left more than an hour ago, in a folder and right below it', () => {
  for (const file of [leaveBehind('.ours/state.json'), leaveBehind('.ours/runs/a b.json')])
    age(file, 2 * HOUR);
  sweep('.ours');
  expect(names('.ours')).toEqual(['runs']);
  expect(names('.ours/runs')).toEqual([]);
});

it('leaves a younger one, which somebody may still be writing', () => {
  age(leaveBehind('.ours/state.json'), HOUR / 2);
  sweep('.ours');
  expect(names('.ours')).toHaveLength(1);
});

it('leaves everything that only looks alike', () => {
  const others = [
    '.state.json.tmp',
    'state.json.12.abc.tmp',
    '.a.12.ABC.tmp',
    '.a.x.abc.tmp',
    '.a.12.abc.tmp~',
    '..12.abc.tmp',
  ];
  for (const name of others) {
    temp.write(`.ours/${name}`, 'somebody’s');
    age(`.ours/${name}`, 2 * HOUR);
  }
  fs.mkdirSync(path.join(temp.root, '.ours/.folder.12.abc.tmp'));
  age('.ours/.folder.12.abc.tmp', 2 * HOUR);
  fs.symlinkSync('/etc/hostname', path.join(temp.root, '.ours/.link.12.abc.tmp'));
  sweep('.ours');
  expect(names('.ours')).toEqual([...others, '.folder.12.abc.tmp', '.link.12.abc.tmp'].sort());
});

it('does not go through a folder that leads out', () => {
  const outside = path.join(temp.home, '.a.12.abc.tmp');
  fs.writeFileSync(outside, '');
  fs.utimesSync(outside, 1, 1);
  fs.symlinkSync(temp.home, path.join(temp.root, '.ours'));
  sweep('.ours', '../home');
  expect(fs.existsSync(outside)).toBe(true);
});

it('says nothing of folders that are missing or none', () => {
  temp.write('file', '');
  expect(() => sweep('missing', 'file')).not.toThrow();
});

it('forgets after a month what a session was notified of, and nothing else', () => {
  const marks = ['session-old', 'session-new', 'node'].flatMap((name) => [
    `notified-${name}`,
    `told-${name}`,
  ]);
  for (const name of [...marks, 'next-session/notified-session-x'])
    age(path.relative(temp.root, temp.write(name, '')), name.endsWith('new') ? HOUR : 31 * 24 * HOUR);
  sweepNotified(temp.root, Date.now());
  expect(names('.').filter((name) => marks.includes(name))).toEqual([
    'notified-node',
    'notified-session-new',
    'told-node',
    'told-session-new',
  ]);
  expect(names('next-session')).toEqual(['notified-session-x']);
});

it('drops pins after three months, and nothing beside them', () => {
  for (const [name, days] of [
    ['pins/old.json', 91],
    ['pins/new.json', 89],
    ['trust/old.json', 91],
  ] as const)
    age(path.relative(temp.root, temp.write(name, '')), days * 24 * HOUR);
  sweepPins(temp.root, Date.now());
  expect([names('pins'), names('trust')]).toEqual([['new.json'], ['old.json']]);
});

it('drops budgets after twelve months, but none that is paused or that cannot be read', () => {
  for (const [name, days] of [
    ['old.json', 361],
    ['new.json', 359],
    ['paused.json', 361],
    ['old.txt', 361],
  ] as const)
    age(path.relative(temp.root, temp.write(`budgets/${name}`, name)), days * 24 * HOUR);
  fs.symlinkSync('nowhere', path.join(temp.root, 'budgets/link.json'));
  sweepBudgets(temp.root, Date.now(), (text) => text === 'paused.json');
  expect(names('budgets')).toEqual(['link.json', 'new.json', 'old.txt', 'paused.json']);
});

it('leaves another user’s file', () => {
  temp.write('pins/old.json', '');
  age('pins/old.json', 99 * 24 * HOUR);
  vi.spyOn(process as Required<typeof process>, 'geteuid').mockReturnValue(4711);
  sweepPins(temp.root, Date.now());
  expect(names('pins')).toEqual(['old.json']);
});

it('goes one folder deep, and goes on where a file cannot be removed', () => {
  for (const file of ['.ours/.a.12.abc.tmp', '.ours/runs/.b.12.abc.tmp', '.ours/runs/deep/.c.12.abc.tmp']) {
    temp.write(file, '');
    age(file, 2 * HOUR);
  }
  vi.spyOn(disk, 'remove').mockImplementationOnce(() => {
    throw new Error('no');
  });
  sweep('.ours');
  expect([names('.ours'), names('.ours/runs'), names('.ours/runs/deep')]).toEqual([
    ['.a.12.abc.tmp', 'runs'],
    ['deep'],
    ['.c.12.abc.tmp'],
  ]);
});
