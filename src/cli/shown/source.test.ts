import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ViewScene, viewScene } from '../../../test/view/scene.ts';
import type { Project } from '../../engine/project.ts';
import { openProject } from '../../engine/stop/find-project.ts';
import { type Call, NotNow } from '../../engine/workflow-cli.ts';
import { runtimeHere } from '../../hook/runtime.ts';
import { outputFolder } from '../../store/outputs.ts';
import { noteProject } from '../../store/projects.ts';
import type { CheckAttempt } from '../../store/records.ts';
import { readSidecar, writeSidecar } from '../../store/sidecars.ts';
import type { Source } from '../../views/source.ts';
import { openSource, rootHere } from './source.ts';

let scene: ViewScene;

beforeEach(() => {
  scene = viewScene();
  vi.stubGlobal('HOLDFAST_VERSION', '1.2.3');
  // As in the process of a command.
  vi.stubEnv('HOME', scene.home);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

function callWith(over: Partial<Call> = {}): Call {
  const opened = (): Promise<Project> => openProject(scene.root, runtimeHere(scene.env));
  return {
    ...{ flags: {}, words: [], env: scene.env, cwd: scene.root, now: 5, stdin: () => '', print: () => {} },
    ...{ existing: opened, forNewRun: opened },
    ...over,
  };
}

const sourceHere = (): Promise<Source> => openSource(callWith(), scene.root, false);

/** Of the one run there is. */
function idIn(source: Source): string {
  const { cards } = source.overview();
  expect(cards).toHaveLength(1);
  return cards[0]?.id ?? '';
}

describe('where the runs are that somebody looks at', () => {
  const project = (root: string) => async () => ({ root }) as Project;
  const refused = async () => {
    throw new NotNow('not here');
  };
  it.each([
    ['the project here', project('/here'), project('/new'), '/here'],
    ['where a run would go', async () => null, project('/new'), '/new'],
    ['nowhere', async () => null, refused, null],
  ])('is %s', async (_, existing, forNewRun, root) => {
    expect(await rootHere(callWith({ existing, forNewRun }))).toBe(root);
  });
});

describe('which projects are shown', () => {
  const rootsIn = (source: Source): string[] => source.overview().projects.map(({ root }) => root);

  it('is the one here alone, or all that are known, and this one once', async () => {
    const other = viewScene();
    await scene.done(['idle', 'loop', 'a task']);
    await other.done(['idle', 'loop', 'another task']);
    noteProject(scene.env, other.root);
    expect(rootsIn(await sourceHere())).toEqual([scene.root]);
    expect(rootsIn(await openSource(callWith(), null, true))).toEqual([other.root]);
    expect(rootsIn(await openSource(callWith(), scene.root, true))).toEqual([other.root, scene.root]);
    noteProject(scene.env, scene.root);
    const both = rootsIn(await openSource(callWith(), scene.root, true));
    expect([...both].sort()).toEqual([other.root, scene.root].sort());
    expect((await sourceHere()).version).toBe('1.2.3');
  });

  it('is a run of any of them, found by its id', async () => {
    const other = viewScene();
    await scene.done(['idle', 'loop', 'a task']);
    await other.done(['idle', 'loop', 'another task']);
    noteProject(scene.env, other.root);
    const source = await openSource(callWith(), scene.root, true);
    const pages = await Promise.all(source.overview().cards.map(({ id }) => source.run(id)));
    expect(pages.map((page) => [page?.project.root, page?.run.asked]).sort()).toEqual(
      [
        [scene.root, 'a task'],
        [other.root, 'another task'],
      ].sort(),
    );
  });
});

describe('a run', () => {
  it('is shown whole, with its project and without a diagram where docs/states.md draws it', async () => {
    await scene.done(['idle', 'loop', 'a task']);
    await scene.stop();
    const source = await sourceHere();
    const page = await source.run(idIn(source));
    expect(page).toMatchObject({
      project: { root: scene.root, name: 'project' },
      run: { workflow: 'idle', asked: 'a task', counts: { stops: 1 } },
      diagram: null,
      hasOlder: false,
    });
    expect(Object.keys(page?.project ?? {}).sort()).toEqual(['id', 'name', 'root']);
    expect(page?.run.stops).toHaveLength(1);
  });

  it('of a flow is drawn from its definition, and is shown without it where that cannot be read', async () => {
    const states =
      'start: work\nstates:\n  work:\n    say: Work.\n    leave: [ { when: { signal: fine }, to: done } ]';
    scene.write('holdfast.flows/mine.yaml', `flow: mine\n${states}\n  done: { end: completed }\n`);
    await scene.done(['flow', 'start', 'mine']);
    const source = await sourceHere();
    const id = idIn(source);
    expect((await source.run(id))?.diagram).toEqual({
      start: 'work',
      states: { work: 'work', done: 'done' },
      ways: [{ from: 'work', to: 'done', by: expect.stringContaining('fine') }],
    });
    fs.rmSync(path.join(scene.root, '.holdfast/flow'), { recursive: true });
    expect(await source.run(id)).toMatchObject({ run: { workflow: 'flow' }, diagram: null });
  });

  it('with more stops than are shown has older ones', async () => {
    await scene.done(['idle', 'loop', '--max', '200', 'a task']);
    await scene.stop();
    const journal = scene.read('.holdfast/journal.jsonl');
    const stop = journal.trim().split('\n').at(-1) ?? '';
    fs.appendFileSync(path.join(scene.root, '.holdfast/journal.jsonl'), `${stop}\n`.repeat(99));
    const whole = await sourceHere();
    expect(await whole.run(idIn(whole))).toMatchObject({ run: { counts: { stops: 100 } }, hasOlder: false });
    fs.appendFileSync(path.join(scene.root, '.holdfast/journal.jsonl'), `${stop}\n`);
    const more = await sourceHere();
    const page = await more.run(idIn(more));
    expect(page).toMatchObject({ run: { counts: { stops: 101 } }, hasOlder: true });
    expect(page?.run.stops).toHaveLength(100);
  });

  it('has five hundred older stops at once', async () => {
    await scene.done(['idle', 'loop', '--max', '200', 'a task']);
    await scene.stop();
    const file = path.join(scene.root, '.holdfast/journal.jsonl');
    const stop = scene.read('.holdfast/journal.jsonl').trim().split('\n').at(-1) ?? '';
    fs.appendFileSync(file, `${stop}\n`.repeat(501));
    const source = await sourceHere();
    const id = idIn(source);
    const newest = (await source.run(id))?.run.stops[0]?.position;
    if (newest === undefined) throw new Error('there is no stop');
    const first = await source.older(id, newest);
    expect(first?.hasOlder).toBe(true);
    expect(first?.stops).toHaveLength(500);
    const last = first?.stops.at(-1)?.position ?? newest;
    const rest = await source.older(id, last);
    expect(rest?.stops).toHaveLength(1);
    expect(rest?.hasOlder).toBe(false);
  });

  it('that is not there is nothing', async () => {
    await scene.done(['idle', 'loop', 'a task']);
    await scene.stop();
    const source = await sourceHere();
    const position = (await source.run(idIn(source)))?.run.stops[0]?.position;
    if (position === undefined) throw new Error('there is no stop');
    expect(await source.run('no/such')).toBeNull();
    expect(await source.file('no/such', 'a')).toBeNull();
    expect(await source.line('no/such', position)).toBeNull();
    expect(await source.older('no/such', position)).toBeNull();
    await expect(source.cancel('no/such')).rejects.toThrow(new NotNow('there is no such run any more.'));
  });

  it('has the files of its own list to read, and no others', async () => {
    await scene.done(['idle', 'loop', 'a task']);
    await scene.stop();
    scene.write('secret.md', 'secret');
    const source = await sourceHere();
    const id = idIn(source);
    const files = (await source.run(id))?.run.files ?? [];
    expect(files.length).toBeGreaterThan(0);
    for (const file of files)
      expect(await source.file(id, file)).toEqual({ text: scene.read(file), cut: false });
    expect(await source.file(id, 'secret.md')).toBeNull();
  });

  it('has the journal’s line behind each mark, and stops from before it', async () => {
    await scene.done(['idle', 'loop', '--max', '9', 'a task']);
    for (let count = 0; count < 3; count++) await scene.stop();
    const source = await sourceHere();
    const id = idIn(source);
    const [newest, middle, oldest] = (await source.run(id))?.run.stops ?? [];
    if (newest === undefined || middle === undefined || oldest === undefined) throw new Error('no stops');
    const lines = scene.read('.holdfast/journal.jsonl').trim().split('\n');
    expect(await source.line(id, newest.position)).toBe(lines.findLast((line) => line.includes('"stop"')));
    const older = await source.older(id, newest.position);
    expect(older?.stops.map(({ position }) => position)).toEqual([middle.position, oldest.position]);
    expect(older?.hasOlder).toBe(false);
    expect(await source.older(id, oldest.position)).toEqual({ stops: [], hasOlder: false });
  });
});

describe('to cancel a run', () => {
  it('ends it, and says so', async () => {
    await scene.done(['idle', 'loop', 'a task']);
    const source = await sourceHere();
    const id = idIn(source);
    const name = source.overview().cards[0]?.name ?? '';
    const said = await source.cancel(id);
    expect(said).toContain(name.slice(name.indexOf(':') + 1));
    const { stdout } = await scene.done(['status', '--json', '--all']);
    expect(JSON.parse(stdout)).toMatchObject({
      runs: [{ run: name, live: false }],
    });
  });

  it('is refused where it has gone in the meantime', async () => {
    await scene.done(['idle', 'loop', 'a task']);
    const source = await sourceHere();
    const id = idIn(source);
    for (const file of (await source.run(id))?.run.files ?? []) fs.rmSync(path.join(scene.root, file));
    fs.rmSync(path.join(scene.root, '.holdfast'), { recursive: true });
    await expect(source.cancel(id)).rejects.toThrow(new NotNow('there is no such run any more.'));
  });
});

it('the journal and the list of projects are watched, and our folder while there is no journal', async () => {
  const watched = (source: Source): unknown[] => {
    const watching = vi.spyOn(fs, 'watch');
    try {
      source.watch(() => {})();
      return watching.mock.calls.map(([file]) => file);
    } finally {
      watching.mockRestore();
    }
  };
  const projects = path.join(scene.home, '.local/state/holdfast/projects');
  expect(watched(await sourceHere())).toEqual([projects, path.join(scene.root, '.holdfast')]);
  await scene.done(['idle', 'loop', 'a task']);
  const journal = path.join(scene.root, '.holdfast/journal.jsonl');
  expect(watched(await sourceHere())).toEqual([projects, journal]);
  // And the output of what runs right now.
  const [run = ''] = (await sourceHere()).overview().cards.map(({ name }) => name);
  const attempt: CheckAttempt = {
    ...{ id: 'a1', work: 'check', check: 'test', definition: 'd', owner: null, status: 'running' },
    deadline: Date.now() + 60_000,
  };
  writeSidecar(scene.root, { ...readSidecar(scene.root, run), attempts: [attempt] });
  expect(watched(await sourceHere())).toEqual([
    projects,
    journal,
    outputFolder({ root: scene.root, env: scene.env }, 'a1'),
  ]);
});

it('whoever watches hears of what was written, until the end', async () => {
  await scene.done(['idle', 'loop', 'a task']);
  const source = await sourceHere();
  let heard = 0;
  const end = source.watch(() => {
    heard += 1;
  });
  try {
    await scene.stop();
    await expect.poll(() => heard, { timeout: 20_000, interval: 50 }).toBeGreaterThan(0);
    expect((await source.run(idIn(source)))?.run.counts.stops).toBe(1);
  } finally {
    end();
  }
});
