// A run is only ever started where the stops of its session will find it: commands run in the agent's shell, after
// the agent went into another repository, into a folder without one, or out of the project.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fireHook, type RunOptions, run, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';

const PLUGIN = process.env.HOLDFAST_TEST_PLUGIN ?? path.resolve(import.meta.dirname, '../../dist/holdfast');

let project: TempProject;
let nested: string;

beforeEach(() => {
  project = tempProject();
  nested = path.dirname(project.write('vendor/lib/index.ts', ''));
  execFileSync('git', ['init', '--quiet', nested]);
});

afterEach(() => project.remove());

/** How each client notes where a session was started, as it was seen to do so. */
const clients = [
  {
    name: 'Claude Code',
    env: (): Record<string, string> => ({ HOME: project.home, CLAUDE_CODE_SESSION_ID: SESSION }),
    began(folder: string, ...later: string[]): void {
      const file = path.join(
        project.home,
        '.claude/projects',
        folder.replace(/[^A-Za-z0-9]/g, '-'),
        `${SESSION}.jsonl`,
      );
      const lines = [
        { type: 'queue-operation', operation: 'enqueue', sessionId: SESSION },
        ...[folder, ...later].map((cwd, index) => ({
          type: 'user',
          uuid: `u${index}`,
          cwd,
          sessionId: SESSION,
        })),
      ];
      writeLines(file, lines);
    },
    payload: (): object => ({ session_id: SESSION, prompt_id: 'p1', last_assistant_message: 'Hm.' }),
  },
  {
    name: 'Codex',
    env: (): Record<string, string> => ({
      HOME: project.home,
      CODEX_SESSION_ID: SESSION,
      CODEX_THREAD_ID: SESSION,
    }),
    began(folder: string): void {
      const file = path.join(
        project.home,
        '.codex/sessions/2026/11/16',
        `rollout-2026-11-16T08-38-13-${SESSION}.jsonl`,
      );
      writeLines(file, [
        { type: 'session_meta', payload: { id: SESSION, cwd: folder } },
        { type: 'turn_context', payload: { cwd: folder } },
        { type: 'response_item', payload: { type: 'function_call', name: 'exec_command' } },
      ]);
    },
    payload: (): object => ({ session_id: SESSION, turn_id: 't1', last_assistant_message: 'Hm.' }),
  },
];
/** A time, as Codex's ids begin with: 2026-11-16. */
const SESSION = '01a1e381-bf93-73d3-9c1b-01444ca15d07';

function writeLines(file: string, lines: readonly object[]): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** What Holdfast may leave behind where it refused: nothing but its own folder. */
const leftIn = (folder: string): string[] =>
  fs.readdirSync(folder).filter((name) => !['.git', '.holdfast', 'index.ts'].includes(name));

describe.each(clients)('in a session of $name', ({ env, began, payload }) => {
  const cli = (cwd: string, args: readonly string[], options: RunOptions = {}) =>
    runCli(cwd, args, { env: env(), ...options });
  const stop = (cwd: string) => fireHook(cwd, { cwd, ...payload() }, { env: { HOME: project.home } });

  it.each([
    ['idle loop', ['idle', 'loop', 'Fix the parser'], ''],
    ['idle loop, its task on standard input', ['idle', 'loop', '--max', '5'], 'Fix the parser'],
    ['idle issue', ['idle', 'issue', '17'], ''],
    ['idle grind', ['idle', 'grind'], ''],
    ['claudex plan', ['claudex', 'plan', 'A cache'], ''],
    ['claudex review', ['claudex', 'review'], ''],
  ])('%s is refused in a nested repository, and says where it holds', async (_, args, stdin) => {
    began(project.root);
    const refused = await cli(nested, args, { stdin });
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toContain(`a run in ${nested} would never hold this session`);
    expect(refused.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(fs.readdirSync(nested).sort()).toEqual(['.git', 'index.ts']);
  });

  it('the command it names starts the run, and the next stop is held', async () => {
    began(project.root);
    const { stderr } = await cli(nested, ['idle', 'loop', '--max', '5', "Fix the parser's $(tests)"]);
    const command = /cd .* (?=\(or start)/.exec(stderr)?.[0] ?? '';
    const started = await run('/bin/sh', ['-c', command], nested, { env: env() });
    expect(started).toMatchObject({ exitCode: 0, stderr: '' });
    expect((await stop(project.root)).answer?.reason).toContain("Fix the parser's $(tests)");
  });

  it.each([['status'], ['doctor'], ['claudex doctor'], ['claudex status']])(
    '%s only looks, and is not refused in a nested repository',
    async (command) => {
      began(project.root);
      const looked = await cli(nested, command.split(' '));
      expect(looked.stderr).toBe('');
      expect(looked.stdout).not.toBe('');
    },
  );

  it('the command it names reads the text from the same file again', async () => {
    began(project.root);
    fs.writeFileSync(path.join(nested, 'task.txt'), "Fix the parser's $(tests)");
    const start = `${path.resolve('dist/holdfast/bin/holdfast')} idle loop --max 3 < task.txt`;
    const refused = await run('/bin/sh', ['-c', start], nested, { env: env() });
    expect(refused.exitCode).toBe(1);
    const command = /cd .* (?=\(or start)/.exec(refused.stderr)?.[0] ?? '';
    const started = await run('/bin/sh', ['-c', command], nested, { env: env() });
    expect(started).toMatchObject({ exitCode: 0, stderr: '' });
    expect(started.stdout).toContain("Fix the parser's $(tests)");
  });

  it('a run that lies in a nested repository is not made this session’s', async () => {
    const terminal = { env: { HOME: project.home } };
    const started = await runCli(nested, ['idle', 'loop', 'Fix the parser'], terminal);
    const name = /idle:\S+/.exec(started.stdout)?.[0] ?? '';
    fs.mkdirSync(path.join(nested, '.taskie/plans/one'), { recursive: true });
    fs.writeFileSync(path.join(nested, '.taskie/plans/one/plan.md'), '# One\n');
    began(project.root);
    for (const args of [
      ['adopt', name],
      ['idle', 'resume'],
      ['taskie', 'record', 'new-plan', '--plan', 'one'],
      ['taskie', 'next', '--plan', 'one'],
    ]) {
      const refused = await cli(nested, args);
      expect(refused, args.join(' ')).toMatchObject({ exitCode: 1, stdout: '' });
      expect(refused.stderr).toContain(`lies in ${nested} and would never hold this session`);
      expect(refused.stderr).toContain(`start the client where it lies: cd ${nested}`);
    }
    expect(fs.existsSync(path.join(nested, '.holdfast/sessions'))).toBe(false);
    expect(fs.existsSync(path.join(nested, '.taskie/plans/one/state.json'))).toBe(false);
  });

  it('a session started in the nested repository itself has its runs there', async () => {
    began(nested);
    expect((await cli(nested, ['idle', 'loop', 'Fix it'])).stdout).toContain('holds this session for');
    expect((await stop(nested)).answer?.decision).toBe('block');
  });

  it('from a folder without git the run goes to where the session was started', async () => {
    const plain = path.join(path.dirname(project.root), 'plain');
    const deeper = path.join(plain, 'one', 'two');
    fs.mkdirSync(deeper, { recursive: true });
    began(plain);
    expect(await cli(deeper, ['idle', 'loop', 'Fix it'])).toMatchObject({ exitCode: 0, stderr: '' });
    expect(fs.readdirSync(deeper)).toEqual([]);
    expect((await stop(plain)).answer?.decision).toBe('block');
  });

  it('out of the project altogether it is refused', async () => {
    const outside = path.join(path.dirname(project.root), 'outside');
    fs.mkdirSync(outside);
    began(project.root);
    const refused = await cli(outside, ['idle', 'loop', 'Fix it']);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain(`cd ${project.root} && `);
    expect(leftIn(outside)).toEqual([]);
  });

  it('commands find the session’s own run from the nested repository', async () => {
    began(project.root);
    await cli(project.root, ['idle', 'loop', 'Fix it']);
    await runCli(nested, ['idle', 'loop', 'Another'], { env: { HOME: project.home } });
    expect((await cli(nested, ['idle', 'status'])).stdout).toContain('iteration 0/10');
    expect((await cli(nested, ['idle', 'cancel'])).exitCode).toBe(0);
    expect((await stop(project.root)).answer).toBeNull();
  });

  it('nothing tells where the session was started: it is said in doubt, and not without need', async () => {
    const doubt = `holds this session (if its client was started in ${nested} or below)`;
    expect((await cli(nested, ['idle', 'loop', 'Fix it'])).stdout).toContain(doubt);
    expect((await cli(project.root, ['idle', 'loop', 'Fix it'])).stdout).toContain('holds this session for');
  });

  it('a session whose folder is gone is as one that nothing is known of', async () => {
    began(path.join(path.dirname(project.root), 'gone'));
    expect(await cli(project.root, ['idle', 'loop', 'Fix it'])).toMatchObject({ exitCode: 0, stderr: '' });
  });
});

describe('a client in the shell of another', () => {
  const OUTER = '02b2f492-c0a4-74e4-ad2c-12555db26e18';
  const claudes = (session: string): Record<string, string> => ({ CLAUDE_CODE_SESSION_ID: session });
  const codexes = (session: string): Record<string, string> => ({
    CODEX_SESSION_ID: session,
    CODEX_THREAD_ID: session,
  });
  const [claude, codex] = clients;

  /** The inner client is a process that was started in the outer one's shell; its own shell knows both sessions. */
  function inner(outer: Record<string, string>, own: Record<string, string>, cwd: string, args: string) {
    const holdfast = path.join(PLUGIN, 'bin/holdfast');
    const variables = Object.entries(own).map(([name, value]) => `${name}=${value}`);
    const script = `${variables.join(' ')} sh -c '"${holdfast}" ${args}; exit $?'; exit $?`;
    return run('/bin/sh', ['-c', script], cwd, { env: { HOME: project.home, ...outer } });
  }

  function outerClaudeBeganIn(folder: string): void {
    const file = path.join(project.home, '.claude/projects/x', `${OUTER}.jsonl`);
    writeLines(file, [{ type: 'user', uuid: 'u', cwd: folder, sessionId: OUTER }]);
  }

  it('has its runs where it was started itself, and is refused where only the outer one was', async () => {
    outerClaudeBeganIn(project.root);
    codex?.began(nested);
    const refused = await inner(claudes(OUTER), codexes(SESSION), project.root, 'idle loop x');
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toContain(`it was started in ${nested}`);
    const started = await inner(claudes(OUTER), codexes(SESSION), nested, 'idle loop x');
    expect(started).toMatchObject({ exitCode: 0, stderr: '' });
    expect(started.stdout).toContain('holds this session for');
    const payload = { cwd: nested, ...codex?.payload() };
    expect((await fireHook(nested, payload, { env: { HOME: project.home } })).answer?.decision).toBe('block');
  });

  it('is not refused for where the outer one was started, when nothing is known of itself', async () => {
    outerClaudeBeganIn(project.root);
    const started = await inner(claudes(OUTER), codexes(SESSION), nested, 'idle loop x');
    expect(started).toMatchObject({ exitCode: 0, stderr: '' });
    expect(started.stdout).toContain(`(if its client was started in ${nested} or below)`);
  });

  it('the other way round as well', async () => {
    codex?.began(project.root);
    const started = await inner(codexes(SESSION), claudes(OUTER), nested, 'idle loop x');
    expect(started.stdout).toContain(`(if its client was started in ${nested} or below)`);
  });

  it('Gemini, whose shell knows no session: its run waits for the next session, not for the outer one', async () => {
    claude?.began(project.root);
    const started = await inner(claudes(SESSION), { GEMINI_CLI: '1' }, nested, 'idle loop x');
    expect(started).toMatchObject({ exitCode: 0, stderr: '' });
    expect(started.stdout).toContain('holds the next session here');
    expect(fs.existsSync(path.join(nested, '.holdfast/sessions'))).toBe(false);
  });
});

describe('where a session is looked for', () => {
  it('Claude Code: its first folder counts, wherever the agent went', async () => {
    const [claude] = clients;
    claude?.began(project.root, nested, nested);
    expect((await runCli(nested, ['idle', 'loop', 'x'], { env: claude?.env() ?? {} })).exitCode).toBe(1);
  });

  it('Codex: its latest turn counts, which may be in another folder than its first', async () => {
    const codex = clients[1];
    codex?.began(project.root);
    const file = path.join(
      project.home,
      '.codex/sessions/2026/11/16',
      `rollout-2026-11-16T08-38-13-${SESSION}.jsonl`,
    );
    fs.appendFileSync(file, `${JSON.stringify({ type: 'turn_context', payload: { cwd: nested } })}\n`);
    const env = codex?.env() ?? {};
    expect((await runCli(nested, ['idle', 'loop', 'x'], { env })).stdout).toContain('holds this session for');
  });

  it('a session id that is no plain name is no part of a path', async () => {
    // What such a path would lead to says that the session was started elsewhere, and the command would be refused.
    fs.mkdirSync(path.join(project.home, '.claude/projects/some'), { recursive: true });
    writeLines(path.join(project.home, '.claude/x.jsonl'), [{ type: 'user', uuid: 'u', cwd: nested }]);
    const env = { HOME: project.home, CLAUDE_CODE_SESSION_ID: '../../x', CODEX_THREAD_ID: '../x' };
    expect((await runCli(project.root, ['idle', 'loop', 'x'], { env })).exitCode).toBe(0);
  });
});
