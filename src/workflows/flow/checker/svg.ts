// A flow as a picture: each state a box with its lines in it, each line an arrow of its own to the state it leads to. Lines
// never cross a text, so any flow can be read.

import type { Definition } from '../types.ts';
import { waysOut } from './mermaid.ts';

const ROW = 22;
const HEAD = 30;
const GAP = 26;
const LEFT = 40;
const LANE = 16;
const LETTER = 7.2;

type Row = { label: string; to: string; y: number };
type Box = { name: string; kind: string; y: number; height: number; rows: Row[] };

export function svgOf(definition: Definition): string {
  const boxes = boxesOf(definition);
  const width = Math.max(
    220,
    ...boxes.flatMap(({ name, kind, rows }) => [
      textWidth(`${name}  ${kind}`) + 40,
      ...rows.map(({ label, to }) => textWidth(`${label} → ${to}`) + 40),
    ]),
  );
  const right = LEFT + width;
  const arrows = boxes.flatMap(({ rows }) => rows).map((row, index) => arrow(row, index, boxes, right));
  const lanes = boxes.reduce((count, { rows }) => count + rows.length, 0);
  const total = {
    width: right + 30 + lanes * LANE,
    height: (boxes.at(-1)?.y ?? 0) + (boxes.at(-1)?.height ?? 0) + 24,
  };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${total.width}" height="${total.height}" viewBox="0 0 ${total.width} ${total.height}" xml:space="preserve" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="12">`,
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="#57606a"/></marker></defs>',
    `<rect width="${total.width}" height="${total.height}" fill="#ffffff"/>`,
    `<text x="${LEFT}" y="24" font-size="14" font-weight="bold" fill="#1f2328">${escaped(`flow ${definition.flow}, at most ${definition.holds} holds`)}</text>`,
    startMark(boxes, definition.start),
    ...boxes.flatMap((box) => drawBox(box, width)),
    ...arrows,
    '</svg>',
    '',
  ].join('\n');
}

function boxesOf({ states }: Definition): Box[] {
  let y = 44;
  return Object.entries(states).map(([name, state]) => {
    const ways = waysOut(state);
    const height = HEAD + ways.length * ROW + (ways.length === 0 ? 0 : 6);
    const rows = ways.map((way, index) => ({ ...way, y: y + HEAD + index * ROW + ROW / 2 }));
    const kind = state.kind === 'end' ? state.end : state.kind === 'pause' ? "a person's turn" : '';
    const box = { name, kind, y, height, rows };
    y += height + GAP;
    return box;
  });
}

const COLOURS: Readonly<Record<string, readonly [string, string]>> = {
  completed: ['#dafbe1', '#1a7f37'],
  'let-go': ['#ffebe9', '#cf222e'],
  "a person's turn": ['#fff8c5', '#9a6700'],
  '': ['#f6f8fa', '#57606a'],
};

function drawBox({ name, kind, y, height, rows }: Box, width: number): string[] {
  const [fill, stroke] = COLOURS[kind] ?? ['#f6f8fa', '#57606a'];
  return [
    `<rect x="${LEFT}" y="${y}" width="${width}" height="${height}" rx="8" fill="${fill}" stroke="${stroke}"/>`,
    `<text x="${LEFT + 12}" y="${y + 20}" font-weight="bold" fill="#1f2328">${escaped(name)}<tspan font-weight="normal" fill="${stroke}">${escaped(kind === '' ? '' : `  ${kind}`)}</tspan></text>`,
    ...rows.map(
      (row) =>
        `<text x="${LEFT + 22}" y="${row.y + 4}" fill="#1f2328">${escaped(row.label)}<tspan fill="#57606a"> → ${escaped(row.to)}</tspan></text>`,
    ),
  ];
}

/** From the row to the right, along a lane of its own, and back into the other box's head. */
function arrow({ y, to }: Row, index: number, boxes: readonly Box[], right: number): string {
  const target = boxes.find(({ name }) => name === to);
  if (target === undefined) return '';
  const into = target.y + 8 + (index % 5) * 4;
  const lane = right + 20 + index * LANE;
  return `<path d="M${right} ${y} H${lane} V${into} H${right + 2}" fill="none" stroke="#57606a" stroke-width="1.2" stroke-linejoin="round" marker-end="url(#tip)"/>`;
}

function startMark(boxes: readonly Box[], start: string): string {
  const y = (boxes.find(({ name }) => name === start)?.y ?? 0) + 16;
  return `<circle cx="14" cy="${y}" r="6" fill="#1f2328"/><path d="M20 ${y} H${LEFT - 2}" stroke="#57606a" stroke-width="1.2" marker-end="url(#tip)"/>`;
}

const textWidth = (text: string): number => text.length * LETTER;

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`).replace(/[^\x20-\uffff]/g, ' ');
