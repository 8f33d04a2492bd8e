import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { emptyFolder, projectIn } from '../../../test/support/bare-project.ts';
import { putToy, runtimeIn, SESSION, stopOf } from '../../../test/support/stop-here.ts';
import { registry } from '../../../test/toy/registry.ts';
import type { Stop } from '../../clients/stop.ts';
import { homeOf, sessionPath } from '../../store/home.ts';
import type { Runtime } from '../context.ts';
import type { Project } from '../project.ts';
import {
  allTraces,
  findProject,
  findRootOfCommand,
  hasRunsOf,
  isMoved,
  openProject,
} from './find-project.ts';

let root: string;
let project: Project;
beforeEach(() => {
  root = emptyFolder();
  project = projectIn(root);
});

/** A folder below, with runs of its own where it says so. */
function below(name: string, session?: string | null): Project {
  const folder = path.join(root, name);
  fs.mkdirSync(folder, { recursive: true });
  const there = projectIn(folder, { env: project.env });
  if (session !== undefined) putToy(there, 'toy:a', {}, session);
  return there;
}
const runtime = (over: Partial<Runtime> = {}, env: Project['env'] = {}): Runtime =>
  runtimeIn({ ...project, env: { ...project.env, ...env } }, over);
const rootOf = async (stop: Partial<Stop> = {}, given = runtime()): Promise<string | null> =>
  (await findProject(stopOf(project, stop), given))?.root ?? null;

describe('the project of a stop', () => {
  it('is none where there is no run’s folder on the way', async () => {
    below('sub');
    expect(await rootOf()).toBeNull();
    expect(await rootOf({ cwd: path.join(root, 'sub') })).toBeNull();
    expect(await rootOf({ cwd: path.join(root, 'gone') })).toBeNull();
  });

  it('is the nearest folder with runs, from where the stop says it is', async () => {
    const { root: sub } = below('sub', 'another');
    putToy(project, 'toy:b', {}, 'another');
    expect(await rootOf({ cwd: path.join(sub) })).toBe(sub);
    expect(await rootOf({ cwd: null }, runtime({ cwd: sub }))).toBe(sub);
    expect(await rootOf({ cwd: root }, runtime({ cwd: sub }))).toBe(root);
  });

  it('is the folder of several in which the session has runs', async () => {
    const { root: sub } = below('sub', 'another');
    putToy(project, 'toy:b');
    expect(await rootOf({ cwd: sub })).toBe(root);
    expect(await rootOf({ cwd: sub, session: 'another' })).toBe(sub);
    expect(await rootOf({ cwd: sub, session: null })).toBe(sub);
    expect(await rootOf({ cwd: sub, session: 'nobody' })).toBe(sub);
  });

  it('is looked for where the client was started, too', async () => {
    const elsewhere = projectIn(emptyFolder());
    putToy(elsewhere, 'toy:a');
    const started = { CLAUDE_PROJECT_DIR: elsewhere.root };
    expect(await rootOf({}, runtime({}, started))).toBe(elsewhere.root);
    putToy(project, 'toy:b', {}, 'another');
    expect(await rootOf({}, runtime({}, started))).toBe(elsewhere.root);
    expect(await rootOf({ session: 'another' }, runtime({}, started))).toBe(root);
  });

  it('is where a new run would go, where the user moved a workflow’s files', async () => {
    const { root: sub } = below('sub');
    expect(await rootOf({ cwd: sub }, runtime({}, { TOY_FOLDER: '/elsewhere' }))).toBe(root);
    expect(await rootOf({ cwd: sub }, runtime({}, { TOY_FOLDER: '' }))).toBeNull();
  });

  it('is opened with its settings', async () => {
    putToy(project, 'toy:a');
    fs.writeFileSync(path.join(root, 'holdfast.config.json'), JSON.stringify({ proof: { refusals: 2 } }));
    const opened = await findProject(stopOf(project), runtime({ now: 7, cli: 'hf' }));
    const { config, ...rest } = opened ?? {};
    expect(rest).toEqual({ root, home: homeOf(root), env: project.env, now: 7, cli: 'hf' });
    expect(config).toMatchObject({ project: { proof: { refusals: 2 } } });
    expect(await openProject(root, runtime({ now: 7, cli: 'hf' }))).toEqual(opened);
  });
});

describe('the project of a command', () => {
  const [toy, toy2] = registry;
  const of = (cwd: string, workflow: typeof toy | null = null, given = runtime()) =>
    findRootOfCommand(cwd, workflow ?? null, given);

  it('is none where there is no run’s folder', () => {
    expect([of(root), of(root, toy)]).toEqual([null, null]);
    expect(of(root, null, runtime({}, { TOY_FOLDER: '/elsewhere' }))).toBe(root);
  });

  it('is the nearest with files of its workflow, else with any', () => {
    const { root: sub } = below('sub', 'another');
    putToy(project, 'toy2:b', {}, 'another');
    expect([of(sub), of(sub, toy), of(sub, toy2)]).toEqual([sub, sub, root]);
    expect(of(root, toy)).toBe(root);
  });

  it('is the one in which the session of the environment has runs', () => {
    const { root: sub } = below('sub', 'another');
    putToy(project, 'toy:b');
    const inSession = (id: string): Runtime => runtime({}, { CLAUDE_CODE_SESSION_ID: id });
    expect(of(sub, null, inSession(SESSION))).toBe(root);
    expect(of(sub, null, inSession('another'))).toBe(sub);
    expect(of(sub, null, inSession('nobody'))).toBe(sub);
    expect(of(sub, toy, inSession(SESSION))).toBe(sub);
  });
});

describe('a folder', () => {
  it('has runs of the session whose index names some', () => {
    putToy(project, 'toy:a');
    expect([hasRunsOf(root, SESSION), hasRunsOf(root, 'another')]).toEqual([true, false]);
    const file = sessionPath(homeOf(root), SESSION);
    const index = JSON.parse(fs.readFileSync(file, 'utf8'));
    fs.writeFileSync(file, JSON.stringify({ ...index, runs: [] }));
    expect(hasRunsOf(root, SESSION)).toBe(false);
  });

  it('is the one to speak of where that cannot be read', () => {
    putToy(project, 'toy:a');
    const file = sessionPath(homeOf(root), SESSION);
    fs.rmSync(file);
    const outside = path.join(path.dirname(root), 'outside.json');
    fs.writeFileSync(outside, '{}');
    fs.symlinkSync(outside, file);
    expect(hasRunsOf(root, SESSION)).toBe(true);
  });
});

describe('a workflow', () => {
  it('is moved by a variable that says where to', () => {
    const [toy, toy2] = registry;
    const moved = (entry: typeof toy, env: Project['env']): boolean | undefined =>
      entry && isMoved(entry, env);
    expect(moved(toy, { TOY_FOLDER: 'x' })).toBe(true);
    expect(moved(toy, { TOY_FOLDER: '' })).toBe(false);
    expect(moved(toy, {})).toBe(false);
    expect(moved(toy2, { TOY_FOLDER: 'x', undefined: 'x' })).toBe(false);
  });

  it('has its traces among those of all', () => {
    expect(allTraces(runtime())).toEqual(['.toy', '.toy2']);
  });
});
