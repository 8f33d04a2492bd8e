// `holdfast trust`: a person reads the commands that a project wants to have run, and allows them. Checks run with the
// user's rights, so nothing but this makes a project's own run.

import { isatty } from 'node:tty';
import { CONFIG_NAME } from '../config/config.ts';
import type { Project } from '../engine/project.ts';
import { definitionOf, describeCheck } from '../engine/proof/definition.ts';
import { ownFiles } from '../engine/proof/own-files.ts';
import { cleaningWithoutOurs, cleansTree } from '../engine/proof/put-back-text.ts';
import { repositoryOf } from '../engine/proof/repository.ts';
import {
  giveTrust,
  isReachedByAgents,
  isTrustAhead,
  listTrust,
  readTrust,
  revokeTrust,
  type TrustRecord,
} from '../engine/proof/trust.ts';
import type { Check } from '../engine/proof/types.ts';
import { type Call, type Command, type ExitCode, NotNow, WrongUsage } from '../engine/workflow-cli.ts';
import { below } from '../store/paths.ts';
import { registry } from '../workflows/registry.ts';
import { openQuestions } from './confirm.ts';
import { bold, dim, green, yellow } from './paint.ts';

export const trust: Command = {
  name: 'trust',
  summary: "read the project's checks and allow Holdfast to run them",
  usage: '[--list | --revoke] [--json]',
  help: 'It asks, so it needs a person at a terminal. --list: what is trusted, here and elsewhere. --revoke: nothing of this repository any more. --json: for a program, with one of these two.',
  options: { list: { type: 'boolean' }, revoke: { type: 'boolean' }, json: { type: 'boolean' } },
  writes: true,
  words: { least: 0, most: 0 },
  run,
};

export const WHAT_TRUST_MEANS =
  'Whenever an agent says that it is done here, Holdfast will run these commands, with your rights and without asking again. They run what the agent wrote: its tests, its scripts, its code.';

async function run(call: Call): Promise<ExitCode> {
  const { list, revoke, json } = call.flags;
  if (list && revoke) throw new WrongUsage('trust: --list and --revoke exclude each other.');
  if (list) return show((await call.existing()) ?? (await call.forNewRun()), call);
  if (json && !revoke) throw new WrongUsage('trust: --json goes with --list or --revoke.');
  if (revoke) return takeBack(call);
  return ask(call);
}

/** That no agent's shell runs this was asked before (table.ts). Each trust is reported in a notice, too. */
function refuseWithoutTerminal(): void {
  refuseWithoutPerson('say what is trusted', 'trust');
}

export function refuseWithoutPerson(what: string, command: string): void {
  if (isatty(0) && isatty(1)) return;
  throw new NotNow(
    `only a person can ${what}: run \`holdfast ${command}\` yourself, in a terminal outside of any coding agent.`,
  );
}

async function ask(call: Call): Promise<ExitCode> {
  refuseWithoutTerminal();
  const project = await call.forNewRun();
  if (isReachedByAgents(project))
    throw new NotNow(
      `your own Holdfast folders lie inside ${project.root}, where an agent can write, so trust would be worth nothing. Set XDG_STATE_HOME and XDG_CONFIG_HOME to folders outside of it.`,
    );
  const known = readTrust(project);
  const checks = projectsOwn(project);
  const gone = goneFrom(known, project);
  const open = checks.filter((check) => stateOf(check, known) !== 'trusted');
  if (checks.length === 0 && gone.length === 0) {
    call.print(`The project ${project.root} has no checks of its own, so there is nothing to trust.`);
    return 0;
  }
  if (checks.length === 0 && hasUnusableConfig(project))
    throw new NotNow(
      `${CONFIG_NAME} cannot be used as it stands, so nobody knows which checks it means: correct it first, \`holdfast doctor\` says what is wrong.`,
    );
  describeAll(call, project, checks, known, gone);
  if (open.length === 0 && gone.length === 0) {
    call.print('\nAll of them are trusted already.');
    return 0;
  }
  if (checks.length > 0) call.print(`\n${WHAT_TRUST_MEANS}`);
  if (!(await isYes(checks.length > 0 ? 'Trust them?' : 'Forget what is gone?'))) {
    call.print('Nothing was changed.');
    return 1;
  }
  // As they were shown, whatever became of the file meanwhile.
  giveTrust({ ...project, now: Date.now() }, checks);
  call.print(
    checks.length === 0
      ? 'Forgotten.'
      : `Trusted: ${checks.map(({ name }) => name).join(', ')}. It counts for runs that start from now on.`,
  );
  return 0;
}

function describeAll(
  call: Call,
  project: Project,
  checks: readonly Check[],
  known: TrustRecord | null,
  gone: readonly string[],
): void {
  call.print(
    `${bold(project.root)} ${checks.length > 0 ? 'wants these commands to be run:' : 'has these checks no more:'}`,
  );
  const cleansOurs = `it cleans the tree, and takes files of ours along; have it leave them: ${cleaningWithoutOurs(ownFiles(registry))}`;
  for (const check of checks) {
    const state = stateOf(check, known);
    const mark = state === 'trusted' ? green(state) : yellow(state === 'ahead' ? LISTED.ahead : state);
    call.print(
      `\n  ${bold(check.name)} (${mark})\n      ${describeCheck(check)}\n      ${dim(termsOf(check))}`,
    );
    if (cleansTree(check)) call.print(`      ${yellow(cleansOurs)}`);
  }
  for (const name of gone) call.print(`\n  ${bold(name)} (${yellow('gone from the config')})`);
  for (const name of project.config.brokenChecks)
    call.print(`\n  ${bold(name)} (${yellow('cannot be used as it stands; `holdfast doctor` says why')})`);
}

function termsOf({ timeout, retries, paths }: Check): string {
  const again = retries === 0 ? '' : `, run again up to ${retries} times when it fails`;
  const where = paths === null ? '' : `; a pass holds until something changes in ${JSON.stringify(paths)}`;
  return `at most ${timeout} s${again}${where}`;
}

type State = 'trusted' | 'ahead' | 'changed' | 'new';

function stateOf(check: Check, known: TrustRecord | null): State {
  if (isTrustAhead(check, known)) return 'ahead';
  const same = (known?.checks ?? []).filter(({ name }) => name === check.name);
  if (same.some(({ definition }) => definition === definitionOf(check))) return 'trusted';
  return same.length > 0 ? 'changed' : 'new';
}

const projectsOwn = ({ config }: Project): readonly Check[] =>
  config.checks.filter(({ from }) => from === 'project');

/** What stays required although nobody can run it any more, until a person says otherwise. */
function goneFrom(known: TrustRecord | null, { config }: Project): string[] {
  const there = [...config.checks.map(({ name }) => name), ...config.brokenChecks];
  return (known?.checks ?? []).map(({ name }) => name).filter((name) => !there.includes(name));
}

/** Not one check can be read from the project's file, and there is a mistake in it. */
function hasUnusableConfig({ root, config }: Project): boolean {
  const file = `${below(root, CONFIG_NAME)}: `;
  const mistakes = config.problems.filter((problem) => !config.unknownKeys.includes(problem));
  return config.project.checks === undefined && mistakes.some((problem) => problem.startsWith(file));
}

async function isYes(question: string): Promise<boolean> {
  const questions = openQuestions();
  try {
    return await questions.isYes(question);
  } finally {
    questions.close();
  }
}

async function takeBack(call: Call): Promise<ExitCode> {
  // An agent that takes trust away could then take the check away, and nobody would miss it.
  const project = await call.forNewRun();
  const names = revokeTrust(project);
  if (call.flags.json) call.print(JSON.stringify({ revoked: names }, null, 2));
  else if (names.length === 0) call.print(`Nothing was trusted in ${project.root}.`);
  else
    call.print(
      `Not trusted any more: ${names.join(', ')}. A run that has begun still requires them, and ends unproven.`,
    );
  return 0;
}

/** In the list, what each state but `trusted` means. */
const LISTED = {
  new: 'not trusted',
  changed: 'changed since it was trusted, so not trusted',
  ahead:
    'trusted at a time that is still to come, so not trusted: the clock was ahead then, or is behind now',
  gone: 'trusted, but gone from the config',
} as const;

function show(project: Project, call: Call): ExitCode {
  const repository = repositoryOf(project.root);
  const known = readTrust(project);
  const here = [
    ...projectsOwn(project).map((check) => ({
      name: check.name,
      state: stateOf(check, known),
      command: describeCheck(check),
    })),
    ...goneFrom(known, project).map((name) => ({ name, state: 'gone' as const, command: null })),
  ];
  const elsewhere = listTrust(call.env).filter((record) => record.repository !== repository);
  if (call.flags.json) {
    call.print(JSON.stringify({ root: project.root, repository, checks: here, elsewhere }, null, 2));
    return 0;
  }
  call.print(`${bold(project.root)}${here.length === 0 ? ' has no checks of its own' : ''}`);
  for (const { name, state, command } of here)
    call.print(
      `  ${name} (${state === 'trusted' ? green(state) : yellow(LISTED[state])})${command === null ? '' : `  ${command}`}`,
    );
  if (elsewhere.length > 0) call.print(dim('Trusted elsewhere:'));
  for (const { root, checks } of elsewhere)
    call.print(`${bold(root)}\n  ${checks.map(({ name }) => name).join(', ')}`);
  return 0;
}
