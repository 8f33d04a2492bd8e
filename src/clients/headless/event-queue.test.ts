import { describe, expect, test } from 'vitest';
import type { HeadlessEvent } from '../headless.ts';
import { EventQueue } from './event-queue.ts';

const ENDED: HeadlessEvent = { kind: 'ended', code: 0, signal: null, trouble: null };
const TURN: HeadlessEvent = { kind: 'turn' };
const ALIVE: HeadlessEvent = { kind: 'alive' };

function queue(): { queue: EventQueue; flow: string[] } {
  const flow: string[] = [];
  const made = new EventQueue({ pause: () => flow.push('pause'), resume: () => flow.push('resume') });
  return { queue: made, flow };
}

async function all(events: AsyncIterable<HeadlessEvent>): Promise<HeadlessEvent[]> {
  const heard: HeadlessEvent[] = [];
  for await (const event of events) heard.push(event);
  return heard;
}

describe('events on their way', () => {
  test('come in order, to a reader who waits too, and end with the end', async () => {
    const { queue: events } = queue();
    const heard = all(events);
    events.push(TURN);
    await new Promise(setImmediate);
    events.push(ALIVE);
    events.push(ALIVE);
    events.push(TURN);
    await new Promise(setImmediate);
    events.push(ENDED);
    events.push(TURN);
    expect(await heard).toEqual([TURN, ALIVE, TURN, ENDED]);
  });

  test('a reader who comes late hears all of it', async () => {
    const { queue: events } = queue();
    events.push(TURN);
    events.push(ENDED);
    expect(await all(events)).toEqual([TURN, ENDED]);
  });

  test('a client that is too fast has to wait', async () => {
    const { queue: events, flow } = queue();
    for (let count = 0; count < 1000; count++) events.push(TURN);
    expect(flow).toEqual(['pause']);
    const reader = events[Symbol.asyncIterator]();
    await reader.next();
    expect(flow).toEqual(['pause', 'resume']);
  });

  test('what a client that ended has left is taken at once', async () => {
    const { queue: events, flow } = queue();
    events.drain();
    for (let count = 0; count < 3000; count++) events.push(TURN);
    events.push(ENDED);
    expect(flow).not.toContain('pause');
    expect(await all(events)).toHaveLength(3001);
  });

  test('that come, to the last, in the very moment the reader begins', async () => {
    const { queue: events } = queue();
    const heard = all(events);
    events.push(TURN);
    events.push(ENDED);
    expect(await heard).toEqual([TURN, ENDED]);
  });
});
