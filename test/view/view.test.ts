// The model behind every view, over what the real hook and the real commands write.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { onlyRun, SESSION, viewScene } from './scene.ts';

describe('a run in the model', () => {
  it('says where it stands, whose it is, what was answered and why', async () => {
    const scene = viewScene();
    await scene.done(['idle', 'loop', '--max', '10', 'make the tests pass']);
    await scene.stop();
    await scene.stop();

    const view = await scene.view();
    const run = onlyRun(view);

    expect(run).toMatchObject({
      workflow: 'idle',
      status: 'running',
      live: true,
      state: 'active',
      progress: { unit: 'iteration', at: 2, of: 10 },
      asked: 'make the tests pass',
      holder: { client: 'claude-code', session: SESSION, driven: false },
      counts: { stops: 2, held: 2, failed: 0 },
    });
    expect(run.stops).toHaveLength(2);
    expect(run.stops[0]).toMatchObject({ kind: 'held', step: 'continue', state: 'active' });
    expect(run.stops[0]?.why).toContain('iteration');
    expect(run.events.map(({ event }) => event)).toEqual(['start']);
    expect(run.forecast?.more).toBe(8);
    expect(JSON.parse(JSON.stringify(view.model()))).toEqual(view.model());
  });

  it('is read again only when something happened, and then only what was added', async () => {
    const scene = viewScene();
    await scene.done(['idle', 'loop', 'a task']);
    await scene.stop();
    const view = await scene.view();
    const before = view.model();
    expect(await view.refresh()).toBe(false);
    expect(view.model()).toBe(before);

    await scene.stop();
    expect(await view.refresh()).toBe(true);
    expect(onlyRun(view).counts.held).toBe(2);
    expect(await view.refresh()).toBe(false);
  });

  it('has the journal’s own line behind each stop, and pages of what is older', async () => {
    const scene = viewScene();
    await scene.done(['idle', 'loop', 'a task']);
    for (let stops = 0; stops < 3; stops++) await scene.stop();
    const view = await scene.view();
    const { name, stops } = onlyRun(view);
    const [project] = view.model().projects;
    const id = project?.id ?? '';
    for (const { position, at } of stops) {
      const raw = JSON.parse(view.raw(id, position) ?? '');
      expect(raw).toMatchObject({ event: 'stop', time: new Date(at).toISOString() });
    }
    const first = await view.older(id, { before: null, run: name, most: 2 });
    expect(first.stops.map(({ at }) => at)).toEqual(stops.slice(0, 2).map(({ at }) => at));
    const next = await view.older(id, { before: first.next, run: name, most: 10 });
    expect(next.stops.map(({ at }) => at)).toEqual(stops.slice(2).map(({ at }) => at));
    expect(next.events.map(({ event }) => event)).toEqual(['start']);
    expect(next.next).toBeNull();
    expect(view.raw('no-project', { segment: 1, offset: 0 })).toBeNull();
  });

  it('needs you where it waits for your answer, and shows the question', async () => {
    const scene = viewScene();
    await scene.done(['idle', 'loop', 'a task']);
    await scene.stop();
    await scene.done(['ask', 'Which database?']);
    await scene.stop('I asked.');
    const run = onlyRun(await scene.view());
    expect(run).toMatchObject({ status: 'needs-you', waiting: { for: 'person', what: 'Which database?' } });
    expect(run.needs).toContain('Which database?');
    expect(run.stops[0]?.kind).toBe('waits');
  });

  it('shows a budget, what is spent, and what is left', async () => {
    const scene = viewScene();
    await scene.done(['idle', 'loop', '--hours', '4', 'a task']);
    await scene.stop();
    await scene.stop();
    const { budget } = onlyRun(await scene.view());
    expect(budget).toMatchObject({ stage: 'open', limits: { timeMs: 4 * 3600_000, tokens: null } });
    expect(budget?.burn.length).toBeGreaterThan(0);
  });

  it('keeps its task and its end when later loops take the place of its files', async () => {
    const scene = viewScene();
    await scene.done(['idle', 'loop', `a first task ${'and more '.repeat(40)}\nin two lines`]);
    await scene.stop('<loop-done>COMPLETE</loop-done>');
    await scene.done(['idle', 'loop', 'a second task']);
    await scene.done(['idle', 'cancel']);
    await scene.stop();
    await scene.done(['idle', 'loop', 'a third task']);
    const [, ...ended] = (await scene.view()).model().projects[0]?.runs ?? [];
    expect(ended.map(({ asked, stage, end }) => [asked, stage, end?.by]).sort()).toEqual([
      [expect.stringMatching(/^a first task [^\n]{186}…$/), 'done, nothing to prove it', null],
      ['a second task', 'cancelled in session a-sessio', 'in session a-sessio'],
    ]);
  });
});

describe('all projects', () => {
  it('are known from a run’s first stop on, and one that is gone is left out', async () => {
    const scene = viewScene();
    await scene.done(['idle', 'loop', 'a task']);
    expect((await scene.view('all')).model().projects).toEqual([]);
    await scene.stop();
    const view = await scene.view('all');
    expect(view.model().projects.map(({ root }) => root)).toEqual([scene.root]);
    fs.renameSync(scene.root, path.join(path.dirname(scene.root), 'moved'));
    expect(await view.refresh()).toBe(true);
    expect(view.model().projects).toEqual([]);
    fs.renameSync(path.join(path.dirname(scene.root), 'moved'), scene.root);
  });

  it('are served all the same where the list cannot be written', async () => {
    const scene = viewScene();
    scene.write('../home/.local/state/holdfast/projects', 'a file where a folder belongs');
    await scene.done(['idle', 'loop', 'a task']);
    expect((await scene.stop()).answer?.decision).toBe('block');
    expect((await scene.view('all')).model().projects).toEqual([]);
  });
});
