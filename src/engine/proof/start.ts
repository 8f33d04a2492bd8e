// What a start does about checks: it notes them, with the content as it is, for the hook to pin; and says what will be
// run, what will not, and why.

import type { Project } from '../project.ts';
import { NotNow, WrongUsage } from '../workflow-cli.ts';
import { isProofAsked, type ProofAtStart, type ProofFlags } from './at-start.ts';
import { type Content, contentOf } from './content.ts';
import { describeCheck } from './definition.ts';
import { sayLastRun } from './last-run.ts';
import { takeAsOfNow } from './receipts.ts';
import { type Required, requiredChecks, writeDefinitions } from './required.ts';
import { isReachedByAgents, isTrustAhead, type TrustRecord, trustOf } from './trust.ts';
import type { Check } from './types.ts';
import { trustAheadText } from './words.ts';

/** What our packaging gives the hook in every client, and what it keeps for itself (work/time-left.ts). */
const HOOK_LIMIT_S = 7200;
const RESERVE_S = 60;

/**
 * Null: nothing is asked of this run. Refused where a flag names a check that is not there, or one that can never pass.
 */
export async function noteProof(
  project: Project,
  flags: ProofFlags,
  without: readonly string[],
): Promise<ProofAtStart | null> {
  const { root, env, now, config } = project;
  for (const name of flags.checks) refuseUnknown(project, '--check', name);
  for (const name of flags.acceptRed) refuseUnknown(project, '--accept-red', name);
  if (flags.until !== null) refuseUnknown(project, '--until', flags.until);
  const asked = [...new Set([...flags.checks, ...(flags.until === null ? [] : [flags.until])])];
  const trust = trustOf(project);
  const required = requiredChecks(project, asked, trust, now);
  if (flags.until !== null && required.untrusted.includes(flags.until))
    throw new NotNow(
      `--until ${flags.until}: this check is not trusted, so it would never run. ${howToTrust(project, trust, [flags.until])}`,
    );
  const unasked = flags.acceptRed.find((name) => !required.checks.some((check) => check.name === name));
  if (unasked !== undefined)
    throw new WrongUsage(
      `--accept-red ${unasked}: this check is not asked for here, so there is nothing to accept. \`--check ${unasked}\` asks for it.`,
    );
  // Whoever trusts another repository has asked for nothing here.
  const hasChecks = required.checks.length > 0 || required.untrusted.length > 0;
  if (!hasChecks && config.protect.paths.length === 0 && !isProofAsked(flags)) return null;
  const content = required.checks.length === 0 ? null : await contentOf(root, env, { without });
  const limited = required.checks.flatMap(({ name, paths }) =>
    content === null || paths === null ? [] : [[name, content.of(paths)] as const],
  );
  return {
    notes: {
      asked: {
        ...{ checks: asked.length === 0 ? null : asked, off: flags.off },
        ...(flags.acceptRed.length === 0 ? {} : { acceptRed: flags.acceptRed }),
      },
      definitions: writeDefinitions(required.checks),
      content: content?.of(null) ?? null,
      ...(limited.length === 0 ? {} : { contents: Object.fromEntries(limited) }),
      startedAt: now,
      ...{ pinned: false, refusals: 0, cannotRunSaid: false, protectedSaid: false },
    },
    firstLine: flags.off ? null : whyUnproven(project, required, trust),
    lines: flags.off
      ? switchedOff(config.checks, required)
      : [
          ...whatRuns(required, flags.until),
          ...whatWasAhead(project),
          ...whatIsKnown(project, required, content, flags),
        ],
  };
}

function whatWasAhead(project: Project): string[] {
  const names = takeAsOfNow(project);
  if (names.length === 0) return [];
  return [
    `Note: the last results of ${names.join(', ')} were noted at a time that is still to come: the clock was ahead then, or is behind now. They count as noted at this start.`,
  ];
}

/** In one line, what each check said when it last ran. Nothing is run at a start. */
function whatIsKnown(
  project: Project,
  { checks, untrusted }: Required,
  content: Content | null,
  { until, acceptRed }: ProofFlags,
): string[] {
  const running = checks.filter(({ name }) => !untrusted.includes(name));
  if (content === null || running.length === 0) return [];
  const accepted = [...acceptRed, ...project.config.proof.acceptRed];
  const said = running.map((check) =>
    sayLastRun(project, check, {
      content: content.of(check.paths),
      ends: until === check.name ? 'loop' : 'run',
      isAccepted: accepted.includes(check.name),
    }),
  );
  return [`${said.join('; ')}.`];
}

function refuseUnknown({ config }: Project, flag: string, name: string): void {
  if (config.checks.some((check) => check.name === name)) return;
  if (config.brokenChecks.includes(name))
    throw new NotNow(`${flag} ${name}: there is a mistake in this check; \`holdfast doctor\` says which.`);
  const names = config.checks.map((check) => check.name);
  const there =
    names.length === 0
      ? 'There is none: "checks" in holdfast.config.json has them, the project\'s or your own'
      : `There are: ${names.join(', ')}`;
  throw new WrongUsage(`${flag}: there is no check "${name}". ${there}.`);
}

function whyUnproven(project: Project, { untrusted }: Required, trust: TrustRecord | null): string | null {
  if (untrusted.length === 0) return null;
  const { brokenChecks } = project.config;
  const broken = untrusted.filter((name) => brokenChecks.includes(name));
  const others = untrusted.filter((name) => !brokenChecks.includes(name));
  return [
    'Unproven from the start:',
    ...(others.length === 0 ? [] : [`${whatIsUntrusted(others)}. ${howToTrust(project, trust, others)}`]),
    ...(broken.length === 0
      ? []
      : [
          `There is a mistake in ${broken.join(', ')}, so it cannot run; \`${project.cli} doctor\` says which.`,
        ]),
  ].join(' ');
}

function whatIsUntrusted(names: readonly string[]): string {
  return names.length === 1
    ? `the check ${names[0]} is not trusted as the config has it now`
    : `these checks are not trusted as the config has them now: ${names.join(', ')}`;
}

function howToTrust(project: Project, trust: TrustRecord | null, names: readonly string[]): string {
  const ahead = project.config.checks.filter(
    (check) => names.includes(check.name) && isTrustAhead(check, trust),
  );
  if (ahead.length > 0)
    return `${trustAheadText(ahead, project.cli)} Then start again, since only trust given before a start counts for it.`;
  return isReachedByAgents(project)
    ? 'Your own Holdfast folders lie inside this project, where an agent can write, so nothing in them counts: set XDG_STATE_HOME and XDG_CONFIG_HOME to folders outside of it.'
    : `A person reads the commands and allows them with \`${project.cli} trust\` in a terminal; then start again, since only trust given before a start counts for it.`;
}

function switchedOff(all: readonly Check[], { checks, untrusted }: Required): string[] {
  const names = new Set([...checks.map(({ name }) => name), ...untrusted]);
  if (names.size > 0) return [`--no-check: ${[...names].join(', ')} will not run, so this ends unproven.`];
  return all.length === 0 ? [] : ['--no-check: no check was required here anyway.'];
}

function whatRuns({ checks, untrusted }: Required, until: string | null): string[] {
  const running = checks.filter(({ name }) => !untrusted.includes(name));
  const list = (of: readonly Check[]): string =>
    of.map((check) => `${check.name} (${describeCheck(check)})`).join(', ');
  const ending = running.filter(({ name }) => name === until);
  const others = running.filter(({ name }) => name !== until);
  const when = ending.length > 0 ? 'When that passes' : 'When you say that you are done';
  return [
    ...(ending.length === 0 ? [] : [`At each stop this is run, and ends the loop: ${list(ending)}.`]),
    ...(others.length === 0 ? [] : [`${when}, this is run and must pass: ${list(others)}.`]),
    ...whatCannotFit(running),
  ];
}

function whatCannotFit(checks: readonly Check[]): string[] {
  const most = checks.reduce((sum, { timeout, retries }) => sum + timeout * (1 + retries), 0);
  const given = HOOK_LIMIT_S - RESERVE_S;
  if (most <= given) return [];
  return [
    `Note: with their timeouts and retries these checks may take ${Math.ceil(most)} s in all, but a stop has ${given} s for them; what has not run by then cannot run. Lower \`timeout\` or \`retries\`, or raise the time limit of the Stop hook in the client's hooks file together with the \`--limit\` in its command.`,
  ];
}
