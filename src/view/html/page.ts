// A run page, frozen: one HTML file without script and without a request to anywhere (pure). All text is escaped.

import { escapeHtml as text } from '../../text/escape.ts';
import type { FindingView, ProjectView, RoundView, RunView } from '../model.ts';
import { checkInWords, costs, howItEnded, titleOf, VERDICTS, whoReviewed } from '../report/words.ts';
import { describeSpan, describeTime } from '../times.ts';
import { burnDown, checkBars, roundBars, timeline } from './charts.ts';
import { STYLE } from './style.ts';

/** `at`: when it was made. */
export function runPage(project: ProjectView, run: RunView, at: number): string {
  const title = `${run.name} in ${project.name}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${text(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${text(title)}</h1>
<p>${text(howItEnded(run))}</p>
${run.needs === null || !run.live ? '' : `<p class="needs">${text(run.needs)}</p>`}
${run.asked === null ? '' : `<p><b>Asked:</b> ${text(run.asked)}</p>`}
${sections(run).join('\n')}
<p class="dim">Made by Holdfast, ${text(describeTime(at))}.${project.readBackTo === null ? '' : ' The journal is longer than what was read: counts may be too low.'}</p>
</body>
</html>`;
}

function sections(run: RunView): string[] {
  return [
    section(
      'What it took',
      table(
        [],
        costs(run).map(({ what, amount }) => [what, amount]),
      ),
    ),
    ...(run.rounds.length === 0
      ? []
      : [section('Rounds', `${roundBars(run.rounds)}${roundTable(run.rounds)}`)]),
    ...findings(run),
    ...(run.checks.length === 0 ? [] : [section('Checks', checks(run))]),
    ...(run.budget === null
      ? []
      : [section('Budget', `<p>${text(run.budget.text)}</p>${burnDown(run.budget)}`)]),
    ...(run.stops.length === 0 ? [] : [section('Stops', `${timeline(run.stops)}${stopTable(run)}`)]),
    ...(run.events.length === 0 ? [] : [section('Events', events(run))]),
    ...(run.files.length === 0
      ? []
      : [section('Files', `<p><code>${run.files.map(text).join('</code>, <code>')}</code></p>`)]),
  ];
}

const section = (title: string, content: string): string => `<section><h2>${title}</h2>${content}</section>`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: string, row: readonly string[]): string =>
    `<tr>${row.map((cell) => `<${tag}>${text(cell)}</${tag}>`).join('')}</tr>`;
  const first = head.length === 0 ? '' : cells('th', head);
  return `<div class="scroll"><table>${first}${rows.map((row) => cells('td', row)).join('')}</table></div>`;
}

function roundTable(rounds: readonly RoundView[]): string {
  const rows = rounds.map((round) => [
    titleOf(round),
    whoReviewed(round),
    VERDICTS[round.verdict].word,
    `${round.found.high} high, ${round.found.medium} medium, ${round.found.low} low`,
    round.milliseconds === null ? '' : describeSpan(round.milliseconds),
    round.file ?? '',
  ]);
  return table(['round', 'reviewer', 'verdict', 'found', 'took', 'file'], rows);
}

function findings({ findings: found }: RunView): string[] {
  if (found === null) return [];
  const counts = `${found.found} found: ${found.fixed} fixed, ${found.rejected} rejected, ${found.open} open, ${found.contested} contested.`;
  const head = ['id', 'severity', 'where', 'claim', 'what became of it'];
  return [section('Findings', `<p>${text(counts)}</p>${table(head, found.list.map(findingRow))}`)];
}

function findingRow({ id, severity, file, line, claim, status, answer, contested }: FindingView): string[] {
  const place = file === null ? '' : `${file}${line === null ? '' : `:${line}`}`;
  const said = answer === null || answer === '' ? status : `${status}: ${answer}`;
  return [id, severity, place, claim, contested ? `${said} (contested)` : said];
}

function checks(run: RunView): string {
  return run.checks
    .map((check) => `<p><b>${text(check.name)}</b> ${text(checkInWords(check))}</p>${checkBars(check)}`)
    .join('');
}

function stopTable({ stops }: RunView): string {
  const rows = stops.map(({ at, kind, step, why }) => [describeTime(at), kind, step, why]);
  return `<details><summary>The last ${rows.length}</summary>${table(['when', 'answer', 'step', 'why'], rows)}</details>`;
}

function events({ events: list }: RunView): string {
  const rows = list.map(({ at, event, text: said }) => [describeTime(at), event, said]);
  return `<details><summary>The last ${rows.length}</summary>${table(['when', 'event', 'what'], rows)}</details>`;
}
