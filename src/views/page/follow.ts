// What the server sends for as long as the page is open: a line of JSON each. A connection that is lost is taken up
// again, and begins with all there is. (An EventSource would do the same, but sends no header with the token.)

import type { Overview, RunPage } from '../shown.ts';
import { request } from './token.ts';

export type News = { event: 'runs'; data: Overview } | { event: 'run'; data: RunPage } | { event: 'gone' };

export type Follower = { opened(): void; lost(): void; heard(news: News): void };

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;

/** Until it is aborted, or the server does not take the token. */
export async function follow(address: string, follower: Follower, signal: AbortSignal): Promise<void> {
  let pauseMs = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    try {
      const response = await request(address, { signal });
      if (response.status === 401) return;
      if (response.ok && response.body !== null) {
        pauseMs = FIRST_PAUSE_MS;
        follower.opened();
        await readLines(response.body, (line) => follower.heard(JSON.parse(line)));
      }
    } catch {
      // It could not be asked, broke off, or was aborted.
    }
    if (signal.aborted) return;
    follower.lost();
    await pause(pauseMs, signal);
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }
}

/** Empty lines are beats. */
async function readLines(body: ReadableStream<Uint8Array>, heard: (line: string) => void): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let begun = '';
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const [first = '', ...others] = decoder.decode(read.value, { stream: true }).split('\n');
    const lines = [begun + first, ...others];
    begun = lines.pop() ?? '';
    for (const line of lines) if (line !== '') heard(line);
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
