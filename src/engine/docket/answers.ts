// What an agent's text says of findings: `F7 fixed: …`, `F7 rejected: <why>`, one per line. List marks, bold and case
// do not matter; what stands in code or in a comment is quoted, and says nothing.

import { inOneParagraph } from '../../text/paragraph.ts';
import { scanHidden } from '../../text/signals-scan.ts';
import { numberOf } from './ids.ts';
import type { Answer, Docket, Entry } from './types.ts';

const LONGEST_ANSWER = 2000;

/** In the order they are given. A rejection without a reason is no answer. */
export function answersIn(markdown: string): Answer[] {
  if (!/(?:\b|_)F\d/i.test(markdown) || !/fixed|rejected/i.test(markdown)) return [];
  const hidden = scanHidden(markdown);
  const answers: Answer[] = [];
  let next = 0;
  let isInList = false;
  for (const line of markdown.matchAll(LINES)) {
    while ((hidden[next]?.end ?? Number.POSITIVE_INFINITY) <= line.index) next++;
    const range = hidden[next];
    const at = line.index + line[0].search(/\S|$/);
    const isHidden = range !== undefined && range.start <= at && at < range.end;
    // What stands in that far is code, but for what belongs to a list.
    const isIndented = /^(?: {4}| {0,3}\t)/.test(line[0]);
    if (!isIndented && line[0].trim() !== '') isInList = LISTED.test(line[0]);
    const answer = isHidden || (isIndented && !isInList) ? null : answerOf(line[0]);
    if (answer !== null) answers.push(answer);
  }
  return answers;
}

/**
 * The docket with these answers in it, the last one for each finding. One that the docket has already is not given
 * again: a finding that a person opened once more stays open until there is another answer.
 */
export function withAnswers(docket: Docket, answers: readonly Answer[]): Docket {
  const given = new Map(answers.map((answer) => [answer.id, answer]));
  if (given.size === 0) return docket;
  return { ...docket, findings: docket.findings.map((entry) => answered(entry, given.get(entry.id))) };
}

function answered(entry: Entry, answer: Answer | undefined): Entry {
  if (answer === undefined || answer.text === entry.answer) return entry;
  // What a person had put there in words of their own has been answered.
  const { status: _status, answer: _answer, ...others } = entry.others;
  return { ...entry, status: answer.status, answer: answer.text, others };
}

const LINES = /[^\r\n]+/g;
const LISTED = /^ {0,3}(?:[-*+\u2022]|\d{1,9}[.)])\s/;

let answerForm: RegExp | undefined;

/** Made for the first line that may be an answer: working out its sets of letters takes a millisecond, at every stop. */
function formOfAnswer(): RegExp {
  answerForm ??= new RegExp(
    [
      '^[ \\t]*(?:#{1,6}[ \\t]+)?(?:(?:[-*+\\u2022]|\\d{1,4}[.)])[ \\t]+){0,3}(?:\\[[ xX]\\][ \\t]+)?',
      '[*_[(]{0,4}(F[1-9]\\d{0,8})[*_\\])]{0,4}',
      '[ \\t]*[:,\\u2013\\u2014-]?[ \\t]*[*_(]{0,4}(fixed|rejected)(?!_*[\\p{L}\\p{N}-])[*_)]{0,4}',
      '[ \\t]*(?:[:,.;\\uff1a\\u2013\\u2014-][*_]{0,4})?(.*)$',
    ].join(''),
    'iu',
  );
  return answerForm;
}

function answerOf(line: string): Answer | null {
  const [, id = '', word = '', rest = ''] = formOfAnswer().exec(line) ?? [];
  const number = numberOf(id);
  if (number === null) return null;
  const status = word.toLowerCase() === 'fixed' ? 'fixed' : 'rejected';
  const text = inOneParagraph(rest, LONGEST_ANSWER);
  if (status === 'rejected' && !isReason(text)) return null;
  return { id: `F${number}`, status, text };
}

/** The form as it was shown, `<why>`, is none. */
function isReason(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text.replace(/<[^<>]*>/g, ''));
}
