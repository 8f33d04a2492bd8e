// Where a run's pin lies in the user's state folder. Asked at every claim, so nothing else is here.

import { fingerprint } from '../../store/fingerprint.ts';
import { hasUserRecord } from '../../store/user-state.ts';
import type { Project } from '../project.ts';

export function pinPlace(root: string, name: string): string {
  return `pins/${fingerprint(`${root}\n${name}`)}.json`;
}

export function hasPin({ root, env }: Pick<Project, 'root' | 'env'>, name: string): boolean {
  return hasUserRecord(env, pinPlace(root, name));
}
