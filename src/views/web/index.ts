// The server of `holdfast web`: on 127.0.0.1 alone, until it is closed.

import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { Source } from '../source.ts';
import { makeApp } from './app.ts';
import { readAssets } from './assets.ts';
import type { Door } from './guard.ts';
import { News } from './news.ts';
import { newToken } from './token.ts';

export type WebOptions = {
  source: Source;
  /** The folder of the built page. */
  page: string;
  /** 0: any that is free. */
  port: number;
  readOnly: boolean;
};

export type WebServer = {
  port: number;
  /** With the token in its fragment, for the user alone; `run`: leads to that run's page. */
  address(run?: string): string;
  close(): Promise<void>;
};

export async function serve({ source, page, port, readOnly }: WebOptions): Promise<WebServer> {
  let listening = 0;
  const door: Door = { token: newToken(), port: () => listening };
  const app = makeApp({ door, source, news: new News(source), assets: readAssets(page), readOnly });
  const server = createAdaptorServer({ fetch: app.fetch });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      listening = (server.address() as AddressInfo).port;
      resolve();
    });
  });
  return {
    port: listening,
    address: (run) =>
      `http://127.0.0.1:${listening}/#token=${door.token}${run === undefined ? '' : `/run/${encodeURIComponent(run)}`}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}
