// The docket in words, for holds and notices: open findings worst first, earlier answers beside those raised again,
// and the accounts. All of it comes from others: one line each, of characters that can be seen, and no more than a
// hold has room for.

import { inOneParagraph } from '../../text/paragraph.ts';
import { render } from '../../text/render.ts';
import { accountsOf, describeAccounts } from './accounts.ts';
import { byWeight } from './ids.ts';
import openFindings from './messages/open.md';
import repeat from './messages/repeat.md';
import type { Docket, Entry } from './types.ts';

export const MOST_LISTED = 10;
/** A hold's reason stays under 8 kB with all that stands around the list. */
const MOST_BYTES = 4200;
const MOST_CONTESTED = 5;

/** What is said beside the list. */
export type AboutOpen = {
  /** How the docket is named to the agent. */
  docket: string;
  /** Where its answers are read. */
  where: string;
  /** The review that was taken up just now; what is open of others was left unanswered. */
  review: string;
  /** How many more it listed than are read. */
  cut: number;
  /** Why none can be written, where that is so: the reviews alone have them. */
  refused?: string | undefined;
};

/** Empty: nothing is open. */
export function sayOpen(docket: Docket, about: AboutOpen): string {
  const open = docket.findings.filter(({ status }) => status === 'open').sort(byWeight);
  const [worst] = open;
  const cut = about.cut > 0 ? ` ${about.cut} more were listed than are read.` : '';
  if (worst === undefined) return cut.trim();
  const left = open.filter(({ review }) => review !== about.review).map(({ id }) => id);
  const more = left.length > MOST_LISTED ? ` and ${left.length - MOST_LISTED} more` : '';
  const ids = `${left.slice(0, MOST_LISTED).join(', ')}${more}`;
  const unanswered = left.length === 0 ? '' : ` Left without an answer before: ${ids}.`;
  const { docket: name, where, refused } = about;
  const all = refused === undefined ? `${name} has them all` : `${name} cannot be used: ${refused}`;
  const slots = { all, where, form: answerForm(worst.id), rest: `${unanswered}${cut}` };
  const list = listOpen(docket, refused === undefined ? name : 'the review');
  return render(openFindings, { ...slots, list }, 'open');
}

/** For a hold that is given once more: the docket is not read for it. */
export function sayWhereOpen(docket: string, where: string): string {
  return render(repeat, { docket, where, form: answerForm('F7') }, 'repeat');
}

/** How an answer looks. */
function answerForm(id: string): string {
  return `\`${id} fixed: <what you changed>\` or \`${id} rejected: <why>\``;
}

/** `docketName`: where the rest is. */
function listOpen(docket: Docket, docketName: string): string {
  const open = docket.findings.filter(({ status }) => status === 'open').sort(byWeight);
  const byId = new Map(docket.findings.map((entry) => [entry.id, entry]));
  const lines: string[] = [];
  let bytes = 0;
  for (const entry of open.slice(0, MOST_LISTED)) {
    const line = [`- ${describeFinding(entry, 240)}`, ...earlierAnswers(entry, byId)].join('\n');
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > MOST_BYTES && lines.length > 0) break;
    lines.push(line);
  }
  const more = open.length - lines.length;
  return [...lines, ...(more > 0 ? [`- and ${more} more in ${docketName}`] : [])].join('\n');
}

/** `F7 high src/a.ts:12: the claim` */
export function describeFinding(entry: Entry, most: number): string {
  const place = placeOf(entry);
  return `${entry.id} ${entry.severity}${place === '' ? '' : ` ${place}`}: ${inOneParagraph(entry.claim, most)}`;
}

export function placeOf({ file, line }: Entry): string {
  if (file === null) return '';
  return `${inOneParagraph(file, 120)}${line === null ? '' : `:${line}`}`;
}

/** The accounts, and what is open still. */
export function sayClosing(docket: Docket, docketName: string): string {
  const open = listOpen(docket, docketName);
  return [sayAccounts(docket), ...(open === '' ? [] : [`Open, the worst first:\n${open}`])].join('\n\n');
}

/** Empty: nothing was found. */
export function sayAccounts(docket: Docket): string {
  if (docket.findings.length === 0) return '';
  const accounts = accountsOf(docket);
  const { contested } = accounts;
  const said = `Findings: ${describeAccounts(accounts)}.`;
  if (contested.length === 0) return said;
  const shown = contested.toSorted(byWeight).slice(0, MOST_CONTESTED).map(contestedLine);
  const more = contested.length - shown.length;
  const rest = more > 0 ? ` And ${more} more.` : '';
  return `${said} Contested, for you to judge (rejected by the agent, and raised again by a reviewer): ${shown.join(' ')}${rest}`;
}

function contestedLine(entry: Entry): string {
  const why = inOneParagraph(entry.answer ?? '', 160);
  return `${describeFinding(entry, 160)} (rejected: ${why === '' ? 'no reason is there' : why}).`;
}

/** The newest two: what was said last counts most. */
function earlierAnswers(entry: Entry, byId: ReadonlyMap<string, Entry>): string[] {
  const answered = entry.earlier
    .flatMap((id) => byId.get(id) ?? [])
    .filter(({ status }) => status !== 'open');
  const shown = answered.slice(-2).map((earlier) => {
    const answer = inOneParagraph(earlier.answer ?? '', 120);
    const said = answer === '' ? earlier.status : `${earlier.status}: ${answer}`;
    return `  raised again; earlier ${earlier.id} (${inOneParagraph(earlier.claim, 80)}) was ${said}`;
  });
  return shown;
}
