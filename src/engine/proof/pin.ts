// A run's checks as they were at its first stop, in the user's state folder.

import { isObject } from '../../store/json.ts';
import type { ProofNotes } from '../../store/records.ts';
import {
  hasShape,
  isCount,
  isFlag,
  isListOf,
  isNumber,
  isOneOf,
  isTableOf,
  isText,
  orNull,
} from '../../store/shape.ts';
import { changeUserRecord, readUserRecord } from '../../store/user-state.ts';
import type { Project } from '../project.ts';
import { hasPin, pinPlace } from './pin-place.ts';
import { makeSeal, type Seal } from './protect.ts';
import { isTrusted, trustOf } from './trust.ts';
import type { Check } from './types.ts';

export { hasPin } from './pin-place.ts';

export type Pin = {
  run: string;
  root: string;
  startedAt: number;
  checks: readonly Check[];
  untrusted: readonly string[];
  /** Trusted, and not required: a frame may wait for one. */
  others: readonly Check[];
  off: boolean;
  content: string | null;
  /** The same for the checks that look at some paths only, by name. */
  contents: Readonly<Record<string, string>>;
  seal: Seal | null;
  /** The paths that the seal is of. */
  protect: readonly string[];
  sandbox: 'auto' | 'always' | 'never';
  bail: boolean;
  refusals: number;
  then: 'notice' | 'hold';
};

const isCheck = (value: unknown): value is Check => isObject(value) && typeof value.name === 'string';
const isSeal = (value: unknown): value is Seal => isObject(value) && Array.isArray(value.files);

const isPin = hasShape<Pin>({
  run: isText,
  root: isText,
  startedAt: isNumber,
  checks: isListOf(isCheck),
  untrusted: isListOf(isText),
  others: isListOf(isCheck),
  off: isFlag,
  content: orNull(isText),
  contents: isTableOf(isText),
  seal: orNull(isSeal),
  protect: isListOf(isText),
  sandbox: isOneOf('auto', 'always', 'never'),
  bail: isFlag,
  refusals: isCount,
  // biome-ignore lint/suspicious/noThenProperty: a word, no function
  then: isOneOf('notice', 'hold'),
});

export function readPin(project: Project, name: string): Pin | null {
  const pin = readUserRecord(project.env, pinPlace(project.root, name), isPin);
  return pin !== null && pin.run === name && pin.root === project.root ? pin : null;
}

export async function makePin(
  project: Project,
  name: string,
  notes: ProofNotes | undefined,
): Promise<Pin | null> {
  if (hasPin(project, name)) return readPin(project, name);
  const { config, root, env, now } = project;
  const wanted = notes?.asked.checks ?? null;
  const checks = config.checks.filter((check) =>
    wanted === null ? check.from === 'project' : wanted.includes(check.name),
  );
  const { paths, then } = config.protect;
  if (checks.length === 0 && paths.length === 0) return null;
  const trust = trustOf(project);
  const pin: Pin = {
    run: name,
    root,
    startedAt: now,
    checks,
    untrusted: checks.filter((check) => !isTrusted(check, trust, now)).map((check) => check.name),
    others: [],
    contents: {},
    off: notes?.asked.off ?? false,
    content: notes?.content ?? null,
    seal: paths.length === 0 ? null : await makeSeal(root, env, paths),
    protect: paths,
    ...config.proof,
    then,
  };
  changeUserRecord(env, pinPlace(root, name), isPin, () => pin);
  return pin;
}

export function pinnedCheck({ checks, others, untrusted }: Pin, name: string): Check | null {
  if (untrusted.includes(name)) return null;
  return [...checks, ...others].find((check) => check.name === name) ?? null;
}

export function contentAtStart({ content, contents }: Pin, { name, paths }: Check): string | null {
  return paths === null ? content : (contents[name] ?? null);
}
