// `claudex status`: where the loops stand. Reads only, and never fails.

import type { Call, Command, ExitCode } from '../../../engine/desk.ts';
import { describeCounts } from '../findings.ts';
import { personaOf } from '../personas.ts';
import { isFinished } from '../state.ts';
import { readLoops } from '../store.ts';
import { shorten } from '../summary.ts';
import { type LoopReport, reportOn } from './describe.ts';
import { here } from './find.ts';

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
    call.print(`The loops cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  return 0;
}

async function show(call: Call): Promise<void> {
  const found = await here(call);
  const loops = found === null ? [] : readLoops(found.place);
  const live = loops.filter(({ loop }) => !isFinished(loop.phase));
  const chosen = call.flags.all ? loops : live.length > 0 ? live : loops.slice(0, 1);
  const reports = found === null ? [] : chosen.map((known) => reportOn(known, found.place, found.project));
  if (call.flags.json) {
    call.print(JSON.stringify({ loops: reports, total: loops.length }, null, 2));
    return;
  }
  if (reports.length === 0) call.print('no loops');
  for (const report of reports) call.print(describe(report));
  const hidden = loops.length - reports.length;
  if (hidden > 0) call.print(`${hidden} more; \`holdfast claudex status --all\` shows them too.`);
}

function describe(report: LoopReport): string {
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
    ({ round, counts }) =>
      `round ${round} (${personaOf(round).label}): ${counts === null ? 'not reviewed' : describeCounts(counts)}`,
  );
  return [...lines, ...rounds].join('\n');
}
