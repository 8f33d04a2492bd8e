// The launcher that every stop pays for: leaves without node where no run is, finds node, and works from wherever it
// is started and installed.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registry } from '../../src/workflows/registry.ts';
import { fireHook, type HookAnswer, inRealProcesses, run } from '../support/hook.ts';
import { toyPlugin } from '../toy/plugin.ts';
import { filesIn, SESSION, type ToyScene, toyScene } from '../toy/scene.ts';
import { binFolder, program } from '../toy/tools.ts';

inRealProcesses();

const launcher = path.join(toyPlugin, 'hooks/stop');
const beside = (scene: ToyScene, name: string): string => path.join(path.dirname(scene.root), name);

/** A "node" that only says how it was called. */
const talkingNode = (file: string, word: string): string =>
  program(file, `printf '{"systemMessage":"${word}"}\\n'`);

async function working(name?: string): Promise<ToyScene> {
  const scene = toyScene(name);
  await scene.start('a');
  return scene;
}

describe.concurrent('where no run is, the launcher', () => {
  test('uses no other program at all', async () => {
    const scene = toyScene();
    const fired = await scene.stop({ env: { PATH: '/nonexistent' } });
    expect(fired).toEqual({ exitCode: 0, stdout: '', stderr: '', answer: null });
  });

  test('leaves standard input unread', async () => {
    const scene = toyScene();
    const ran = await run('/bin/sh', ['-c', '"$0"; exec cat', launcher], scene.root, {
      env: scene.env,
      stdin: 'the whole stop',
    });
    expect(ran).toEqual({ exitCode: 0, stdout: 'the whole stop', stderr: '' });
  });

  test('starts no node, not even for CLAUDE_PROJECT_DIR without runs', async () => {
    const scene = toyScene();
    const node = talkingNode(beside(scene, 'node'), 'started');
    const env = { HOLDFAST_NODE: node, CLAUDE_PROJECT_DIR: scene.home };
    expect((await scene.stop({ env })).stdout).toBe('');
    fs.mkdirSync(path.join(scene.root, '.toy'));
    expect((await scene.stop({ env })).answer?.systemMessage).toBe('started');
  });

  test('starts node when the files of a workflow were moved elsewhere', async () => {
    const scene = toyScene();
    const env = {
      HOLDFAST_NODE: talkingNode(beside(scene, 'node'), 'started'),
      TOY_FOLDER: scene.home,
    };
    expect((await scene.stop({ env })).answer?.systemMessage).toBe('started');
  });
});

describe.concurrent('with HOLDFAST_DISABLE=1', () => {
  test('the launcher is silent, without any other program', async () => {
    const scene = await working();
    const before = filesIn(scene.root);
    const fired = await scene.stop({ env: { HOLDFAST_DISABLE: '1', PATH: '/nonexistent' } });
    expect(fired).toEqual({ exitCode: 0, stdout: '', stderr: '', answer: null });
    expect(filesIn(scene.root)).toEqual(before);
  });

  test('the hook behind it is silent too', async () => {
    const scene = await working();
    const ran = await scene.cli(['hook', 'stop'], {
      env: { HOLDFAST_DISABLE: '1' },
      stdin: JSON.stringify({ session_id: SESSION }),
    });
    expect(ran).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(scene.state('a').left).toBe(100);
  });
});

describe.concurrent('the launcher works', () => {
  const odd = `it's "odd" $(x) \`y\` & ünï; *漢 `;

  test('with spaces, quotes and other letters in every path', async () => {
    const scene = toyScene(odd);
    const plugin = beside(scene, `plugin ${odd}`);
    fs.cpSync(toyPlugin, plugin, { recursive: true });
    const home = beside(scene, `home ${odd}`);
    fs.mkdirSync(home);
    const options = { plugin, env: { HOME: home, CLAUDE_PROJECT_DIR: scene.root } };
    await scene.cli(['toy', 'start', 'a'], { plugin, env: { HOME: home, CLAUDE_CODE_SESSION_ID: 'other' } });
    const told = await scene.stop(options);
    const command = /To go on with it: (.*)$/.exec(told.answer?.systemMessage ?? '')?.[1] ?? '';
    const ran = await run('/bin/sh', ['-c', command], scene.root, {
      env: { ...scene.env, HOME: home, CLAUDE_CODE_SESSION_ID: SESSION },
    });
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
    expect((await scene.stop(options)).answer?.decision).toBe('block');
  });

  test('through a link to the plugin folder', async () => {
    const scene = await working();
    const link = beside(scene, 'linked plugin');
    fs.symlinkSync(toyPlugin, link);
    expect((await scene.stop({ plugin: link })).answer?.decision).toBe('block');
  });

  test('when it is called by a relative path, and as an argument of sh', async () => {
    const scene = await working();
    const sub = path.join(scene.root, 'sub');
    fs.mkdirSync(sub);
    const options = {
      env: scene.env,
      stdin: JSON.stringify({ session_id: SESSION, prompt_id: 'p1', cwd: scene.root }),
    };
    const relative = path.relative(sub, launcher);
    expect((await run('/bin/sh', [relative], sub, options)).stdout).toContain('"block"');
    fs.cpSync(toyPlugin, path.join(scene.root, 'plugin'), { recursive: true });
    const inside = path.join(scene.root, 'plugin/hooks');
    expect((await run('/bin/sh', ['stop'], inside, options)).stdout).toContain('"block"');
  });

  test('in a folder that was deleted: allowed, nothing on stdout', async () => {
    const scene = toyScene();
    const gone = beside(scene, 'gone');
    fs.mkdirSync(gone);
    const ran = await run('/bin/sh', ['-c', 'rmdir "$1" && exec "$0"', launcher, gone], gone, {
      env: scene.env,
    });
    expect(ran).toMatchObject({ exitCode: 0, stdout: '' });
  });

  test('with CDPATH set: nothing but the answer is printed', async () => {
    const scene = await working();
    const elsewhere = beside(scene, 'elsewhere');
    fs.mkdirSync(elsewhere);
    const env = { CDPATH: path.dirname(scene.root), CLAUDE_PROJECT_DIR: scene.root };
    const fired = await fireHook(
      elsewhere,
      { session_id: SESSION, cwd: scene.root },
      {
        plugin: toyPlugin,
        env: { ...scene.env, ...env },
      },
    );
    expect(fired.answer?.decision).toBe('block');
  });

  test('without HOME', async () => {
    const scene = await working();
    const fired = await scene.stop({ env: { HOME: undefined } });
    expect(fired).toMatchObject({ exitCode: 0, stderr: '' });
    expect(fired.answer?.decision).toBe('block');
  });

  test('under every sh it may meet here', async () => {
    const scene = await working();
    const shells = ['sh', 'dash', 'bash', 'ksh', 'zsh', 'busybox'].filter((name) => {
      return execFileSync('/bin/sh', ['-c', `command -v ${name} || :`], { encoding: 'utf8' }) !== '';
    });
    for (const shell of shells) {
      const args = shell === 'busybox' ? ['sh', launcher] : [launcher];
      const ran = await run(shell, args, scene.root, {
        env: scene.env,
        stdin: JSON.stringify({ session_id: SESSION, prompt_id: 'p1' }),
      });
      expect(`${shell}: ${ran.stdout}`).toContain('"decision":"block"');
    }
  });
});

describe.concurrent('node', () => {
  const record = (scene: ToyScene, content: string): void => {
    fs.mkdirSync(path.join(scene.home, '.config/holdfast'), { recursive: true });
    fs.writeFileSync(path.join(scene.home, '.config/holdfast/node'), content);
  };

  test('that is nowhere is said once, and the stop is allowed', async () => {
    const scene = await working();
    const env = { PATH: binFolder(beside(scene, 'bin'), ['mkdir']) };
    const first = await scene.stop({ env });
    expect(first).toMatchObject({ exitCode: 0, stderr: '' });
    expect(first.answer).toEqual({
      systemMessage: expect.stringContaining('node was not found. This stop was allowed unchecked.'),
    });
    expect(await scene.stop({ env })).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
    expect((await scene.stop()).answer?.decision).toBe('block');
  });

  test('that is nowhere is said each time where it cannot be remembered', async () => {
    const scene = await working();
    const env = { PATH: '/nonexistent', HOME: '/nonexistent' };
    expect((await scene.stop({ env })).answer?.systemMessage).toContain('node was not found');
    expect((await scene.stop({ env })).answer?.systemMessage).toContain('node was not found');
  });

  test('is taken from HOLDFAST_NODE first, then as recorded at install, then from PATH', async () => {
    const scene = await working();
    const bin = beside(scene, 'bin');
    talkingNode(path.join(bin, 'node'), 'from PATH');
    const recorded = talkingNode(beside(scene, 'a recorded node'), 'as recorded');
    const named = talkingNode(beside(scene, 'a named node'), 'as named');
    const said = async (env: Record<string, string>): Promise<string | undefined> =>
      (await scene.stop({ env: { PATH: bin, ...env } })).answer?.systemMessage;
    expect(await said({})).toBe('from PATH');
    record(scene, `${recorded}\n`);
    expect(await said({})).toBe('as recorded');
    expect(await said({ HOLDFAST_NODE: named })).toBe('as named');
    record(scene, recorded);
    expect(await said({})).toBe('as recorded');
  });

  test('is taken from PATH when what was named or recorded is gone, or no program', async () => {
    const scene = await working();
    for (const wrong of ['/nonexistent/node', scene.home, '']) {
      record(scene, `${wrong}\n`);
      expect((await scene.stop()).answer?.decision).toBe('block');
      expect((await scene.stop({ env: { HOLDFAST_NODE: wrong } })).answer?.decision).toBe('block');
    }
  });

  test('that is too old says so once, and the stop is allowed', async () => {
    const scene = await working();
    const patch = beside(scene, 'old.cjs');
    fs.writeFileSync(
      patch,
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } });",
    );
    const old = program(beside(scene, 'old-node'), `exec "${process.execPath}" -r "${patch}" "$@"`);
    const env = { HOLDFAST_NODE: old };
    const first = await scene.stop({ env });
    expect(first).toMatchObject({ exitCode: 0, stderr: '' });
    expect(first.answer).toEqual({
      systemMessage: expect.stringContaining('Holdfast needs Node 20 or later; this is 18.20.4'),
    });
    expect(await scene.stop({ env })).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
    const bin = binFolder(beside(scene, 'bin'), ['env']);
    fs.symlinkSync(old, path.join(bin, 'node'));
    const command = await scene.cli(['status'], { env: { PATH: bin } });
    expect(command).toMatchObject({ exitCode: 1, stdout: '' });
    expect(command.stderr).toContain('Holdfast needs Node 20 or later');
  });

  test('does not load extra certificates for the hook itself', async () => {
    const scene = await working();
    const node = program(
      beside(scene, 'node'),
      `printf '{"systemMessage":"%s, %s"}\\n' "\${NODE_EXTRA_CA_CERTS-none}" "$HOLDFAST_EXTRA_CA_CERTS"`,
    );
    const env = { HOLDFAST_NODE: node, NODE_EXTRA_CA_CERTS: '/etc/my certificates.pem' };
    expect((await scene.stop({ env })).answer?.systemMessage).toBe('none, /etc/my certificates.pem');
  });
});

describe.concurrent('a plugin folder without its bundle', () => {
  test.each(['lib/entry.cjs', 'lib/hook.cjs', 'lib'])(
    '(%s is missing) says so once, and allows the stop',
    async (part) => {
      const scene = await working();
      const plugin = beside(scene, 'plugin');
      fs.cpSync(toyPlugin, plugin, { recursive: true });
      fs.rmSync(path.join(plugin, part), { recursive: true });
      const first = await scene.stop({ plugin });
      expect(first).toMatchObject({ exitCode: 0, stderr: '' });
      expect(first.answer).toEqual({ systemMessage: expect.stringContaining('Install it again') });
      expect(await scene.stop({ plugin })).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
    },
  );
});

describe('the launcher of the product', () => {
  let built: string;

  beforeAll(() => {
    built = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-built-'));
    execFileSync(process.execPath, ['scripts/build.mjs', '--out', path.join(built, 'dist')]);
  });

  afterAll(() => fs.rmSync(built, { recursive: true }));

  test('is built the same twice, as is all that is built with it', () => {
    const again = path.join(built, 'dist');
    const files = fs
      .readdirSync(again, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile());
    const names = files.map(({ parentPath, name }) => path.relative(again, path.join(parentPath, name)));
    const differing = names.filter(
      (name) => !fs.readFileSync(path.join(again, name)).equals(fs.readFileSync(path.join('dist', name))),
    );
    expect(differing).toEqual([]);
    expect(names).toContain('holdfast/lib/hook.cjs');
  });

  test('starts node for the traces of every registered workflow', async () => {
    const traces = registry.flatMap((entry) => entry.traces);
    expect(traces.length).toBeGreaterThanOrEqual(registry.length);
    for (const trace of traces) {
      const scene = toyScene();
      const options = {
        plugin: path.join(built, 'dist/holdfast'),
        env: { ...scene.env, HOLDFAST_NODE: talkingNode(beside(scene, 'node'), 'started') },
      };
      expect((await fireHook(scene.root, '{}', options)).stdout).toBe('');
      fs.mkdirSync(path.join(scene.root, trace), { recursive: true });
      const { answer }: { answer: HookAnswer | null } = await fireHook(scene.root, '{}', options);
      expect(`${trace}: ${answer?.systemMessage}`).toBe(`${trace}: started`);
    }
  });

  test('prints nothing in an empty folder, exits 0 and creates no file', async () => {
    const scene = toyScene();
    const empty = beside(scene, 'empty');
    fs.mkdirSync(empty);
    const options = { plugin: path.join(built, 'dist/holdfast'), env: scene.env };
    expect(await fireHook(empty, '{}', options)).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: '',
      answer: null,
    });
    expect(fs.readdirSync(empty)).toEqual([]);
  });
});
