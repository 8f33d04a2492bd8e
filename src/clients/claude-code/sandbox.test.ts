import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { recordedLines } from '../../../test/support/recorded.ts';
import { claudeCode } from './index.ts';
import { sandboxOf } from './sandbox.ts';

let folder: string;
let root: string;
let transcript: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-claude-')));
  root = path.join(folder, 'project');
  transcript = path.join(folder, 'session.jsonl');
  for (const place of ['project/.claude', 'home/.claude', 'bin', 'session/subagents'])
    fs.mkdirSync(path.join(folder, place), { recursive: true });
  fs.writeFileSync(path.join(folder, 'bin/bwrap'), '#!/bin/sh\n', { mode: 0o755 });
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

const write = (file: string, content: unknown): void =>
  fs.writeFileSync(path.join(folder, file), typeof content === 'string' ? content : JSON.stringify(content));

function kindOf(more: Record<string, string> = {}): Promise<string> {
  const env = { PATH: path.join(folder, 'bin'), HOME: path.join(folder, 'home'), ...more };
  const stop = claudeCode.decode({ session_id: 's', prompt_id: 'p', transcript_path: transcript, cwd: root });
  return sandboxOf(stop, env, root).then(({ kind }) => kind);
}

/** Elsewhere nobody has measured what a check could run in. */
const OURS = process.platform === 'linux' ? 'wrap' : 'unknown';

const rows = recordedLines('claude-code/transcript-sandboxed-2.1.325.jsonl').join('\n');

describe('the sandbox of a session of Claude Code', () => {
  it('is none where no command ran in one and no settings switch it on', async () => {
    expect(await kindOf()).toBe('none');
    write('session.jsonl', rows.replaceAll('"sandboxed":true', '"sandboxed":false'));
    write('project/.claude/settings.json', { sandbox: { enabled: false } });
    write('home/.claude/settings.json', 'not JSON');
    expect(await kindOf()).toBe('none');
    // The agent's own words are no row.
    write('session.jsonl', JSON.stringify({ text: rows }));
    expect(await kindOf()).toBe('none');
  });

  it('writes only in the folder that the session was started in, and in no plugin that was given to it', async () => {
    write('project/.claude/settings.json', { sandbox: { enabled: true } });
    const started = path.join(root, 'packages/one');
    const plugin = path.join(started, 'plugin');
    fs.mkdirSync(plugin, { recursive: true });
    const client = spawn('sh', ['-c', 'read line', 'claude', '--plugin-dir', 'plugin'], { cwd: started });
    onTestFinished(() => void client.kill('SIGKILL'));
    const env = { PATH: path.join(folder, 'bin'), HOME: path.join(folder, 'home') };
    const stop = claudeCode.decode({ session_id: 's', prompt_id: 'p', cwd: root });
    const more = { CLAUDE_PROJECT_DIR: started, CLAUDE_PID: String(client.pid) };
    const sandbox = await sandboxOf(stop, { ...env, ...more }, root);
    expect(sandbox.kind).toBe(OURS);
    if (sandbox.kind !== 'wrap') return;
    onTestFinished(() => sandbox.end?.());
    const words = sandbox.argv(['true']).join(' ');
    expect(words).toContain(` --bind ${started} ${started} `);
    expect(words.match(/ --bind /g)).toHaveLength(1);
    expect(words).toContain(` --ro-bind ${plugin} ${plugin} `);
  });

  it('is ours where a command ran in one', async () => {
    write('session.jsonl', rows);
    expect(await kindOf()).toBe(OURS);
    // Across the border of what is read at once.
    const [last = ''] = rows.split('\n').slice(-1);
    const at = last.indexOf('"sandboxed":true');
    for (const cut of [0, 1, 8, 15, 16]) {
      write('session.jsonl', `${'x'.repeat(1024 * 1024 - at - cut - 1)}\n${last}\n`);
      expect(await kindOf()).toBe(OURS);
    }
    write('session.jsonl', '');
    write('session/subagents/agent-1.jsonl', rows);
    expect(await kindOf()).toBe(OURS);
  });

  it.each([
    ['the user’s', 'home/.claude/settings.json', {}],
    ['the project’s', 'project/.claude/settings.json', {}],
    ['the local', 'project/.claude/settings.local.json', {}],
    ['another folder’s', 'config/settings.json', { CLAUDE_CONFIG_DIR: 'config' }],
    ['those of the folder it was started in', 'start/.claude/settings.json', { CLAUDE_PROJECT_DIR: 'start' }],
  ])('is ours where %s settings switch it on', async (_, file, named) => {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    write(file, { sandbox: { enabled: true } });
    const env = Object.entries(named).map(([name, place]) => [name, path.join(folder, place)]);
    expect(await kindOf(Object.fromEntries(env))).toBe(OURS);
  });

  it('cannot be had without bubblewrap', async () => {
    write('session.jsonl', rows);
    fs.rmSync(path.join(folder, 'bin/bwrap'));
    expect(await kindOf()).toBe('unknown');
  });

  it.each([
    { sandbox: { filesystem: { denyRead: ['~/.ssh'] } } },
    { sandbox: { filesystem: { denyWrite: ['./secret'] } } },
    { sandbox: { credentials: { files: ['~/.aws'] } } },
    { permissions: { deny: ['Bash(rm:*)', 'Read(./.env)'] } },
    { permissions: { deny: ['Edit(./.env)'] } },
    { permissions: { deny: ['Write'] } },
    { sandbox: { filesystem: { denyRead: '~/.ssh' } } },
    { sandbox: { credentials: ['~/.aws'] } },
  ])('cannot be had where settings have further rules: %j', async (rules) => {
    write('session.jsonl', rows);
    write('home/.claude/settings.json', rules);
    expect(await kindOf()).toBe('unknown');
  });

  it('says why it cannot be had', async () => {
    write('session.jsonl', rows);
    const env = { PATH: path.join(folder, 'bin'), HOME: path.join(folder, 'home') };
    const stop = claudeCode.decode({ session_id: 's', transcript_path: transcript, cwd: root });
    write('home/.claude/settings.json', { sandbox: { filesystem: { allowRead: ['/x'] } } });
    expect(await sandboxOf(stop, env, root)).toEqual({
      kind: 'unknown',
      why: 'its settings have rules about files or credentials, which a check could not be held to',
    });
  });

  it('needs no transcript', async () => {
    const env = { PATH: path.join(folder, 'bin'), HOME: path.join(folder, 'home') };
    const stop = claudeCode.decode({ session_id: 's', cwd: root });
    expect(await sandboxOf(stop, env, root)).toEqual({ kind: 'none' });
    write('home/.claude/remote-settings.json', { sandbox: { enabled: true } });
    expect((await sandboxOf(stop, env, root)).kind).toBe(OURS);
  });

  it('is not told by what is no file, nor by settings that are too long', async () => {
    fs.mkdirSync(transcript);
    expect(await kindOf()).toBe('none');
    fs.mkdirSync(path.join(folder, 'home/.claude/settings.json'));
    const most = 4 * 1024 * 1024;
    const text = JSON.stringify({ sandbox: { enabled: true } });
    write('project/.claude/settings.json', `${text}${' '.repeat(most - text.length + 1)}`);
    expect(await kindOf()).toBe('none');
    write('project/.claude/settings.json', `${text}${' '.repeat(most - text.length)}`);
    expect(await kindOf()).toBe(OURS);
  });

  /** Only Linux tells what a process was called with. */
  const GIVEN = process.platform === 'linux' ? 'wrap' : 'none';
  const ON = '{"sandbox":{"enabled":true}}';

  it.each([
    ['as a text', () => ['--settings', ` ${ON}`], GIVEN],
    ['as a text after a sign', () => [`--settings=${ON}`], GIVEN],
    ['as a file', () => ['--settings', path.join(folder, 'on.json')], GIVEN],
    ['as a file where it was started', () => ['--settings', 'on.json'], GIVEN],
    ['under another name', () => ['--setting', ON], 'none'],
    ['without a value', () => [ON, '--settings'], 'none'],
  ])('is ours where the client was given settings %s that switch it on', async (_, words, kind) => {
    write('on.json', ON);
    const client = spawn('sh', ['-c', 'read -r line', 'claude', ...words()], {
      cwd: folder,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    onTestFinished(() => {
      client.stdin.end();
    });
    expect(await kindOf({ CLAUDE_PID: String(client.pid) })).toBe(kind);
    expect(await kindOf({ CLAUDE_PID: `${client.pid}x` })).toBe('none');
  });

  it('is not narrowed by rules about other things', async () => {
    write('session.jsonl', rows);
    write('home/.claude/settings.json', {
      permissions: { deny: ['Bash(Read)', 'WebFetch', 'Reader'] },
      sandbox: {
        filesystem: { denyRead: [], denyWrite: {}, allowRead: '' },
        credentials: {},
        network: { allowedDomains: ['x'] },
      },
    });
    expect(await kindOf()).toBe(OURS);
  });
});
