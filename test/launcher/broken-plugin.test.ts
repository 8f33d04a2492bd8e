// A plugin whose own files cannot be read, as in the middle of an upgrade: the stop is allowed, and the user is told.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fireHook, inRealProcesses, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';

inRealProcesses();

const built = process.env.HOLDFAST_TEST_PLUGIN ?? path.resolve(import.meta.dirname, '../../dist/holdfast');
const session = { session_id: 's', prompt_id: 'p' };

describe('a plugin without its own code', () => {
  let temp: TempProject;
  let plugin: string;

  beforeEach(async () => {
    temp = tempProject();
    plugin = path.join(path.dirname(temp.root), 'plugin');
    fs.cpSync(built, plugin, { recursive: true });
    await runCli(temp.root, ['idle', 'loop', 'a task'], { env: { CLAUDE_CODE_SESSION_ID: 's' } });
  });

  afterEach(() => temp.remove());

  const hook = (): string => path.join(plugin, 'lib/hook.cjs');

  it.each([
    ['missing', () => fs.rmSync(hook())],
    ['cut', () => fs.truncateSync(hook(), 1000)],
    ['empty', () => fs.truncateSync(hook())],
  ])('that is %s allows the stop in one line', async (_, spoil) => {
    spoil();

    const fired = await fireHook(temp.root, { ...session, cwd: temp.root }, { plugin });

    expect(fired).toMatchObject({ exitCode: 0, stderr: '' });
    expect(Object.keys(fired.answer ?? {})).toEqual(['systemMessage']);
    expect(fired.answer?.systemMessage).toMatch(
      /^Holdfast(?: cannot be loaded from .*lib|: its own files are missing) .*Install it again: npx holdfast install/,
    );
  });

  it.each([
    ['missing', 'before a compaction', 'pre-compact', () => fs.rmSync(hook())],
    ['cut', 'before a compaction', 'pre-compact', () => fs.truncateSync(hook(), 1000)],
    ['missing', 'after an API error', 'stop-failure', () => fs.rmSync(hook())],
    ['cut', 'after an API error', 'stop-failure', () => fs.truncateSync(hook(), 1000)],
  ])('that is %s prints nothing %s', async (_, __, event, spoil) => {
    spoil();

    const fired = await fireHook(
      temp.root,
      { ...session, cwd: temp.root, hook_event_name: event === 'pre-compact' ? 'PreCompact' : 'StopFailure' },
      { plugin, args: [event] },
    );

    expect(fired).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
  });
});
