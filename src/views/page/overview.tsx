// All runs of all projects: those that need somebody first.

import { useState } from 'preact/hooks';
import { STATE_WORDS } from '../../view/run-state.ts';
import type { Overview, RunCard } from '../shown.ts';
import { Card } from './card.tsx';
import { Empty, Loading } from './parts/section.tsx';
import { plural } from './words.ts';

export function OverviewPage({ overview, now }: { overview: Overview | null; now: number }) {
  const [wanted, setWanted] = useState('');
  if (overview === null) return <Loading title="Reading the journals …" />;
  const cards = overview.cards.filter((card) => matches(card, wanted));
  return (
    <div class="overview">
      <div class="overview-head">
        <div>
          <h1>{headline(overview.cards)}</h1>
          <p class="muted">{summary(overview)}</p>
        </div>
        {overview.cards.length > 1 && (
          <label class="filter">
            <span class="hidden">Show only runs with</span>
            <input
              type="search"
              placeholder="Filter runs"
              value={wanted}
              onInput={(event) => setWanted(event.currentTarget.value)}
            />
          </label>
        )}
      </div>
      <Troubles overview={overview} />
      {overview.cards.length === 0 && (
        <Empty title="No runs yet">
          A run shows up here at its first stop, whichever project it is in. Start one in a client, such as{' '}
          <code>/idle:loop Make the failing tests pass</code>, or see all workflows with{' '}
          <code>holdfast demo</code>.
        </Empty>
      )}
      {overview.cards.length > 0 && cards.length === 0 && (
        <Empty title="No run matches">
          Nothing in its name, task, project or stage has “{wanted}” in it.
        </Empty>
      )}
      <CardSection title="Now" cards={cards.filter(({ end }) => end === null)} now={now} />
      <CardSection title="Ended" cards={cards.filter(({ end }) => end !== null)} now={now} />
    </div>
  );
}

/** In the order in which they came: those that need somebody first. */
function CardSection({ title, cards, now }: { title: string; cards: readonly RunCard[]; now: number }) {
  if (cards.length === 0) return null;
  return (
    <section class="rank" aria-labelledby={`rank-${title}`}>
      <h2 id={`rank-${title}`}>
        {title} <span class="count">{cards.length}</span>
      </h2>
      <ul class="cards">
        {cards.map((card) => (
          <Card key={card.id} card={card} now={now} />
        ))}
      </ul>
    </section>
  );
}

function Troubles({ overview }: { overview: Overview }) {
  const troubles = overview.projects.flatMap(({ name, troubles: found }) =>
    found.map((trouble) => ({ ...trouble, name })),
  );
  if (troubles.length === 0) return null;
  return (
    <ul class="troubles">
      {troubles.map(({ name, what, fix }) => (
        <li key={`${name} ${what}`}>
          <strong>{name}</strong>: {what}. To fix it, {fix}.
        </li>
      ))}
    </ul>
  );
}

function headline(cards: readonly RunCard[]): string {
  const needing = cards.filter(({ status }) => status === 'needs-you').length;
  if (needing > 0) return needing === 1 ? 'One run needs you' : `${needing} runs need you`;
  const going = cards.filter(({ live }) => live).length;
  if (going > 0) return going === 1 ? 'One run is under way' : `${going} runs are under way`;
  return cards.length === 0 ? 'Nothing runs' : 'Everything has ended';
}

function summary({ cards, projects }: Overview): string {
  const counts = Object.entries(STATE_WORDS).flatMap(([status, words]) => {
    const count = cards.filter((card) => card.status === status).length;
    return count === 0 ? [] : `${count} ${words}`;
  });
  const leftOut = projects.reduce((sum, project) => sum + project.leftOut, 0);
  const more = leftOut === 0 ? [] : [`${leftOut} older not shown`];
  return [...counts, ...more, `in ${plural(projects.length, 'project')}`].join(' · ');
}

function matches(card: RunCard, wanted: string): boolean {
  const text = [card.name, card.asked ?? '', card.project.name, card.stage].join(' ').toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
