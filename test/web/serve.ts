// The built server over any source, and Debian's chromium to look at it with.

import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import type { Source } from '../../src/views/source.ts';
import type { serve as Serve, WebServer } from '../../src/views/web/index.ts';

const views = path.resolve('dist/views');

export async function serveBuilt(source: Source, { readOnly = false, port = 0 } = {}): Promise<WebServer> {
  const built: { serve: typeof Serve } = await import(pathToFileURL(path.join(views, 'web.mjs')).href);
  return built.serve({ source, page: path.join(views, 'page'), port, readOnly });
}

export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.HOLDFAST_TEST_CHROMIUM ?? '/usr/bin/chromium',
    // Root in a container has no other way; the pages are our own.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--font-render-hinting=none'],
  });
}
