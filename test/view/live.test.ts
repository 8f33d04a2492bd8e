// What the terminal and the page follow: the model, the clock, the window's size, the server's events. The hooks are
// run by the libraries themselves, in components that draw nothing.

import { EventEmitter } from 'node:events';
import { render as renderInk } from 'ink';
import { h, options, render as renderPreact } from 'preact';
import { createElement } from 'react';
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ask, cancelRun, useLive } from '../../src/views/page/live.ts';
import { useRoute } from '../../src/views/page/route.ts';
import type { Overview, RunCard, RunPage } from '../../src/views/shown.ts';
import type { Source } from '../../src/views/source.ts';
import { useBell, useShown } from '../../src/views/watch/live.ts';

/** Pages that are open: they are closed while there still is a browser. */
const open: (() => void)[] = [];
// Effects come after what is drawn: at once, since nothing is.
options.requestAnimationFrame = (callback) => void setImmediate(callback);
afterAll(() => {
  delete options.requestAnimationFrame;
});

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};

afterEach(async () => {
  for (const close of open.splice(0)) close();
  await settled();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const card = (more: Partial<RunCard> = {}): RunCard =>
  ({
    ...{ id: 'p/idle:1', name: 'idle:1', project: { id: 'p', name: 'shop', root: '/shop' } },
    ...{ status: 'running', stage: 'active', progress: null, needs: null, work: [], lastStop: null },
    ...{ movedAt: null, end: null },
    ...more,
  }) as unknown as RunCard;

/** A source whose cards and pages the test sets, and how often it is watched. */
function sourceOf(cards: RunCard[] = []) {
  const watchers = new Set<() => void>();
  const overview = (): Overview => ({ at: 1, cards: scene.cards, projects: [] });
  const source = {
    overview,
    run: (id: string) => scene.run(id),
    watch(changed: () => void) {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
  } as unknown as Source;
  const scene = {
    source,
    watchers,
    cards,
    run: async (id: string): Promise<RunPage | null> => ({ run: { id } }) as unknown as RunPage,
    change(to: RunCard[]) {
      scene.cards = to;
      for (const changed of watchers) changed();
    },
  };
  return scene;
}

/** A terminal's end that keeps what is written to it. */
class Screen extends EventEmitter {
  columns: number | undefined = 100;
  rows: number | undefined = 40;
  readonly written: string[] = [];
  write(text: string): boolean {
    this.written.push(text);
    return true;
  }
  get stream(): NodeJS.WriteStream {
    return this as unknown as NodeJS.WriteStream;
  }
}

/** Calls the hook in a component of ink; what it gave last, and how to call it with something else. */
function inTerminal<Given, Found>(hook: (given: Given) => Found, given: NoInfer<Given>) {
  const found: Found[] = [];
  const Probe = (props: { given: Given }) => {
    found.push(hook(props.given));
    return null;
  };
  const options = {
    stdout: new Screen().stream,
    stdin: process.stdin,
    patchConsole: false,
    exitOnCtrlC: false,
  };
  const shown = renderInk(createElement(Probe, { given }), options);
  onTestFinished(() => shown.unmount());
  return {
    found,
    last: () => found.at(-1),
    again: (next: Given) => shown.rerender(createElement(Probe, { given: next })),
    close: () => shown.unmount(),
  };
}

describe('the terminal follows', () => {
  it('the runs, and the one that is selected, read again after each change', async () => {
    const scene = sourceOf([card()]);
    const read: string[] = [];
    scene.run = async (id) => {
      read.push(id);
      return { run: { id, times: read.length } } as unknown as RunPage;
    };
    const { last, again, close } = inTerminal(
      ({ selected }: { selected: string | null }) => useShown(scene.source, selected),
      { selected: null },
    );
    await vi.waitFor(() => expect(scene.watchers.size).toBe(1));
    expect(last()).toEqual({ overview: { at: 1, cards: [card()], projects: [] }, page: null });
    expect(read).toEqual([]);
    again({ selected: 'a' });
    await vi.waitFor(() => expect(last()?.page).toEqual({ run: { id: 'a', times: 1 } }));
    scene.change([]);
    await vi.waitFor(() => expect(last()?.page).toEqual({ run: { id: 'a', times: 2 } }));
    expect(last()?.overview.cards).toEqual([]);
    again({ selected: 'b' });
    await vi.waitFor(() => expect(last()?.page).toEqual({ run: { id: 'b', times: 3 } }));
    expect(read).toEqual(['a', 'a', 'b']);
    close();
    await vi.waitFor(() => expect(scene.watchers.size).toBe(0));
  });

  it('not what was read of a run that is no longer selected', async () => {
    const scene = sourceOf();
    const answers = new Map<string, (page: RunPage) => void>();
    scene.run = (id) => new Promise((resolve) => answers.set(id, resolve));
    const { found, last, again } = inTerminal(
      ({ selected }: { selected: string }) => useShown(scene.source, selected).page,
      { selected: 'slow' },
    );
    await vi.waitFor(() => expect(answers.has('slow')).toBe(true));
    again({ selected: 'quick' });
    await vi.waitFor(() => expect(answers.has('quick')).toBe(true));
    const page = (id: string) => ({ run: { id } }) as unknown as RunPage;
    answers.get('slow')?.(page('slow'));
    await new Promise((resolve) => setImmediate(resolve));
    answers.get('quick')?.(page('quick'));
    await vi.waitFor(() => expect(last()).toEqual(page('quick')));
    expect(found).not.toContainEqual(page('slow'));
  });

  it('who needs somebody: the bell rings once for each thing, not for what was there before', async () => {
    const screen = new Screen();
    const { again } = inTerminal(({ cards }: { cards: RunCard[] }) => useBell(cards, screen.stream), {
      cards: [card({ id: 'a', needs: 'x' }), card({ id: 'b' })],
    });
    const rings = async (cards: RunCard[]): Promise<number> => {
      again({ cards });
      await settled();
      return screen.written.length;
    };
    await vi.waitFor(() => expect(screen.written).toEqual([]));
    expect(await rings([card({ id: 'a', needs: 'x' }), card({ id: 'b' })])).toBe(0);
    expect(await rings([card({ id: 'a', needs: 'x' }), card({ id: 'b', needs: 'x' })])).toBe(1);
    expect(await rings([card({ id: 'b', needs: 'x' })])).toBe(1);
    expect(await rings([card({ id: 'b', needs: null })])).toBe(1);
    // It was rung for before.
    expect(await rings([card({ id: 'b', needs: 'x' }), card({ id: 'a', needs: 'x' })])).toBe(1);
    expect(await rings([card({ id: 'b', needs: 'y' })])).toBe(2);
    expect(screen.written).toEqual(['\u0007', '\u0007']);
  });
});

/** The same in a component of the page, which needs no more of a browser than this. */
function inPage<Given, Found>(hook: (given: Given) => Found, given: NoInfer<Given>) {
  const found: Found[] = [];
  const parent = { childNodes: [], firstChild: null } as unknown as HTMLElement;
  const Probe = (props: { given: Given }) => {
    found.push(hook(props.given));
    return null;
  };
  const again = (next: Given) => renderPreact(h(Probe, { given: next }), parent);
  again(given);
  const close = () => renderPreact(null, parent);
  open.push(close);
  return { found, last: () => found.at(-1), again, close };
}

/** A server that the test plays: each request for news, and what is sent over it. */
function playedServer() {
  const made: Connection[] = [];
  vi.stubGlobal('fetch', (address: string, { signal, headers }: RequestInit) => {
    return new Promise<Response>((answer, fail) => {
      let lines: ReadableStreamDefaultController<Uint8Array> | undefined;
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          lines = controller;
        },
      });
      signal?.addEventListener('abort', () => {
        connection.isClosed = true;
        lines?.error(new Error('aborted'));
      });
      const connection: Connection = {
        ...{ address, headers, isClosed: false },
        answer: (status = 200) => answer(new Response(body, { status })),
        send: (text) => lines?.enqueue(new TextEncoder().encode(text)),
        end: () => lines?.close(),
        fail: () => fail(new Error('refused')),
      };
      made.push(connection);
    });
  });
  return made;
}

type Connection = {
  address: string;
  headers: RequestInit['headers'];
  isClosed: boolean;
  answer(status?: number): void;
  send(text: string): void;
  end(): void;
  fail(): void;
};

describe('the page follows', () => {
  it('the server’s news, on the overview and on a run’s page', async () => {
    const made = playedServer();
    const { last, again, close } = inPage(({ run }: { run: string | null }) => useLive(run), { run: null });
    await vi.waitFor(() => expect(made).toHaveLength(1));
    const [overview] = made as [Connection];
    expect(overview.address).toBe('/api/events');
    expect(last()).toEqual({ overview: null, page: null, connection: 'opening' });
    overview.answer();
    // A beat, and a line in two pieces.
    overview.send('\n{"event":"runs","da');
    overview.send('ta":{"at":7}}\n');
    await vi.waitFor(() => expect(last()).toEqual({ overview: { at: 7 }, page: null, connection: 'open' }));

    again({ run: 'p/a:1' });
    await vi.waitFor(() => expect(made).toHaveLength(2));
    const [, page] = made as [Connection, Connection];
    expect([overview.isClosed, page.isClosed]).toEqual([true, false]);
    expect(page.address).toBe('/api/events?run=p%2Fa%3A1');
    page.answer();
    page.send('{"event":"run","data":{"run":1}}\n');
    await vi.waitFor(() =>
      expect(last()).toEqual({ overview: { at: 7 }, page: { run: 1 }, connection: 'open' }),
    );
    page.send('{"event":"gone","data":{}}\n');
    await vi.waitFor(() => expect(last()?.page).toBe('gone'));
    // Of another run nothing is known yet.
    again({ run: 'b' });
    await vi.waitFor(() => expect(last()?.page).toBeNull());
    await vi.waitFor(() => expect(made).toHaveLength(3));
    close();
    await settled();
    expect(made.map(({ isClosed }) => isClosed)).toEqual([true, true, true]);
  });

  it('a server that is gone again, after ever longer pauses, until it is back or refuses the token', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const made = playedServer();
    const { last } = inPage(() => useLive(null), null);
    /** How many seconds pass until it is asked once more. */
    const secondsUntilAsked = async () => {
      const before = made.length;
      await settled();
      for (let seconds = 0; seconds < 60; seconds++) {
        if (made.length > before) return seconds;
        await vi.advanceTimersByTimeAsync(1000);
        await settled();
      }
      return null;
    };
    expect(await secondsUntilAsked()).toBe(0);
    made[0]?.answer();
    made[0]?.end();
    const pauses: (number | null)[] = [];
    for (let times = 1; times < 7; times++) {
      pauses.push(await secondsUntilAsked());
      expect(last()?.connection).toBe('lost');
      if (times === 2) made[times]?.answer(500);
      else if (times < 6) made[times]?.fail();
    }
    expect(pauses).toEqual([1, 2, 4, 8, 15, 15]);
    made[6]?.answer();
    await settled();
    expect(last()?.connection).toBe('open');
    made[6]?.end();
    expect(await secondsUntilAsked()).toBe(1);
    made[7]?.answer(401);
    await settled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([
    ['', null],
    ['#', null],
    ['#/run/', null],
    ['#/run/a', 'a'],
    ['#/run/p%2Fidle%3A1', 'p/idle:1'],
    ['#/run/100%', '100%'],
    ['x#/run/a', null],
    ['#/other/a', null],
  ])('its address: %j is the run %j', (hash, run) => {
    vi.stubGlobal('window', { location: { hash }, addEventListener() {}, removeEventListener() {} });
    expect(inPage(() => useRoute(), null).last()).toBe(run);
  });
});

describe('what the page asks', () => {
  function answers(status: number, answer: unknown): unknown[] {
    const asked: unknown[] = [];
    vi.stubGlobal('fetch', async (...call: unknown[]) => {
      asked.push(call);
      return new Response(JSON.stringify(answer), { status });
    });
    return asked;
  }

  it('is answered, or fails with what the server said', async () => {
    const asked = answers(200, { text: 'a', cut: true });
    expect(await ask('/api/file?run=a')).toEqual({ text: 'a', cut: true });
    expect(asked).toEqual([['/api/file?run=a', { method: 'GET', headers: { Authorization: 'Bearer ' } }]]);
    answers(404, { text: 'That is not there (any more).' });
    await expect(ask('/api/file')).rejects.toThrow(new Error('That is not there (any more).'));
  });

  it('to cancel a run it posts', async () => {
    const asked = answers(200, { text: 'cancelled' });
    expect(await cancelRun('p/idle:1')).toBe('cancelled');
    expect(asked).toEqual([
      ['/api/cancel?run=p%2Fidle%3A1', { method: 'POST', headers: { Authorization: 'Bearer ' } }],
    ]);
    answers(409, { text: 'it has ended already' });
    await expect(cancelRun('a')).rejects.toThrow(new Error('it has ended already'));
  });
});
