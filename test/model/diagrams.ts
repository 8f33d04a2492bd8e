// Draws docs/states.md: the way of every run through its states, from the edges the explorer finds. Edits by
// hand are left out, since they lead from everywhere to everywhere.

import { weigh } from '../../src/engine/guard/guard.ts';
import { type Edge, explore, type Model, report } from '../../src/explorer/explorer.ts';
import type { Value } from '../../src/explorer/space.ts';
import { decide as decideClaudex } from '../../src/workflows/claudex/decide.ts';
import { decide as decideIdle } from '../../src/workflows/idle/decide.ts';
import { decide as decideTaskie } from '../../src/workflows/taskie/decide.ts';
import type { Node as ClaudexNode } from './claudex/domains.ts';
import { claudexModel } from './claudex/model.ts';
import { type Node as GuardNode, guardModel } from './guard/model.ts';
import type { Node as IdleNode } from './idle/domains.ts';
import { idleModel } from './idle/model.ts';
import type { Node as TaskieNode } from './taskie/domains.ts';
import { taskieRuns } from './taskie/model.ts';

export function drawStates(): string {
  return `${[
    '# The states of every run',
    'Drawn by `node scripts/draw-states.mjs` from what the explorer in `test/model` finds when it goes through every decision; a test fails when this page and the code differ. On an arrow stands who answered what: a stop that is held (with the message) or allowed (with the notice, or the reason in the log), or a command. Edits by hand are left out: they lead from everywhere to everywhere, and are explored all the same. Wherever a diagram shows a hold, the guard (last diagram) may let go instead; the state then stays as it is.',
    '## claudex: plan',
    "A stop from outside the loop's `repo_root` is always allowed, and a state file whose name is no id is set aside; neither is drawn.",
    diagram(claudexIn('plan')),
    '## claudex: review',
    diagram(claudexIn('review')),
    '## idle',
    'One state stands for a loop with all its frames. `completed`: a signal took the top frame off the stack.',
    diagram(idle()),
    '## taskie',
    'A state is what `next_phase` says. Of the commands only those are drawn that the plan is waiting for; `"next_phase": null` in state.json, the written way out, leads from everywhere to `nothing next`.',
    diagram(taskie()),
    '## The guard',
    'Asked before every hold and every review, for each run and session.',
    diagram(guard()),
  ].join('\n\n')}\n`;
}

type Drawn = { arrows: readonly Arrow[]; start: readonly string[] };
type Arrow = { from: string; to: string; answer: string; about: string };

function diagram({ arrows, start }: Drawn): string {
  const grouped = new Map<string, { from: string; to: string; answer: string; abouts: Set<string> }>();
  for (const { from, to, answer, about } of arrows) {
    const key = [from, to, answer].join('\n');
    const group = grouped.get(key) ?? { from, to, answer, abouts: new Set() };
    grouped.set(key, { ...group, abouts: group.abouts.add(about) });
  }
  const lines = [...grouped.values()].map(
    ({ from, to, answer, abouts }) =>
      `    ${idOf(from)} --> ${idOf(to)}: ${answer} (${[...abouts].sort().join(', ')})`,
  );
  const names = new Set(arrows.flatMap(({ from, to }) => [from, to]));
  const labels = [...names].sort().map((name) => `    state "${name}" as ${idOf(name)}`);
  const starts = start.map((name) => `    [*] --> ${idOf(name)}`);
  return ['```mermaid', 'stateDiagram-v2', ...labels, ...starts, ...lines.sort(), '```'].join('\n');
}

/** Mermaid takes words for ids only. */
function idOf(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]+/g, '_');
}

/** Every edge between two named states; a node without a name is not drawn, nor is an edge without one. */
function arrowsOf<Node extends Readonly<Record<keyof Node, Value>>>(
  model: Model<Node>,
  nameOf: (node: Node) => string | null,
  labelOf: (edge: Edge<Node>, from: Node) => string | null,
): Arrow[] {
  // Millions of edges are a few dozen arrows.
  const arrows = new Map<string, Arrow>();
  const explored = explore({ ...model, editable: () => [] }, (node, edge) => {
    const [from, to, about] = [nameOf(node), nameOf(edge.to), labelOf(edge, node)];
    if (from === null || to === null || about === null) return;
    const answer = edge.answer ?? (edge.by === 'time' ? 'time' : 'command');
    const key = `${from}\n${to}\n${answer}\n${about}`;
    if (!arrows.has(key)) arrows.set(key, { from, to, about, answer });
  });
  if (explored.violation !== null) throw new Error(report(explored));
  return [...arrows.values()];
}

/** What must hold at every edge is explored beside this page, model by model. */
const UNCHECKED = {};
const NOT_DRAWN = ['malformed-id', 'elsewhere'];

function claudexIn(mode: ClaudexNode['mode']): Drawn {
  const nameOf = (node: ClaudexNode): string | null => (node.mode === mode ? node.phase : null);
  const model = claudexModel(decideClaudex, UNCHECKED);
  const arrows = arrowsOf(model, nameOf, ({ about }) => (NOT_DRAWN.includes(about) ? null : about));
  return { arrows, start: [mode === 'plan' ? 'drafting' : 'reviewing'] };
}

function idle(): Drawn {
  const nameOf = ({ kind, event, depth, age }: IdleNode): string | null => {
    if (kind === 'nothing') return 'no loop';
    if (kind !== 'loop') return null;
    if (event === 'DONE') return depth > 0 ? 'done, frames kept' : 'done';
    if (event === 'ABORT') return 'aborted';
    if (depth === 0) return null;
    return age === 'stale' || age === 'missing' ? 'stale' : 'active';
  };
  const shortened = (about: string): string =>
    about.replace(/^idle (loop|issue|grind) .*/, 'idle loop, issue or grind');
  const arrows = arrowsOf(idleModel(decideIdle, UNCHECKED), nameOf, ({ about, answer, by }, { age }) => {
    if (by !== 'stop') return shortened(about);
    // What is stale by the clock goes on where the transcript shows that the session was away at a limit.
    return answer === null ? null : age === 'stale' && about !== 'stale' ? `${about} after a limit` : about;
  });
  return { arrows, start: ['no loop'] };
}

function taskie(): Drawn {
  const nameOf = ({ next }: TaskieNode): string => next ?? 'nothing next';
  const arrows = arrowsOf(taskieRuns(decideTaskie, UNCHECKED), nameOf, ({ by, about, answer }, from) => {
    if (by === 'stop') return answer === null ? null : about.replace(/^hold-.*/, 'answer the review');
    const action = about.replace(/ --task .*/, '');
    return action === `record ${from.next}` && !isReview(from.next) ? action : null;
  });
  return { arrows, start: ['plan-review'] };
}

/** A review that is due is the hook's to run: recording one is for those done apart from the loop. */
function isReview(next: TaskieNode['next']): boolean {
  return next?.endsWith('review') === true && !next.startsWith('post-');
}

function guard(): Drawn {
  const nameOf = ({ held, released }: GuardNode): string =>
    released ? 'released' : held ? 'holding' : 'nothing held yet';
  const limits = { unmoved: 3, tools: 12, unknown: 12 };
  const arrows = arrowsOf(guardModel(weigh, limits), nameOf, ({ about }) => about);
  return {
    arrows: arrows.filter(({ from, about }) => from !== 'nothing held yet' || about !== 'something moved'),
    start: ['nothing held yet'],
  };
}
