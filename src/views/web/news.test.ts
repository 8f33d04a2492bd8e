import { expect, it } from 'vitest';
import type { Source } from '../source.ts';
import { type Listener, type Message, News } from './news.ts';

function scene() {
  let at = 1;
  let changed: (() => void) | null = null;
  const source = {
    overview: () => ({ at, cards: [], projects: [] }),
    run: async () => null,
    watch: (listener: () => void) => {
      changed = listener;
      return () => {
        changed = null;
      };
    },
  } as unknown as Source;
  return {
    news: new News(source),
    isWatched: () => changed !== null,
    change(to: number) {
      at = to;
      changed?.();
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('a page gets what there is, then what changed, and nothing twice', async () => {
  const { news, change } = scene();
  const got: Message[] = [];
  await news.add({ run: 'gone', send: async (message) => void got.push(message) });
  await settled();
  expect(got.map(({ event }) => event)).toEqual(['runs', 'gone']);
  change(1);
  await settled();
  expect(got.length).toBe(2);
  change(2);
  await settled();
  expect(got.at(-1)).toEqual({ event: 'runs', data: '{"at":2,"cards":[],"projects":[]}' });
});

it('a page that reads slowly holds up nobody, and skips what is overtaken', async () => {
  const { news, change } = scene();
  const slow: Message[] = [];
  const quick: Message[] = [];
  let go = (): void => {};
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  await news.add({
    run: null,
    send: (message) => {
      slow.push(message);
      return gate;
    },
  });
  await news.add({ run: null, send: async (message) => void quick.push(message) });
  for (const to of [2, 3, 4]) {
    change(to);
    await settled();
  }
  expect([slow.length, quick.length]).toEqual([1, 4]);
  go();
  await settled();
  expect(slow.map(({ data }) => JSON.parse(data).at)).toEqual([1, 4]);
});

it('what changes is watched until the last page is closed, and comes to those that are open', async () => {
  const { news, isWatched, change } = scene();
  const [closed, open]: [Message[], Message[]] = [[], []];
  const into = (got: Message[]): Listener => ({
    run: null,
    send: async (message) => void got.push(message),
  });
  const [first, second] = [into(closed), into(open)];
  await news.add(first);
  await news.add(second);
  news.remove(first);
  expect(isWatched()).toBe(true);
  change(2);
  await settled();
  expect([closed, open].map((got) => got.map(({ data }) => JSON.parse(data).at))).toEqual([[1], [1, 2]]);
  news.remove(second);
  expect(isWatched()).toBe(false);
});

it('nothing is watched while no page is open, and one that fails to be sent is no error', async () => {
  const { news, isWatched, change } = scene();
  const listener: Listener = { run: null, send: () => Promise.reject(new Error('closed')) };
  expect(isWatched()).toBe(false);
  await news.add(listener);
  expect(isWatched()).toBe(true);
  change(2);
  await settled();
  news.remove(listener);
  expect(isWatched()).toBe(false);
});
