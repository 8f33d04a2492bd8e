// What runs right now: since when, how long it may, and the end of what it printed.

import type { WorkView } from '../../../view/model.ts';
import { lengthOf } from '../words.ts';
import { Meter } from './progress.tsx';
import { Section } from './section.tsx';

export function WorkPanel({ work, now }: { work: readonly WorkView[]; now: number }) {
  if (work.length === 0) return null;
  return (
    <Section title="Right now" id="work" size="wide">
      {work.map(({ attempt, kind, name, since, deadline, alive, tail }) => (
        <div class="work" key={attempt}>
          <p class="working">
            {alive && <span class="spinner" aria-hidden="true" />}
            <strong>{name}</strong>
            <span class="muted">
              {alive ? `this ${kind} runs` : 'its hook is gone; the next stop takes it up'}
            </span>
          </p>
          <Meter
            share={(now - since) / (deadline - since)}
            text={`${lengthOf(now - since)} of at most ${lengthOf(deadline - since)}`}
          />
          {tail === '' ? (
            <p class="muted">It has not printed anything yet.</p>
          ) : (
            <pre class="tail">{tail}</pre>
          )}
        </div>
      ))}
    </Section>
  );
}
