// The definition as the first stop found it, in the user's state folder, where nothing in the project can change it. All of
// it and not a fingerprint: those that a stop can afford may be forged, and a definition is short.

import type { Project } from '../../engine/project.ts';
import { isPassing } from '../../store/files.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import { hasShape, isText } from '../../store/shape.ts';
import { changeUserRecord, readUserRecord } from '../../store/user-state.ts';
import type { Facts } from './types.ts';

type PinnedFlow = { run: string; root: string; definition: string };

const isPinnedFlow = hasShape<PinnedFlow>({ run: isText, root: isText, definition: isText });

type Place = Pick<Project, 'root' | 'env'>;

/** What cannot be believed was changed by somebody. */
export function comparePin({ root, env }: Place, run: string, definition: string): Facts['pinned'] {
  try {
    const pin = readUserRecord(env, placeOf(root, run), isPinnedFlow);
    if (pin === null || pin.run !== run || pin.root !== root) return 'none';
    return pin.definition === definition ? 'same' : 'differs';
  } catch (error) {
    if (isPassing(error)) throw error;
    return 'differs';
  }
}

/** Once: another hook of the same run may have been first. */
export function pinFlow({ root, env }: Place, run: string, definition: string): Facts['pinned'] {
  changeUserRecord(env, placeOf(root, run), isPinnedFlow, (known) =>
    known?.run === run && known.root === root ? known : { run, root, definition },
  );
  return comparePin({ root, env }, run, definition);
}

/** Beside the pins of checks, and swept with them. */
const placeOf = (root: string, run: string): string => `pins/flow-${fingerprint(`${root}\n${run}`)}.json`;
