// The routes. No part of an address is ever a path: the page's own files are read when the server starts, and all else
// is looked up among the runs that are known.

import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Source } from '../source.ts';
import type { Asset } from './assets.ts';
import { type Door, guardDoor, guardWriting } from './guard.ts';
import type { News } from './news.ts';
import { sendNews } from './send-news.ts';

export type AppOptions = {
  door: Door;
  source: Source;
  news: News;
  assets: ReadonlyMap<string, Asset>;
  /** Nothing can be cancelled from the page. */
  readOnly: boolean;
};

export function makeApp({ door, source, news, assets, readOnly }: AppOptions): Hono {
  const app = new Hono();
  app.use(guardDoor(door));
  app.get('/api/session', (context) =>
    context.json({ version: source.version, action: readOnly ? null : door.secrets.action }),
  );
  app.get('/api/events', (context) => sendNews(context, news, context.req.query('run') ?? null));
  app.get('/api/runs/:id/files/:place', async (context) => {
    const text = await source.file(context.req.param('id'), Number(context.req.param('place')));
    return text === null ? context.notFound() : context.json({ text });
  });
  app.get('/api/runs/:id/lines/:mark', async (context) => {
    const line = await source.line(context.req.param('id'), context.req.param('mark'));
    return line === null ? context.notFound() : context.json({ text: line });
  });
  if (!readOnly)
    app.post('/api/runs/:id/cancel', guardWriting(door), bodyLimit({ maxSize: 1024 }), async (context) => {
      try {
        return context.json({ text: await source.cancel(context.req.param('id')) });
      } catch (error) {
        return context.json({ text: error instanceof Error ? error.message : String(error) }, 409);
      }
    });
  app.get('*', (context) => {
    const asset = assets.get(context.req.path);
    if (asset === undefined) return context.notFound();
    return context.body(asset.content, 200, { 'Content-Type': asset.type });
  });
  app.notFound((context) => context.json({ text: 'There is nothing here.' }, 404));
  // One line for whoever started it; the page shows that it failed.
  app.onError((error, context) => {
    process.stderr.write(`holdfast web: ${context.req.method} failed: ${error.message}\n`);
    return context.json({ text: `That failed: ${error.message}` }, 500);
  });
  return app;
}
