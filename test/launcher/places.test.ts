// Where the launcher looks for runs, and what it takes from the environment for it: each line of it has a case here
// that fails when the line is gone.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { fireHook, inRealProcesses, run } from '../support/hook.ts';
import { toyPlugin } from '../toy/plugin.ts';
import { SESSION, type ToyScene, toyScene } from '../toy/scene.ts';
import { binFolder, program } from '../toy/tools.ts';

inRealProcesses();

const launcher = path.join(toyPlugin, 'hooks/stop');
const beside = (scene: ToyScene, name: string): string => path.join(path.dirname(scene.root), name);

/** A "node" that only says how it was found. */
const talkingNode = (file: string, word: string): string =>
  program(file, `printf '{"systemMessage":"${word}"}\\n'`);

function newFolder(folder: string): string {
  fs.mkdirSync(folder, { recursive: true });
  return folder;
}

/** A project in which a toy of this session is at work. */
async function working(name?: string): Promise<ToyScene> {
  const scene = toyScene(name);
  await scene.start('a');
  return scene;
}

/** Fires the hook in `cwd`; the payload says the same unless told otherwise. */
function stopIn(scene: ToyScene, cwd: string, env: Record<string, string> = {}, payloadCwd = cwd) {
  const payload = {
    session_id: SESSION,
    cwd: payloadCwd,
    prompt_id: 'p',
    hook_event_name: 'Stop',
    stop_hook_active: false,
  };
  return fireHook(cwd, payload, { plugin: toyPlugin, env: { ...scene.env, ...env } });
}

describe.concurrent('the launcher finds the run', () => {
  test('from a sub-folder that PWD names through a link from elsewhere', async () => {
    const scene = await working();
    const sub = newFolder(path.join(scene.root, 'sub'));
    const link = beside(scene, 'a link');
    fs.symlinkSync(sub, link);
    const fired = await stopIn(scene, link, { PWD: link });
    expect(fired.answer?.decision).toBe('block');
  });

  test('when CLAUDE_PROJECT_DIR is a link to a sub-folder of the project', async () => {
    const scene = await working();
    const sub = newFolder(path.join(scene.root, 'sub'));
    const link = beside(scene, 'a link');
    fs.symlinkSync(sub, link);
    const elsewhere = newFolder(beside(scene, 'elsewhere'));
    const fired = await stopIn(scene, elsewhere, { CLAUDE_PROJECT_DIR: link });
    expect(fired.answer?.decision).toBe('block');
  });

  test('when it is called by a relative path and finds the project by CLAUDE_PROJECT_DIR', async () => {
    const scene = await working();
    const elsewhere = newFolder(beside(scene, 'elsewhere'));
    // So deep that the same relative path leads nowhere from there.
    const sub = newFolder(path.join(scene.root, 'a/sub/folder'));
    const ran = await run('/bin/sh', [path.relative(elsewhere, launcher)], elsewhere, {
      env: { ...scene.env, CLAUDE_PROJECT_DIR: sub },
      stdin: JSON.stringify({ session_id: SESSION, cwd: elsewhere, prompt_id: 'p1' }),
    });
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
    expect(ran.stdout).toContain('"block"');
  });
});

describe.concurrent('the launcher starts no node', () => {
  const said = async (scene: ToyScene, cwd: string, env: Record<string, string> = {}) => {
    const node = talkingNode(beside(scene, 'node'), 'started');
    return (await stopIn(scene, cwd, { HOLDFAST_NODE: node, ...env })).answer?.systemMessage;
  };

  test('for runs above the repository the stop is in', async () => {
    const scene = await working();
    const inner = newFolder(path.join(scene.root, 'inner/sub'));
    expect(await said(scene, inner)).toBe('started');
    newFolder(path.join(scene.root, 'inner/.git'));
    expect(await said(scene, inner)).toBeUndefined();
  });

  test('for runs in HOME when the stop is in a folder below', async () => {
    const scene = toyScene();
    newFolder(path.join(scene.home, '.toy'));
    const sub = newFolder(path.join(scene.home, 'sub'));
    expect(await said(scene, sub)).toBeUndefined();
    expect(await said(scene, scene.home)).toBe('started');
    expect(await said(scene, sub, { HOME: scene.root })).toBe('started');
  });

  test('for a relative CLAUDE_PROJECT_DIR', async () => {
    const scene = await working();
    const elsewhere = newFolder(beside(scene, 'elsewhere'));
    expect(await said(scene, elsewhere, { CLAUDE_PROJECT_DIR: '../project' })).toBeUndefined();
    expect(await said(scene, elsewhere, { CLAUDE_PROJECT_DIR: scene.root })).toBe('started');
  });
});

describe.concurrent('HOLDFAST_DISABLE', () => {
  test.each(['0', '', 'false', '11'])('set to %j does not switch the hook off', async (value) => {
    const scene = await working();
    expect((await scene.stop({ env: { HOLDFAST_DISABLE: value } })).answer?.decision).toBe('block');
  });
});

describe.concurrent("the user's folders", () => {
  test('the node recorded at install is found in XDG_CONFIG_HOME, not in HOME then', async () => {
    const scene = await working();
    const config = beside(scene, 'a config');
    const record = (folder: string, word: string): void => {
      newFolder(path.join(folder, 'holdfast'));
      fs.writeFileSync(
        path.join(folder, 'holdfast/node'),
        `${talkingNode(beside(scene, `node ${word}`), word)}\n`,
      );
    };
    record(config, 'from XDG_CONFIG_HOME');
    record(path.join(scene.home, '.config'), 'from HOME');
    const said = async (env: Record<string, string>) => (await scene.stop({ env })).answer?.systemMessage;
    expect(await said({ XDG_CONFIG_HOME: config })).toBe('from XDG_CONFIG_HOME');
    expect(await said({})).toBe('from HOME');
  });

  test('what was said once is remembered in XDG_STATE_HOME, and HOME is left alone', async () => {
    const scene = await working();
    const state = beside(scene, 'a state');
    const PATH = binFolder(beside(scene, 'bin'), ['mkdir']);
    const first = await scene.stop({ env: { PATH, XDG_STATE_HOME: state } });
    expect(first.answer?.systemMessage).toContain('node was not found');
    expect(fs.readdirSync(path.join(state, 'holdfast'))).toEqual(['notified-node']);
    expect((await scene.stop({ env: { PATH, XDG_STATE_HOME: state } })).stdout).toBe('');
    expect(fs.existsSync(path.join(scene.home, '.local/state/holdfast/notified-node'))).toBe(false);
  });

  test('without a usable HOME nothing is remembered, and nothing is written anywhere', async () => {
    const scene = await working();
    const PATH = binFolder(beside(scene, 'bin'), ['mkdir']);
    for (const HOME of ['', 'home', './home']) {
      const before = fs.readdirSync(scene.root);
      for (let time = 0; time < 2; time++)
        expect((await scene.stop({ env: { PATH, HOME } })).answer?.systemMessage).toContain('not found');
      expect(fs.readdirSync(scene.root)).toEqual(before);
    }
  });
});

describe.concurrent('a client that runs the hook in the plugin folder', () => {
  /** The plugin lies in a project of its own that has runs too, as a marketplace in a checkout would. */
  function pluginWithin(other: ToyScene): string {
    const plugin = path.join(other.root, 'market/holdfast');
    fs.cpSync(toyPlugin, plugin, { recursive: true });
    return plugin;
  }
  const fire = (scene: ToyScene, plugin: string, cwd: string, env: Record<string, string>) =>
    fireHook(
      cwd,
      { session_id: SESSION, cwd: scene.root, hook_event_name: 'Stop' },
      { plugin, env: { ...scene.env, ...env } },
    );

  test.each(['.', 'hooks'])('(%s): CLAUDE_PROJECT_DIR says where the project is', async (sub) => {
    const scene = await working();
    const plugin = pluginWithin(await working());
    const cwd = path.join(plugin, sub);
    expect((await fire(scene, plugin, cwd, { CLAUDE_PROJECT_DIR: scene.root })).answer?.decision).toBe(
      'block',
    );
  });

  test('starts no node for runs around the plugin, by its own path or through a link', async () => {
    const scene = toyScene();
    const other = await working();
    const plugin = pluginWithin(other);
    const link = beside(scene, 'linked plugin');
    fs.symlinkSync(plugin, link);
    const env = {
      CLAUDE_PROJECT_DIR: scene.root,
      HOLDFAST_NODE: talkingNode(beside(scene, 'node'), 'started'),
    };
    expect((await fire(scene, plugin, plugin, env)).stdout).toBe('');
    expect((await fire(scene, link, plugin, env)).stdout).toBe('');
    expect((await fire(scene, plugin, link, env)).stdout).toBe('');
    expect((await fire(scene, plugin, path.join(other.root, 'market'), env)).answer?.systemMessage).toBe(
      'started',
    );
  });

  test('uses its own folder when CLAUDE_PROJECT_DIR is not given or is gone', async () => {
    const scene = await working();
    const plugin = pluginWithin(await working());
    expect((await fire(scene, plugin, plugin, {})).answer?.decision).toBe('block');
    const gone = { CLAUDE_PROJECT_DIR: beside(scene, 'gone') };
    expect((await fire(scene, plugin, plugin, gone)).answer?.decision).toBe('block');
  });
});

describe.concurrent("the payload's cwd", () => {
  test('counts once node runs: a launcher started in another project with runs serves the one it names', async () => {
    const scene = await working();
    const other = toyScene();
    fs.mkdirSync(path.join(other.root, '.toy'));
    expect((await stopIn(scene, other.root, {}, scene.root)).answer?.decision).toBe('block');
    expect(other.exists('.holdfast')).toBe(false);
  });

  test('is not read before: started elsewhere, without CLAUDE_PROJECT_DIR, the launcher leaves in silence', async () => {
    const scene = await working();
    const elsewhere = newFolder(beside(scene, 'elsewhere'));
    expect(await stopIn(scene, elsewhere, {}, scene.root)).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: '',
    });
    const env = { CLAUDE_PROJECT_DIR: scene.root };
    expect((await stopIn(scene, elsewhere, env, scene.root)).answer?.decision).toBe('block');
  });
});
