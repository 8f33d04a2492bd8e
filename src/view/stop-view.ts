// A stop as views show it, in plain words. A workflow's own words need its command line, which is loaded by then.

import { readRecordedGuard } from '../engine/guard/recorded.ts';
import { readProof } from '../engine/proof/recorded.ts';
import { readRecordedStep } from '../engine/recorded-step.ts';
import type { WorkflowCli } from '../engine/workflow-cli.ts';
import type { StopEntry } from '../store/journal-lines.ts';
import { messageOf } from '../text/message-of.ts';
import { inOneParagraph } from '../text/paragraph.ts';
import { stepOf } from './describe-event.ts';
import { because } from './explain-stop.ts';
import type { StopView } from './model.ts';
import { kindOf, type ReadStop } from './run-history.ts';

const LONGEST_WHY = 1000;

/** `cli`: of its workflow; null: this version does not know it. */
export function stopView({ entry, position, at }: ReadStop, cli: WorkflowCli | null): StopView {
  const { client, session, milliseconds } = entry;
  return {
    ...{ position, at, kind: kindOf(entry), moved: movedAt(entry) },
    step: inOneParagraph(stepOf(entry), 80),
    why: inOneParagraph(whyOf(entry, cli), LONGEST_WHY),
    state: stateOf(entry, cli),
    ...{ client, session, milliseconds },
  };
}

/** The first hold of a session comes after its first iteration, in which nothing could be seen to move. */
function movedAt({ guard }: StopEntry): boolean {
  const weighed = readRecordedGuard(guard);
  if (weighed === null || !weighed.memory.held) return true;
  const { state, artifacts, tools } = weighed.movement;
  return state || artifacts || tools !== 'no';
}

/** The journal lies in the project: a line that nobody can make words of must not end a view. */
function whyOf(entry: StopEntry, cli: WorkflowCli | null): string {
  try {
    if (entry.error !== null) return `Holdfast hit an error, so this stop was allowed: ${entry.error}`;
    if (entry.run === null) return 'This session has no run; a notice was shown.';
    return because(entry, ownWords(entry, cli));
  } catch (error) {
    return `Its line in the journal cannot be put into words: ${messageOf(error)}`;
  }
}

function ownWords({ step, facts }: StopEntry, cli: WorkflowCli | null): string | null {
  const recorded = readRecordedStep(step);
  if (recorded === null) return null;
  const until = readProof(facts, 'until');
  const ends = until?.claim === 'stands' ? (until.checks[0] ?? null) : null;
  return cli?.explain?.(recorded, ends) ?? null;
}

function stateOf({ state }: StopEntry, cli: WorkflowCli | null): string | null {
  try {
    return cli?.stateOf?.(state) ?? null;
  } catch {
    return null;
  }
}
