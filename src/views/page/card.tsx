// One run in the overview: what it is, where it stands, what is wanted.

import { describeEnd, labelOf, toneOf } from '../../view/run-state.ts';
import type { RunCard } from '../shown.ts';
import { CHECK_ENDS } from './parts/checks.tsx';
import { CommandText } from './parts/command-text.tsx';
import { DismissButton } from './parts/dismiss.tsx';
import { Bound, Meter } from './parts/progress.tsx';
import { VerdictStrip } from './parts/verdict-strip.tsx';
import { addressOf } from './route.ts';
import { ago, amount, lengthOf, money, shortened, times } from './words.ts';

export function Card({ card, now, mayWrite }: { card: RunCard; now: number; mayWrite: boolean }) {
  return (
    <li class={`card ${toneOf(card)}`}>
      <div class="card-top">
        <span class="project">
          {card.project.name} · {card.workflow}
        </span>
        <span class={`badge ${toneOf(card)}`}>{labelOf(card)}</span>
      </div>
      <h3>
        <a href={addressOf(card.id)}>{titleOf(card)}</a>
      </h3>
      <p class="stage">{card.end === null ? card.stage : describeEnd(card.end)}</p>
      {card.live && card.progress !== null && <Bound progress={card.progress} beside={card.stage} />}
      {card.needs !== null && (
        <p class="needs">
          <CommandText text={card.needs} />
        </p>
      )}
      {card.trouble !== null && <p class="needs">{card.trouble.what}</p>}
      {card.work.map((work) => (
        <p class="working" key={work.attempt}>
          <span class="spinner" aria-hidden="true" />
          <span class="name">{work.name}</span>
          <span class="muted">
            {lengthOf(now - work.since)} of {lengthOf(work.deadline - work.since)}
          </span>
        </p>
      ))}
      {card.needs === null && card.waiting !== null && <p class="waiting-for">{waits(card)}</p>}
      {card.rounds.length > 0 && <VerdictStrip rounds={card.rounds} />}
      <Budget card={card} />
      <p class="card-foot">
        <span>{factsOf(card)}</span>
        <span>{card.movedAt === null ? '' : ago(card.movedAt, now)}</span>
      </p>
      {mayWrite && card.end !== null && <DismissButton id={card.id} words="Dismiss" label={titleOf(card)} />}
    </li>
  );
}

/** A task may be a page long: its beginning, in whole words. */
export function titleOf({ asked, name }: Pick<RunCard, 'asked' | 'name'>): string {
  return shortened(asked ?? '', 140) || name;
}

function waits({ waiting }: RunCard): string {
  if (waiting === null) return '';
  const what = { work: 'Waits for its work', person: 'Waits for an answer', limit: 'Waits for a limit' };
  return `${what[waiting.for]}: ${waiting.what}`;
}

/** Of what there is a limit for, the one that is used up most. */
function Budget({ card: { budget, live } }: { card: RunCard }) {
  if (budget === null || !live) return null;
  const { limits, spent } = budget;
  const parts = [
    { limit: limits.tokens, used: spent.tokens, say: amount, unit: ' tokens' },
    { limit: limits.timeMs, used: spent.timeMs, say: lengthOf, unit: '' },
    { limit: limits.reviews, used: spent.reviews, say: String, unit: ' reviews' },
    { limit: limits.usd, used: spent.usd, say: money, unit: '' },
  ].flatMap(({ limit, used, say, unit }) =>
    limit === null || limit === 0
      ? []
      : { share: used / limit, text: `${say(used)} of ${say(limit)}${unit}` },
  );
  const [most] = parts.sort((one, other) => other.share - one.share);
  if (most === undefined) return null;
  return <Meter share={most.share} text={`Budget: ${most.text}`} />;
}

function factsOf(card: RunCard): string {
  const { counts, findings, checks, holder } = card;
  const failing = checks
    .filter(({ end }) => end !== 'passed')
    .map(({ name, end }) => `${name} ${CHECK_ENDS[end]}`);
  const passing = checks.filter(({ end }) => end === 'passed').map(({ name }) => `${name} passed`);
  return [
    ...(counts.held === 0 ? [] : [`held ${times(counts.held)}`]),
    ...(findings === null || findings.found === 0
      ? []
      : [`${findings.open} of ${findings.found} findings open`]),
    ...failing,
    ...passing,
    ...(holder?.client === null || holder === null ? [] : [holder.client]),
  ].join(' · ');
}
