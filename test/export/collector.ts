// A collector on 127.0.0.1 that keeps what it is sent, and answers as a test wants it to.

import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import {
  type DecodedLog,
  type DecodedPoint,
  type DecodedSpan,
  readLogs,
  readMetrics,
  readTraces,
} from './decoded.ts';

export type Received = { signal: string; headers: http.IncomingHttpHeaders; body: Buffer };

/** What is answered; `before` is done first. A collector that keeps nothing of what it was sent says so by `keeps`. */
export type Reply = {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  keeps?: boolean;
};

/** Null: it never answers. `drop`: it hangs up. */
export type Behaviour = (
  request: Received,
  number: number,
) => Reply | 'hang' | 'drop' | Promise<Reply | 'hang' | 'drop'>;

export const TAKES: Reply = { status: 200, headers: { 'content-type': 'application/x-protobuf' } };

export class Collector {
  /** Every request, also those that were refused. */
  readonly asked: Received[] = [];
  /** Those that were answered with a yes. */
  readonly taken: Received[] = [];
  behaves: Behaviour = () => TAKES;
  readonly #server: http.Server;
  readonly #scheme: string;
  #port = 0;

  private constructor(server: http.Server, scheme: string) {
    this.#server = server;
    this.#scheme = scheme;
  }

  static async open(behaves?: Behaviour, tls?: { key: Buffer; cert: Buffer }): Promise<Collector> {
    const server = tls === undefined ? http.createServer() : https.createServer(tls);
    const collector = new Collector(server, tls === undefined ? 'http' : 'https');
    if (behaves !== undefined) collector.behaves = behaves;
    server.on('request', (request, response) => void collector.#serve(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    collector.#port = (server.address() as AddressInfo).port;
    return collector;
  }

  get url(): string {
    return `${this.#scheme}://127.0.0.1:${this.#port}`;
  }

  /** As if it had never been asked. */
  forget(): void {
    this.asked.length = 0;
    this.taken.length = 0;
    this.behaves = () => TAKES;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  get spans(): DecodedSpan[] {
    return this.#of('traces').flatMap(readTraces);
  }

  get logs(): DecodedLog[] {
    return this.#of('logs').flatMap(readLogs);
  }

  /** In the order they came. */
  get points(): DecodedPoint[] {
    return this.#of('metrics').flatMap(readMetrics);
  }

  /** As a backend sees it that knows a span by its ids and a record by its uid. */
  get distinct(): { spans: number; logs: number } {
    const ids = this.spans.map(({ trace, id }) => `${trace} ${id}`);
    return {
      spans: new Set(ids).size,
      logs: new Set(this.logs.map(({ attributes }) => attributes['log.record.uid'])).size,
    };
  }

  /** The sum over all series of a metric, each as it was last heard of; `having`: only those with these attributes. */
  total(metric: string, having: Readonly<Record<string, unknown>> = {}): number {
    const last = new Map<string, DecodedPoint>();
    for (const point of this.points) {
      const has = Object.entries(having).every(([key, value]) => point.attributes[key] === value);
      if (point.metric === metric && has) last.set(JSON.stringify(point.attributes), point);
    }
    return [...last.values()].reduce((sum, { value, count }) => sum + (count ?? value), 0);
  }

  get text(): string {
    return this.asked.map(({ body }) => body.toString('latin1')).join('\n');
  }

  #of(signal: string): Buffer[] {
    return this.taken.filter((each) => each.signal === signal).map(({ body }) => body);
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const signal = /^\/v1\/(\w+)$/.exec(request.url ?? '')?.[1] ?? String(request.url);
    const received = { signal, headers: request.headers, body: Buffer.concat(parts) };
    this.asked.push(received);
    const reply = await this.behaves(received, this.asked.length);
    if (reply === 'hang') return;
    if (reply === 'drop') {
      request.socket.destroy();
      return;
    }
    if (reply.keeps ?? (reply.status >= 200 && reply.status < 300)) this.taken.push(received);
    response.writeHead(reply.status, reply.headers);
    response.end(reply.body);
  }
}
