// `holdfast web` with the real server, and views that are found beside the sources. As a process: test/cli/web.test.ts.

import fs from 'node:fs';
import nodeModule, { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { emptyFolder } from '../../test/support/bare-project.ts';
import { callIn } from '../../test/support/call.ts';
import { cleanEnvironment } from '../../test/support/hook.ts';
import { viewScene } from '../../test/view/scene.ts';
import { type Call, NotNow, WrongUsage } from '../engine/workflow-cli.ts';
import { noteProject } from '../store/projects.ts';
import { serve, type WebOptions } from '../views/web/index.ts';
import { web } from './web.ts';

const { existsSync } = fs;
const { createRequire } = nodeModule;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type Signal = (typeof SIGNALS)[number];

const before = new Map(SIGNALS.map((signal) => [signal, process.listeners(signal)]));
const added = (signal: Signal) =>
  process.listeners(signal).filter((each) => !before.get(signal)?.includes(each));

/** What the server was asked for. */
let served: WebOptions[];
let page: string;

/** The views are where the build puts them. */
function haveViews(start: typeof serve): void {
  const views = path.resolve(import.meta.dirname, '../../views');
  vi.spyOn(fs, 'existsSync').mockImplementation(
    (file) => file === path.join(views, 'load.cjs') || existsSync(file),
  );
  const load = async (name: string) => (name === 'web' ? { serve: start } : {});
  vi.spyOn(nodeModule, 'createRequire').mockImplementation((from) =>
    from === path.join(views, 'load.cjs') ? ((() => ({ load })) as never) : createRequire(from),
  );
  syncBuiltinESMExports();
}

beforeEach(() => {
  vi.stubGlobal('HOLDFAST_VERSION', '1.2.3');
  served = [];
  page = path.join(emptyFolder(), 'page');
  fs.mkdirSync(page);
  for (const name of ['index.html', 'page.js', 'page.css', 'icon.svg'])
    fs.writeFileSync(path.join(page, name), '');
  haveViews((options) => {
    served.push(options);
    return serve({ ...options, page });
  });
});
afterEach(() => {
  for (const signal of SIGNALS) for (const each of added(signal)) process.off(signal, each);
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  vi.unstubAllGlobals();
});

/** Starts it, looks at it, and ends it by a signal. */
async function shown(
  over: Partial<Call> = {},
  signal: Signal = 'SIGINT',
  look: (address: string) => Promise<unknown> = async () => null,
) {
  const { call, printed } = callIn(emptyFolder(), over);
  const said = new Promise<void>((resolve) => {
    call.print = (line) => {
      if (printed.push(line) > 1) resolve();
    };
  });
  const code = web.run(call);
  await Promise.race([said, code]);
  const address = /http:\S+/.exec(printed[0] ?? '')?.[0] ?? '';
  const seen = await look(address);
  expect(SIGNALS.map((each) => added(each).length)).toEqual([1, 1, 1]);
  // Some send it twice.
  for (let time = 0; time < 2; time++) for (const each of added(signal)) each(signal);
  return { code: await code, printed, address, seen };
}

describe('the page', () => {
  it.each(SIGNALS)('is served until %s, and then no more', async (signal) => {
    const look = async (address: string) => (await fetch(address)).status;
    const { code, printed, address, seen } = await shown({}, signal, look);
    expect(seen).toBe(200);
    expect(code).toBe(0);
    expect(printed).toEqual([
      `Holdfast is at ${address}`,
      'The address is for you alone: whoever has it can see your runs. ^C ends it.',
    ]);
    await expect(fetch(address)).rejects.toThrow('fetch failed');
    expect(served).toMatchObject([{ port: 0, readOnly: false, page: expect.stringMatching(/views\/page$/) }]);
  });

  it.each<[string, Call['flags'], Record<string, string>, boolean]>([
    ['--read-only', { 'read-only': true }, {}, true],
    ['HOLDFAST_DISABLE=1', {}, { HOLDFAST_DISABLE: '1' }, true],
    ['HOLDFAST_DISABLE=0', {}, { HOLDFAST_DISABLE: '0' }, false],
  ])('with %s', async (_, flags, env, readOnly) => {
    await shown({ flags, env: { ...cleanEnvironment(emptyFolder()), ...env } });
    expect(served).toMatchObject([{ readOnly }]);
  });

  it('shows the projects that are known, and the one here', async () => {
    const [here, other] = [viewScene(), viewScene()];
    for (const each of [here, other]) await each.done(['idle', 'loop', 'a task']);
    noteProject(here.env, other.root);
    const { existing, forNewRun } = callIn(here.root, { env: here.env }).call;
    await shown({ env: here.env, existing, forNewRun });
    const roots = served[0]?.source.overview().projects.map(({ root }) => root);
    expect(roots).toEqual([other.root, here.root]);
  });

  it('--open says so where nothing can open it', async () => {
    const env = { ...cleanEnvironment(emptyFolder()), PATH: '/nonexistent' };
    const { printed } = await shown({ flags: { open: true }, env });
    expect(printed.slice(2)).toEqual([
      expect.stringMatching(/^There is no .*open here to open it with: open the address yourself\.$/),
    ]);
  });

  it('--open says nothing more where it is on its way', async () => {
    const root = emptyFolder();
    for (const name of ['open', 'xdg-open'])
      fs.writeFileSync(path.join(root, name), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    const env: Record<string, string> = { ...cleanEnvironment(root), PATH: root };
    const once = vi.spyOn(process, 'once');
    const { printed, address } = await shown({ flags: { open: true }, env });
    expect(printed).toHaveLength(2);
    const state = path.join(env.HOME ?? '', '.local/state/holdfast');
    const [file = ''] = fs.readdirSync(state).filter((name) => name.startsWith('open-'));
    expect(fs.readFileSync(path.join(state, file), 'utf8')).toContain(address);
    for (const [event, end] of once.mock.calls) if (String(event) === 'exit') process.off('exit', end);
  });
});

describe('a port that cannot be had', () => {
  it.each(['65536', '1e3', '-1', ' 80'])('is no port: %j', async (port) => {
    const { call } = callIn(emptyFolder(), { flags: { port } });
    await expect(web.run(call)).rejects.toThrow(
      new WrongUsage(`web: --port takes a number up to 65535, not "${port}".`),
    );
    expect(served).toEqual([]);
  });

  it.each([
    [
      'EADDRINUSE',
      new NotNow('port 81 is taken; name another, or leave --port out to get one that is free.'),
    ],
    ['EACCES', new NotNow('port 81 is not for you to open; name one from 1024 on.')],
    ['EOTHER', Object.assign(new Error('it failed'), { code: 'EOTHER' })],
  ])('is explained: %s', async (code, error) => {
    haveViews(async ({ port }) => {
      expect(port).toBe(81);
      throw Object.assign(new Error('it failed'), { code });
    });
    const { call, printed } = callIn(emptyFolder(), { flags: { port: '81' } });
    await expect(web.run(call)).rejects.toThrow(error);
    expect(printed).toEqual([]);
    expect(SIGNALS.flatMap(added)).toEqual([]);
  });
});
