// The routes. No part of an address is ever a path: the page's own files are read when the server starts, and all else
// is looked up among the runs that are known. Whatever stands below `guardData` needs the token.

import { type Context, Hono } from 'hono';
import type { Position } from '../../store/journal-forward.ts';
import type { Source } from '../source.ts';
import type { Asset } from './assets.ts';
import { type Door, guardAnswers, guardData, guardDoor, guardWriting } from './guard.ts';
import type { News } from './news.ts';
import { sendNews } from './send-news.ts';

export type AppOptions = {
  door: Door;
  source: Source;
  news: News;
  assets: ReadonlyMap<string, Asset>;
  /** Nothing can be cancelled or dismissed from the page. */
  readOnly: boolean;
};

export function makeApp({ door, source, news, assets, readOnly }: AppOptions): Hono {
  const app = new Hono();
  const asked = (context: Context) => context.req.query('run') ?? '';
  app.use(guardAnswers);
  app.use(guardDoor(door));
  app.get('*', async (context, next) => {
    const asset = assets.get(context.req.path);
    return asset === undefined ? next() : context.body(asset.content, 200, { 'Content-Type': asset.type });
  });
  app.use(guardData(door));
  app.get('/api/session', (context) => context.json({ version: source.version, mayWrite: !readOnly }));
  app.get('/api/events', (context) => sendNews(context, news, context.req.query('run') ?? null));
  app.get('/api/file', async (context) => {
    const found = await source.file(asked(context), context.req.query('name') ?? '');
    return found === null ? notThere(context) : context.json(found);
  });
  app.get('/api/line', async (context) => {
    const position = positionIn(context);
    const text = position === null ? null : await source.line(asked(context), position);
    return text === null ? notThere(context) : context.json({ text });
  });
  app.get('/api/older', async (context) => {
    const position = positionIn(context);
    const found = position === null ? null : await source.older(asked(context), position);
    return found === null ? notThere(context) : context.json(found);
  });
  const write = (address: string, change: (context: Context) => Promise<string>) =>
    app.post(address, guardWriting, async (context) => {
      try {
        return context.json({ text: await change(context) });
      } catch (error) {
        return context.json({ text: messageOf(error) }, 409);
      }
    });
  if (!readOnly) {
    write('/api/cancel', (context) => source.cancel(asked(context)));
    write('/api/dismiss', (context) => source.dismiss(asked(context)));
    write('/api/dismiss-ended', () => source.dismiss(null));
  }
  app.notFound(notThere);
  // One line for whoever started it; the page shows that it failed.
  app.onError((error, context) => {
    process.stderr.write(`holdfast web: a page could not be answered: ${messageOf(error)}\n`);
    return context.json({ text: `That failed: ${messageOf(error)}` }, 500);
  });
  return app;
}

function notThere(context: Context): Response {
  return context.json({ text: 'That is not there (any more).' }, 404);
}

/** Null: it is no place in a journal. */
function positionIn(context: Context): Position | null {
  const [, segment, offset] = /^(\d{1,9})-(\d{1,15})$/.exec(context.req.query('mark') ?? '') ?? [];
  return segment === undefined ? null : { segment: Number(segment), offset: Number(offset) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
