// `flow start`: goes through a flow, and begins a run of it for this session.

import { sessionsOf } from '../../../clients/index.ts';
import {
  BUDGET_HELP,
  BUDGET_OPTIONS,
  BUDGET_USAGE,
  type BudgetAtStart,
  budgetAtStart,
  budgetFlags,
  writeBudget,
} from '../../../engine/budget/at-start.ts';
import { COMMAND_PATIENCE_MS, claimRun } from '../../../engine/claim-run.ts';
import { runName } from '../../../engine/context.ts';
import { atMostLeft, drivenAround } from '../../../engine/driver/start-beside.ts';
import type { Project } from '../../../engine/project.ts';
import { type ProofAtStart, proofAtStart, writeProofNotes } from '../../../engine/proof/at-start.ts';
import { ownFiles } from '../../../engine/proof/own-files.ts';
import { refuseUnnamable } from '../../../engine/session-root.ts';
import { armedText, boundsLine, isForPerson, type StartedRun } from '../../../engine/start-text.ts';
import { type Call, type Command, type ExitCode, NotNow, WrongUsage } from '../../../engine/workflow-cli.ts';
import { carryOut } from '../../../store/files.ts';
import { fingerprint } from '../../../store/fingerprint.ts';
import { ensureHome } from '../../../store/home.ts';
import { withLock } from '../../../store/lock.ts';
import { privateMode } from '../../../store/owner.ts';
import { readSidecar } from '../../../store/sidecars.ts';
import { inOneParagraph } from '../../../text/paragraph.ts';
import { render } from '../../../text/render.ts';
import { registry } from '../../registry.ts';
import { writeDefinition } from '../definition-format.ts';
import { filesOf, listRuns } from '../files.ts';
import { slotsIn } from '../language/names.ts';
import { entryMarks } from '../look-at-files.ts';
import startedText from '../messages/started.md';
import { readRun } from '../read-run.ts';
import { NOTHING_SAVED, writeSaved } from '../saved.ts';
import { beginning, conditionsIn } from '../stand.ts';
import { type RunState, writeRunState } from '../state-format.ts';
import { fillSay } from '../texts.ts';
import type { Definition } from '../types.ts';
import { type FoundFlow, findFlow } from './find-flow.ts';
import { missingChecks, sayMissing } from './missing-checks.ts';

export const start: Command = {
  name: 'start',
  summary: 'hold the agent in a flow until it comes to an end',
  usage: `${BUDGET_USAGE} <name> [task]`,
  help: `Without words the task is read from standard input. A flow that cannot be proven to end is refused, and so is one with a check that is not trusted.
${BUDGET_HELP}`,
  options: { ...BUDGET_OPTIONS },
  starts: true,
  writes: true,
  words: { least: 1, most: Number.POSITIVE_INFINITY },
  run,
};

async function run(call: Call): Promise<ExitCode> {
  const [name = '', ...words] = call.words;
  const asked = budgetFlags(call.flags, 'flow start');
  const project = await call.forNewRun();
  refuseUnnamable(project.root);
  const found = findFlow(name, project, project.root);
  if (found.where === 'file')
    throw new WrongUsage(
      'flow start: a flow is started by its name; put the file into holdfast.flows/ of the project.',
    );
  // YAML is read here and by `flow check`, and nowhere else.
  const { describeProblems, examine } = await import('./examine.ts');
  const examined = examine(found, project);
  if (examined.kind === 'refused') {
    const missing = missingChecks(examined.problems, project);
    if (missing !== null && examined.problems.every(({ missingCheck }) => missingCheck !== undefined))
      throw new NotNow(sayMissing(missing, name, project.cli));
    const [first = ''] = describeProblems(found, examined.problems);
    throw new NotNow(`this flow is refused: ${first} \`${project.cli} flow check ${name}\` shows all of it.`);
  }
  const around = await drivenAround(project, 'flow', registry);
  const bound =
    around === null || around.left === null
      ? null
      : atMostLeft(examined.definition.holds, { run: around.run, left: around.left });
  const definition = bound === null ? examined.definition : { ...examined.definition, holds: bound.count };
  const task = (words.length > 0 ? words.join(' ') : call.stdin()).trim();
  if (task === '' && wantsTask(definition))
    throw new WrongUsage(
      `flow start: ${name} has a task in its texts, and none was given. Usage: ${project.cli} flow start ${name} <task>, or the task on standard input.`,
    );
  await refuseUntrusted(definition, project);
  const atStart = await proofAtStart(
    project,
    { checks: [], off: false, until: null, acceptRed: [] },
    ownFiles(registry),
  );
  const marks = await entryMarks(project, definition, definition.start);
  ensureHome(project.root);
  const text = await withLock(project.home, COMMAND_PATIENCE_MS, () =>
    begin(project, { definition, found, task, marks, atStart, budget: budgetAtStart(project, asked), call }),
  );
  call.print(text);
  if (bound !== null && bound.line !== null) call.print(bound.line);
  return 0;
}

function wantsTask({ states, reviews }: Definition): boolean {
  const texts = [
    ...Object.values(states).map(({ say }) => say ?? ''),
    ...Object.values(reviews).map(({ prompt }) => prompt),
  ];
  return texts.some((text) => slotsIn(text).includes('task'));
}

/** A check that may not run would leave the flow nowhere to go. */
async function refuseUntrusted({ states }: Definition, project: Project): Promise<void> {
  const conditions = Object.values(states).flatMap(conditionsIn);
  const names = new Set(conditions.flatMap((each) => (each.kind === 'check' ? each.name : [])));
  if (names.size === 0) return;
  const { requiredChecks } = await import('../../../engine/proof/required.ts');
  const { trustOf } = await import('../../../engine/proof/trust.ts');
  const { untrusted } = requiredChecks(project, [...names], trustOf(project), project.now);
  const found = [...names].filter((name) => untrusted.includes(name));
  if (found.length > 0)
    throw new NotNow(
      `the flow asks for checks that are not trusted here: ${found.join(', ')}. A person reads their commands and allows them with \`${project.cli} trust\` in a terminal; then start again.`,
    );
}

type Beginning = {
  definition: Definition;
  found: FoundFlow;
  task: string;
  marks: Readonly<Record<string, string>>;
  atStart: ProofAtStart | null;
  budget: BudgetAtStart | null;
  call: Call;
};

/** Under the lock. The state comes last: a run without one is none. */
async function begin(project: Project, wanted: Beginning): Promise<string> {
  const { definition, found, task, marks, atStart, budget, call } = wanted;
  const { root, now } = project;
  refuseSecond(project);
  const run = `${definition.flow}-${Math.floor(now / 1000)}-${process.pid}`;
  const name = runName('flow', run);
  const owner = claimRun(project, name, writeSaved(NOTHING_SAVED), undefined, task);
  if (atStart !== null) writeProofNotes(project, name, atStart.notes);
  if (budget !== null) await writeBudget(project, name, budget);
  const files = filesOf(root, run);
  const state: RunState = {
    ...{ schema: 1, flow: definition.flow, started: new Date(now).toISOString() },
    ...{ from: found.shown, source: fingerprint(found.text), ended: null },
    ...beginning(definition, marks),
  };
  // As the sidecar's: who may adopt the run may read what it is about.
  const mode = privateMode(project.home);
  const write = (path: string, content: string): void =>
    carryOut({ kind: 'replace', path, content, mode }, root);
  write(files.definition, writeDefinition(definition));
  write(files.task, `${task}\n`);
  write(files.state, writeRunState(state));
  const first = definition.states[definition.start];
  const world = readRun(root, run);
  const say =
    first?.kind === 'work' && world !== null
      ? fillSay(first.say, { visits: 1, hold: 0 }, world, { project, run })
      : '';
  const { flow, holds: most } = definition;
  const begun: StartedRun = {
    ...{ name, task: task === '' ? `the flow ${flow}` : `${flow}: ${task}` },
    ...{ most: `${most} holds`, budget, proof: atStart },
  };
  const firstLine = atStart?.firstLine ?? null;
  if (isForPerson(call))
    return [firstLine, armedText(begun, project, call)].filter((line) => line !== null).join('\n');
  const said = render(startedText, {
    ...{ flow, run: name, owner, most, cli: project.cli, say },
    task: task === '' ? '' : `\nTask: ${inOneParagraph(task, 1000)}`,
    bounds: boundsLine(begun, call),
  });
  const lines = [firstLine, said, ...(budget?.lines ?? [])];
  return lines.filter((line) => line !== null).join('\n');
}

/** One flow per session: with two, nobody could tell whose signal it is. */
function refuseSecond(project: Project): void {
  const sessions = sessionsOf(project.env);
  for (const run of listRuns(project.root)) {
    if (readRun(project.root, run)?.state.kind !== 'at') continue;
    const name = runName('flow', run);
    const { sessions: bound, saved } = readSidecar(project.root, name);
    const isOurs =
      bound.some((session) => sessions.includes(session)) ||
      (sessions.length === 0 && bound.length === 0 && saved !== undefined);
    if (isOurs)
      throw new NotNow(
        `${name} goes on in this session already. \`${project.cli} flow cancel\` ends it, then start again.`,
      );
  }
}
