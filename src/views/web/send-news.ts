// One open page: a line of JSON for each piece of news, until it is closed.

import type { Context } from 'hono';
import { stream } from 'hono/streaming';
import type { Listener, News } from './news.ts';

/** So that a connection whose other end is gone is noticed. */
const BEAT_MS = 20_000;

export function sendNews(context: Context, news: News, run: string | null): Response {
  context.header('Content-Type', 'application/x-ndjson; charset=utf-8');
  return stream(context, async (lines) => {
    const listener: Listener = {
      run,
      send: async ({ event, data }) => void (await lines.write(`{"event":"${event}","data":${data}}\n`)),
    };
    const closed = new Promise<void>((resolve) => lines.onAbort(resolve));
    const beat = setInterval(() => void lines.write('\n'), BEAT_MS);
    try {
      await news.add(listener);
      await closed;
    } finally {
      clearInterval(beat);
      news.remove(listener);
    }
  });
}
