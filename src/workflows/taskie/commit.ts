// A decision's change as writes: state.json, changed in its own text, and the review the sidecar remembers.

import path from 'node:path';
import type { Commit, Scene } from '../../engine/workflow.ts';
import type { Change } from './model.ts';
import { stateHash, type World } from './observe.ts';
import { DEFAULTS } from './state.ts';
import { editStateText } from './state-text.ts';

export function commit(change: Change, world: World, scene: Scene): Commit {
  const content = editStateText(world.stateText ?? '{}', fieldsOf(change), DEFAULTS);
  return {
    writes: [{ kind: 'replace', path: path.join(world.folder.path, 'state.json'), content }],
    stateHash: stateHash(content),
    own: change.review === null ? scene.own : { review: change.review },
  };
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
