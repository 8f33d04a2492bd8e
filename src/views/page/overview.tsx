// All runs of all projects: those that need somebody first.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { STATE_WORDS } from '../../view/run-state.ts';
import type { Overview, RunCard } from '../shown.ts';
import { Card } from './card.tsx';
import { DismissButton } from './parts/dismiss.tsx';
import { Empty, Loading } from './parts/section.tsx';
import { plural } from './words.ts';

type OverviewProps = { overview: Overview | null; now: number; mayWrite: boolean };

export function OverviewPage({ overview, now, mayWrite }: OverviewProps) {
  const [wanted, setWanted] = useState('');
  if (overview === null) return <Loading title="Reading the journals …" />;
  const cards = overview.cards.filter((card) => matches(card, wanted));
  const common = { now, mayWrite };
  const ended = cards.filter(({ end }) => end !== null);
  const [unseen, seen] = [ended.filter((card) => card.unseen), ended.filter((card) => !card.unseen)];
  const all = mayWrite && wanted === '' && <DismissButton id={null} words="Dismiss all that ended" />;
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
      <CardSection title="Now" cards={cards.filter(({ end }) => end === null)} {...common} />
      <CardSection
        title="Ended since you looked"
        cards={unseen}
        aside={seen.length === 0 && all}
        {...common}
      />
      <CardSection title="Ended" cards={seen} aside={all} {...common} />
    </div>
  );
}

type CardSectionProps = {
  title: string;
  cards: readonly RunCard[];
  now: number;
  mayWrite: boolean;
  aside?: ComponentChildren;
};

/** In the order in which they came: those that need somebody first. */
function CardSection(props: CardSectionProps) {
  const { title, cards, now, mayWrite, aside } = props;
  if (cards.length === 0) return null;
  return (
    <section class="rank" aria-label={title}>
      <h2>
        {title} <span class="count">{cards.length}</span>
        {aside}
      </h2>
      <ul class="cards">
        {cards.map((card) => (
          <Card key={card.id} card={card} now={now} mayWrite={mayWrite} />
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
