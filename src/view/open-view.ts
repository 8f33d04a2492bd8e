// Opens a view: one reader for each project, and the model put together from what they read.

import path from 'node:path';
import { openProject } from '../engine/stop/find-project.ts';
import { runtimeHere } from '../hook/runtime.ts';
import type { Environment } from '../store/environment.ts';
import { journalLineAt } from '../store/journal-backward.ts';
import { knownProjects } from '../store/projects.ts';
import { messageOf } from '../text/message-of.ts';
import type { ProjectView, ViewModel } from './model.ts';
import { olderPage } from './older.ts';
import { ProjectReader } from './project-reader.ts';
import type { View, ViewWanted } from './view.ts';

/** Of all journals together, and of one: what is older comes by paging. */
const READ_BACK = { all: 32 * 1024 * 1024, most: 8 * 1024 * 1024, least: 256 * 1024 };

export async function openView(wanted: ViewWanted): Promise<View> {
  const { clock = Date.now, env } = wanted;
  const readers = new Map<string, ProjectReader>();
  const views = new Map<string, ProjectView>();
  let model: ViewModel = { at: clock(), projects: [] };

  const readerOf = (root: string, count: number): ProjectReader => {
    const back = wanted.back ?? Math.min(READ_BACK.most, Math.max(READ_BACK.least, READ_BACK.all / count));
    const reader = readers.get(root) ?? new ProjectReader(root, back);
    readers.set(root, reader);
    return reader;
  };

  const refresh = async (): Promise<boolean> => {
    const now = clock();
    const roots = wanted.roots === 'all' ? knownProjects(env) : wanted.roots;
    const gone = [...readers.keys()].filter((root) => !roots.includes(root));
    for (const root of gone) {
      readers.delete(root);
      views.delete(root);
    }
    let changed = gone.length > 0;
    for (const root of roots) {
      const view = await readOne(readerOf(root, roots.length), env, now);
      if (view === null) continue;
      views.set(root, view);
      changed = true;
    }
    if (!changed) return false;
    model = { at: now, projects: roots.flatMap((root) => views.get(root) ?? []) };
    return true;
  };

  const rootOf = (id: string): string | null =>
    [...readers.values()].find((reader) => reader.id === id)?.root ?? null;

  await refresh();
  return {
    model: () => model,
    refresh,
    async older(project, page) {
      const root = rootOf(project);
      return root === null ? { stops: [], events: [], next: null } : olderPage(root, page);
    },
    raw(project, position) {
      const root = rootOf(project);
      return root === null ? null : journalLineAt(root, position);
    },
  };
}

/** One project that cannot be read must not hide the others. */
async function readOne(reader: ProjectReader, env: Environment, now: number): Promise<ProjectView | null> {
  const { root, id } = reader;
  try {
    return await reader.read(await openProject(root, { ...runtimeHere(env), now }));
  } catch (error) {
    const what = `${root} cannot be read: ${messageOf(error)}`;
    const troubles = [{ what, fix: `look at it with \`holdfast doctor\` there` }];
    return { id, root, name: path.basename(root), runs: [], leftOut: 0, troubles, readBackTo: null };
  }
}
