// `idle status`: where the loop stands, frame by frame.

import type { Project } from '../../../engine/project.ts';
import type { Call, Command, ExitCode } from '../../../engine/workflow-cli.ts';
import type { Json } from '../../../store/json.ts';
import { loopClock } from '../clock.ts';
import { isActive, isStale } from '../decide.ts';
import type { FoundLoop } from '../read-loop.ts';
import { taskOfFrame } from '../task.ts';
import { describeStage } from './describe.ts';
import { isReleased, loopOf, refuseClosed, whoseIs } from './which-loop.ts';

export const status: Command = {
  name: 'status',
  summary: 'show the loop and where it stands',
  usage: '[--json]',
  options: { json: { type: 'boolean' } },
  writes: false,
  words: { least: 0, most: 0 },
  run,
};

async function run(call: Call): Promise<ExitCode> {
  const project = await call.existing();
  const found = project === null ? null : loopOf(project);
  if (project !== null && found?.state.kind === 'nothing') refuseClosed(project);
  if (call.flags.json) {
    call.print(JSON.stringify(project === null || found === null ? NONE : report(project, found), null, 2));
    return 0;
  }
  if (project === null || found === null || found.state.kind === 'nothing') {
    call.print('No loop here. `holdfast idle loop <task>` starts one.');
    return 0;
  }
  for (const line of describe(project, found)) call.print(line);
  return 0;
}

const NONE = { run: null, live: false, frames: [] };

/** The loop as data; also what `holdfast status --json` shows as its detail. */
export function report(project: Project, found: FoundLoop): { [key: string]: Json } {
  const { state, run: id, raw, source } = found;
  const now = loopClock(project, id);
  if (state.kind !== 'loop' || id === null) return { ...NONE, stage: describeStage(state, now) };
  const { reason } = raw?.fields ?? {};
  return {
    run: `idle:${id}`,
    source,
    event: state.event,
    reason: typeof reason === 'string' ? reason : null,
    updated_at: state.updatedAt === null ? null : new Date(state.updatedAt).toISOString(),
    live: isActive(state, now),
    stale: isStale(state, now),
    released: isReleased(project, id),
    mine: whoseIs(project, id) === 'ours',
    frames: state.stack.map((frame, position) => ({
      mode: frame.mode,
      iteration: frame.iter,
      max: frame.max,
      carry_on: frame.carryOn,
      task: taskOfFrame(raw?.stack[position], found, project.root)?.text ?? null,
    })),
  };
}

function describe(project: Project, found: FoundLoop): string[] {
  const { state, run: id } = found;
  const stage = describeStage(state, loopClock(project, id));
  if (state.kind !== 'loop' || id === null) return [`The loop: ${stage}.`];
  const frames = state.stack.map((frame, position) => {
    const task = taskOfFrame(found.raw?.stack[position], found, project.root)?.text ?? '';
    return `  ${position + 1}. ${frame.mode} ${frame.iter}/${frame.max}  ${firstLine(task)}`;
  });
  return [`idle:${id}  ${stage}${ownership(project, found, id)}`, ...frames];
}

function ownership(project: Project, { state }: FoundLoop, id: string): string {
  if (!isActive(state, loopClock(project, id))) return '';
  if (isReleased(project, id)) return `, let go, no progress: \`${project.cli} idle resume\` goes on with it`;
  const whose = whoseIs(project, id);
  return whose === 'ours' ? '' : `, ${whose}: \`${project.cli} adopt idle:${id}\` makes it this session's`;
}

function firstLine(text: string): string {
  const [line = ''] = text.split('\n');
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
