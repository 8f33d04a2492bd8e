// A decision's change as writes: the docket, where a review was taken up, then state.json, changed in its own text; and
// what the sidecar remembers.

import { headOf } from '../../engine/changes/head.ts';
import type { RunContext } from '../../engine/context.ts';
import type { Commit } from '../../engine/workflow.ts';
import { below } from '../../store/paths.ts';
import { takeUp } from './docket.ts';
import { editStateText } from './edit-state.ts';
import { logNumberOf } from './names.ts';
import { stateHash, type World } from './observe.ts';
import { savedAfter } from './saved.ts';
import { DEFAULTS } from './state-format.ts';
import type { Change } from './types.ts';

export function commit(change: Change, world: World, context: RunContext): Commit {
  const content = editStateText(world.stateText ?? '{}', fieldsOf(change), DEFAULTS);
  const inFolder = (name: string): string => below(world.folder.path, name);
  const taken = change.review === null ? null : takeUp(change.review, world.folder, context);
  if (taken !== null) world.docket = taken;
  return {
    writes: [
      ...(taken?.writes ?? []),
      ...outdatedLogs(change, world).map((name) => ({ kind: 'remove' as const, path: inFolder(name) })),
      { kind: 'replace', path: inFolder('state.json'), content },
    ],
    stateHash: stateHash(content),
    saved: savedAfter(change, context.saved, () => headOf(context.project.root, context.project.env)),
    ...(taken?.notice ? { notice: taken.notice } : {}),
  };
}

/** A try without a verdict may have left its file, so that the next one took another number: its log is over too. */
function outdatedLogs({ review }: Change, { folder }: World): string[] {
  if (review === null) return [];
  return folder.files.filter((file) => {
    const number = logNumberOf(file);
    return number !== null && number >= review.iteration && number < review.number;
  });
}

function fieldsOf({ phase, next, iteration, model, clean }: Change) {
  return {
    phase,
    phase_iteration: iteration,
    next_phase: next,
    review_model: model,
    consecutive_clean: clean,
  };
}
