// Gives the views what they show: the model, kept up to date while somebody looks, and what lies behind its marks.

import fs from 'node:fs';
import { openProject } from '../../engine/stop/find-project.ts';
import { type Call, NotNow } from '../../engine/workflow-cli.ts';
import { runtimeHere } from '../../hook/runtime.ts';
import type { Environment } from '../../store/environment.ts';
import { homeOf, journalPath } from '../../store/home.ts';
import { noteLooked } from '../../store/looked.ts';
import { outputFolder } from '../../store/outputs.ts';
import { below } from '../../store/paths.ts';
import { userStateFolder } from '../../store/user-state.ts';
import type { ProjectView, RunView } from '../../view/model.ts';
import { openView } from '../../view/open-view.ts';
import { allRuns } from '../../view/runs.ts';
import type { View } from '../../view/view.ts';
import type { RunPage } from '../../views/shown.ts';
import type { Source } from '../../views/source.ts';
import { endRun } from '../cancel.ts';
import { dismissRun } from '../dismiss.ts';
import { nameOf, overviewOf, projectsOf } from './cards.ts';
import { readForPeople } from './read-file.ts';
import { watchFiles } from './watch-files.ts';

declare const HOLDFAST_VERSION: string;

const OLDER_AT_ONCE = 500;

/** Where runs are, or would be, seen from here; null: nowhere. */
export async function rootHere(call: Call): Promise<string | null> {
  const project = await call.existing();
  if (project !== null) return project.root;
  try {
    return (await call.forNewRun()).root;
  } catch {
    return null;
  }
}

/** `all`: every project that is known, and the one here, which may not have had a stop yet. */
export async function openSource({ env }: Call, here: string | null, all: boolean): Promise<Source> {
  const views = [
    ...(all ? [await openView({ roots: 'all', env })] : []),
    ...(here === null ? [] : [await openView({ roots: [here], env })]),
  ];
  const models = () => views.map((view) => view.model());
  const find = (id: string): Found | null => {
    for (const view of views)
      for (const project of view.model().projects) {
        const run = project.runs.find((each) => each.id === id);
        if (run !== undefined) return { view, project, run };
      }
    return null;
  };
  const looks = new Set<() => Promise<void>>();
  return {
    version: HOLDFAST_VERSION,
    overview: () => overviewOf(models()),
    async run(id) {
      const found = find(id);
      if (found === null) return null;
      const { project, run } = found;
      if (run.unseen && env.HOLDFAST_DISABLE !== '1')
        noteLooked(project.root, env, 'seen', { [run.name]: run.movedAt ?? 0 });
      return pageOf(found);
    },
    async file(id, name) {
      const found = find(id);
      if (found === null || !found.run.files.includes(name)) return null;
      return readForPeople(found.project.root, name);
    },
    async line(id, position) {
      const found = find(id);
      return found === null ? null : found.view.raw(found.project.id, position);
    },
    async older(id, before) {
      const found = find(id);
      if (found === null) return null;
      const wanted = { before, run: found.run.name, most: OLDER_AT_ONCE };
      const { stops, next } = await found.view.older(found.project.id, wanted);
      return { stops, hasOlder: next !== null };
    },
    watch(changed) {
      const paths = () => writtenIn(projectsOf(models()), env);
      const look = async () => {
        const results = await Promise.all(views.map((view) => view.refresh().catch(() => false)));
        if (results.includes(true)) changed();
      };
      looks.add(look);
      const end = watchFiles(paths, look);
      return () => {
        looks.delete(look);
        end();
      };
    },
    async cancel(id) {
      const found = find(id);
      if (found === null) throw new NotNow('there is no such run any more.');
      const project = await openProject(found.project.root, runtimeHere());
      const run = (await allRuns(project)).find(({ name }) => name === found.run.name);
      if (run === undefined) throw new NotNow('there is no such run any more.');
      return endRun(project, run);
    },
    async dismiss(id) {
      const ids =
        id === null ? overviewOf(models()).cards.flatMap((card) => (card.live ? [] : card.id)) : [id];
      const said = ids.map((each) => {
        const found = find(each);
        if (found === null) throw new NotNow('there is no such run any more.');
        return dismissRun(found.project.root, found.run, env);
      });
      // What is shown is not to wait for the next look at the disk.
      for (const look of looks) await look();
      return said.length === 1 ? (said[0] ?? '') : `Dismissed ${said.length} runs.`;
    },
  };
}

type Found = { view: View; project: ProjectView; run: RunView };

async function pageOf({ project, run }: Found): Promise<RunPage> {
  return {
    project: nameOf(project),
    run,
    diagram: await diagramOf(project, run),
    hasOlder: project.readBackTo !== null || run.counts.stops > run.stops.length,
  };
}

async function diagramOf({ root }: ProjectView, { workflow, run }: RunView): Promise<RunPage['diagram']> {
  const runtime = runtimeHere();
  const entry = runtime.registry.find(({ name }) => name === workflow);
  const cli = await entry?.cli();
  if (cli?.diagram === undefined) return null;
  try {
    return cli.diagram(await openProject(root, runtime), run);
  } catch {
    return null;
  }
}

/**
 * What hooks and commands write: each project's journal, which has a line of all they do, and the output of what runs
 * right now. Not our whole folder: a stop writes a dozen times there, and each would wake all who watch while it runs.
 */
function writtenIn(projects: readonly ProjectView[], env: Environment): string[] {
  return [
    below(userStateFolder(env), 'projects'),
    ...projects.flatMap(({ root, runs }) => {
      const home = homeOf(root);
      const attempts = runs.flatMap(({ work }) =>
        work.map(({ attempt }) => outputFolder({ root, env }, attempt)),
      );
      const journal = journalPath(home);
      return [fs.existsSync(journal) ? journal : home, ...attempts];
    }),
  ];
}
