// One request to the collector, and what its answer is worth. A yes is only what a collector says: an empty answer or one
// in OTLP's own form. A page that some other server shows with a 200 is none.

import { isObject, parseJson } from '../store/json.ts';
import type { Otlp } from './encoding.ts';
import { addressOf, type Settings, type Signal } from './settings.ts';

export type Answer =
  /** `refused`: how many of them the collector does not want, and why. They are not to be sent again. */
  | { kind: 'yes'; refused: { count: number; why: string } | null }
  /** `afterMs`: when it wants to be asked again. */
  | { kind: 'later'; why: string; afterMs: number | null }
  | { kind: 'too-large' }
  | { kind: 'no'; why: string };

declare const HOLDFAST_VERSION: string;

const READ_AT_MOST = 64 * 1024;

export async function send(
  signal: Signal,
  body: Uint8Array,
  { base, headers, timeoutMs }: Pick<Settings, 'base' | 'headers' | 'timeoutMs'>,
  readAnswer: Otlp['readAnswer'],
): Promise<Answer> {
  try {
    const response = await fetch(addressOf(base, signal), {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/x-protobuf',
        'user-agent': `holdfast/${HOLDFAST_VERSION}`,
      },
      body: new Uint8Array(body),
      // A key must not go where the collector points to.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return await answerOf(response, (bytes) => readAnswer(signal, bytes));
  } catch (error) {
    return { kind: 'later', why: whatFailed(error, timeoutMs), afterMs: null };
  }
}

type Read = (bytes: Uint8Array) => { partialSuccess?: object | undefined };

async function answerOf(response: Response, read: Read): Promise<Answer> {
  const { status, headers } = response;
  const said = await readBounded(response);
  if (status >= 200 && status < 300) return worthOf(read, said, headers.get('content-type') ?? '');
  if (status === 413) return { kind: 'too-large' };
  const why = `it answered ${status}`;
  if ([429, 500, 502, 503, 504].includes(status))
    return { kind: 'later', why, afterMs: retryAfter(headers.get('retry-after')) };
  const hint =
    HINTS[status] ?? (status >= 300 && status < 400 ? 'it points elsewhere; name that address' : null);
  return { kind: 'no', why: hint === null ? why : `${why}: ${hint}` };
}

const HINTS: Readonly<Record<number, string>> = {
  400: 'it does not understand what is sent',
  401: 'it wants a key; set HOLDFAST_OTLP_HEADERS',
  403: 'it wants another key; set HOLDFAST_OTLP_HEADERS',
  404: 'it takes no OTLP over HTTP under this address (the usual port is 4318), or not this signal (--signals)',
  405: 'it takes no OTLP over HTTP under this address (the usual port is 4318)',
};

function worthOf(read: Read, said: Uint8Array | null, type: string): Answer {
  const notOne: Answer = { kind: 'no', why: 'it answered 200 with what no collector says: is it one?' };
  if (said === null) return notOne;
  if (said.length === 0) return { kind: 'yes', refused: null };
  try {
    if (/json/i.test(type)) {
      const value = parseJson(Buffer.from(said).toString('utf8'));
      return isObject(value) ? { kind: 'yes', refused: refusedIn(value.partialSuccess) } : notOne;
    }
    if (!/protobuf/i.test(type)) return notOne;
    return { kind: 'yes', refused: refusedIn(read(said).partialSuccess) };
  } catch {
    return notOne;
  }
}

function refusedIn(partial: unknown): { count: number; why: string } | null {
  if (!isObject(partial)) return null;
  const { rejectedSpans, rejectedLogRecords, rejectedDataPoints, errorMessage } = partial;
  const count = Number(rejectedSpans ?? rejectedLogRecords ?? rejectedDataPoints ?? 0);
  const why = typeof errorMessage === 'string' ? errorMessage.slice(0, 200) : '';
  return count > 0 ? { count, why } : null;
}

/** Null: it is longer than any answer. */
async function readBounded(response: Response): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > READ_AT_MOST) {
      await response.body?.cancel().catch(() => {});
      return null;
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Seconds, or a date. */
function retryAfter(header: string | null): number | null {
  if (header === null) return null;
  const ms = /^\d{1,6}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

function whatFailed(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return 'it cannot be reached';
  if (error.name === 'TimeoutError') return `it did not answer within ${timeoutMs / 1000} s`;
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  return `it cannot be reached${code}`;
}
