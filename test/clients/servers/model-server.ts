// A model on loopback: one HTTP server per API, which reads requests and writes replies in that API's format.

import http from 'node:http';
import type { AddressInfo } from 'node:net';
import zlib from 'node:zlib';
import type { Cast, Failure, Heard, Reply } from './script.ts';

/** How one API is spoken. */
export type Api = {
  /** Null: not a question to the model; `other` answers it. */
  read(request: Request): Question | null;
  other(request: Request, response: http.ServerResponse): void;
  answer(reply: Reply, question: Question, id: number, response: http.ServerResponse): void;
};

export type Request = { method: string; path: string; headers: http.IncomingHttpHeaders; body: unknown };

/** `background` is what the client asks for itself (titles, quota, summaries); it never uses up a scripted line. */
export type Question = { heard: Heard; body: unknown; background: string | null };

export type ModelServer = {
  url: string;
  cast: Cast;
  /** Names of the background requests seen. */
  background: string[];
  close(): Promise<void>;
};

export async function startModelServer(api: Api, cast: Cast): Promise<ModelServer> {
  const background: string[] = [];
  let count = 0;
  const server = http.createServer(async (incoming, response) => {
    const request = await readRequest(incoming);
    const question = api.read(request);
    if (question === null) return api.other(request, response);
    count += 1;
    if (question.background !== null) background.push(question.background);
    const reply =
      question.background === null
        ? cast.reply(question.heard)
        : { say: backgroundText(question.background) };
    if (reply.hangs) return;
    if (reply.afterMs !== undefined) await new Promise((resolve) => setTimeout(resolve, reply.afterMs));
    if (response.destroyed) return;
    api.answer(reply, question, count, response);
  });
  // Codex asks for a websocket first; it takes the refusal and goes on with plain requests.
  server.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 426 Upgrade Required\r\n\r\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    cast,
    background,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function sendJson(response: http.ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

/** How both APIs word a failure. */
export const errorOf = ({ type, message, details }: Failure): object => ({ type, message, ...details });

/** Server-sent events, as both APIs stream them. */
export function openStream(response: http.ServerResponse): (event: { type: string }) => void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  return (event) => response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

function backgroundText(kind: string): string {
  if (kind === 'summary') return '<analysis>short</analysis><summary>A SUMMARY WITHOUT THE GOAL</summary>';
  return '{"title":"a title","isNewTopic":false}';
}

async function readRequest(incoming: http.IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const text = (incoming.headers['content-encoding'] === 'gzip' ? zlib.gunzipSync(bytes) : bytes).toString(
    'utf8',
  );
  const path = (incoming.url ?? '').split('?')[0] ?? '';
  return { method: incoming.method ?? '', path, headers: incoming.headers, body: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
