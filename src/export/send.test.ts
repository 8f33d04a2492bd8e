import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import { asJson, collector, withVersion } from '../../test/export/as-json.ts';
import type { Reply } from '../../test/export/collector.ts';
import { type Answer, send } from './send.ts';

beforeEach(withVersion);

describe('one request', () => {
  const answer = async (reply: Partial<Reply>, headers: Record<string, string> = {}): Promise<Answer> => {
    const { base } = await collector(() => reply);
    return send('logs', Buffer.from('body'), { base, headers, timeoutMs: 5000 }, asJson.readAnswer);
  };
  const notOne = { kind: 'no', why: 'it answered 200 with what no collector says: is it one?' };
  const json = { 'content-type': 'application/json; charset=utf-8' };
  const protobuf = { 'content-type': 'application/x-protobuf' };

  it('is a POST of what is sent, with the user’s own headers and ours', async () => {
    const { base, asked } = await collector();
    const headers = { 'x-team': 'a', 'content-type': 'text/plain' };
    await send('metrics', Buffer.from('body'), { base, headers, timeoutMs: 5000 }, asJson.readAnswer);
    expect(asked).toMatchObject([
      {
        ...{ signal: 'metrics', body: Buffer.from('body') },
        headers: { 'x-team': 'a', 'content-type': 'application/x-protobuf', 'user-agent': 'holdfast/9.9.9' },
      },
    ]);
  });

  it.each([
    [{}],
    [{ status: 202 }],
    [{ status: 299 }],
    [{ headers: json, body: '{}' }],
    [{ headers: protobuf, body: '{}' }],
    [{ headers: json, body: '{"partialSuccess":{}}' }],
    [{ headers: json, body: '{"partialSuccess":{"rejectedSpans":"0","errorMessage":"x"}}' }],
    [{ headers: json, body: '{"partialSuccess":"no"}' }],
  ])('is taken: %j', async (reply) => expect(await answer(reply)).toEqual({ kind: 'yes', refused: null }));

  it.each([
    ['{"rejectedSpans":2}', { count: 2, why: '' }],
    ['{"rejectedLogRecords":"3","errorMessage":"too old"}', { count: 3, why: 'too old' }],
    ['{"rejectedDataPoints":4,"errorMessage":7}', { count: 4, why: '' }],
    [`{"rejectedSpans":1,"errorMessage":"${'x'.repeat(300)}"}`, { count: 1, why: 'x'.repeat(200) }],
  ])('is taken but for some: %s', async (partial, refused) => {
    const body = `{"partialSuccess":${partial}}`;
    expect(await answer({ headers: json, body })).toEqual({ kind: 'yes', refused });
    expect(await answer({ headers: protobuf, body })).toEqual({ kind: 'yes', refused });
  });

  it.each([
    [{ headers: json, body: '[]' }],
    [{ headers: json, body: 'no JSON' }],
    [{ headers: { 'content-type': 'text/html' }, body: '<html>' }],
    [{ body: '{}' }],
    [{ headers: protobuf, body: 'broken' }],
    [{ headers: json, body: `{"a":"${'x'.repeat(64 * 1024)}"}` }],
  ])('is answered by no collector, %#', async (reply) => expect(await answer(reply)).toEqual(notOne));

  it('may be answered with 64 KiB', async () => {
    const body = `{"a":"${'x'.repeat(64 * 1024 - 8)}"}`;
    expect(body).toHaveLength(64 * 1024);
    expect(await answer({ headers: json, body })).toEqual({ kind: 'yes', refused: null });
  });

  it.each([
    [300, 'it answered 300: it points elsewhere; name that address'],
    [308, 'it answered 308: it points elsewhere; name that address'],
    [399, 'it answered 399: it points elsewhere; name that address'],
    [400, 'it answered 400: it does not understand what is sent'],
    [401, 'it answered 401: it wants a key; set HOLDFAST_OTLP_HEADERS'],
    [403, 'it answered 403: it wants another key; set HOLDFAST_OTLP_HEADERS'],
    [
      404,
      'it answered 404: it takes no OTLP over HTTP under this address (the usual port is 4318), or not this signal (--signals)',
    ],
    [405, 'it answered 405: it takes no OTLP over HTTP under this address (the usual port is 4318)'],
    [418, 'it answered 418'],
  ])('is refused with %s', async (status, why) => {
    expect(await answer({ status, headers: { location: '/v1/other' } })).toEqual({ kind: 'no', why });
  });

  it('may be too large', async () => expect(await answer({ status: 413 })).toEqual({ kind: 'too-large' }));

  it.each([429, 500, 502, 503, 504])('is to come again later after %s', async (status) => {
    expect(await answer({ status })).toEqual({ kind: 'later', why: `it answered ${status}`, afterMs: null });
  });

  it.each([
    ['7', 7000],
    ['0', 0],
    ['Thu, 01 Jan 2015 00:00:00 GMT', 0],
    ['soon', null],
  ])('is to come again when the collector says so: %s', async (after, afterMs) => {
    expect(await answer({ status: 503, headers: { 'retry-after': after } })).toMatchObject({
      kind: 'later',
      afterMs,
    });
  });

  it('to nobody is to come again later', async () => {
    const server = http.createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const to = { base: `http://127.0.0.1:${port}`, headers: {}, timeoutMs: 5000 };
    expect(await send('logs', Buffer.from(''), to, asJson.readAnswer)).toEqual({
      ...{ kind: 'later', why: 'it cannot be reached (ECONNREFUSED)', afterMs: null },
    });
  });

  it('that nobody answers in time is to come again later', async () => {
    const { base } = await collector(() => 'hang');
    const to = { base, headers: {}, timeoutMs: 500 };
    expect(await send('logs', Buffer.from(''), to, asJson.readAnswer)).toEqual({
      ...{ kind: 'later', why: 'it did not answer within 0.5 s', afterMs: null },
    });
  });
});
