import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
  ])('cannot be had where settings have further rules: %j', async (rules) => {
    write('session.jsonl', rows);
    write('home/.claude/settings.json', rules);
    expect(await kindOf()).toBe('unknown');
  });

  it('is not narrowed by rules about other things', async () => {
    write('session.jsonl', rows);
    write('home/.claude/settings.json', {
      permissions: { deny: ['Bash(rm:*)', 'WebFetch'] },
      sandbox: { filesystem: { denyRead: [] }, network: { allowedDomains: ['x'] } },
    });
    expect(await kindOf()).toBe(OURS);
  });
});
