// Where each state of a diagram stands: in rows by how far it is from the start, ordered so that few ways cross.

import type { Diagram } from '../../../engine/workflow-cli.ts';

export type Placed = { id: string; label: string; x: number; y: number; width: number };
export type Way = { key: string; from: string; to: string; by: string; path: string };
export type Layout = { states: readonly Placed[]; ways: readonly Way[]; width: number; height: number };

export const BOX = 30;
const ROW = 66;
const GAP = 18;
const SIDE = 34;
const LETTER = 6.9;

export function layOut(diagram: Diagram, room: number): Layout {
  const rows = order(rowsOf(diagram), diagram);
  const widthOf = (id: string) => Math.max(64, labelOf(diagram, id).length * LETTER + 24);
  const widest = Math.max(
    ...rows.map((row) => row.reduce((sum, id) => sum + widthOf(id) + GAP, -GAP)),
    room - 2 * SIDE,
  );
  const states = rows.flatMap((row, depth) => {
    const total = row.reduce((sum, id) => sum + widthOf(id), 0);
    const gap = Math.min(90, (widest - total) / (row.length + 1));
    let x = SIDE + (widest - total - gap * (row.length - 1)) / 2;
    return row.map((id) => {
      const placed = { id, label: labelOf(diagram, id), x, y: 6 + depth * ROW, width: widthOf(id) };
      x += placed.width + gap;
      return placed;
    });
  });
  const at = new Map(states.map((state) => [state.id, state]));
  const width = widest + 2 * SIDE;
  return { states, ways: waysOf(diagram, at, width), width, height: rows.length * ROW - (ROW - BOX) + 14 };
}

function labelOf({ states }: Diagram, id: string): string {
  return states[id] ?? id;
}

/** By the shortest way from the start; what no way leads to stands at the end. */
function rowsOf({ start, states, ways }: Diagram): string[][] {
  const depth = new Map<string, number>([[start, 0]]);
  const queue = [start];
  for (let id = queue.shift(); id !== undefined; id = queue.shift())
    for (const { from, to } of ways)
      if (from === id && !depth.has(to)) {
        depth.set(to, (depth.get(id) ?? 0) + 1);
        queue.push(to);
      }
  const last = Math.max(...depth.values()) + 1;
  const rows: string[][] = [];
  for (const id of new Set([start, ...Object.keys(states)])) {
    const row = depth.get(id) ?? last;
    rows[row] = [...(rows[row] ?? []), id];
  }
  return rows.filter((row) => row !== undefined);
}

/** Each state as near as can be to the middle of those that lead to it. */
function order(rows: string[][], { ways }: Diagram): string[][] {
  const place = new Map<string, number>();
  return rows.map((row) => {
    const wanted = (id: string) => {
      const above = ways.flatMap(({ from, to }) => (to === id ? (place.get(from) ?? []) : []));
      return above.length === 0 ? 0.5 : above.reduce((sum, each) => sum + each, 0) / above.length;
    };
    const sorted = [...row].sort((one, other) => wanted(one) - wanted(other));
    sorted.forEach((id, index) => {
      place.set(id, (index + 0.5) / sorted.length);
    });
    return sorted;
  });
}

/** One for all that leads from a state to another; what leads back to itself is not drawn. */
function waysOf({ ways }: Diagram, at: ReadonlyMap<string, Placed>, width: number): Way[] {
  const drawn = new Map<string, Way>();
  for (const { from, to, by } of ways) {
    const one = at.get(from);
    const other = at.get(to);
    if (from === to || one === undefined || other === undefined) continue;
    const key = `${from} ${to}`;
    const known = drawn.get(key);
    const both = ways.some((each) => each.from === to && each.to === from);
    const path = known?.path ?? pathOf(one, other, both, width);
    drawn.set(key, { key, from, to, by: known === undefined ? by : `${known.by}; ${by}`, path });
  }
  return [...drawn.values()];
}

function pathOf(one: Placed, other: Placed, both: boolean, width: number): string {
  const x1 = one.x + one.width / 2;
  const x2 = other.x + other.width / 2;
  const aside = both ? 9 : 0;
  if (other.y > one.y) {
    const [from, to] = [one.y + BOX, other.y - 2];
    const bend = (to - from) / 2;
    return `M${x1 - aside} ${from} C${x1 - aside} ${from + bend} ${x2 - aside} ${to - bend} ${x2 - aside} ${to}`;
  }
  if (other.y === one.y) {
    const right = x2 > x1;
    const from = right ? one.x + one.width : one.x;
    const to = right ? other.x - 2 : other.x + other.width + 2;
    const y = one.y + BOX / 2 + (both ? (right ? -7 : 7) : 0);
    return `M${from} ${y} L${to} ${y}`;
  }
  if (one.y - other.y <= ROW) {
    const [from, to] = [one.y, other.y + BOX + 2];
    const bend = (from - to) / 2;
    return `M${x1 + aside} ${from} C${x1 + aside} ${from - bend} ${x2 + aside} ${to + bend} ${x2 + aside} ${to}`;
  }
  // Back over several rows: around the side that is nearer.
  const onRight = x1 + x2 > width;
  const [from, to] = onRight ? [one.x + one.width, other.x + other.width + 2] : [one.x, other.x - 2];
  const out = onRight ? Math.max(from, to) + SIDE : Math.min(from, to) - SIDE;
  return `M${from} ${one.y + BOX / 2} C${out} ${one.y + BOX / 2} ${out} ${other.y + BOX / 2} ${to} ${other.y + BOX / 2}`;
}
