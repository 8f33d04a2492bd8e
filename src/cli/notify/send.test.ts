import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NOTIFY_EVENTS, type Notifier } from '../../config/notify.ts';
import type { Call } from '../../engine/notify/types.ts';
import { nameOf, send } from './send.ts';

const on = NOTIFY_EVENTS;
const call: Call = {
  ...{ event: 'done', project: 'shop', run: 'idle:a', text: 'idle:a is done', why: 'It said so.' },
  time: '2026-01-02T12:00:00.000Z',
};

let folder: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-send-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  fs.rmSync(folder, { recursive: true });
});

function program(name: string, script: string): string {
  const file = path.join(folder, name);
  fs.writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return file;
}

const read = (name: string): string => fs.readFileSync(path.join(folder, name), 'utf8');

describe('a program', () => {
  it('gets the news as one line of JSON on its standard input, and its words as they are', async () => {
    const run = [
      program('tell', `cat > ${folder}/input; printf '%s\\n' "$@" > ${folder}/words`),
      'a b',
      '$c',
    ];
    expect(await send({ by: 'run', run, on }, call)).toBeNull();
    expect(read('input')).toBe(`${JSON.stringify(call)}\n`);
    expect(read('words')).toBe('a b\n$c\n');
  });

  it.each([
    ['exit 3', 'exit code 3'],
    ['kill -9 $$', 'it was ended by SIGKILL'],
    // One that reads nothing is not at fault.
    ['exec <&-', null],
  ])('that does `%s` ends in %j', async (script, why) => {
    expect(await send({ by: 'run', run: [program('tell', script)], on }, call)).toBe(why);
  });

  it('that is not there is no error', async () => {
    const run = [path.join(folder, 'nothing')];
    expect(await send({ by: 'run', run, on }, call)).toBe(`spawn ${run[0]} ENOENT`);
    expect(await send({ by: 'run', run: [], on }, call)).toMatch(/empty|invalid/i);
  });
});

it('a program that takes too long is ended, with all that it started', async () => {
  const { setTimeout: later } = globalThis;
  let isOver = (): void => {};
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((act: () => void, ms: number) => {
    if (ms !== 5_000) return later(act, ms);
    isOver = act;
    return later(() => {}, 0);
  }) as typeof setTimeout);
  const script = `sleep 60 & echo $! > ${folder}/pid.new; mv ${folder}/pid.new ${folder}/pid; wait`;
  const sent = send({ by: 'run', run: [program('tell', script)], on }, call);
  try {
    await expect.poll(() => fs.existsSync(path.join(folder, 'pid')), { timeout: 20_000 }).toBe(true);
    isOver();
    expect(await sent).toBe('it took longer than 5 s');
    const pid = Number(read('pid'));
    const state = (): string => {
      try {
        return /^State:\s+(\w)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 'gone';
      } catch {
        return 'gone';
      }
    };
    // Nobody may have taken notice of its end yet.
    await expect.poll(() => ['gone', 'Z'].includes(state()), { timeout: 20_000 }).toBe(true);
  } finally {
    vi.restoreAllMocks();
  }
});

describe('the desktop', () => {
  it.each([
    ['needs-you', 'critical'],
    ['let-go', 'normal'],
    ['done', 'normal'],
    ['test', 'normal'],
  ] as const)('is called by words that no shell reads: %s is %s', async (event, urgency) => {
    program('notify-send', `printf '%s\\n' "$@" > ${folder}/words; cat > ${folder}/input`);
    vi.stubEnv('PATH', `${folder}:/usr/bin:/bin`);
    expect(await send({ by: 'desktop', on }, { ...call, event, text: '-x $(id)' })).toBeNull();
    expect(read('words')).toBe(`--app-name=Holdfast\n--urgency=${urgency}\n--\nHoldfast: shop\n-x $(id)\n`);
    expect(read('input')).toBe('');
  });

  it('of macOS is called by a script that the text is no part of', async () => {
    const { platform } = process;
    program('osascript', `printf '%s\\n' "$@" > ${folder}/words`);
    vi.stubEnv('PATH', `${folder}:/usr/bin:/bin`);
    Object.defineProperty(process, 'platform', { value: 'darwin' });
    try {
      expect(await send({ by: 'desktop', on }, call)).toBeNull();
    } finally {
      Object.defineProperty(process, 'platform', { value: platform });
    }
    expect(read('words')).toBe(
      '-e\non run {body, head}\ndisplay notification body with title head\nend run\nidle:a is done\nHoldfast: shop\n',
    );
  });

  it('without its program is an answer in words', async () => {
    vi.stubEnv('PATH', folder);
    expect(await send({ by: 'desktop', on }, call)).toBe('spawn notify-send ENOENT');
  });
});

describe('a webhook', () => {
  type Got = { method: string | undefined; headers: http.IncomingHttpHeaders; body: string };

  async function posted(status: number): Promise<{ why: string | null; got: Got[] }> {
    const got: Got[] = [];
    const server = http.createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        got.push({ method: request.method, headers: request.headers, body });
        response.writeHead(status).end('some text');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    try {
      const webhook = `http://127.0.0.1:${port}/secret`;
      return { why: await send({ by: 'webhook', webhook, on }, call), got };
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  it('gets all of it, and the same line under three names', async () => {
    const { why, got } = await posted(200);
    expect(why).toBeNull();
    expect(got).toHaveLength(1);
    expect(got[0]).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'holdfast' },
    });
    const line = 'shop: idle:a is done';
    expect(JSON.parse(got[0]?.body ?? '')).toEqual({ ...call, text: line, content: line, message: line });
  });

  it.each([
    [204, null],
    [404, 'it answered 404'],
    [500, 'it answered 500'],
  ])('that answers %i ends in %j', async (status, why) => {
    expect((await posted(status)).why).toBe(why);
  });

  it('that nobody serves says why, without the words around it', async () => {
    const why = await send({ by: 'webhook', webhook: 'http://127.0.0.1:1/secret', on }, call);
    expect(why).toMatch(/ECONNREFUSED|bad port/);
    expect(why).not.toContain('fetch failed');
    expect(why).not.toContain('secret');
  });

  it('that takes too long is given up', async () => {
    const given = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new DOMException('x', 'TimeoutError'));
    try {
      const why = await send({ by: 'webhook', webhook: 'http://127.0.0.1/', on }, call);
      expect(why).toBe('it took longer than 5 s');
      given.mockRejectedValue('a bare text');
      expect(await send({ by: 'webhook', webhook: 'http://127.0.0.1/', on }, call)).toBe('a bare text');
      given.mockRejectedValue(new Error(`${'x'.repeat(300)}`));
      expect(await send({ by: 'webhook', webhook: 'http://127.0.0.1/', on }, call)).toBe(
        `${'x'.repeat(199)}…`,
      );
    } finally {
      given.mockRestore();
    }
  });
});

it.each([
  [{ by: 'run', run: ['/bin/tell', 'secret'], on }, '/bin/tell'],
  [{ by: 'run', run: [], on }, ''],
  [{ by: 'run', run: [`/${'x'.repeat(60)}`], on }, `/${'x'.repeat(58)}…`],
  [
    { by: 'webhook', webhook: 'https://user:pw@example.com:8443/secret?a=b', on },
    'the webhook at example.com:8443',
  ],
  [{ by: 'desktop', on }, 'the desktop'],
] as [Notifier, string][])('%j is named without its secrets', (notifier, name) => {
  expect(nameOf(notifier)).toBe(name);
});
