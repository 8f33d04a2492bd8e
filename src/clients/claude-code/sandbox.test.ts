import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Programs, programs } from '../../../test/support/programs.ts';
import { recordedLines } from '../../../test/support/recorded.ts';
import type { SessionSandbox } from '../sandbox.ts';
import { claudeCode } from './index.ts';
import { sandboxOf } from './sandbox.ts';

let here: Programs;
beforeEach(() => {
  here = programs({ bwrap: {} });
  for (const folder of ['../project/.claude', '.claude', 'session/subagents'])
    fs.mkdirSync(path.join(here.home, folder), { recursive: true });
});

/** Elsewhere than on Linux nobody has measured what a check could run in. */
const isLinux = process.platform === 'linux';
const OURS = isLinux ? 'wrap' : 'unknown';
const ON = '{"sandbox":{"enabled":true}}';
const rows = recordedLines('claude-code/transcript-sandboxed-2.1.325.jsonl').join('\n');

function sandbox(
  env: Record<string, string> = {},
  transcript: string | null = 'session.jsonl',
): Promise<SessionSandbox> {
  const transcript_path = transcript && path.join(here.home, transcript);
  const stop = claudeCode.decode({ session_id: 's', prompt_id: 'p', transcript_path, cwd: here.project });
  return sandboxOf(stop, { ...here.env, PATH: path.join(here.folder, 'bin'), ...env }, here.project);
}
const kindOf = async (...given: Parameters<typeof sandbox>): Promise<string> =>
  (await sandbox(...given)).kind;

/** A client that was called with these words. */
function client(words: readonly string[], cwd: string): { CLAUDE_PID: string } {
  const child = spawn('sh', ['-c', 'read -r line', 'claude', ...words], {
    cwd,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { CLAUDE_PID: String(child.pid) };
}

describe('the sandbox of a session of Claude Code', () => {
  it('is none where no command ran in one and no settings switch it on', async () => {
    expect([await kindOf(), await kindOf({}, null)]).toEqual(['none', 'none']);
    here.write('session.jsonl', rows.replaceAll('"sandboxed":true', '"sandboxed":false'));
    here.write('../project/.claude/settings.json', '{"sandbox":{"enabled":false}}');
    here.write('.claude/settings.json', 'not JSON');
    expect(await kindOf()).toBe('none');
    // The agent's own words are no row.
    here.write('session.jsonl', JSON.stringify({ text: rows }));
    expect(await kindOf()).toBe('none');
  });

  it('is ours where a command ran in one, of the agent’s or of a subagent’s', async () => {
    const last = rows.split('\n').at(-1) ?? '';
    const at = last.indexOf('"sandboxed":true');
    // Across the border of what is read at once.
    for (const cut of [0, 1, 8, 15, 16]) {
      here.write('session.jsonl', `${'x'.repeat(1024 * 1024 - at - cut - 1)}\n${last}\n`);
      expect(await kindOf()).toBe(OURS);
    }
    here.write('session.jsonl', '');
    here.write('session/subagents/agent-1.jsonl', rows);
    expect(await kindOf()).toBe(OURS);
    fs.rmSync(path.join(here.folder, 'bin/bwrap'));
    expect(await kindOf()).toBe('unknown');
  });

  it.each<[string, Record<string, string>]>([
    ['.claude/settings.json', {}],
    ['.claude/settings.local.json', {}],
    ['.claude/remote-settings.json', {}],
    ['../project/.claude/settings.json', {}],
    ['../project/.claude/settings.local.json', {}],
    ['config/settings.json', { CLAUDE_CONFIG_DIR: 'config' }],
    ['start/.claude/settings.json', { CLAUDE_PROJECT_DIR: 'start' }],
  ])('is ours where %s switches it on', async (file, named) => {
    here.write(file, ON);
    const env = Object.entries(named).map(([name, place]) => [name, path.join(here.home, place)]);
    expect(await kindOf(Object.fromEntries(env))).toBe(OURS);
  });

  it.each([
    ['as a text', [' --settings', ` ${ON}`], false],
    ['as a text', ['--settings', ` ${ON}`], true],
    ['as a text after a sign', [`--settings=${ON}`], true],
    ['as a file', ['--settings', 'HOME/on.json'], true],
    ['as a file where it was started', ['--settings', 'on.json'], true],
    ['under another name', ['--setting', ON], false],
    ['without a value', [ON, '--settings'], false],
  ])('is ours where the client was given settings %s that switch it on: %j', async (_, words, isOn) => {
    here.write('on.json', ON);
    const given = client(
      words.map((word) => word.replace('HOME', here.home)),
      here.home,
    );
    expect(await kindOf(given)).toBe(isOn && isLinux ? 'wrap' : 'none');
    expect(await kindOf({ CLAUDE_PID: `${given.CLAUDE_PID}x` })).toBe('none');
  });

  it('is not told by what is no file, nor by settings that are too long', async () => {
    for (const place of ['session.jsonl', '.claude/settings.json']) fs.mkdirSync(path.join(here.home, place));
    const most = 4 * 1024 * 1024;
    here.write('../project/.claude/settings.json', ON.padEnd(most + 1));
    expect(await kindOf()).toBe('none');
    here.write('../project/.claude/settings.json', ON.padEnd(most));
    expect(await kindOf()).toBe(OURS);
  });

  it('writes only in the folder that the session was started in, and in no plugin that was given to it', async () => {
    here.write('../project/.claude/settings.json', ON);
    const started = path.join(here.project, 'packages/one');
    fs.mkdirSync(path.join(started, 'plugin'), { recursive: true });
    const found = await sandbox({
      CLAUDE_PROJECT_DIR: started,
      ...client(['--plugin-dir', 'plugin'], started),
    });
    expect(found.kind).toBe(OURS);
    if (found.kind !== 'wrap') return;
    onTestFinished(() => found.end?.());
    const words = found.argv(['true']).join(' ');
    expect(words).toContain(` --bind ${started} ${started} `);
    expect(words.match(/ --bind /g)).toHaveLength(1);
    expect(words).toContain(` --ro-bind ${started}/plugin ${started}/plugin `);
  });

  it.each([
    { sandbox: { filesystem: { denyRead: ['~/.ssh'] } } },
    { sandbox: { filesystem: { denyWrite: ['./secret'] } } },
    { sandbox: { filesystem: { allowRead: '/x' } } },
    { sandbox: { credentials: { files: ['~/.aws'] } } },
    { permissions: { deny: ['Bash(rm:*)', 'Read(./.env)'] } },
    { permissions: { deny: ['Edit(./.env)'] } },
    { permissions: { deny: ['Write'] } },
  ])('cannot be had where settings have further rules: %j', async (rules) => {
    here.write('session.jsonl', rows);
    here.write('.claude/settings.json', JSON.stringify(rules));
    const why = 'its settings have rules about files or credentials, which a check could not be held to';
    expect(await sandbox()).toEqual({ kind: 'unknown', why });
  });

  it('is not narrowed by rules about other things', async () => {
    here.write('session.jsonl', rows);
    const filesystem = { denyRead: [], denyWrite: {}, allowRead: '' };
    const rules = { sandbox: { filesystem, credentials: {}, network: { allowedDomains: ['x'] } } };
    here.write(
      '.claude/settings.json',
      JSON.stringify({ permissions: { deny: ['Bash(Read)', 'WebFetch', 'Reader'] }, ...rules }),
    );
    expect(await kindOf()).toBe(OURS);
  });
});
