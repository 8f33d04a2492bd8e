import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject } from '../../test/support/bare-project.ts';
import { journalIn, putToy, runtimeIn, SESSION, stoppedIn } from '../../test/support/stop-here.ts';
import { toy } from '../../test/toy/workflow.ts';
import type { Project } from '../engine/project.ts';
import type { RunHere } from '../engine/stop/find-runs.ts';
import { readSidecar, writeSidecar } from '../store/sidecars.ts';
import { forEachRun, readSessionEvent, runOfSession } from './session-runs.ts';

let project: Project;
beforeEach(() => {
  project = bareProject(1_000_000);
});
const read = (payload: unknown, named: string | null = null) =>
  readSessionEvent({
    ...{ input: typeof payload === 'string' ? payload : JSON.stringify(payload), named, limitS: null },
    runtime: runtimeIn(project),
  });
const names = (runs: readonly RunHere[] = []): string[] =>
  runs.map(({ workflow, run }) => `${workflow.name}:${run}`);

describe('an event of a session', () => {
  it('comes with the project and its runs', async () => {
    putToy(project, 'toy:a');
    putToy(project, 'toy2:b');
    putToy(project, 'toy:c', {}, 'another');
    const payload = { session_id: SESSION, cwd: project.root, hook_event_name: 'PreCompact' };
    const event = await read(payload);
    expect(event?.payload).toEqual(payload);
    expect(event?.context).toMatchObject({
      ...{ stop: { session: SESSION }, project: { root: project.root, now: project.now } },
    });
    expect(event?.context.decidedOn).toEqual(new Map());
    expect(names(event?.runs)).toEqual(['toy:a', 'toy2:b']);
    expect(readSidecar(project.root, 'toy:c').sessions).toEqual(['another']);
  });

  it('is none of ours where it says nothing of a session in a project with runs', async () => {
    const payload = { session_id: SESSION, cwd: project.root };
    expect(await read(payload)).toBeNull();
    putToy(project, 'toy:a');
    expect(await read({ cwd: project.root })).toBeNull();
    for (const input of ['', 'x', '[]', '"a"', 'null']) expect(await read(input)).toBeNull();
    expect(
      await readSessionEvent({ input: null, named: null, limitS: null, runtime: runtimeIn(project) }),
    ).toBeNull();
    expect(names((await read({ ...payload, session_id: 'another' }))?.runs)).toEqual([]);
  });

  it('is read as the client writes it that is named', async () => {
    putToy(project, 'toy:a');
    expect((await read({ session_id: SESSION, cwd: project.root }, 'codex'))?.context.stop.client).toBe(
      'codex',
    );
  });
});

describe('each run of an event', () => {
  it('is looked at, though another fails', async () => {
    const runs = ['a', 'b', 'c'].map((run) => ({ workflow: toy, run }));
    for (const name of ['toy:a', 'toy:b', 'toy:c']) putToy(project, name);
    const seen: string[] = [];
    await forEachRun({ payload: {}, context: stoppedIn(project), runs }, async ({ run }) => {
      seen.push(run);
      if (run === 'b') throw new Error('no luck');
    });
    expect(seen).toEqual(['a', 'b', 'c']);
    expect(journalIn(project)).toMatchObject([{ workflow: 'toy', run: 'b', error: 'Error: no luck' }]);
  });

  it('comes with its notes and its own clock', () => {
    putToy(project, 'toy:a');
    const waiting = { for: 'work', since: 900_000, until: 2_000_000, what: 'tests' } as const;
    writeSidecar(project.root, { ...readSidecar(project.root, 'toy:a'), saved: 'mine', waiting });
    const context = stoppedIn(project);
    expect(runOfSession({ workflow: toy, run: 'a' }, context)).toEqual({
      workflow: toy,
      sidecar: readSidecar(project.root, 'toy:a'),
      context: { project, run: 'a', stop: context.stop, now: 900_000, saved: 'mine' },
    });
  });

  it('is none that is another session’s by now', () => {
    putToy(project, 'toy:a', {}, 'another');
    expect(runOfSession({ workflow: toy, run: 'a' }, stoppedIn(project))).toBeNull();
  });
});
