// The anchor: what is posted before a compaction, and what the agent is given back afterwards. The payloads are
// recordings of the real clients.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bodies, LOG, latest, postBody } from '../fixtures/idle/loops.ts';
import { fireHook, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';

let project: TempProject;

beforeEach(() => {
  project = tempProject();
});

afterEach(() => project.remove());

const SESSION = '00000000-0000-4000-8000-000000000001';
const clients = [
  { client: 'claude-code', variable: 'CLAUDE_CODE_SESSION_ID' },
  { client: 'codex', variable: 'CODEX_SESSION_ID' },
];
const recorded = (client: string, name: string): object =>
  JSON.parse(
    fs.readFileSync(
      path.resolve(import.meta.dirname, '../fixtures/recorded', client, `${name}.json`),
      'utf8',
    ),
  );
const fire = (event: string, client: string, more: object = {}) => {
  const name = event === 'session-start' ? 'session-start-compact' : event;
  const payload = { ...recorded(client, name), cwd: project.root, ...more };
  return fireHook(project.root, payload, { args: [event] });
};
const contextOf = (fired: { stdout: string }): string | undefined =>
  fired.stdout === '' ? undefined : JSON.parse(fired.stdout).hookSpecificOutput?.additionalContext;

describe.each(clients)('a compaction in $client', ({ client, variable }) => {
  const env = { [variable]: SESSION };

  it('posts an anchor with goal, mode, iteration, files and next step, and prints nothing', async () => {
    await runCli(project.root, ['idle', 'loop', 'Fix the parser'], { env });
    project.write('src/parser.ts', 'new');
    const fired = await fire('pre-compact', client);
    expect(fired).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
    expect(bodies(project, 'loop:anchor')).toEqual([
      expect.objectContaining({
        event: 'ANCHOR',
        run_id: latest(project).run_id,
        mode: 'loop',
        iteration: 0,
        max: 10,
        goal: expect.stringContaining('Fix the parser'),
        modified_files: ['src/'],
        next_step: expect.any(String),
      }),
    ]);
  });

  it('gives the anchor back to the agent when the session starts again', async () => {
    await runCli(project.root, ['idle', 'loop', 'Fix the parser'], { env });
    project.write('notes.md', 'new');
    await fire('pre-compact', client);
    const fired = await fire('session-start', client);
    expect(fired.exitCode).toBe(0);
    expect(Object.keys(JSON.parse(fired.stdout))).toEqual(['hookSpecificOutput']);
    const context = contextOf(fired);
    expect(context).toContain('Fix the parser');
    expect(context).toContain('iteration 0/10 (mode loop)');
    expect(context).toContain('- notes.md');
    expect(context).toContain('<loop-done>COMPLETE</loop-done>');
  });

  it('does not disturb the loop: it goes on at the next stop', async () => {
    await runCli(project.root, ['idle', 'loop', 'Fix the parser'], { env });
    const stop = () => fireHook(project.root, { ...recorded(client, 'stop-first'), cwd: project.root });
    expect((await stop()).answer?.reason).toContain('[ITERATION 1/10]');
    await fire('pre-compact', client);
    await fire('session-start', client);
    expect((await stop()).answer?.reason).toContain('[ITERATION 2/10]');
  });
});

describe('no anchor', () => {
  const env = { CLAUDE_CODE_SESSION_ID: SESSION };
  const start = () => runCli(project.root, ['idle', 'loop', 'Fix the parser'], { env });

  it("is posted or given back in another session's compaction", async () => {
    await runCli(project.root, ['idle', 'loop', 'Theirs'], { env: { CLAUDE_CODE_SESSION_ID: 'another' } });
    await fire('pre-compact', 'claude-code');
    expect(bodies(project, 'loop:anchor')).toEqual([]);
    expect(contextOf(await fire('session-start', 'claude-code'))).toBeUndefined();
  });

  it('is posted when the loop is over', async () => {
    await start();
    await runCli(project.root, ['idle', 'cancel'], { env });
    await fire('pre-compact', 'claude-code');
    expect(bodies(project, 'loop:anchor')).toEqual([]);
  });

  it('is given back when the session starts for another reason', async () => {
    await start();
    await fire('pre-compact', 'claude-code');
    expect(contextOf(await fire('session-start', 'claude-code', { source: 'startup' }))).toBeUndefined();
    expect(contextOf(await fire('session-start', 'claude-code', { source: 'resume' }))).toBeUndefined();
  });

  it("is given back that is another run's or cannot be read", async () => {
    await start();
    postBody(
      project,
      JSON.stringify({ schema: 1, run_id: 'other', mode: 'loop', goal: 'Theirs' }),
      'loop:anchor',
    );
    expect(contextOf(await fire('session-start', 'claude-code'))).toBeUndefined();
    postBody(project, '{', 'loop:anchor');
    expect(contextOf(await fire('session-start', 'claude-code'))).toBeUndefined();
  });

  it('is posted under IDLE_LOOP_DISABLE=1', async () => {
    await start();
    const payload = { ...recorded('claude-code', 'pre-compact'), cwd: project.root };
    await fireHook(project.root, payload, { args: ['pre-compact'], env: { IDLE_LOOP_DISABLE: '1' } });
    expect(bodies(project, 'loop:anchor')).toEqual([]);
  });
});

describe('the list of changed files', () => {
  const env = { CLAUDE_CODE_SESSION_ID: SESSION };
  const anchor = async () => {
    await runCli(project.root, ['idle', 'loop', 'Fix the parser'], { env });
    await fire('pre-compact', 'claude-code');
    return bodies(project, 'loop:anchor').at(-1) as { modified_files?: unknown } | undefined;
  };

  it("runs no filter of the repository's own config", async () => {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: project.root });
    git('config', 'filter.evil.clean', `touch ${project.root}/pwned; cat`);
    project.write('.gitattributes', '* filter=evil\n');
    project.write('a.txt', 'a');
    expect(await anchor()).toMatchObject({ modified_files: expect.arrayContaining(['a.txt']) });
    expect(project.exists('pwned')).toBe(false);
  });

  it("does not start the repository's fsmonitor", async () => {
    const hook = project.write('.git/monitor', `#!/bin/sh\ntouch '${project.root}/pwned'\n`);
    fs.chmodSync(hook, 0o755);
    execFileSync('git', ['config', 'core.fsmonitor', hook], { cwd: project.root });
    project.write('a.txt', 'a');
    expect(await anchor()).toMatchObject({ modified_files: expect.arrayContaining(['a.txt']) });
    expect(project.exists('pwned')).toBe(false);
  });

  it('that is empty says so, and is not taken for unknown', async () => {
    expect(await anchor()).toMatchObject({ modified_files: [] });
    const context = contextOf(await fire('session-start', 'claude-code'));
    expect(context).toContain('No file differs from the last commit.');
    expect(context).not.toContain('not known here');
  });

  it('is left out without git', async () => {
    fs.rmSync(path.join(project.root, '.git'), { recursive: true });
    expect(await anchor()).toMatchObject({ modified_files: null });
    expect(contextOf(await fire('session-start', 'claude-code'))).toContain('not known here');
    expect(project.exists(LOG)).toBe(true);
  });
});
