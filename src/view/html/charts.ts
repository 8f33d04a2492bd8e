// The pictures of a run page as inline SVG (pure): stops on a line of time, findings by round, what is left of a budget,
// how long checks took. Colours are the page's own classes, with a key; each mark says what it is when it is pointed at.

import { amountInWords } from '../../engine/budget/words.ts';
import { escapeHtml as text } from '../../text/escape.ts';
import type { BudgetView, CheckView, RoundView, StopView } from '../model.ts';
import { titleOf, VERDICTS } from '../report/words.ts';
import { describeSpan, describeTime } from '../times.ts';

const WIDTH = 720;

/** The newest is at the right. */
export function timeline(stops: readonly StopView[]): string {
  const list = stops.toReversed();
  const [first, last] = [list[0]?.at ?? 0, list.at(-1)?.at ?? 1];
  const marks = list.map(({ at, kind, why }) => {
    const x = round(10 + ((WIDTH - 20) * (at - first)) / Math.max(1, last - first));
    return `<circle class="${kind}" cx="${x}" cy="16" r="5">${title(`${describeTime(at)}, ${kind}: ${why}`)}</circle>`;
  });
  const [from, to] = [describeTime(first), describeTime(last)];
  const times = `<text class="label start" x="4" y="40">${from}</text>${from === to ? '' : `<text class="label end" x="${WIDTH - 4}" y="40">${to}</text>`}`;
  return (
    svg(
      46,
      'Stops over time',
      `<line class="axis" x1="10" x2="${WIDTH - 10}" y1="16" y2="16"/>${marks.join('')}${times}`,
    ) + key([...new Set(list.map(({ kind }) => kind))].map((kind) => [kind, kind.replace('-', ' ')]))
  );
}

const BAR = 120;
const SEVERITIES = ['high', 'medium', 'low'] as const;

/** Stacked by severity, with the verdicts above. */
export function roundBars(rounds: readonly RoundView[]): string {
  const most = Math.max(1, ...rounds.map(({ found }) => found.high + found.medium + found.low));
  const step = Math.min(48, (WIDTH - 20) / Math.max(1, rounds.length));
  const bars = rounds.map((each, index) => {
    const x = round(10 + index * step);
    const width = round(step * 0.7);
    const { high, medium, low } = each.found;
    let y = BAR + 24;
    const parts = SEVERITIES.map((severity) => {
      const count = each.found[severity];
      const height = (BAR * count) / most;
      y -= height;
      return count === 0
        ? ''
        : `<rect class="${severity}" x="${x}" y="${round(y)}" width="${width}" height="${round(height)}"/>`;
    });
    const { mark, word } = VERDICTS[each.verdict];
    const about = title(`${titleOf(each)}: ${word}; ${high} high, ${medium} medium, ${low} low`);
    const middle = round(x + width / 2);
    return `<g>${about}<text class="verdict ${each.verdict}" x="${middle}" y="14">${mark}</text>${parts.join('')}<text class="label" x="${middle}" y="${BAR + 40}">${each.number}</text></g>`;
  });
  const picture = svg(BAR + 48, 'Findings by round and severity', bars.join(''));
  return picture + key(SEVERITIES.map((severity) => [severity, `${severity} findings`]));
}

/** What is left of the first limit there is, stop by stop. Empty: nothing is bounded, or nothing was metered. */
export function burnDown({ limits, burn }: BudgetView): string {
  const kind = (['tokens', 'timeMs', 'usd', 'reviews'] as const).find((each) => limits[each] !== null);
  const limit = kind === undefined ? null : limits[kind];
  if (kind === undefined || limit === null || limit === 0 || burn.length < 2) return '';
  const [first, last] = [burn[0]?.at ?? 0, burn.at(-1)?.at ?? 1];
  const points = burn.map((each) => {
    const x = 10 + ((WIDTH - 20) * (each.at - first)) / Math.max(1, last - first);
    const y = 26 + 80 * Math.min(1, each[kind] / limit);
    return `${round(x)},${round(y)}`;
  });
  const left = Math.max(0, limit - (burn.at(-1)?.[kind] ?? 0));
  const labels = `<text class="label start" x="10" y="14">${text(amountInWords(kind, limit))}</text><text class="label end" x="${WIDTH - 10}" y="14">${text(amountInWords(kind, left))} left</text>`;
  const axes = `<line class="axis" x1="10" x2="${WIDTH - 10}" y1="106" y2="106"/><line class="axis" x1="10" x2="10" y1="26" y2="106"/>`;
  return svg(
    116,
    'What is left of the budget',
    `${axes}${labels}<polyline class="burn" points="${points.join(' ')}"/>`,
  );
}

export function checkBars({ name, results }: CheckView): string {
  const list = results.slice(-60);
  if (list.length < 2) return '';
  const most = Math.max(1, ...list.map(({ milliseconds }) => milliseconds ?? 0));
  const step = (WIDTH - 20) / 60;
  const bars = list.map(({ milliseconds, end, at, receipt }, index) => {
    const height = Math.max(3, (40 * (milliseconds ?? 0)) / most);
    const took = milliseconds === null ? '' : `, ${describeSpan(milliseconds)}`;
    const about = title(`${describeTime(at)}: ${end}${receipt ? ', by its receipt' : took}`);
    return `<rect class="${end}${receipt ? ' receipt' : ''}" x="${round(10 + index * step)}" y="${round(46 - height)}" width="${round(step * 0.7)}" height="${round(height)}">${about}</rect>`;
  });
  return svg(48, `How long ${name} took`, bars.join(''));
}

function svg(height: number, label: string, content: string): string {
  return `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${text(label)}">${content}</svg>`;
}

/** What the colours mean. */
function key(items: readonly (readonly [kind: string, words: string])[]): string {
  const parts = items.map(
    ([kind, words]) =>
      `<li><svg viewBox="0 0 12 12" aria-hidden="true"><circle class="${kind}" cx="6" cy="6" r="5"/></svg>${words}</li>`,
  );
  return `<ul class="key">${parts.join('')}</ul>`;
}

const title = (said: string): string => `<title>${text(said)}</title>`;
const round = (value: number): number => Math.round(value * 10) / 10;
