// What checks said, each bound to its definition and to the content it ran on. In the user's state folder, by repository,
// so that worktrees share it and nothing in a project can forge one.

import { fingerprint } from '../../store/fingerprint.ts';
import {
  hasShape,
  isFlag,
  isListOf,
  isNumber,
  isOneOf,
  isText,
  orAbsent,
  orNull,
} from '../../store/shape.ts';
import { changeUserRecord, readUserRecord } from '../../store/user-state.ts';
import type { Project } from '../project.ts';
import { repositoryOf } from './repository.ts';
import type { Receipt } from './types.ts';

/** The newest are kept: a check, and the content of some days. */
const MOST = 200;

type Receipts = { repository: string; receipts: readonly Receipt[] };

const isReceipts = hasShape<Receipts>({
  repository: isText,
  receipts: isListOf(
    hasShape<Receipt>({
      check: isText,
      definition: isText,
      content: isText,
      end: isOneOf('passed', 'failed', 'timed-out'),
      code: orNull(isNumber),
      milliseconds: isNumber,
      flaky: isFlag,
      tail: isText,
      at: isNumber,
      last: orAbsent(isNumber),
      by: orAbsent(hasShape({ run: isText, root: isText, marker: orNull(isText) })),
    }),
  ),
});

type Place = Pick<Project, 'root' | 'env'>;

/** The newest there is for this definition, on whichever content. */
export function lastReceipt(project: Place, definition: string): Receipt | null {
  const ofCheck = receiptsOf(project).filter((each) => each.definition === definition);
  return ofCheck.toSorted((one, other) => ranAt(one) - ranAt(other)).at(-1) ?? null;
}

export const ranAt = ({ at, last }: Receipt): number => last ?? at;

/** The newest there is for this definition and this content. */
export function findReceipt(project: Place, definition: string, content: string): Receipt | null {
  const receipts = receiptsOf(project);
  return receipts.findLast((each) => each.definition === definition && each.content === content) ?? null;
}

/** Was it red on this content by then? */
export function wasRedBy(project: Place, definition: string, content: string, time: number): boolean {
  const receipt = findReceipt(project, definition, content);
  return receipt !== null && receipt.end !== 'passed' && receipt.at <= time;
}

/**
 * Receipts from a time that is still to come were noted while the clock was ahead. They are there, so they count as
 * noted now. Answers with the names of their checks.
 */
export function takeAsOfNow({ root, env, now }: Project): readonly string[] {
  const isAhead = ({ at }: Receipt): boolean => at > Math.max(now, Date.now());
  const ahead = receiptsOf({ root, env }).filter(isAhead);
  if (ahead.length === 0) return [];
  changeUserRecord(env, placeOf(repositoryOf(root)), isReceipts, (known) =>
    known === null
      ? null
      : { ...known, receipts: known.receipts.map((each) => (isAhead(each) ? { ...each, at: now } : each)) },
  );
  return [...new Set(ahead.map(({ check }) => check))];
}

/**
 * Durable when it returns. What the same check said of the same content before goes; where it was red then too, since
 * when it is stays: a run that began in between knows by it what was red before.
 */
export function keepReceipt({ root, env }: Place, receipt: Receipt): void {
  const repository = repositoryOf(root);
  changeUserRecord(env, placeOf(repository), isReceipts, (known) => {
    const before = known?.repository === repository ? known.receipts : [];
    const isSame = ({ definition, content }: Receipt): boolean =>
      definition === receipt.definition && content === receipt.content;
    const same = before.findLast(isSame);
    const stays = same !== undefined && same.end !== 'passed' && receipt.end !== 'passed';
    const at = stays ? Math.min(same.at, receipt.at) : receipt.at;
    const others = before.filter((each) => !isSame(each));
    const last = at === receipt.at ? {} : { last: receipt.at };
    return { repository, receipts: [...others, { ...receipt, at, ...last }].slice(-MOST) };
  });
}

function receiptsOf({ root, env }: Place): readonly Receipt[] {
  const repository = repositoryOf(root);
  const record = readUserRecord(env, placeOf(repository), isReceipts);
  return record?.repository === repository ? record.receipts : [];
}

const placeOf = (repository: string): string => `receipts/${fingerprint(repository)}.json`;
