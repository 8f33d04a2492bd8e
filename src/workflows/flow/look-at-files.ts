// Files inside the project, by a flow's patterns: is there one, and what are they like. Never outside it: the project is
// walked, no pattern is opened, and links are not followed.

import type { Project } from '../../engine/project.ts';
import { contentOf } from '../../engine/proof/content.ts';
import { ownFiles } from '../../engine/proof/own-files.ts';
import { findFiles, makeSeal } from '../../engine/proof/protect.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import { globs } from '../../text/glob.ts';
import { registry } from '../registry.ts';
import type { World } from './observe.ts';
import { conditionsIn, type FileCondition, fileKey, own, reviewIn, watchedIn } from './stand.ts';
import type { Definition, Marks } from './types.ts';

/** Each file condition of the state that the run is in: does it hold? */
export async function filesNow(
  { root, env }: Project,
  { definition, run, state }: World,
): Promise<Record<string, boolean>> {
  if (definition === null || run === null || state.kind !== 'at') return {};
  const conditions = conditionsIn(own(definition.states, state.at)).filter(
    (each): each is FileCondition => each.kind === 'file',
  );
  const found: Record<string, boolean> = {};
  for (const condition of conditions)
    found[fileKey(condition)] = await isSo(condition, { root, env }, run.marks);
  return found;
}

async function isSo(
  { glob, is }: FileCondition,
  { root, env }: Pick<Project, 'root' | 'env'>,
  marks: Marks,
): Promise<boolean> {
  // A run whose notes of its entry are gone cannot tell: then nothing has changed.
  if (is === 'changed')
    return (own(marks, glob) ?? null) !== null && own(marks, glob) !== (await markOf(root, env, glob));
  const { files } = await findFiles(root, [glob]);
  const isThere = files.some(matcher(glob));
  return is === 'exists' ? isThere : !isThere;
}

/** What the files are like that this state watches, as it is entered. */
export async function entryMarks(
  { root, env }: Pick<Project, 'root' | 'env'>,
  definition: Definition | null,
  to: string,
): Promise<Marks> {
  const globs = definition === null ? [] : watchedIn(own(definition.states, to));
  const marks: Record<string, string> = {};
  for (const glob of globs) marks[glob] = await markOf(root, env, glob);
  return marks;
}

/** What this state's review looks at, as one fingerprint. */
export async function reviewContent({ root, env }: Project, { definition, state }: World): Promise<string> {
  const name = state.kind === 'at' ? reviewIn(state.lines.flatMap(({ when }) => when)) : null;
  const review = definition === null || name === null ? undefined : own(definition.reviews, name);
  if (review === undefined) return '';
  const content = await contentOf(root, env, { without: ownFiles(registry) });
  if (content !== null) return content.of([...review.files]);
  // Without git the files themselves are read.
  const { files } = await makeSeal(root, env, review.files);
  return fingerprint(JSON.stringify(files));
}

async function markOf(root: string, env: Project['env'], glob: string): Promise<string> {
  const { files } = await makeSeal(root, env, [glob]);
  const isMeant = matcher(glob);
  return fingerprint(JSON.stringify(files.filter(([file]) => isMeant(file))));
}

/** A plain name may be a folder. */
function matcher(glob: string): (file: string) => boolean {
  const { matches } = globs([glob, `${glob.replace(/\/+$/, '')}/**`]);
  return (file) => matches(file);
}
