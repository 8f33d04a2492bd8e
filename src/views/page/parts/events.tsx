// Everything beside the stops that happened to a run, in words.

import { useState } from 'preact/hooks';
import type { EventView } from '../../../view/model.ts';
import { clock } from '../words.ts';
import { RawLine } from './raw-line.tsx';
import { Section } from './section.tsx';

const FIRST = 12;

export function EventsPanel(props: { id: string; events: readonly EventView[]; now: number }) {
  const { id, events, now } = props;
  const [all, setAll] = useState(false);
  const shown = all ? events : events.slice(0, FIRST);
  if (events.length === 0) return null;
  return (
    <Section title="What happened" id="events" size="wide">
      <ol class="events">
        {shown.map(({ position, at, event, text }) => (
          <li key={`${position.segment}-${position.offset}`}>
            <time class="muted">{clock(at, now)}</time>
            <span class="event-name">{event}</span>
            <span class="event-text">{text}</span>
            <RawLine id={id} position={position} />
          </li>
        ))}
      </ol>
      {events.length > FIRST && (
        <button type="button" class="quiet" onClick={() => setAll(!all)}>
          {all ? 'Show fewer' : `Show all ${events.length}`}
        </button>
      )}
    </Section>
  );
}
