// What a check is, as a fingerprint: everything that changes what is run.

import { fingerprint } from '../../store/fingerprint.ts';
import type { Check } from './types.ts';

export function definitionOf({ name, run, timeout, retries, paths, cwd }: Check): string {
  return fingerprint(JSON.stringify([name, run, timeout, retries, paths, cwd]));
}

export function describeCheck({ run }: Check): string {
  return typeof run === 'string' ? run : run.join(' ');
}
