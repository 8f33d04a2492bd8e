// What the reviewer is asked. The topic goes in as it is: the runner's heredoc keeps every shell away from it.

import { render } from '../../text/render.ts';
import { shown } from './files.ts';
import type { World } from './observe.ts';
import { personaOf } from './personas.ts';
import earlierFindings from './prompts/earlier-findings.md';
import earlierOwed from './prompts/earlier-owed.md';
import promptPlan from './prompts/plan.md';
import promptReview from './prompts/review.md';

type Asked = Pick<World, 'dir' | 'files' | 'loop' | 'maxRounds' | 'rounds'>;

/** `owedFrom`: the first round whose questions nobody has answered yet. */
export function planPrompt(world: Asked, round: number, owedFrom: number): string {
  const persona = personaOf(round);
  const prompt = render(
    promptPlan,
    {
      label: persona.label,
      persona: persona.text,
      topic: world.loop.topic,
      round,
      max: world.maxRounds,
      earlier: [...previousFindings(world, round), ...owed(round, owedFrom)].join('\n\n'),
      findings: shown(world.dir, world.files.findings(round)),
    },
    'prompt-plan',
  );
  return ended(prompt);
}

export function reviewPrompt({ dir, files }: Pick<World, 'dir' | 'files'>): string {
  const slots = { review: shown(dir, files.review), fixes: shown(dir, files.proposedFixes) };
  return ended(render(promptReview, slots, 'prompt-review'));
}

function previousFindings({ dir, files, rounds }: Asked, round: number): string[] {
  const last = [...rounds.keys()].filter((reviewed) => reviewed < round).at(-1);
  if (last === undefined) return [];
  const slots = { round: last, findings: shown(dir, files.findings(last)) };
  return [render(earlierFindings, slots, 'earlier-findings')];
}

/** From the third round on all share one persona, which asks its questions anyway: at most two are carried. */
function owed(round: number, owedFrom: number): string[] {
  const missed = [1, 2].filter((earlier) => earlier >= owedFrom && earlier < round);
  return missed.map((earlier) => {
    const { label, text } = personaOf(earlier);
    return render(earlierOwed, { round: earlier, label, persona: text }, 'earlier-owed');
  });
}

/** No gaps where a slot stayed empty, and one line break at the end, as a heredoc gives it. */
function ended(prompt: string): string {
  return `${prompt.replace(/\n{3,}/g, '\n\n')}\n`;
}
