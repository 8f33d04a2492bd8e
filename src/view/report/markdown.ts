// A run after the fact, as Markdown for a pull request (pure): how it ended first, what is long folded away. All that
// others wrote in it is escaped.

import { escapeMarkdown as escaped } from '../../text/escape.ts';
import type { FindingView, ProjectView, RunView } from '../model.ts';
import { describeSpan, describeTime } from '../times.ts';
import { checkInWords, costs, headingOf, howItEnded, titleOf, VERDICTS, whoReviewed } from './words.ts';

export function asMarkdown(project: ProjectView, run: RunView): string {
  const { title, isCut } = headingOf(run);
  return [
    `## ${escaped(title)}`,
    '',
    `**${escaped(oneLine(howItEnded(run)))}**`,
    '',
    `${escaped(run.name)} in ${escaped(project.name)} · ${costs(run).map(escaped).join(' · ')}`,
    ...(isCut ? folded('The whole task', [`**Task:** ${escaped(oneLine(run.asked ?? ''))}`]) : []),
    ...section('Checks', checks(run)),
    ...section('Findings', findings(run)),
    ...section('Rounds', rounds(run)),
    ...stops(run),
    ...(project.readBackTo === null
      ? []
      : ['', 'The journal is longer than what was read: counts may be too low.']),
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `### ${title}`, '', ...lines];
}

/** `title` is ours. */
function folded(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  return ['', `<details><summary>${title}</summary>`, '', ...lines, '', '</details>'];
}

function checks({ checks: list }: RunView): string[] {
  return list.map((check) => {
    const mark = check.results.at(-1)?.end === 'passed' ? '✓' : '✗';
    return `- ${mark} **${escaped(check.name)}** ${escaped(checkInWords(check))}`;
  });
}

function rounds({ rounds: list }: RunView): string[] {
  if (list.length === 0) return [];
  return [
    '| round | reviewer | verdict | high | medium | low | took |',
    '| --- | --- | --- | ---: | ---: | ---: | ---: |',
    ...list.map((round) => {
      const { mark, word } = VERDICTS[round.verdict];
      const { high, medium, low } = round.found;
      const took = round.milliseconds === null ? '' : describeSpan(round.milliseconds);
      return `| ${escaped(titleOf(round))} | ${escaped(whoReviewed(round))} | ${mark} ${word} | ${high} | ${medium} | ${low} | ${took} |`;
    }),
  ];
}

function findings({ findings: found }: RunView): string[] {
  if (found === null || found.list.length === 0) return [];
  const { contested } = found;
  const isOpen = (each: FindingView) => each.status === 'open' || each.contested;
  const settled = found.list.filter((each) => !isOpen(each));
  return [
    `${found.found} found: ${found.fixed} fixed, ${found.rejected} rejected, ${found.open} open${contested === 0 ? '' : `, ${contested} contested`}.`,
    '',
    ...found.list.filter(isOpen).map(finding),
    ...folded(`${settled.length} settled`, settled.map(finding)),
  ];
}

function finding({ id, severity, file, line, claim, status, answer, contested }: FindingView): string {
  const place =
    file === null
      ? ''
      : ` \`${file.replaceAll('`', "'").replace(/\s/g, ' ')}${line === null ? '' : `:${line}`}\``;
  const said = answer === null || answer === '' ? status : `${status}: ${escaped(oneLine(answer))}`;
  return `- **${escaped(id)}** ${severity}${place}: ${escaped(oneLine(claim))} (${said}${contested ? ', **contested**' : ''})`;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const MOST_STOPS = 10;

function stops({ stops: list }: RunView): string[] {
  const shown = list.slice(0, MOST_STOPS);
  const lines = shown.map(({ at, kind, why }) => `- ${describeTime(at)}, ${kind}: ${escaped(why)}`);
  return folded(lines.length === 1 ? 'The last stop' : `The last ${lines.length} stops`, lines);
}
