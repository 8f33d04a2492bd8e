// Turns a change into writes: the state's file, and what is remembered in the sidecar.

import type { RunContext } from '../../engine/context.ts';
import type { Commit } from '../../engine/workflow.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import type { World } from './observe.ts';
import { readSaved, writeSaved } from './saved.ts';
import { afterChange, writeRunState } from './state-format.ts';
import type { Change } from './types.ts';

export function commit(
  change: Change,
  { files, run, stateHash: found }: World,
  { saved }: RunContext,
): Commit {
  if (run === null) throw new Error('a run without a state has nothing to change');
  const content = writeRunState(afterChange(run, change));
  const before = readSaved(saved);
  const stateHash = fingerprint(content);
  return {
    writes: [{ kind: 'replace', path: files.state, content }],
    stateHash,
    // A kept signal speaks of the state as it was; a crash before the state is written must find it again. Where that
    // stays as it is, the signal would count at every stop from now on.
    saved: writeSaved({ seen: change.seen ?? before.seen, kept: stateHash === found ? null : before.kept }),
  };
}
