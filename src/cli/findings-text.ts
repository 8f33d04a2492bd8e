// Findings for people: on a screen, and as markdown for a comment. What stands in them was written by reviewers and
// agents, who may have had it from anybody.

import { accountsOf, contestedIn, describeAccounts } from '../engine/docket/accounts.ts';
import { byWeight } from '../engine/docket/ids.ts';
import type { Docket, Entry } from '../engine/docket/types.ts';
import { placeOf } from '../engine/docket/words.ts';
import { escapeMarkdown as escaped } from '../text/escape.ts';
import { inOneParagraph } from '../text/paragraph.ts';
import type { Listed } from './findings.ts';
import { bold, dim, green, red, yellow } from './paint.ts';

const LONGEST = 2000;

export function asScreen({ run, file, docket, shown }: Listed): string {
  const lines = [`${bold(run)}  ${accounts(docket)}  ${dim(inOneParagraph(file, 300))}`];
  const { earlier, isContested } = beside(docket);
  const width = Math.max(0, ...shown.map(({ id }) => id.length));
  for (const { title, entries } of byReview(shown)) {
    lines.push('', bold(title));
    for (const entry of entries) {
      const place = placeOf(entry);
      const claim = inOneParagraph(entry.claim, LONGEST);
      lines.push(
        `  ${mark(entry)} ${bold(entry.id.padEnd(width))} ${weight(entry)}  ${place === '' ? '' : `${place}  `}${claim}`,
      );
      const indent = ' '.repeat(width + 5);
      if (entry.status !== 'open')
        lines.push(`${indent}${answer(entry)}${isContested(entry) ? yellow('  contested') : ''}`);
      for (const other of earlier(entry))
        lines.push(`${indent}${dim(`raised again: ${other.id} was ${answer(other)}`)}`);
    }
  }
  if (shown.length === 0) lines.push('', dim('None of them is like that.'));
  return lines.join('\n');
}

export function asMarkdown({ run, docket, shown }: Listed): string {
  const { earlier, isContested } = beside(docket);
  const lines = [`### Findings of ${escaped(run)}`, '', `${accounts(docket)}.`];
  for (const { title, entries } of byReview(shown)) {
    lines.push('', `#### ${escaped(title)}`, '');
    for (const entry of entries) {
      const place = placeOf(entry).replaceAll('`', "'");
      const at = place === '' ? '' : ` \`${place}\``;
      lines.push(
        `- **${entry.id}** ${entry.severity}${at}: ${escaped(inOneParagraph(entry.claim, LONGEST))}`,
      );
      if (entry.status !== 'open')
        lines.push(`  - ${escaped(answer(entry))}${isContested(entry) ? ' (**contested**)' : ''}`);
      for (const other of earlier(entry))
        lines.push(`  - raised again: ${other.id} was ${escaped(answer(other))}`);
    }
  }
  return lines.join('\n');
}

function accounts(docket: Docket): string {
  const counted = accountsOf(docket);
  const contested = counted.contested.length;
  return `${describeAccounts(counted)}${contested === 0 ? '' : `, ${contested} contested`}`;
}

/** What is shown beside a finding: the answers to those it raises again; that it is contested itself. */
function beside({ findings }: Docket): {
  earlier(entry: Entry): Entry[];
  isContested(entry: Entry): boolean;
} {
  const byId = new Map(findings.map((entry) => [entry.id, entry]));
  const contested = new Set(contestedIn(findings).map(({ id }) => id));
  return {
    earlier: (entry) =>
      entry.earlier.flatMap((id) => byId.get(id) ?? []).filter(({ status }) => status !== 'open'),
    isContested: ({ id }) => contested.has(id),
  };
}

/** In the order of the reviews, in each the worst first. */
function byReview(shown: readonly Entry[]): { title: string; entries: Entry[] }[] {
  const reviews = [...new Set(shown.map(({ review }) => review))];
  return reviews.map((review) => {
    const entries = shown.filter((entry) => entry.review === review).sort(byWeight);
    const [first] = entries;
    const about = [
      ...(first?.round == null ? [] : [`round ${first.round}`]),
      ...(first?.by == null ? [] : [inOneParagraph(first.by, 100)]),
    ].join(', ');
    const name = review === '' ? 'no review is named' : inOneParagraph(review, 200);
    return { title: about === '' ? name : `${name} (${about})`, entries };
  });
}

function mark({ status }: Entry): string {
  switch (status) {
    case 'open':
      return yellow('\u25cf');
    case 'fixed':
      return green('\u2713');
    case 'rejected':
      return red('\u2717');
  }
}

function weight({ severity }: Entry): string {
  const word = severity.padEnd(6);
  return severity === 'high' ? red(word) : severity === 'medium' ? yellow(word) : dim(word);
}

function answer({ status, answer: text }: Entry): string {
  return text === null || text === '' ? status : `${status}: ${inOneParagraph(text, LONGEST)}`;
}
