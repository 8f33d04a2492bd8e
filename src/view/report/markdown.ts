// A run after the fact, as Markdown for a pull request (pure). Whatever others wrote in it is escaped.

import { escapeMarkdown as escaped } from '../../text/escape.ts';
import type { FindingView, ProjectView, RunView } from '../model.ts';
import { describeSpan, describeTime } from '../times.ts';
import { checkInWords, costs, howItEnded, titleOf, VERDICTS, whoReviewed } from './words.ts';

export function asMarkdown(project: ProjectView, run: RunView): string {
  return [
    `## ${escaped(run.name)} in ${escaped(project.name)}`,
    '',
    ...(run.asked === null ? [] : [`**Asked:** ${escaped(run.asked)}`, '']),
    `**Ended:** ${escaped(howItEnded(run))}`,
    ...section('Rounds', rounds(run)),
    ...section('Findings', findings(run)),
    ...section(
      'Checks',
      run.checks.map((check) => `- ${escaped(check.name)}: ${escaped(checkInWords(check))}`),
    ),
    ...section(
      'What it took',
      costs(run).map(({ what, amount }) => `- ${what}: ${escaped(amount)}`),
    ),
    ...section('Last stops', stops(run)),
    ...(project.readBackTo === null
      ? []
      : ['', 'The journal is longer than what was read: counts may be too low.']),
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `### ${title}`, '', ...lines];
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
  if (found === null) return [];
  const { contested } = found;
  return [
    `${found.found} found: ${found.fixed} fixed, ${found.rejected} rejected, ${found.open} open${contested === 0 ? '' : `, ${contested} contested`}.`,
    '',
    ...found.list.map(finding),
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
  return list
    .slice(0, MOST_STOPS)
    .map(({ at, kind, why }) => `- ${describeTime(at)}, ${kind}: ${escaped(why)}`);
}
