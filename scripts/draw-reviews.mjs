#!/usr/bin/env node
// Draws docs/reviews.svg, a cycle of reviews that converges, from the docket beside it: a row for each finding, from the
// round that found it to its answer, and what was still open after each round.
//   node scripts/draw-reviews.mjs [--check]

import fs from 'node:fs';
import path from 'node:path';

const INK = '#344054';
const GREY = '#667085';
const GREEN = '#2f8f5b';
const AMBER = '#b7791f';
const RED = '#c0443c';
const SEVERITY = { high: '#c0443c', medium: '#d9822b', low: '#98a2b3' };

const docs = path.resolve(import.meta.dirname, '../docs');
const target = path.join(docs, 'reviews.svg');
const svg = draw(JSON.parse(fs.readFileSync(path.join(docs, 'reviews-docket.json'), 'utf8')));
if (!process.argv.includes('--check')) fs.writeFileSync(target, svg);
else if (fs.readFileSync(target, 'utf8') !== svg) {
  console.error('docs/reviews.svg is out of date: run `node scripts/draw-reviews.mjs`.');
  process.exitCode = 1;
}

/** `rounds` says who reviewed; a round without findings is a clean one. */
function draw({ rounds, findings }) {
  const left = 330;
  const column = 78;
  const top = 92;
  const row = 30;
  const width = left + rounds.length * column + 24;
  const bottom = top + findings.length * row;
  const height = bottom + 88;
  const x = (round) => left + (round - 1) * column + column / 2;
  const y = (at) => top + at * row + row / 2;
  const place = new Map(findings.map(({ id }, at) => [id, at]));

  const heads = rounds.map((by, at) => {
    const found = findings.filter(({ round }) => round === at + 1).length;
    const isClean = found === 0;
    const said = isClean ? 'clean' : `${found} found`;
    return [
      text(x(at + 1), 40, `round ${at + 1}`, { anchor: 'middle', weight: 600 }),
      text(x(at + 1), 56, by, { anchor: 'middle', fill: GREY, size: 11 }),
      `<rect x="${x(at + 1) - 30}" y="64" width="60" height="19" rx="9.5" fill="${isClean ? GREEN : RED}"/>`,
      text(x(at + 1), 77.5, said, { anchor: 'middle', fill: 'white', size: 11 }),
    ].join('\n');
  });
  const grid = rounds.map(
    (_, at) =>
      `<line x1="${x(at + 1)}" x2="${x(at + 1)}" y1="${top - 4}" y2="${bottom + 4}" stroke="#e4e7ec"/>`,
  );
  const bars = findings.map(({ id, severity, claim, status, round }, at) => {
    const colour = status === 'fixed' ? GREEN : AMBER;
    const end = x(round + 1) - 12;
    return [
      `<circle cx="22" cy="${y(at)}" r="5" fill="${SEVERITY[severity]}"/>`,
      text(36, y(at) + 4, id, { weight: 600 }),
      text(66, y(at) + 4, claim, { fill: INK, size: 11.5 }),
      `<rect x="${x(round) - 6}" y="${y(at) - 8}" width="${end - x(round) + 6}" height="16" rx="8" fill="${colour}"/>`,
      text((x(round) + end) / 2 - 3, y(at) + 4, status, { anchor: 'middle', fill: 'white', size: 10.5 }),
    ].join('\n');
  });
  const again = findings.flatMap(({ round, earlier = [] }, at) =>
    earlier.map((id) => {
      const from = place.get(id) ?? 0;
      const start = x(findings[from].round + 1) - 12;
      const end = x(round) - 8;
      const middle = (start + end) / 2;
      return `<path d="M${start} ${y(from)} C${middle + 14} ${y(from)} ${middle - 14} ${y(at)} ${end} ${y(at)}" fill="none" stroke="${AMBER}" stroke-width="1.6" stroke-dasharray="4 3" marker-end="url(#arrow)"/>`;
    }),
  );
  const open = rounds.map((_, at) => {
    const count = findings.filter(({ round }) => round === at + 1).length;
    return text(x(at + 1), bottom + 30, String(count), { anchor: 'middle', weight: 600, size: 13 });
  });
  const legend = [
    [`<circle cx="22" cy="${bottom + 62}" r="5" fill="${SEVERITY.high}"/>`, 33, 'high'],
    [`<circle cx="80" cy="${bottom + 62}" r="5" fill="${SEVERITY.medium}"/>`, 91, 'medium'],
    [`<circle cx="156" cy="${bottom + 62}" r="5" fill="${SEVERITY.low}"/>`, 167, 'low'],
    [
      `<path d="M${left - 90} ${bottom + 62} h26" stroke="${AMBER}" stroke-width="1.6" stroke-dasharray="4 3" marker-end="url(#arrow)"/>`,
      left - 54,
      'raised again: the hold shows the earlier answer beside it',
    ],
  ].map(([mark, at, words]) => `${mark}\n${text(at, bottom + 66, words, { fill: GREY, size: 11.5 })}`);

  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, 'Segoe UI', Helvetica, Arial, sans-serif" font-size="12.5">`,
    '<title>A cycle of code reviews that converges: each finding from the round that found it to its answer</title>',
    `<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="${AMBER}"/></marker></defs>`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" fill="white" stroke="#d0d5dd"/>`,
    text(16, 40, 'Code review of task 3', { weight: 600, size: 15 }),
    text(16, 60, 'what each round found, and how it was answered', { fill: GREY, size: 11.5 }),
    ...grid,
    ...heads,
    ...again,
    ...bars,
    `<line x1="16" x2="${width - 16}" y1="${bottom + 8}" y2="${bottom + 8}" stroke="#d0d5dd"/>`,
    text(16, bottom + 30, 'open for the agent to answer', { fill: INK, size: 11.5 }),
    ...open,
    ...legend,
    '</svg>',
  ].join('\n')}\n`;
}

function text(x, y, words, { anchor = 'start', fill = '#101828', weight = 400, size = 12.5 } = {}) {
  const safe = String(words).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${fill}" font-weight="${weight}" font-size="${size}">${safe}</text>`;
}
