// What is asked for by flags and variables, what is wrong with it, and that a key is never shown.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../support/hook.ts';
import { Collector } from './collector.ts';
import { end, start, stop } from './lines.ts';
import { scene } from './scene.ts';

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
