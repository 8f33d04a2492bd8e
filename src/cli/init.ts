// `holdfast init`: a person tells Holdfast how a project is tested, from what its files already say. It writes, and asks
// for trust, only what was shown.

import { isatty } from 'node:tty';
import { CONFIG_NAME, loadConfig } from '../config/config.ts';
import type { Project } from '../engine/project.ts';
import { describeCheck } from '../engine/proof/definition.ts';
import { ownFiles } from '../engine/proof/own-files.ts';
import { cleaningWithoutOurs, cleansTree } from '../engine/proof/put-back-text.ts';
import { addTrust, isReachedByAgents, isTrusted, trustOf } from '../engine/proof/trust.ts';
import { type Call, type Command, type ExitCode, NotNow } from '../engine/workflow-cli.ts';
import { readInside, replaceFile } from '../store/files.ts';
import { isOnPath } from '../store/on-path.ts';
import { below } from '../store/paths.ts';
import { registry } from '../workflows/registry.ts';
import { openQuestions, type Questions } from './confirm.ts';
import { type FoundTests, findTests, LOOKED_FOR } from './init/find-tests.ts';
import { installable } from './install/clients.ts';
import { bold, dim, yellow } from './paint.ts';
import { WHAT_TRUST_MEANS } from './trust.ts';

export const init: Command = {
  name: 'init',
  summary: 'find how this project is tested, and make that what proves "done" here',
  usage: '[--yes]',
  help: `It writes ${CONFIG_NAME} at the project's root and asks before each step. Trust is a question of its own: until you say yes, nothing is run.\n--yes: writes without asking, and trusts nothing.`,
  options: { yes: { type: 'boolean' } },
  writes: true,
  words: { least: 0, most: 0 },
  run,
};

async function run(call: Call): Promise<ExitCode> {
  const project = await call.forNewRun();
  const file = below(project.root, CONFIG_NAME);
  const known = readInside(file, project.root);
  const [broken] = project.config.problems.filter(
    (problem) => problem.startsWith(`${file}: `) && !project.config.unknownKeys.includes(problem),
  );
  if (broken !== undefined) throw new NotNow(`${broken}. Correct it first; nothing was written.`);
  const taken = [...project.config.checks.map(({ name }) => name), ...project.config.brokenChecks];
  const found = findTests(project.root);
  const fresh = found.filter(({ name }) => !taken.includes(name));
  if (found.length === 0 && taken.length === 0) return sayNothingFound(call, project);
  sayFound(call, project, found);
  const questions = openQuestions();
  const isAsking = call.flags.yes !== true;
  try {
    if (fresh.length > 0) {
      if (isAsking && !canAsk()) {
        call.print('\nNothing was written: this is no terminal to ask in. `holdfast init --yes` writes it.');
        return 1;
      }
      if (
        isAsking &&
        !(await questions.isYes(`Write ${fresh.length === 1 ? 'it' : 'them'} to ${CONFIG_NAME}?`))
      ) {
        call.print('Nothing was written.');
        return 1;
      }
      const { withChecks } = await import('./init/merge-config.ts');
      if (readInside(file, project.root) !== known)
        throw new NotNow(
          `${file} was changed in the meantime, so nothing was written. Run \`holdfast init\` again.`,
        );
      replaceFile(file, withChecks(known, fresh), project.root);
      call.print(`${known === null ? 'Written' : 'Added'}: ${file}`);
    }
    await offerIgnoreLines(call, project, isAsking ? questions : null);
    await offerTrust(call, project, fresh, isAsking && canAsk() ? questions : null);
  } finally {
    questions.close();
  }
  sayNext(call);
  return 0;
}

const canAsk = (): boolean => isatty(0) && isatty(1);

function sayNothingFound(call: Call, { root }: Project): ExitCode {
  call.print(`${bold(root)}: nothing here says how it is tested. Looked for: ${LOOKED_FOR}.`);
  call.print(
    `\nWrite the command that runs its tests into ${CONFIG_NAME}, then allow it with \`holdfast trust\`:`,
  );
  call.print('\n    { "checks": { "test": { "run": "./run-tests" } } }');
  return 1;
}

function sayFound(call: Call, { root, config }: Project, found: readonly FoundTests[]): void {
  call.print(bold(root));
  const there = config.checks.map((check) => ({
    name: check.name,
    run: describeCheck(check),
    about: `is there already${check.from === 'user' ? ', in your own settings' : ''}`,
  }));
  const broken = config.brokenChecks.map((name) => ({
    name,
    run: '',
    about: 'is there, and cannot be used',
  }));
  const taken = [...there, ...broken];
  const fresh = found
    .filter(({ name }) => !taken.some((each) => each.name === name))
    .map(({ name, run, from }) => ({ name, run, about: `by ${from}` }));
  const cleaning = found.filter(({ script }) => script !== undefined && cleansTree({ run: script }));
  const width = Math.max(...[...taken, ...fresh].map(({ name }) => name.length));
  for (const { name, run, about } of [...taken, ...fresh])
    call.print(`  ${bold(name.padEnd(width))}  ${run}  ${dim(about)}`);
  for (const { name } of cleaning) call.print(`  ${yellow(`${name} ${CLEANS}`)}`);
}

const CLEANS = `cleans the tree, and takes files of ours along; have it leave them: ${cleaningWithoutOurs(ownFiles(registry))}`;

/** Runs of these workflows show up in `git status`; plans of taskie do too, and are worth committing. */
async function offerIgnoreLines(call: Call, { root }: Project, questions: Questions | null): Promise<void> {
  const file = below(root, '.gitignore');
  const ignored = (readInside(file, root) ?? '')
    .split('\n')
    .map((line) => line.trim().replace(/^\/|\/$/g, ''));
  const lines = IGNORED.filter((line) => !ignored.includes(line.replace(/^\/|\/$/g, '')));
  if (lines.length === 0 || (questions !== null && !canAsk())) return;
  if (
    questions !== null &&
    !(await questions.isYes(`Have git ignore ${lines.join(', ')}, where runs keep their state?`))
  )
    return;
  // Once more: it may have been edited while the question was open.
  const text = readInside(file, root) ?? '';
  const before = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  replaceFile(file, `${before}${lines.join('\n')}\n`, root);
  call.print(`Added to ${file}: ${lines.join(', ')}`);
}

/** `.holdfast/` ignores itself. */
const IGNORED = ['.claude/claudex/', '.claude/idle-loop.local.md', '.jwz/'];

async function offerTrust(
  call: Call,
  project: Project,
  fresh: readonly FoundTests[],
  questions: Questions | null,
): Promise<void> {
  const { checks } = await loadConfig(project.root, call.env);
  const own = checks.filter(({ from }) => from === 'project');
  const written = own.filter(({ name, run }) => fresh.some((each) => each.name === name && each.run === run));
  if (written.length > 0 && questions !== null && !isReachedByAgents(project)) {
    call.print(`\n${WHAT_TRUST_MEANS}`);
    for (const check of written) {
      call.print(`  ${bold(check.name)}  ${describeCheck(check)}`);
      if (cleansTree(check)) call.print(`      ${yellow(`it ${CLEANS}`)}`);
    }
    if (await questions.isYes(`Trust ${written.length === 1 ? 'it' : 'them'}?`)) {
      addTrust({ ...project, now: Date.now() }, written);
      call.print(`Trusted: ${written.map(({ name }) => name).join(', ')}.`);
    }
  }
  const trust = trustOf(project);
  const untrusted = own.filter((check) => !isTrusted(check, trust, Number.POSITIVE_INFINITY));
  if (untrusted.length > 0)
    call.print(
      `Not trusted, so not run: ${untrusted.map(({ name }) => name).join(', ')}. Read and allow with \`holdfast trust\`.`,
    );
}

function sayNext(call: Call): void {
  const there = installable.filter(({ install }) => isOnPath(install.program, call.env));
  const width = Math.max(0, ...there.map(({ install }) => install.program.length));
  if (there.length === 0) {
    call.print(
      '\nNext: install a coding client, put Holdfast into it with `holdfast install`, and start a loop there.',
    );
    return;
  }
  call.print('\nNext, in your client, with Holdfast in it (`holdfast install`):');
  for (const { install, skillMark = '/' } of there)
    call.print(
      `  ${install.program.padEnd(width)}  ${bold(`${skillMark}idle:loop Make the failing tests pass`)}`,
    );
}
