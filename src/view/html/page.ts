// A run page, frozen: one HTML file without script and without a request to anywhere (pure). All text is escaped.

import { escapeHtml as text } from '../../text/escape.ts';
import type { FindingView, ProjectView, RoundView, RunView } from '../model.ts';
import {
  checkInWords,
  costs,
  headingOf,
  howItEnded,
  titleOf,
  VERDICTS,
  whoReviewed,
} from '../report/words.ts';
import { toneOf } from '../run-state.ts';
import { describeSpan, describeTime } from '../times.ts';
import { burnDown, checkBars, roundBars, timeline } from './charts.ts';
import { STYLE } from './style.ts';

/** `at`: when it was made. */
export function runPage(project: ProjectView, run: RunView, at: number): string {
  const { title, isCut } = headingOf(run);
  const started = run.startedAt === null ? '' : ` · started ${describeTime(run.startedAt)}`;
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
<p class="dim">${text(`${run.name} in ${project.name}${started}`)}</p>
<h1>${text(title)}</h1>
${isCut ? `<details><summary>The whole task</summary><p>${text(run.asked ?? '')}</p></details>` : ''}
<p class="end ${toneOf(run)}">${text(howItEnded(run))}</p>
<ul class="costs">${costs(run)
    .map((cost) => `<li>${text(cost)}</li>`)
    .join('')}</ul>
${sections(run).join('\n')}
<p class="dim">Made by Holdfast, ${text(describeTime(at))}.${project.readBackTo === null ? '' : ' The journal is longer than what was read: counts may be too low.'}</p>
</body>
</html>`;
}

function sections(run: RunView): string[] {
  return [
    ...(run.checks.length === 0 ? [] : [section('Checks', checks(run))]),
    ...findings(run),
    ...(run.rounds.length === 0
      ? []
      : [section('Rounds', `${roundBars(run.rounds)}${roundTable(run.rounds)}`)]),
    ...(run.budget === null
      ? []
      : [section('Budget', `<p>${text(run.budget.text)}</p>${burnDown(run.budget)}`)]),
    ...(run.stops.length === 0 ? [] : [section('Stops', `${timeline(run.stops)}${stopTable(run)}`)]),
    ...(run.events.length === 0 ? [] : [section('Events', events(run))]),
    ...(run.files.length === 0
      ? []
      : [
          section(
            'Files',
            `<ul>${run.files.map((file) => `<li><code>${path(file)}</code></li>`).join('')}</ul>`,
          ),
        ]),
  ];
}

const section = (title: string, content: string): string => `<section><h2>${title}</h2>${content}</section>`;

/** It may be broken between its parts. */
const path = (file: string): string => text(file).replace(/\/(?=.)/g, '/<wbr>');

/** `words`: the columns with sentences in them, which take the room there is; the others stay in one line. */
function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  words: readonly string[],
): string {
  const cells = rows.map((row) =>
    row.map((cell, at) => {
      const name = head[at] ?? '';
      return `<td${words.includes(name) ? ' class="words"' : ''}>${/^(where|file)$/.test(name) ? path(cell) : text(cell)}</td>`;
    }),
  );
  const titles = head.map((name) => `<th>${text(name)}</th>`).join('');
  return `<div class="scroll"><table><tr>${titles}</tr>${cells.map((row) => `<tr>${row.join('')}</tr>`).join('')}</table></div>`;
}

function roundTable(rounds: readonly RoundView[]): string {
  const rows = rounds.map((round) => [
    titleOf(round),
    whoReviewed(round),
    `${VERDICTS[round.verdict].mark} ${VERDICTS[round.verdict].word}`,
    ...(['high', 'medium', 'low'] as const).map((severity) => String(round.found[severity])),
    round.milliseconds === null ? '' : describeSpan(round.milliseconds),
    round.file ?? '',
  ]);
  return table(['round', 'reviewer', 'verdict', 'high', 'medium', 'low', 'took', 'file'], rows, ['file']);
}

function findings({ findings: found }: RunView): string[] {
  if (found === null || found.list.length === 0) return [];
  const counts = `${found.found} found: ${found.fixed} fixed, ${found.rejected} rejected, ${found.open} open, ${found.contested} contested.`;
  const rows = found.list.map(findingRow);
  return [
    section(
      'Findings',
      `<p>${text(counts)}</p>${table(['id', 'severity', 'finding', 'where', 'answer'], rows, ['finding', 'where', 'answer'])}`,
    ),
  ];
}

function findingRow({ id, severity, file, line, claim, status, answer, contested }: FindingView): string[] {
  const place = file === null ? '' : `${file}${line === null ? '' : `:${line}`}`;
  const said = answer === null || answer === '' ? status : `${status}: ${answer}`;
  return [id, severity, claim, place, contested ? `${said} (contested)` : said];
}

function checks(run: RunView): string {
  return run.checks
    .map((check) => `<p><b>${text(check.name)}</b> ${text(checkInWords(check))}</p>${checkBars(check)}`)
    .join('');
}

function stopTable({ stops }: RunView): string {
  const rows = stops.map(({ at, kind, why }) => [describeTime(at), kind, why]);
  return `<details><summary>${rows.length === 1 ? 'The stop' : `The last ${rows.length}`}, each with its why</summary>${table(['when', 'answer', 'why'], rows, ['why'])}</details>`;
}

function events({ events: list }: RunView): string {
  const rows = list.map(({ at, event, text: said }) => [describeTime(at), event, said]);
  return table(['when', 'event', 'what'], rows, ['what']);
}
