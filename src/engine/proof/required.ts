// Which checks a run must pass: all of the project's, and those of the user's own that its start asked for.

import { isCheckName } from '../../config/check.ts';
import type { Config } from '../../config/config.ts';
import type { ProofNotes } from '../../store/records.ts';
import type { Project } from '../project.ts';
import { definitionOf } from './definition.ts';
import { isReachedByAgents, isTrusted, type TrustRecord } from './trust.ts';
import type { Check } from './types.ts';

export type Required = {
  /** As the config has them now, also those of them that may not run. */
  checks: readonly Check[];
  /** Names that are required and may not run: not trusted, or not as they were trusted or noted, or gone. */
  untrusted: readonly string[];
  /** Trusted, and not required: a frame of the run may still be asked to go on until one of them passes. */
  others: readonly Check[];
};

/**
 * `before`: only trust given before that time counts. What trust or the start knows and the config no longer has, or
 * has differently, stays required: whoever can write the config must not be able to take a check away.
 */
export function requiredChecks(
  project: Project,
  asked: readonly string[],
  trust: TrustRecord | null,
  before: number,
  noted: ReadonlyMap<string, string> = new Map(),
): Required {
  const { config } = project;
  const isForgeable = isReachedByAgents(project);
  const mayRun = (check: Check): boolean =>
    !isForgeable &&
    isTrusted(check, trust, before) &&
    (noted.get(check.name) ?? definitionOf(check)) === definitionOf(check);
  const known = (trust?.checks ?? []).map(({ name }) => name);
  const names = [...new Set([...projectChecks(config), ...asked, ...known, ...noted.keys()])];
  const checks = config.checks.filter(({ name }) => names.includes(name));
  const running = checks.filter(mayRun).map(({ name }) => name);
  return {
    checks,
    untrusted: names.filter((name) => !running.includes(name)),
    others: config.checks.filter((check) => !names.includes(check.name) && mayRun(check)),
  };
}

/** Names; also of those that the user's own file defines in its place, or that cannot be used as they stand. */
export function projectChecks({ project }: Config): string[] {
  return Object.keys(project.checks ?? {});
}

export function writeDefinitions(checks: readonly Check[]): ProofNotes['definitions'] {
  return checks.map((check) => `${check.name}=${definitionOf(check)}`).join(' ');
}

/** More than any config has; what somebody else wrote there must not fill the user's state folder. */
const MOST_NAMES = 200;

/** What the start asked for, as its notes say. They lie in the project, as do the definitions. */
export function readAsked({ checks }: ProofNotes['asked']): readonly string[] {
  return (checks ?? []).filter(isCheckName).slice(0, MOST_NAMES);
}

/** They lie in the project: what is not of their form counts for nothing. */
export function readDefinitions(definitions: string): ReadonlyMap<string, string> {
  const pairs = definitions.split(' ', MOST_NAMES).map((each) => each.split('='));
  return new Map(
    pairs.flatMap(([name = '', definition = '', ...more]) =>
      more.length === 0 && isCheckName(name) && definition !== '' ? [[name, definition] as const] : [],
    ),
  );
}
