import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cleanEnvironment } from '../../../test/support/hook.ts';
import { type TempProject, tempProject } from '../../../test/support/project.ts';
import type { Project } from '../../engine/project.ts';
import { openProject } from '../../engine/stop/find-project.ts';
import { type Call, NotNow, WrongUsage } from '../../engine/workflow-cli.ts';
import { runtimeHere } from '../../hook/runtime.ts';
import { registry } from '../../workflows/registry.ts';
import { begin } from './begin.ts';

let project: TempProject;

beforeEach(() => {
  project = tempProject();
});
afterEach(() => project.remove());

function begun(words: readonly string[], flags: Call['flags'] = {}): Promise<number> {
  const env = { ...cleanEnvironment(project.root), PATH: '' };
  const opened = (): Promise<Project> => openProject(project.root, runtimeHere(env));
  return begin({
    ...{ flags, words, env, cwd: project.root, now: Date.now(), stdin: () => '', print: () => {} },
    ...{ existing: opened, forNewRun: opened },
  });
}

describe('a run is not begun', () => {
  const NAMES = registry.map(({ name }) => name).join(', ');
  const IDLE = 'idle loop, idle issue, idle grind';
  it.each<[string[], Call['flags'], string]>([
    [[], {}, `run: which workflow? One of ${NAMES}. \`holdfast help run\` shows how.`],
    [['--', 'idle'], {}, `run: which workflow? One of ${NAMES}. \`holdfast help run\` shows how.`],
    [['nothing', 'x'], {}, `run: there is no workflow "nothing". There are: ${NAMES}.`],
    [['idle'], {}, `run: "idle" starts no run. These do: ${IDLE}.`],
    [['idle', 'status', 'x'], {}, `run: "idle status" starts no run. These do: ${IDLE}.`],
    [['flow', 'list'], {}, 'run: "flow list" starts no run. These do: flow start.'],
    [['taskie'], {}, 'run taskie: what is to be built? Usage: holdfast run taskie "<what to build>"'],
    [
      ['taskie', ' ', '', '--', 'x'],
      {},
      'run taskie: what is to be built? Usage: holdfast run taskie "<what to build>"',
    ],
    [
      ['idle', 'loop', 'x'],
      { answer: 'yes' },
      'run: --answer goes with --continue, to a run that has asked.',
    ],
    [['idle', 'loop', 'x'], { access: 'all' }, 'run: --access is "edit" or "full".'],
    [['idle', 'loop', 'x'], { 'stop-at': 'plan' }, 'run: --stop-at is for taskie; idle has no stages.'],
  ])('where nobody knows what is meant: %j %j', async (words, flags, text) => {
    await expect(begun(words, flags)).rejects.toThrow(new WrongUsage(text));
    expect(project.exists('.holdfast')).toBe(false);
  });

  it('where no client is there to be driven', async () => {
    await expect(begun(['idle', 'loop', 'x'])).rejects.toThrow(NotNow);
    await expect(begun(['idle', 'loop', 'x'])).rejects.toThrow(/^no client that can be driven is on PATH: /);
    expect(project.exists('.holdfast')).toBe(false);
  });
});
