// Drives what a record says, shows it, and ends with the table and the exit code.

import { clientNamed } from '../../clients/index.ts';
import { withoutClients } from '../../driver/bind.ts';
import { realClock } from '../../driver/clock.ts';
import { type Driven, drive } from '../../driver/drive.ts';
import { type HeldRun, Kept } from '../../driver/kept.ts';
import type { DriverRecord } from '../../driver/record.ts';
import { summarise } from '../../driver/summary.ts';
import type { Tools } from '../../driver/tools.ts';
import { howToMerge } from '../../driver/worktree.ts';
import type { Project } from '../../engine/project.ts';
import { isTrusted, trustOf } from '../../engine/proof/trust.ts';
import { openProject } from '../../engine/stop/find-project.ts';
import { type Call, type ExitCode, NotNow } from '../../engine/workflow-cli.ts';
import { cliFolder, runtimeHere } from '../../hook/runtime.ts';
import { isThere, type KnownProcess } from '../../processes/known.ts';
import type { Environment } from '../../store/environment.ts';
import { registry } from '../../workflows/registry.ts';
import { bold } from '../paint.ts';
import { forAgents } from '../table.ts';
import { type Shown, showAsJson, showAsLines } from './show.ts';
import { catchSignals } from './signals.ts';
import { tableOf } from './table.ts';
import { takeUpIn } from './take-up.ts';
import { continueCommand, FULL_ACCESS, outcomeOf, whatNext } from './words.ts';

/** Unfinished: what was driven can go on. */
const LEFT: ExitCode = 5;

/** `held`: the run, where it is ours already; it is let go at the end. */
export async function driveKept(
  record: DriverRecord,
  call: Call,
  answer: string | null,
  held?: HeldRun,
): Promise<ExitCode> {
  const env = withoutClients(call.env);
  const runtime = runtimeHere(env);
  const project = await openProject(record.root, runtime);
  const kept = new Kept(env, record, held);
  const shown = shownAs(call);
  try {
    const { access } = record.options;
    if (access === 'full') shown.line(bold(FULL_ACCESS));
    const tools = await toolsFor(record, project, env, shown);
    const signals = catchSignals(tools.asked, shown, () => continueCommand(kept.record, project.cli));
    shown.say({
      ...{ event: 'began', run: record.run, asked: record.asked, access, root: record.root },
      client: tools.client.title,
    });
    try {
      const driven = await drive(kept, tools, answer);
      return await conclude(driven, { ...kept.record, stopped: kept.stopped }, project, shown);
    } finally {
      signals.forget();
    }
  } finally {
    shown.done();
    kept.release();
  }
}

function shownAs({ flags }: Call): Shown {
  const { stdout } = process;
  const output = {
    write: (text: string) => void stdout.write(text),
    isTerminal: stdout.isTTY === true,
    columns: stdout.columns ?? 80,
  };
  return flags.json === true ? showAsJson(output, Date.now) : showAsLines(output, Date.now);
}

async function toolsFor(
  { options, workflow }: DriverRecord,
  project: Project,
  env: Environment,
  report: Shown,
): Promise<Tools> {
  const client = clientNamed(options.client);
  const headless = await client.headless?.load();
  const entry = registry.find((each) => each.name === workflow);
  if (headless === undefined || entry === undefined)
    throw new NotNow(
      `${options.client} or ${workflow} is not known to this version, so it cannot be driven.`,
    );
  const { Bell } = await import('../../driver/clock.ts');
  const cli = await entry.cli();
  return {
    ...{ env, client, headless, cli, report },
    project: () => ({ ...project, now: Date.now() }),
    clock: realClock,
    asked: new Bell(),
    silenceMs: project.config.run.silenceMs,
    bin: cliFolder(),
    allowed: allowedIn(project),
    commands: forAgents,
    takeUp: (session) => takeUpIn(project, cli.driven?.takeUp, client, session),
    endLeftOver,
  };
}

/**
 * Beside our own commands: the checks that the user trusts, and of git what an agent needs to leave its work whole. Not `diff` and `log`: with `--output` they write any file; what is harmless of them the client allows itself.
 */
function allowedIn(project: Project): readonly string[] {
  const trust = trustOf(project);
  const before = Date.now() + 1;
  const checks = project.config.checks
    .filter((check) => isTrusted(check, trust, before))
    .flatMap(({ run }) => (typeof run === 'string' ? run : []));
  return [...checks, ...['add', 'commit', 'status'].map((word) => `git ${word}`)];
}

const LOOK_EVERY_MS = 200;
const PATIENCE_MS = 15_000;

/** Its own watcher ends a client whose driver has died; what is still there after that is ended by force. */
async function endLeftOver(left: KnownProcess): Promise<void> {
  for (let waited = 0; isThere(left); waited += LOOK_EVERY_MS) {
    if (waited >= PATIENCE_MS)
      throw new NotNow(
        `process ${left.pid}, the client of a driver that has died, still runs. End it (kill ${left.pid}), then continue.`,
      );
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

async function conclude(
  driven: Driven,
  record: DriverRecord,
  project: Project,
  shown: Shown,
): Promise<ExitCode> {
  if (driven.kind === 'left') {
    const command = continueCommand(record, project.cli);
    shown.say({ event: 'left', command });
    shown.line(`The client has ended, and nothing is lost. To go on: ${command}`);
    return LEFT;
  }
  const { code, why } = driven;
  const summary = await summarise(record, outcomeOf(driven), { ...project, now: Date.now() });
  const next = whatNext(driven, record, project.cli);
  const merge = record.worktree === null ? [] : howToMerge(record.worktree);
  shown.object({ event: 'finished', code, why, ...summary, next, worktree: record.worktree });
  for (const line of ['', ...tableOf(summary), ...next, ...merge]) shown.line(line);
  return code;
}
