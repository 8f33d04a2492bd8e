// Which checks of a project the user trusts.

import { fingerprint } from '../../store/fingerprint.ts';
import { hasShape, isListOf, isNumber, isText } from '../../store/shape.ts';
import { changeUserRecord, readUserRecord } from '../../store/user-state.ts';
import type { Project } from '../project.ts';
import { definitionOf } from './definition.ts';
import type { Check } from './types.ts';

export type TrustRecord = {
  repository: string;
  root: string;
  checks: readonly TrustedCheck[];
  reported: number;
};

export type TrustedCheck = { name: string; definition: string; at: number };

const isTrustRecord = hasShape<TrustRecord>({
  repository: isText,
  root: isText,
  checks: isListOf(hasShape({ name: isText, definition: isText, at: isNumber })),
  reported: isNumber,
});

export const trustPlace = (repository: string): string => `trust/${fingerprint(repository)}.json`;

export function trustOf({ root, env }: Project): TrustRecord | null {
  return readUserRecord(env, trustPlace(root), isTrustRecord);
}

export function isTrusted(check: Check, trust: TrustRecord | null, before: number): boolean {
  if (check.from === 'user') return true;
  const definition = definitionOf(check);
  return (trust?.checks ?? []).some(
    ({ name, definition: known, at }) => name === check.name && known === definition && at < before,
  );
}

export function unreportedTrust(trust: TrustRecord | null): readonly TrustedCheck[] {
  return trust?.checks.filter(({ at }) => at > trust.reported) ?? [];
}

export function noteReported({ root, env }: Project, checks: readonly TrustedCheck[]): void {
  changeUserRecord(env, trustPlace(root), isTrustRecord, (known) =>
    known === null ? null : { ...known, reported: Math.max(known.reported, ...checks.map(({ at }) => at)) },
  );
}
