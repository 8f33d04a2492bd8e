// What checks said, in the user's state folder.

import { fingerprint } from '../../store/fingerprint.ts';
import { isObject } from '../../store/json.ts';
import { isListOf } from '../../store/shape.ts';
import { changeUserRecord, readUserRecord } from '../../store/user-state.ts';
import type { Project } from '../project.ts';
import type { Receipt } from './types.ts';

const MOST = 200;

const isReceipt = (value: unknown): value is Receipt =>
  isObject(value) && typeof value.definition === 'string' && typeof value.content === 'string';
const isReceipts = isListOf(isReceipt);

const placeOf = ({ root }: Project): string => `receipts/${fingerprint(root)}.json`;

export function findReceipt(project: Project, definition: string, content: string): Receipt | null {
  const all = readUserRecord(project.env, placeOf(project), isReceipts) ?? [];
  return all.findLast((each) => each.definition === definition && each.content === content) ?? null;
}

export function keepReceipt(project: Project, receipt: Receipt): void {
  changeUserRecord(project.env, placeOf(project), isReceipts, (known) =>
    [...(known ?? []), receipt].slice(-MOST),
  );
}
