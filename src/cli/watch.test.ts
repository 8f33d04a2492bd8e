// `holdfast watch` with a screen of the test's own, and views that are found beside the sources. In a real terminal:
// test/web/watch.test.ts.

import fs from 'node:fs';
import nodeModule, { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { emptyFolder } from '../../test/support/bare-project.ts';
import { callIn } from '../../test/support/call.ts';
import { type ViewScene, viewScene } from '../../test/view/scene.ts';
import { type Call, NotNow } from '../engine/workflow-cli.ts';
import { noteProject } from '../store/projects.ts';
import type { WatchOptions } from '../views/watch/index.tsx';
import { serve, type WebOptions } from '../views/web/index.ts';
import { watch } from './watch.ts';

const { existsSync } = fs;
const { createRequire } = nodeModule;

let scene: ViewScene;
let served: WebOptions[];

beforeEach(() => {
  scene = viewScene();
  served = [];
  vi.stubGlobal('HOLDFAST_VERSION', '1.2.3');
  vi.stubEnv('HOME', scene.home);
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

/** Until `look` is done. */
async function watched(over: Partial<Call>, look: (options: WatchOptions) => Promise<void>): Promise<number> {
  const page = path.join(emptyFolder(), 'page');
  fs.mkdirSync(page);
  for (const name of ['index.html', 'page.js', 'page.css', 'icon.svg'])
    fs.writeFileSync(path.join(page, name), '');
  const start = (options: WebOptions) => {
    served.push(options);
    return serve({ ...options, page });
  };
  haveViews({ watch: { watch: look }, web: { serve: start } });
  return watch.run(callIn(scene.root, { env: scene.env, ...over }).call);
}

/** The views are where the build puts them. */
function haveViews(views: Record<string, object>): void {
  const loader = path.resolve(import.meta.dirname, '../../views/load.cjs');
  vi.spyOn(fs, 'existsSync').mockImplementation((file) => file === loader || existsSync(file));
  const load = async (name: string) => views[name];
  vi.spyOn(nodeModule, 'createRequire').mockImplementation((from) =>
    from === loader ? ((() => ({ load })) as never) : createRequire(from),
  );
  syncBuiltinESMExports();
}

const rootsIn = ({ source }: WatchOptions): string[] => source.overview().projects.map(({ root }) => root);

const refused = async (): Promise<never> => {
  throw new NotNow('not here');
};

describe('what is shown', () => {
  it('is this project, or all; and all where there is none here', async () => {
    const other = viewScene();
    await scene.done(['idle', 'loop', 'a task']);
    await other.done(['idle', 'loop', 'another task']);
    noteProject(scene.env, scene.root);
    noteProject(scene.env, other.root);
    const both = [other.root, scene.root].sort();
    const found: unknown[] = [];
    for (const over of [{}, { flags: { all: true } }, { existing: async () => null, forNewRun: refused }])
      expect(await watched(over, async (options) => void found.push(rootsIn(options).sort()))).toBe(0);
    expect(found).toEqual([[scene.root], both, both]);
    // Nobody asked for the page.
    expect(served).toEqual([]);
  });

  it.each([
    ['', true],
    ['1', false],
  ])('with NO_COLOR=%j has colours: %s', async (NO_COLOR, coloured) => {
    let seen: boolean | null = null;
    await watched({ env: { ...scene.env, NO_COLOR } }, async ({ colours }) => {
      seen = colours;
    });
    expect(seen).toBe(coloured);
  });
});

describe('to cancel a run', () => {
  it('ends it, and says so', async () => {
    await scene.done(['idle', 'loop', 'a task']);
    let said: string | undefined;
    await watched({}, async ({ source, cancel }) => {
      said = await cancel?.(source.overview().cards[0]?.id ?? '');
    });
    expect(said).toContain('cancelled');
    const { stdout } = await scene.done(['status', '--json', '--all']);
    expect(JSON.parse(stdout)).toMatchObject({ runs: [{ live: false }] });
  });

  it.each([
    ['1', true],
    ['0', false],
  ])('with HOLDFAST_DISABLE=%s is not offered, here and on the page: %s', async (value, isRefused) => {
    let seen: boolean | null = null;
    const env = { ...scene.env, HOLDFAST_DISABLE: value, PATH: '/nonexistent' };
    await watched({ env }, async ({ cancel, open }) => {
      seen = cancel === null;
      await open(null);
    });
    expect(seen).toBe(isRefused);
    expect(served).toMatchObject([{ readOnly: isRefused, port: 0 }]);
  });
});

describe('to open the page', () => {
  it('serves it once, until the end, and says where', async () => {
    const said: string[] = [];
    let status = 0;
    const env = { ...scene.env, PATH: '/nonexistent' };
    await watched({ env }, async ({ open }) => {
      said.push(await open(null), await open('a/run'));
      status = (await fetch(said[0]?.slice('Open '.length) ?? '')).status;
    });
    expect(said[0]).toMatch(/^Open http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]+$/);
    expect(said[1]).toBe(`${said[0]}/run/a%2Frun`);
    expect(status).toBe(200);
    expect(served).toMatchObject([{ page: expect.stringMatching(/views\/page$/) }]);
    await expect(fetch(said[0]?.slice('Open '.length) ?? '')).rejects.toThrow('fetch failed');
  });

  it('gives it to the browser', async () => {
    const bin = emptyFolder();
    for (const name of ['open', 'xdg-open'])
      fs.writeFileSync(path.join(bin, name), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    const once = vi.spyOn(process, 'once');
    let said = '';
    await watched({ env: { ...scene.env, PATH: bin } }, async ({ open }) => {
      said = await open(null);
    });
    expect(said).toBe('Opened in your browser.');
    for (const [event, end] of once.mock.calls) if (String(event) === 'exit') process.off('exit', end);
  });
});
