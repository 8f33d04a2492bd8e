// Each client as the driver starts it, with a small program in its place that notes how it was called and prints what the
// real one printed.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Doings, type Programs, programs } from '../../../test/support/programs.ts';
import { recordedLines } from '../../../test/support/recorded.ts';
import type { Headless, HeadlessClient, HeadlessEvent, StartHow } from '../headless.ts';
import { clientNamed } from '../index.ts';

const SESSION = '00000000-0000-4000-8000-000000000001';

const notes: Doings = {
  '*': [
    'printf "%s\\n" "$@" >"$HOME/args"; pwd >"$HOME/cwd"; env >"$HOME/env"',
    'if [ -e "$HOME/reads-a-line" ]; then read -r line; echo "$line"; else cat; fi >"$HOME/input"',
    'cat "$HOME/stream"; cat "$HOME/complaint" >&2 2>/dev/null; exit "$(cat "$HOME/code")"',
  ].join('\n'),
};

type Played = { here: Programs; headless: Headless; how: StartHow };

async function machine(name: string, program = name, stream = `${name}/stream-hold.jsonl`): Promise<Played> {
  const here = programs({ [program]: notes });
  here.write('stream', `${recordedLines(stream).join('\n')}\n`);
  here.write('code', '0');
  const load = clientNamed(name)?.headless?.load;
  if (load === undefined) throw new Error(`${name} is not driven`);
  const how: StartHow = {
    ...{ root: here.project, env: here.env, session: SESSION, resume: null, prompt: 'Do it.' },
    ...{ access: 'full', allowed: [], model: null, args: [] },
  };
  return { here, headless: await load(), how };
}

async function all(client: HeadlessClient): Promise<HeadlessEvent[]> {
  const heard: HeadlessEvent[] = [];
  for await (const event of client.events) heard.push(event);
  return heard;
}

const linesOf = (here: Programs, file: string): string[] => here.read(file).trimEnd().split('\n');
const ENDED: HeadlessEvent = { kind: 'ended', code: 0, signal: null, trouble: null };

/** The clients that take one prompt in each process, and what they are called with for one. */
const clients = [
  [
    'codex',
    [
      ...['exec', '--json', '--dangerously-bypass-approvals-and-sandbox'],
      ...['-c', 'features.unbounded_connection_retries=false', '-'],
    ],
  ],
  ['copilot', ['--output-format', 'json', '--session-id', SESSION, '--allow-all']],
  ['droid', ['exec', '--output-format', 'stream-json', '--skip-permissions-unsafe']],
  ['gemini', ['--output-format', 'stream-json', '--approval-mode', 'yolo', '--skip-trust']],
  ['opencode', ['run', '--format', 'json', '--auto']],
  ['qwen', ['--output-format', 'stream-json', '--session-id', SESSION, '--approval-mode', 'yolo']],
] as const;

describe.each(clients)('%s as the driver starts it', (name, args) => {
  it('gets its words, its prompt and the project’s folder, and is heard to its end', async () => {
    const { here, headless, how } = await machine(name);
    const client = headless.start(how);
    const heard = await all(client);
    expect(linesOf(here, 'args')).toEqual(args);
    expect(here.read('input')).toBe('Do it.');
    expect(linesOf(here, 'cwd')).toEqual([here.project]);
    expect(client.pid).toBeGreaterThan(1);
    expect(heard.filter(({ kind }) => kind === 'turn')).toHaveLength(1);
    expect(heard.filter(({ kind }) => kind === 'result')).toMatchObject([{ ok: true, trouble: null }]);
    expect(heard.at(-1)).toEqual(ENDED);
    // It takes no second one.
    expect(client.send('More.')).toBe(false);
    await client.end();
  });

  it('has the user’s own variables, without those of a client around the driver', async () => {
    const { here, headless, how } = await machine(name);
    const env = {
      ...here.env,
      MINE: '1',
      CLAUDECODE: '1',
      CLAUDE_CODE_SESSION_ID: 'outer',
      HOLDFAST_EXTRA_CA_CERTS: '/ca',
    };
    await all(headless.start({ ...how, env }));
    const given = linesOf(here, 'env');
    expect(given).toContain('MINE=1');
    expect(given).toContain('NODE_EXTRA_CA_CERTS=/ca');
    expect(given.filter((line) => line.startsWith('CLAUDE'))).toEqual([]);
    expect(given.filter((line) => /^HOLDFAST_ATTEMPT=[0-9a-f-]{36}$/.test(line))).toHaveLength(1);
  });

  it('is trouble where it is not on PATH', async () => {
    const { headless, how } = await machine(name);
    const client = headless.start({ ...how, env: { ...how.env, PATH: '/nonexistent' } });
    expect(client.pid).toBe(0);
    const trouble = { what: 'unknown', resetsAt: null, said: `\`${name}\` was not found on PATH` };
    expect(await all(client)).toEqual([{ kind: 'ended', code: null, signal: null, trouble }]);
    expect(client.send('More.')).toBe(false);
    await client.end();
  });
});

it.each([
  ['where the project is gone', /^`codex` could not be started: .+\/gone is gone$/],
  ['where what runs it is gone', /^`codex` could not be started: the program that its first line names/],
])('a client that cannot be started is trouble: %s', async (where, said) => {
  const { here, headless, how } = await machine('codex');
  const root = where === 'where the project is gone' ? path.join(here.folder, 'gone') : here.project;
  if (root === here.project)
    fs.writeFileSync(path.join(here.folder, 'bin/codex'), '#!/nonexistent/interpreter\n');
  const client = headless.start({ ...how, root });
  expect(client.pid).toBe(0);
  const trouble = { what: 'unknown', said: expect.stringMatching(said) };
  expect(await all(client)).toMatchObject([{ kind: 'ended', code: null, trouble }]);
  expect(client.send('More.')).toBe(false);
  await client.end();
});

describe('Claude Code as the driver starts it', () => {
  it('keeps its input open for another prompt', async () => {
    const { here, headless, how } = await machine(
      'claude-code',
      'claude',
      'claude-code/stream-hold-2.1.325.jsonl',
    );
    fs.writeFileSync(path.join(here.home, 'reads-a-line'), '');
    const client = headless.start(how);
    expect(client.send('More.')).toBe(true);
    expect((await all(client)).at(-1)).toEqual(ENDED);
    expect(JSON.parse(here.read('input'))).toMatchObject({ type: 'user', message: { role: 'user' } });
    expect(here.read('input')).toContain('Do it.');
    expect(client.send('More.')).toBe(false);
  });
});

describe('what a client is called with beside its words for full access', () => {
  it('Droid is not started with less', async () => {
    const { here, headless, how } = await machine('droid');
    expect(() => headless.start({ ...how, access: 'edit' })).toThrow(
      'Droid is driven with full access alone',
    );
    expect(here.calls()).toEqual([]);
    expect(headless.noEdit).toContain('nothing keeps it to editing');
  });

  it('opencode has rules in its environment with edit, and none with full', async () => {
    const { here, headless, how } = await machine('opencode');
    await all(headless.start({ ...how, access: 'edit', allowed: ['npm test'] }));
    const [rules] = linesOf(here, 'env').filter((line) => line.startsWith('OPENCODE_PERMISSION='));
    expect(JSON.parse(rules?.replace('OPENCODE_PERMISSION=', '') ?? '').bash).toMatchObject({
      'npm test': 'allow',
    });
    await all(headless.start(how));
    expect(here.read('env')).not.toContain('OPENCODE_PERMISSION');
  });

  it('Gemini CLI has a file of rules with edit, the user’s own beside it, and the rule for its copy of our command', async () => {
    const { here, headless, how } = await machine('gemini');
    const start = async (allowed: readonly string[]): Promise<string[]> => {
      await all(headless.start({ ...how, access: 'edit', allowed }));
      const args = linesOf(here, 'args');
      return args.filter((_, at) => args[at - 1] === '--policy');
    };
    const read = (file = ''): string => fs.readFileSync(file, 'utf8');
    const [ours, ...others] = await start(['npm test']);
    expect(others).toEqual([]);
    expect(ours).toMatch(/\.local\/state\/holdfast\/clients\/[0-9a-f]{16}-policy\.toml$/);
    expect(read(ours).match(/npm test/g)).toHaveLength(1);
    here.write('.gemini/policies/mine.toml', '');
    here.write('.gemini/extensions/holdfast/bin/holdfast', '');
    const [withCopy, ...users] = await start(['npm test']);
    expect(users).toEqual([path.join(here.home, '.gemini/policies')]);
    expect(read(withCopy)).toContain('npm test');
    expect(read(withCopy)).toContain('extensions/holdfast/bin/holdfast');
    // Where nothing is allowed, our command is not either.
    expect(read((await start([]))[0])).not.toContain('extensions/holdfast/bin/holdfast');
  });
});

describe('the end of a client', () => {
  it('is trouble in its own last words where it failed', async () => {
    const { here, headless, how } = await machine('codex');
    here.write('stream', '');
    here.write('code', '3');
    here.write('complaint', 'one\nno such session\n');
    const heard = await all(headless.start(how));
    expect(heard).toMatchObject([
      { kind: 'ended', code: 3, signal: null, trouble: { said: 'no such session' } },
    ]);
  });

  it('comes with what only the end tells: its last line may have no end', async () => {
    const { here, headless, how } = await machine('codex');
    here.write('stream', recordedLines('codex/stream-hold.jsonl').join('\n'));
    const heard = await all(headless.start(how));
    expect(heard.slice(-2)).toMatchObject([{ kind: 'result', ok: true }, ENDED]);
  });
});

describe('which session can be gone on with', () => {
  const can = async (
    name: string,
    session: string,
    files: Readonly<Record<string, string>>,
    env: object = {},
  ) => {
    const here = programs({});
    for (const [file, text] of Object.entries(files)) here.write(file, text);
    const headless = await clientNamed(name)?.headless?.load();
    const set = Object.fromEntries(
      Object.entries(env).map(([key, value]) => [key, path.join(here.home, value)]),
    );
    return headless?.canResume(session, { root: '/p', env: { ...here.env, ...set } });
  };
  const opencodeLine = '{"opencode":1,"id":"p","kind":"text"}\n';
  const codexId = '019a9000-0000-7000-8000-000000000001';
  const codexDay = new Date(0x019a90000000).toISOString().slice(0, 10).replaceAll('-', '/');
  const rollout = (lines: readonly string[], day = codexDay) => ({
    [`.codex/sessions/${day}/rollout-2025-${codexId}.jsonl`]: `${lines.join('\n')}\n`,
  });
  const codexLines = recordedLines('codex/transcript-hold.jsonl');
  const copilotLines = recordedLines('copilot/transcript-hold.jsonl').join('\n');
  const claudeLines = recordedLines('claude-code/transcript-hold.jsonl').join('\n');

  it('of opencode: one of which our plugin has noted anything', async () => {
    const file = (name: string, text = opencodeLine) => ({
      [`.local/state/holdfast/opencode/${name}.jsonl`]: text,
    });
    expect(await can('opencode', 'ses_1', file('ses_1'))).toBe(true);
    expect(await can('opencode', 'ses_1', file('ses_2'))).toBe(false);
    expect(await can('opencode', 'ses_1', file('ses_1', '{}\n\n'))).toBe(false);
    expect(await can('opencode', 'ses_1', file('ses_1', `{}\n${opencodeLine}`))).toBe(true);
  });

  it('of opencode: none whose id is no plain name of at most 100 letters', async () => {
    const file = (name: string) => ({ [`.local/state/holdfast/opencode/${name}.jsonl`]: opencodeLine });
    expect(await can('opencode', 'a'.repeat(100), file('a'.repeat(100)))).toBe(true);
    expect(await can('opencode', 'a'.repeat(101), file('a'.repeat(101)))).toBe(false);
    expect(await can('opencode', '', file(''))).toBe(false);
    expect(await can('opencode', '../opencode/x', file('x'))).toBe(false);
    expect(await can('opencode', 'x.y', file('x.y'))).toBe(false);
    expect(await can('opencode', 'a_B-9', file('a_B-9'))).toBe(true);
  });

  it('of Codex: one with a prompt that is not Codex’s own context, in the folder of its day', async () => {
    expect(await can('codex', codexId, rollout(codexLines))).toBe(true);
    expect(await can('codex', codexId, rollout(codexLines, '2001/01/01'))).toBe(false);
    expect(await can('codex', codexId, rollout([]))).toBe(false);
    expect(await can('codex', codexId, {})).toBe(false);
    const withoutPrompt = codexLines.slice(
      0,
      codexLines.findIndex((line) => line.includes('Do the work')),
    );
    expect(withoutPrompt.join()).toContain('<environment_context>');
    expect(await can('codex', codexId, rollout(withoutPrompt))).toBe(false);
  });

  it('of Copilot CLI: one with a prompt in its own folder', async () => {
    const file = { [`.copilot/session-state/${SESSION}/events.jsonl`]: `${copilotLines}\n` };
    expect(await can('copilot', SESSION, file)).toBe(true);
    expect(await can('copilot', SESSION, {})).toBe(false);
    expect(await can('copilot', '../x', { '.copilot/x/events.jsonl': `${copilotLines}\n` })).toBe(false);
    const elsewhere = { [`c/session-state/${SESSION}/events.jsonl`]: `${copilotLines}\n` };
    expect(await can('copilot', SESSION, elsewhere)).toBe(false);
    expect(await can('copilot', SESSION, elsewhere, { COPILOT_HOME: 'c' })).toBe(true);
  });

  it('of Claude Code: one with a prompt in any folder of its projects', async () => {
    const file = (folder: string, text = claudeLines) => ({ [`${folder}/${SESSION}.jsonl`]: text });
    expect(await can('claude-code', SESSION, file('.claude/projects/-p'))).toBe(true);
    expect(await can('claude-code', SESSION, file('.claude/projects/-p', '{"type":"summary"}\n'))).toBe(
      false,
    );
    expect(await can('claude-code', SESSION, {})).toBe(false);
    expect(await can('claude-code', 'a/b', { '.claude/projects/-p/a/b.jsonl': claudeLines })).toBe(false);
    expect(await can('claude-code', SESSION, file('c/projects/-p'), { CLAUDE_CONFIG_DIR: 'c' })).toBe(true);
  });
});

it('what the driver may count on differs from client to client', async () => {
  const names = ['claude-code', 'codex', 'copilot', 'droid', 'gemini', 'opencode', 'qwen'];
  const traits = await Promise.all(
    names.map(async (name) => {
      const headless = await clientNamed(name)?.headless?.load();
      const { choosesSession, callsByName = false, forks = false } = headless ?? {};
      return [name, choosesSession, callsByName, forks, headless?.noEdit === undefined];
    }),
  );
  expect(traits).toEqual([
    ['claude-code', true, false, false, true],
    ['codex', false, false, false, true],
    ['copilot', true, true, false, true],
    ['droid', false, false, true, false],
    ['gemini', false, false, false, true],
    ['opencode', false, false, false, true],
    ['qwen', true, true, false, true],
  ]);
});
