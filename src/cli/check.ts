// `holdfast check`: runs the project's checks now. What they say counts at the next claim only where a person asked: an
// agent's own call may run in any environment, with a false `npm` on its PATH.

import { bubblewrap } from '../clients/bubblewrap.ts';
import { isInsideClient } from '../clients/index.ts';
import type { SessionSandbox } from '../clients/sandbox.ts';
import { COMMAND_PATIENCE_MS } from '../engine/claim-run.ts';
import type { Project } from '../engine/project.ts';
import { type Content, contentOf } from '../engine/proof/content.ts';
import { definitionOf, describeCheck } from '../engine/proof/definition.ts';
import { keepRuns } from '../engine/proof/keep-runs.ts';
import { ownFiles } from '../engine/proof/own-files.ts';
import { keepReceipt } from '../engine/proof/receipts.ts';
import { isTrusted, trustOf } from '../engine/proof/trust.ts';
import type { Check } from '../engine/proof/types.ts';
import { makeAttemptFolders, removeAttemptFiles } from '../engine/work/attempt.ts';
import { type CheckRun, logOf, runCheck } from '../engine/work/check.ts';
import { type Call, type Command, type ExitCode, NotNow, WrongUsage } from '../engine/workflow-cli.ts';
import { runtimeHere } from '../hook/runtime.ts';
import { ensureHome } from '../store/home.ts';
import { messageOf } from '../text/message-of.ts';
import { printable } from '../text/printable.ts';
import { registry } from '../workflows/registry.ts';
import { describeKept, type Row, showTable } from './check-table.ts';
import { dim } from './paint.ts';

export const check: Command = {
  name: 'check',
  summary: "run the project's checks now, as a claim to be done would",
  usage: '[--json] [name …] | --accept-red NAME [run]',
  help: [
    'Without a name it runs the checks of the project; those of your own file run when they are named.',
    'Ends with 0 when all of them passed, else with 1. The output of each is in .holdfast/checks/.',
    '--accept-red NAME: nothing is run; from now on that check may be red at the end of the run, which is then unproven.',
    'For people, in a terminal of their own.',
  ].join('\n'),
  options: { json: { type: 'boolean' }, 'accept-red': { type: 'string' } },
  writes: true,
  words: { least: 0, most: 100 },
  run: (call) => (typeof call.flags['accept-red'] === 'string' ? accept(call) : runChecks(call)),
};

async function accept(call: Call): Promise<ExitCode> {
  const { acceptRed } = await import('./accept-red.ts');
  return acceptRed(call);
}

async function runChecks(call: Call): Promise<ExitCode> {
  const project = (await call.existing()) ?? (await call.forNewRun());
  const wanted = chosen(project, call.words);
  const trust = trustOf(project);
  const before = Date.now() + 1;
  const rows: Row[] = [];
  ensureHome(project.root);
  for (const each of wanted) {
    if (typeof each === 'string') rows.push({ name: each, command: null, end: 'broken' });
    else if (!isTrusted(each, trust, before))
      rows.push({ name: each.name, command: describeCheck(each), end: 'untrusted' });
    else {
      const command = describeCheck(each);
      if (!call.flags.json) process.stderr.write(dim(printable(`running ${each.name}: ${command}\n`)));
      const ran = await runOne(project, each);
      if (ran === null) {
        process.stderr.write('holdfast: interrupted; the check was ended, and nothing of it counts.\n');
        return INTERRUPTED;
      }
      rows.push({ name: each.name, command, log: logOf(each.name), ...ran });
    }
  }
  const passed = rows.every(({ end }) => end === 'passed');
  if (call.flags.json) call.print(JSON.stringify({ root: project.root, passed, checks: rows }, null, 2));
  else {
    for (const line of showTable(rows)) call.print(line);
    call.print(dim(describeKept(rows, isInsideClient(project.env))));
  }
  return passed ? 0 : 1;
}

/** As a shell counts SIGINT. */
const INTERRUPTED = 130;

/** One whose command cannot be used as it stands is only a name. */
function chosen({ config }: Project, names: readonly string[]): readonly (Check | string)[] {
  const known = [...config.checks, ...config.brokenChecks];
  const nameOf = (each: Check | string): string => (typeof each === 'string' ? each : each.name);
  const list = known.map(nameOf).join(', ');
  const unknown = names.find((name) => !known.some((each) => nameOf(each) === name));
  if (unknown?.startsWith('-')) throw new WrongUsage(`check: ${unknown} must stand before the names.`);
  if (unknown !== undefined)
    throw new WrongUsage(
      `check: there is no check "${unknown}". ${known.length === 0 ? 'No check is defined' : `There are: ${list}`}.`,
    );
  if (names.length > 0) return known.filter((each) => names.includes(nameOf(each)));
  const isOfProject = (name: string): boolean => Object.hasOwn(config.project.checks ?? {}, name);
  const own = known.filter((each) => isOfProject(nameOf(each)));
  if (own.length > 0) return own;
  throw new NotNow(
    known.length === 0
      ? 'this project has no checks; they are named under "checks" in holdfast.config.json.'
      : `this project has no checks of its own; name one of yours: ${list}.`,
  );
}

type Ran = Omit<CheckRun, 'why' | 'unkept'> & {
  why?: CheckRun['why'];
  /** Why its log could not be kept. */
  unkeptLog?: string;
  kept: boolean;
  changedFiles: boolean;
  /** Why it could not be kept. */
  unkept?: string;
};

/** Null: the person did not want to wait. */
async function runOne(project: Project, each: Check): Promise<Ran | null> {
  const { root, env } = project;
  const attempt = `check-${Date.now().toString(36)}-${process.pid}`;
  const look = (): Promise<Content | null> => contentOf(root, env, { without: ownFiles(registry) });
  makeAttemptFolders(project, attempt);
  try {
    const content = (await look())?.of(each.paths) ?? null;
    const of = {
      project,
      registry,
      lockPatienceMs: COMMAND_PATIENCE_MS,
      check: each.name,
      id: attempt,
      run: null,
    };
    const kept = await keepRuns(of);
    const said = await runCheck(each, {
      ...{ project, attempt, sandbox: sandboxFor(project), deadline: Number.POSITIVE_INFINITY },
      whenAskedToEnd: runtimeHere().whenAskedToEnd,
      interrupted: async () => {},
    }).finally(async () => {
      const notice = await kept.putBack();
      if (notice !== null) process.stderr.write(`${notice}\n`);
    });
    const changedFiles = content !== null && (await look())?.of(each.paths) !== content;
    const counts = content !== null && !changedFiles && said.end !== 'cannot-run' && !isInsideClient(env);
    const unkept = counts ? keep(project, each, said, content) : null;
    const { unkept: unkeptLog, ...ran } = said;
    return {
      ...ran,
      ...{ kept: counts && unkept === null, changedFiles },
      ...(unkept === null ? {} : { unkept }),
      ...(unkeptLog === undefined ? {} : { unkeptLog: printable(unkeptLog) }),
    };
  } catch (error) {
    // By name, not by class: each chunk of the bundle has its own copy of the class.
    if (error instanceof Error && error.name === 'Interrupted') return null;
    throw error;
  } finally {
    removeAttemptFiles(project, { id: attempt });
  }
}

function sandboxFor({ config, root, env }: Project): SessionSandbox {
  return config.proof.sandbox === 'always' ? bubblewrap(root, env) : { kind: 'none' };
}

/** Why it could not be kept; null: it is. What the check said is shown all the same. */
function keep(project: Project, each: Check, said: CheckRun, content: string): string | null {
  const { end, code, milliseconds, flaky, tail } = said;
  if (end === 'cannot-run') return null;
  const definition = definitionOf(each);
  try {
    keepReceipt(project, {
      ...{ check: each.name, definition, content, end, code, milliseconds, flaky, tail },
      at: Date.now(),
    });
    return null;
  } catch (error) {
    return printable(messageOf(error));
  }
}
