// What a stop loads is what it costs: the held path of each workflow loads its own files and nothing heavier.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fireHook, inRealProcesses, runCli } from './support/hook.ts';
import { type TempProject, tempProject } from './support/project.ts';

inRealProcesses();

const PROBE = path.resolve(import.meta.dirname, '../bench/loaded-files.cjs');
const SESSION = 'a-session';

let temp: TempProject;
beforeEach(() => {
  temp = tempProject();
});
afterEach(() => temp.remove());

async function start(args: readonly string[]): Promise<void> {
  const started = await runCli(temp.root, args, { env: { CLAUDE_CODE_SESSION_ID: SESSION } });
  expect(started).toMatchObject({ exitCode: 0 });
}

/** Fires a stop of the session and tells what it answered and which files and costly builtins it had loaded. */
async function loadedBy(payload: object): Promise<{ decision: string | undefined; loaded: string[] }> {
  const report = path.join(temp.home, 'loaded');
  const env = { NODE_OPTIONS: `--require "${PROBE}"`, HOLDFAST_BENCH_LOADED: report };
  const fired = await fireHook(temp.root, { session_id: SESSION, cwd: temp.root, ...payload }, { env });
  const { own, builtin } = JSON.parse(fs.readFileSync(report, 'utf8'));
  return {
    decision: fired.answer?.decision,
    loaded: [...own.map((file: string) => path.basename(file)), ...builtin].sort(),
  };
}

describe('a held stop loads only what it uses', () => {
  it('in idle', async () => {
    await start(['idle', 'loop', 'a task']);

    const { decision, loaded } = await loadedBy({ last_assistant_message: 'not yet' });

    expect(decision).toBe('block');
    expect(loaded).toEqual(['entry.cjs', 'hook.cjs', 'workflows-idle.cjs']);
  });

  it('in a flow, from its second stop on', async () => {
    await start(['flow', 'start', 'ralph']);
    temp.write('PROMPT.md', 'Do it.\n');
    await loadedBy({ last_assistant_message: 'not yet' });
    temp.write(
      'holdfast.flows/plain.yaml',
      'flow: plain\nstart: a\nstates:\n  a: { say: Go, leave: [ { when: { signal: z }, to: z } ] }\n  z: { end: completed }\n',
    );
    await start(['flow', 'cancel']);
    await start(['flow', 'start', 'plain']);
    await loadedBy({ last_assistant_message: 'not yet' });

    const { decision, loaded } = await loadedBy({ last_assistant_message: 'not yet' });

    expect(decision).toBe('block');
    expect(loaded).toEqual(['entry.cjs', 'hook.cjs', 'workflows-flow.cjs']);
  });

  it('in claudex', async () => {
    await start(['claudex', 'plan', '--skip-interview', 'a topic']);
    temp.write('PLAN.md', '# Plan\n');

    const { decision, loaded } = await loadedBy({ last_assistant_message: 'drafted' });

    expect(decision).toBe('block');
    expect(loaded).toEqual(['entry.cjs', 'hook.cjs', 'workflows-claudex.cjs']);
  });

  it('in taskie, by a broken plan folder', async () => {
    temp.write('.taskie/plans/a-plan/plan.md', '# Plan\n');
    await start(['taskie', 'record', '--plan', 'a-plan', 'new-plan']);
    const state = JSON.parse(temp.read('.taskie/plans/a-plan/state.json'));
    temp.write('.taskie/plans/a-plan/state.json', JSON.stringify({ ...state, next_phase: null }));
    temp.write('.taskie/plans/a-plan/stray.md', '');

    const { decision, loaded } = await loadedBy({ last_assistant_message: 'done' });

    expect(decision).toBe('block');
    expect(loaded).toEqual(['entry.cjs', 'hook.cjs', 'workflows-taskie.cjs']);
  });
});

describe('a budget', () => {
  const BUDGET = ['clients-claude-code-work.cjs', 'engine-budget-at-stop.cjs'];

  it('is loaded where a run has one, and how tokens are read where those are bounded', async () => {
    await start(['idle', 'loop', '--hours', '4', 'a task']);
    const timed = await loadedBy({ last_assistant_message: 'not yet' });
    expect(timed.decision).toBe('block');
    expect(timed.loaded).toEqual([...BUDGET, 'entry.cjs', 'hook.cjs', 'workflows-idle.cjs'].sort());
    await start(['idle', 'cancel']);

    await start(['idle', 'loop', '--tokens', '1M', 'a task']);
    const { loaded } = await loadedBy({ last_assistant_message: 'not yet' });
    expect(loaded.filter((file) => file.includes('usage'))).toEqual(['clients-claude-code-usage.cjs']);
  });
});

describe('whom to call', () => {
  it('is looked into where the user names somebody, and nobody is called about a hold', async () => {
    const config = path.join(temp.home, '.config/holdfast/holdfast.config.json');
    fs.mkdirSync(path.dirname(config), { recursive: true });
    fs.writeFileSync(config, JSON.stringify({ notify: [{ desktop: true }] }));
    await start(['idle', 'loop', 'a task']);

    const { decision, loaded } = await loadedBy({ last_assistant_message: 'not yet' });

    expect(decision).toBe('block');
    const own = ['config-parse.cjs', 'engine-notify-news.cjs'];
    expect(loaded).toEqual([...own, 'entry.cjs', 'hook.cjs', 'workflows-idle.cjs'].sort());
  });
});
