// `idle status`: where the loop stands, frame by frame.

import type { Project } from '../../../engine/project.ts';
import type { Call, Command, ExitCode } from '../../../engine/workflow-cli.ts';
import type { Json } from '../../../store/json.ts';
import { isLive, isStale } from '../decide.ts';
import type { Current } from '../read-loop.ts';
import { taskOfFrame } from '../task.ts';
import { describeStage, isReleased, loopOf, refuseClosed, whoseIs } from './which-loop.ts';

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
  const current = project === null ? null : loopOf(project);
  if (project !== null && current?.state.kind === 'nothing') refuseClosed(project);
  if (call.flags.json) {
    call.print(
      JSON.stringify(project === null || current === null ? NONE : report(project, current), null, 2),
    );
    return 0;
  }
  if (project === null || current === null || current.state.kind === 'nothing') {
    call.print('No loop here. `holdfast idle loop <task>` starts one.');
    return 0;
  }
  for (const line of describe(project, current)) call.print(line);
  return 0;
}

const NONE = { run: null, live: false, frames: [] };

/** The loop as data; also what `holdfast status --json` shows as its detail. */
export function report(project: Project, current: Current): { [key: string]: Json } {
  const { state, run: id, raw, source } = current;
  if (state.kind !== 'loop' || id === null) return { ...NONE, stage: describeStage(state, project.now) };
  const { reason } = raw?.fields ?? {};
  return {
    run: `idle:${id}`,
    source,
    event: state.event,
    reason: typeof reason === 'string' ? reason : null,
    updated_at: state.updatedAt === null ? null : new Date(state.updatedAt).toISOString(),
    live: isLive(state, project.now),
    stale: isStale(state, project.now),
    released: isReleased(project, id),
    mine: whoseIs(project, id) === 'ours',
    frames: state.stack.map((frame, position) => ({
      mode: frame.mode,
      iteration: frame.iter,
      max: frame.max,
      carry_on: frame.carryOn,
      task: taskOfFrame(raw?.stack[position], current, project.root)?.text ?? null,
    })),
  };
}

function describe(project: Project, current: Current): string[] {
  const { state, run: id } = current;
  const stage = describeStage(state, project.now);
  if (state.kind !== 'loop' || id === null) return [`The loop: ${stage}.`];
  const frames = state.stack.map((frame, position) => {
    const task = taskOfFrame(current.raw?.stack[position], current, project.root)?.text ?? '';
    return `  ${position + 1}. ${frame.mode} ${frame.iter}/${frame.max}  ${firstLine(task)}`;
  });
  return [`idle:${id}  ${stage}${ownership(project, current, id)}`, ...frames];
}

function ownership(project: Project, { state }: Current, id: string): string {
  if (!isLive(state, project.now)) return '';
  if (isReleased(project, id))
    return `, let go for want of progress: \`${project.cli} idle resume\` goes on with it`;
  const whose = whoseIs(project, id);
  return whose === 'ours' ? '' : `, ${whose}: \`${project.cli} adopt idle:${id}\` makes it this session's`;
}

function firstLine(text: string): string {
  const [line = ''] = text.split('\n');
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
