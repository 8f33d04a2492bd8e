// `claudex status`: where the loops stand. Reads only, and never fails.

import { DEFAULT_CONFIG } from '../../../config/config.ts';
import type { Call, Command, ExitCode } from '../../../engine/workflow-cli.ts';
import { inOneLine, sayTrouble } from '../../../store/trouble.ts';
import { explainExit } from '../exit-codes.ts';
import { describeCounts } from '../findings.ts';
import { type KnownLoop, readLoops } from '../loops.ts';
import { personaOf } from '../personas.ts';
import { type LoopReviewer, reviewerFor } from '../reviewer.ts';
import { isFinished } from '../state-format.ts';
import { shorten } from '../summary.ts';
import { type LoopReport, reportOn } from './describe.ts';
import { troubleWithState } from './unreadable.ts';
import { type Here, here } from './which-loop.ts';

export const status: Command = {
  name: 'status',
  summary: 'where the loop stands, round by round',
  usage: '[--all] [--json]',
  help: 'Shows the loop that goes on, or the last one; --all shows every one.',
  options: { all: { type: 'boolean' }, json: { type: 'boolean' } },
  writes: false,
  words: { least: 0, most: 0 },
  run: showStatus,
};

async function showStatus(call: Call): Promise<ExitCode> {
  try {
    await show(call);
  } catch (error) {
    call.print(`The loops cannot be read: ${inOneLine(error, null, ['.claude'])}`);
  }
  return 0;
}

async function show(call: Call): Promise<void> {
  const found = await here(call);
  const loops = found === null ? [] : readLoops(found.dir);
  const unfinished = loops.filter(({ loop }) => !isFinished(loop.phase));
  const chosen = call.flags.all ? loops : unfinished.length > 0 ? unfinished : loops.slice(0, 1);
  const reports = found === null ? [] : chosen.map((known) => reportOrTrouble(known, found));
  if (call.flags.json) {
    call.print(JSON.stringify({ loops: reports, total: loops.length }, null, 2));
    return;
  }
  const reviewer = reviewerFor(found?.project.config ?? DEFAULT_CONFIG);
  if (reports.length === 0) call.print('no loops');
  for (const report of reports)
    call.print('unreadable' in report ? describeUnreadable(report) : describe(report, reviewer));
  const hidden = loops.length - reports.length;
  if (hidden > 0) call.print(`${hidden} more; \`holdfast claudex status --all\` shows them too.`);
}

/** Of a state that cannot be read nothing is known but that it is there. */
type Unreadable = { id: string; unreadable: string };

function reportOrTrouble(known: KnownLoop, { dir, project }: Here): LoopReport | Unreadable {
  const trouble = troubleWithState(dir, known.id);
  return trouble === null ? reportOn(known, dir, project) : { id: known.id, unreadable: sayTrouble(trouble) };
}

function describeUnreadable({ id, unreadable }: Unreadable): string {
  return [
    `id          ${id}`,
    `its state cannot be read: ${unreadable}, or move it to swept/: \`holdfast claudex cancel ${id}\``,
  ].join('\n');
}

function describe(report: LoopReport, reviewer: LoopReviewer): string {
  const fields = {
    id: report.id,
    mode: report.mode,
    phase: report.phase,
    round: `${report.round} of ${report.max_rounds}`,
    topic: report.topic === '' ? '(the current diff)' : shorten(report.topic, 200),
    started: report.started_at,
    elapsed: report.elapsed,
    signal: report.decision_signal,
    interview: report.interview_used ? 'used' : 'not used',
    from_draft: String(report.from_draft),
    activity: report.activity,
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name.padEnd(10)}  ${value}`);
  const rounds = report.rounds.map(
    ({ round, counts, exit }) =>
      `round ${round} (${personaOf(round).label}): ${counts === null ? notReviewed(exit, reviewer) : describeCounts(counts)}`,
  );
  return [...lines, ...rounds].join('\n');
}

function notReviewed(exit: number | null, reviewer: LoopReviewer): string {
  return exit === null ? 'not reviewed' : `not reviewed (${explainExit(exit, reviewer)})`;
}
