// What became of a docket's findings, counted; and those that a person has to judge (pure).

import type { Docket, Entry } from './types.ts';

export type Accounts = {
  found: number;
  fixed: number;
  rejected: number;
  open: number;
  /** Of the open ones, those of high severity. */
  openHigh: number;
  /** Rejected, and raised again since. */
  contested: readonly Entry[];
};

export function accountsOf({ findings }: Docket): Accounts {
  const count = (status: Entry['status']): number =>
    findings.filter((entry) => entry.status === status).length;
  return {
    found: findings.length,
    fixed: count('fixed'),
    rejected: count('rejected'),
    open: count('open'),
    openHigh: findings.filter(({ status, severity }) => status === 'open' && severity === 'high').length,
    contested: contestedIn(findings),
  };
}

export function contestedIn(findings: readonly Entry[]): Entry[] {
  const again = new Set(findings.flatMap(({ earlier }) => earlier));
  return findings.filter(({ id, status }) => status === 'rejected' && again.has(id));
}

/** `4 found: 2 fixed, 1 rejected, 1 open (high)`, `3 open (1 high)`. */
export function describeAccounts({ found, fixed, rejected, open, openHigh }: Accounts): string {
  const high = openHigh === 0 ? '' : open === 1 ? ' (high)' : ` (${openHigh} high)`;
  return `${found} found: ${fixed} fixed, ${rejected} rejected, ${open} open${high}`;
}
