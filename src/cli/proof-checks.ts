// What doctor says about the user's checks: which may run here, and what would keep them from running.

import path from 'node:path';
import type { Project } from '../engine/project.ts';
import { describeCheck, folderOfCheck } from '../engine/proof/definition.ts';
import { projectChecks, type Required, requiredChecks } from '../engine/proof/required.ts';
import { isReachedByAgents, readTrust, type TrustRecord } from '../engine/proof/trust.ts';
import type { Check } from '../engine/proof/types.ts';
import { isOnPath } from '../store/on-path.ts';
import { messageOf } from '../text/message-of.ts';
import { shellQuote } from '../text/shell.ts';
import { bad, type Finding, fair, good } from './finding.ts';

export function checkProof(project: Project): Finding[] {
  const { config } = project;
  let trust: TrustRecord | null;
  try {
    trust = readTrust(project);
  } catch (error) {
    return [bad(messageOf(error), 'then run `holdfast trust` again')];
  }
  if (config.checks.length === 0 && trust === null) return [];
  const required = requiredChecks(project, [], trust, Number.POSITIVE_INFINITY);
  const runnable = config.checks.filter(({ name }) => !required.untrusted.includes(name));
  return [
    ...checkReach(project),
    ...checkTrust(project, required),
    ...runnable.flatMap((check) => checkProgram(check, project)),
    ...(config.checks.length === 0 ? [] : checkSandbox(project)),
  ];
}

function checkReach(project: Project): Finding[] {
  if (!isReachedByAgents(project)) return [];
  return [
    fair(
      `your own Holdfast folders lie inside ${project.root}, where an agent can write, so no check can be trusted here`,
      'set XDG_STATE_HOME and XDG_CONFIG_HOME to folders outside of it',
    ),
  ];
}

function checkTrust({ config, cli }: Project, { checks, untrusted, others }: Required): Finding[] {
  const fix = `${cli} trust`;
  const own = checks.map((check) =>
    untrusted.includes(check.name)
      ? fair(
          `the check ${check.name} is not trusted, so runs here end unproven: ${describeCheck(check)}`,
          fix,
        )
      : good(`the check ${check.name} is trusted and required here: ${describeCheck(check)}`),
  );
  const there = [...checks.map(({ name }) => name), ...projectChecks(config)];
  const gone = untrusted
    .filter((name) => !there.includes(name))
    .map((name) =>
      fair(`the check ${name} was trusted, but the config has it no more, so runs here end unproven`, fix),
    );
  const users = others.map((check) =>
    good(`the check ${check.name} is your own; --check ${check.name} asks for it: ${describeCheck(check)}`),
  );
  return [...own, ...gone, ...users];
}

/** These are no programs; what follows them is not looked at. */
const SHELL_WORDS = new Set(
  '. : [ alias bg break case cd command continue do eval exec exit export fg for if jobs read readonly return set shift source test then time times trap type ulimit umask unset until wait while'.split(
    ' ',
  ),
);

function checkProgram(check: Check, { root, env }: Project): Finding[] {
  const folder = folderOfCheck(check, root);
  if (folder === null)
    return [
      bad(
        `the check ${check.name} cannot run: there is no folder ${check.cwd} in ${root}`,
        `correct \`checks.${check.name}.cwd\``,
      ),
    ];
  const program = programOf(check);
  if (program === null || isOnPath(program.includes('/') ? path.resolve(folder, program) : program, env))
    return [];
  return [
    bad(
      `the check ${check.name} cannot run: there is no program ${shellQuote(program)}${program.includes('/') ? ` in ${folder}` : ' on PATH'}`,
      `install it, or correct \`checks.${check.name}.run\``,
    ),
  ];
}

/** Null where only a shell can tell. */
function programOf({ run }: Check): string | null {
  if (typeof run !== 'string') return run[0] ?? null;
  const word = /^\s*([\w./+-]+)(?=\s|$)/.exec(run)?.[1];
  return word === undefined || SHELL_WORDS.has(word) ? null : word;
}

/** What a client's sandbox is built again with; macOS has its own, which is not used yet. */
function checkSandbox({ config, env }: Project): Finding[] {
  const { sandbox } = config.proof;
  if (sandbox === 'never' || (process.platform === 'linux' && isOnPath('bwrap', env))) return [];
  const what =
    process.platform === 'linux'
      ? 'the program bwrap is not on PATH'
      : 'checks have no sandbox on this system';
  const fix = process.platform === 'linux' ? 'install bubblewrap' : null;
  return sandbox === 'always'
    ? [bad(`${what}, and proof.sandbox is "always": checks cannot run`, fix ?? 'set proof.sandbox to "auto"')]
    : [fair(`${what}: where a session is in a sandbox, its checks may not be able to run`, fix)];
}
