import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { newRecord } from '../../test/driver/records.ts';
import { bareProject, NOW } from '../../test/support/bare-project.ts';
import { recordName, recordPlace, saveRecord } from '../driver/record.ts';
import { tidyUp } from './tidy.ts';

const HOUR_MS = 3600_000;
const DAY_MS = 24 * HOUR_MS;

function put(file: string, age: number, text = ''): string {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  const at = (NOW - age) / 1000;
  fs.utimesSync(file, at, at);
  return file;
}

const LEFT = '.a.json.12.abc.tmp';

it('what killed processes have left is removed wherever we write, once it is an hour old', async () => {
  const project = bareProject(NOW);
  const { root, home, env } = project;
  const beside = path.dirname(root);
  const folders = [
    home,
    path.join(home, 'runs'),
    path.join(root, '.claude/claudex'),
    path.join(root, '.taskie/plans'),
    path.join(root, '.taskie/plans/p'),
    path.join(root, '.holdfast/flow'),
    path.join(root, '.claude'),
    path.join(root, '.jwz'),
    path.join(String(env.XDG_STATE_HOME), 'holdfast'),
    path.join(beside, 'home/.config/holdfast'),
  ];
  const old = folders.map((folder) => put(path.join(folder, LEFT), HOUR_MS + 1000));
  const fresh = folders.map((folder) => put(path.join(folder, '.b.json.12.abc.tmp'), HOUR_MS - 1000));
  const elsewhere = put(path.join(root, 'src', LEFT), 2 * HOUR_MS);
  await tidyUp(project);
  expect(old.filter((file) => fs.existsSync(file))).toEqual([]);
  expect(fresh.filter((file) => !fs.existsSync(file))).toEqual([]);
  expect(fs.existsSync(elsewhere)).toBe(true);
});

it('what is moved out of the project is tidied up there', async () => {
  const project = bareProject(NOW);
  const moved = path.join(path.dirname(project.root), 'moved');
  const file = put(path.join(moved, LEFT), 2 * HOUR_MS);
  await tidyUp({ ...project, env: { ...project.env, CLAUDEX_STATE_DIR: moved } });
  expect(fs.existsSync(file)).toBe(false);
});

it('records go when they are long out of use, but for a budget that is paused', async () => {
  const project = bareProject(NOW);
  const state = path.join(String(project.env.XDG_STATE_HOME), 'holdfast');
  const gone = [
    put(path.join(state, 'notified-session-1'), 31 * DAY_MS),
    put(path.join(state, 'pins/a.json'), 91 * DAY_MS),
    put(path.join(state, 'budgets/a.json'), 361 * DAY_MS, '{"stage":"open"}'),
  ];
  const kept = [
    put(path.join(state, 'notified-session-2'), 29 * DAY_MS),
    put(path.join(state, 'pins/b.json'), 89 * DAY_MS),
    put(path.join(state, 'budgets/b.json'), 359 * DAY_MS, '{"stage":"open"}'),
    put(path.join(state, 'budgets/c.json'), 361 * DAY_MS, '{"stage":"paused"}'),
  ];
  await tidyUp(project);
  expect([...gone, ...kept].filter((file) => fs.existsSync(file))).toEqual(kept);
});

it('the record of a drive goes when its project is gone for a month', async () => {
  const project = bareProject(NOW);
  const state = path.join(String(project.env.XDG_STATE_HOME), 'holdfast');
  const [gone, kept] = [path.join(project.root, 'gone'), project.root].map((root) => {
    const record = newRecord({ root, run: 'idle:a' });
    saveRecord(project.env, recordName(record), record);
    const file = path.join(state, recordPlace(recordName(record)));
    fs.utimesSync(file, (NOW - 31 * DAY_MS) / 1000, (NOW - 31 * DAY_MS) / 1000);
    return file;
  }) as [string, string];
  await tidyUp(project);
  expect([fs.existsSync(gone), fs.existsSync(kept)]).toEqual([false, true]);
});
