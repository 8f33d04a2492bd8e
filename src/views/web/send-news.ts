// One open page: server-sent events until it is closed.

import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { Listener, News } from './news.ts';

/** So that a connection whose other end is gone is noticed. */
const BEAT_MS = 20_000;

export function sendNews(context: Context, news: News, run: string | null): Response {
  return streamSSE(context, async (stream) => {
    const listener: Listener = { run, send: (message) => stream.writeSSE(message) };
    const closed = new Promise<void>((resolve) => stream.onAbort(resolve));
    const beat = setInterval(() => void stream.write(': \n\n'), BEAT_MS);
    try {
      await news.add(listener);
      await closed;
    } finally {
      clearInterval(beat);
      news.remove(listener);
    }
  });
}
