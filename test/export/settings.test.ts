// What is asked for by flags and variables, what is wrong with it, and that a key is never shown.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { addressOf, isOpenToOthers, readSettings, type Settings } from '../../src/export/settings.ts';
import { runCli } from '../support/hook.ts';
import { Collector } from './collector.ts';
import { end, start, stop } from './lines.ts';
import { scene } from './scene.ts';

const NOW = Date.UTC(2026, 10, 17, 12);
const read = (flags: object, env: Record<string, string> = {}): Settings =>
  readSettings({ flags: { otlp: 'http://c:4318', ...flags }, env, now: NOW });

describe('the address', () => {
  it.each([
    ['http://127.0.0.1:4318', 'http://127.0.0.1:4318'],
    ['http://127.0.0.1:4318/', 'http://127.0.0.1:4318'],
    ['https://c.example/otlp/', 'https://c.example/otlp'],
    ['https://c.example/otlp/v1/traces', 'https://c.example/otlp'],
  ])('%s', (given, base) => {
    expect(addressOf(read({ otlp: given }).base, 'logs')).toBe(`${base}/v1/logs`);
  });

  it('may come from the environment', () => {
    expect(readSettings({ flags: {}, env: { HOLDFAST_OTLP_ENDPOINT: 'http://e:4318' }, now: NOW }).base).toBe(
      'http://e:4318',
    );
  });

  it.each([
    '',
    'collector:4318',
    'grpc://c:4317',
    'file:///etc/passwd',
    'http://',
    'http://me:secret@c:4318',
    'http://c:4318/?key=secret',
    'http://c/#x',
  ])('cannot be %j', (otlp) => {
    expect(() => read({ otlp })).toThrow(/^export: /);
    expect(() => read({ otlp })).not.toThrow(/secret/);
  });
});

describe('headers', () => {
  it('come from the variable, decoded, and from flags, as they are', () => {
    const { headers } = read(
      { header: ['x-team=a=b%20c'] },
      { HOLDFAST_OTLP_HEADERS: 'Authorization=Basic%20YTpi, x-scope = 1,' },
    );
    expect(headers).toEqual({ authorization: 'Basic YTpi', 'x-scope': '1', 'x-team': 'a=b%20c' });
  });

  it.each([
    'authorization',
    '=secret',
    'a=%zzsecret',
    'a b=secret',
    'host=secret',
    'content-type=secret',
    'a=secret%0d%0ab:c',
    'a=secret%e2%82%ac',
  ])('cannot be %j, and the line does not say the value', (given) => {
    expect(() => read({}, { HOLDFAST_OTLP_HEADERS: given })).toThrow(/^export: /);
    expect(() => read({}, { HOLDFAST_OTLP_HEADERS: given })).not.toThrow(/secret/);
  });

  it('are warned about where others can read them on the way', () => {
    const env = { HOLDFAST_OTLP_HEADERS: 'authorization=x' };
    expect(isOpenToOthers(read({}, env))).toBe(true);
    expect(isOpenToOthers(read({ otlp: 'https://c' }, env))).toBe(false);
    expect(isOpenToOthers(read({ otlp: 'http://127.0.0.1:1' }, env))).toBe(false);
    expect(isOpenToOthers(read({}))).toBe(false);
  });
});

describe('since', () => {
  it.each([
    ['2026-11-01', '2026-11-01T00:00:00.000Z'],
    ['2026-11-01T08:30', '2026-11-01T08:30:00.000Z'],
    ['2026-11-01T08:30:10.5+02:00', '2026-11-01T06:30:10.500Z'],
    ['30m', '2026-11-17T11:30:00.000Z'],
    ['7d', '2026-11-10T12:00:00.000Z'],
  ])('%s', (given, time) => {
    expect(new Date(read({ since: given }).since ?? 0).toISOString()).toBe(time);
  });

  it.each([
    '',
    'yesterday',
    '7',
    '-7d',
    '7 d',
    '2026-13-01',
    '2026-02-31',
    '2026-11-01T25:00',
    '20261101',
    '99999999d',
    '2026-11-18',
    '1e3d',
    '2026-11-01T08:30Zx',
  ])('cannot be %j', (since) => {
    expect(() => read({ since })).toThrow(/^export: --since /);
  });
});

it.each([
  { HOLDFAST_OTLP_TIMEOUT: '0' },
  { HOLDFAST_OTLP_TIMEOUT: '1e3' },
  { HOLDFAST_OTLP_TRIES: '-1' },
  { HOLDFAST_OTLP_ATTRIBUTES: 'team' },
])('a variable that cannot be read is said: %j', (env) => {
  expect(() => read({}, env)).toThrow(/^export: HOLDFAST_OTLP_/);
});

it('a signal that there is not is said', () => {
  expect(read({ signals: 'metrics, traces' }).signals).toEqual(['traces', 'metrics']);
  expect(() => read({ signals: 'traces,profiles' })).toThrow(/knows traces, logs, metrics, not "profiles"/);
});

it('bad usage ends with 2 and one line, and sends nothing', async () => {
  const made = await scene();
  made.journal(stop(1));
  for (const args of [['--since', 'soon'], ['--signals', 'x'], ['--bad'], ['word']]) {
    const { exitCode, stderr } = await made.export(args);
    expect({ args, exitCode, lines: stderr.trim().split('\n').length }).toEqual({
      args,
      exitCode: 2,
      lines: 1,
    });
  }
  const { exitCode, stderr } = await runCli(made.root, ['export']);
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining('where to?') });
  expect(made.collector.asked).toEqual([]);
});

it('only what happened since is sent, and what came before it is never sent later', async () => {
  const made = await scene();
  made.journal(start(0), stop(10), stop(3600), end(3700, 'completed'));
  expect(await made.export(['--since', '2026-11-16T08:30'])).toMatchObject({ exitCode: 0 });
  expect(made.collector.logs.map(({ event }) => event)).toEqual(['holdfast.stop', 'holdfast.end']);
  // The run's span still begins where the run did.
  expect(made.collector.spans.at(-1)).toMatchObject({ name: 'run idle', start: Date.UTC(2026, 10, 16, 8) });
  expect(await made.export()).toMatchObject({ exitCode: 0 });
  expect(made.collector.logs).toHaveLength(2);
});

it('goes over https, with the headers and attributes of the environment', async () => {
  const made = await scene();
  made.journal(start(0), stop(1));
  const folder = path.join(made.home, 'tls');
  fs.mkdirSync(folder);
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '2',
      '-keyout',
      key,
      '-out',
      cert,
      ...subject,
    ],
    { stdio: 'ignore' },
  );
  const secure = await Collector.open(undefined, { key: fs.readFileSync(key), cert: fs.readFileSync(cert) });
  try {
    const env = {
      HOLDFAST_OTLP_ENDPOINT: secure.url,
      HOLDFAST_OTLP_HEADERS: 'authorization=Bearer%20k',
      HOLDFAST_OTLP_ATTRIBUTES: 'team=core,host.name=build-7',
      HOLDFAST_OTLP_TRIES: '1',
    };
    // Nobody vouches for this certificate.
    const refused = await runCli(made.root, ['export'], { env });
    expect(refused).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT'),
    });
    expect(secure.asked).toEqual([]);
    const sent = await runCli(made.root, ['export'], { env: { ...env, NODE_EXTRA_CA_CERTS: cert } });
    expect(sent).toMatchObject({ exitCode: 0, stderr: '' });
    expect(secure.asked[0]?.headers).toMatchObject({
      authorization: 'Bearer k',
      'content-type': 'application/x-protobuf',
    });
    expect(secure.spans[0]?.resource).toMatchObject({
      'service.name': 'holdfast',
      team: 'core',
      'host.name': 'build-7',
    });
  } finally {
    await secure.close();
  }
});
