import { describe, expect, it } from 'vitest';
import { EventQueue } from '../clients/headless/event-queue.ts';
import type { HeadlessClient, HeadlessEvent } from '../clients/headless.ts';
import { Listener } from './listener.ts';

const ENDED: HeadlessEvent = { kind: 'ended', code: 0, signal: null, trouble: null };

const clientOf = (events: AsyncIterable<HeadlessEvent>): HeadlessClient => ({
  ...{ pid: 7, events, send: () => false, end: () => Promise.resolve() },
});

function listening(): { queue: EventQueue; listener: Listener } {
  const queue = new EventQueue({ pause: () => {}, resume: () => {} });
  return { queue, listener: new Listener(clientOf(queue)) };
}

async function* saying(...events: readonly HeadlessEvent[]): AsyncGenerator<HeadlessEvent> {
  yield* events;
}

const heard = (listener: Listener): Promise<void> => new Promise((resolve) => void listener.heard(resolve));

function all(listener: Listener): HeadlessEvent[] {
  const events: HeadlessEvent[] = [];
  for (let event = listener.next(); event !== null; event = listener.next()) events.push(event);
  return events;
}

describe('who listens to a client', () => {
  it('takes what it says in its order', async () => {
    const { queue, listener } = listening();
    expect(listener.next()).toBeNull();
    queue.push({ kind: 'turn' });
    await heard(listener);
    expect(listener.next()).toEqual({ kind: 'turn' });
    expect(listener.next()).toBeNull();
    expect(listener.isOver).toBe(false);
  });

  it('is notified at once where there is something to take', async () => {
    const { queue, listener } = listening();
    queue.push({ kind: 'turn' });
    await heard(listener);
    await heard(listener);
    expect(all(listener)).toEqual([{ kind: 'turn' }]);
  });

  it('waits for the next word, whatever is there already, and may stop waiting', async () => {
    const { queue, listener } = listening();
    queue.push({ kind: 'turn' });
    await heard(listener);
    const notified: string[] = [];
    const spoken = new Promise<void>((resolve) => {
      listener.spoken(() => {
        notified.push('spoken');
        resolve();
      });
    });
    listener.spoken(() => notified.push('gone'))();
    await Promise.resolve();
    expect(notified).toEqual([]);
    queue.push({ kind: 'tool', name: 'x' });
    await spoken;
    all(listener);
    listener.heard(() => notified.push('gone'))();
    queue.push(ENDED);
    await new Promise(setImmediate);
    expect(listener.isOver).toBe(true);
    expect(notified).toEqual(['spoken']);
  });

  it.each([
    [{ kind: 'turn' }, true],
    [{ kind: 'tool', name: 'x' }, true],
    [{ kind: 'alive' }, false],
    [{ kind: 'session', id: 's' }, false],
  ] as const)('knows whether it works unasked: %j', async (event, hasWork) => {
    const { queue, listener } = listening();
    expect(listener.hasWork).toBe(false);
    queue.push(event);
    await heard(listener);
    expect(listener.hasWork).toBe(hasWork);
    listener.next();
    expect(listener.hasWork).toBe(false);
  });

  it('knows that it is over: nothing in its queue is work then', async () => {
    const listener = new Listener(clientOf(saying({ kind: 'turn' }, ENDED)));
    await new Promise(setImmediate);
    expect(listener.isOver).toBe(true);
    expect(listener.hasWork).toBe(false);
    expect(all(listener)).toEqual([{ kind: 'turn' }, ENDED]);
  });

  it('hears nothing after its end', async () => {
    const listener = new Listener(clientOf(saying(ENDED, { kind: 'turn' })));
    await heard(listener);
    await new Promise(setImmediate);
    expect(all(listener)).toEqual([ENDED]);
  });

  it('takes it for ended where it says no more', async () => {
    const listener = new Listener(clientOf(saying({ kind: 'turn' })));
    await new Promise(setImmediate);
    expect(all(listener)).toEqual([
      { kind: 'turn' },
      { kind: 'ended', code: null, signal: null, trouble: null },
    ]);
    expect(listener.isOver).toBe(true);
  });

  it('takes it for ended, with what was wrong, where it cannot be heard', async () => {
    async function* broken(): AsyncGenerator<HeadlessEvent> {
      yield { kind: 'turn' };
      throw new Error('the pipe broke');
    }
    const listener = new Listener(clientOf(broken()));
    await new Promise(setImmediate);
    const trouble = { what: 'unknown', resetsAt: null, said: 'the pipe broke' };
    expect(all(listener)).toEqual([{ kind: 'turn' }, { kind: 'ended', code: null, signal: null, trouble }]);
  });
});
