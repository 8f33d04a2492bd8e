// Each client as the driver starts it, with a small program in its place that notes how it was called and prints what the
// real one printed; and the sessions that it can go on with.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Programs, programs } from '../../../test/support/programs.ts';
import { recordedLines } from '../../../test/support/recorded.ts';
import type { Headless, HeadlessClient, HeadlessEvent, StartHow } from '../headless.ts';
import { clientNamed } from '../index.ts';

const SESSION = '00000000-0000-4000-8000-000000000001';
const NOTES = [
  'printf "%s\\n" "$@" >"$HOME/args"; pwd >"$HOME/cwd"; env >"$HOME/env"',
  'if [ -e "$HOME/reads-a-line" ]; then read -r line; echo "$line"; else cat; fi >"$HOME/input"',
  'cat "$HOME/stream"; cat "$HOME/complaint" >&2 2>/dev/null; exit "$(cat "$HOME/code")"',
].join('\n');
const ENDED: HeadlessEvent = { kind: 'ended', code: 0, signal: null, trouble: null };

async function headlessOf(name: string): Promise<Headless> {
  const load = clientNamed(name).headless?.load;
  if (load === undefined) throw new Error(`${name} is not driven`);
  return await load();
}

async function machine(name: string, program = name, stream = `${name}/stream-hold.jsonl`) {
  const here = programs({ [program]: { '*': NOTES } });
  here.write('stream', `${recordedLines(stream).join('\n')}\n`);
  here.write('code', '0');
  const how: StartHow = {
    ...{ root: here.project, env: here.env, session: SESSION, resume: null, prompt: 'Do it.' },
    ...{ access: 'full', allowed: [], commands: [], model: null, args: ['--more'] },
  };
  const headless = await headlessOf(name);
  return {
    here,
    headless,
    how,
    start: (more: Partial<StartHow> = {}) => headless.start({ ...how, ...more }),
  };
}

async function all(client: HeadlessClient): Promise<HeadlessEvent[]> {
  const heard: HeadlessEvent[] = [];
  for await (const event of client.events) heard.push(event);
  return heard;
}
const linesOf = (here: Programs, file: string): string[] => here.read(file).trimEnd().split('\n');

describe.each(['codex', 'copilot', 'droid', 'gemini', 'opencode', 'qwen'])(
  '%s as the driver starts it',
  (name) => {
    it('gets its words, its prompt, its folder and the user’s own variables, and is heard to its end', async () => {
      const { here, start } = await machine(name);
      const env = { ...here.env, MINE: '1', CLAUDECODE: '1', HOLDFAST_EXTRA_CA_CERTS: '/ca' };
      const client = start({ env });
      const heard = await all(client);
      expect(linesOf(here, 'args')).toContain('--more');
      expect([here.read('input'), here.read('cwd')]).toEqual(['Do it.', `${here.project}\n`]);
      const given = linesOf(here, 'env').filter((line) => /^(?:MINE|NODE_EXTRA|CLAUDE|HOLDFAST)/.test(line));
      expect(given.sort()).toEqual([
        ...[expect.stringMatching(/^HOLDFAST_ATTEMPT=[0-9a-f-]{36}$/), 'MINE=1', 'NODE_EXTRA_CA_CERTS=/ca'],
      ]);
      expect(client.pid).toBeGreaterThan(1);
      expect(heard.filter(({ kind }) => kind === 'turn')).toHaveLength(1);
      expect(heard.filter(({ kind }) => kind === 'result')).toMatchObject([{ ok: true, trouble: null }]);
      expect(heard.at(-1)).toEqual(ENDED);
      expect(client.send('More.')).toBe(false);
      await client.end();
    });

    it('is trouble where it is not on PATH', async () => {
      const { here, start } = await machine(name);
      const client = start({ env: { ...here.env, PATH: '/nonexistent' } });
      expect(client.pid).toBe(0);
      const trouble = { what: 'unknown', resetsAt: null, said: `\`${name}\` was not found on PATH` };
      expect(await all(client)).toEqual([{ kind: 'ended', code: null, signal: null, trouble }]);
      expect(client.send('More.')).toBe(false);
      await client.end();
    });
  },
);

it('Claude Code keeps its input open for another prompt', async () => {
  const { here, start } = await machine('claude-code', 'claude', 'claude-code/stream-hold-2.1.325.jsonl');
  here.write('reads-a-line', '');
  const client = start();
  expect(client.send('More.')).toBe(true);
  expect((await all(client)).at(-1)).toEqual(ENDED);
  expect(JSON.parse(here.read('input'))).toEqual({
    type: 'user',
    message: { role: 'user', content: 'Do it.' },
  });
  expect(client.send('More.')).toBe(false);
});

it.each([
  ['the project', /^`codex` could not be started: .+\/gone is gone$/],
  ['its interpreter', /^`codex` could not be started: the program that its first line names is missing$/],
])('a client that cannot be started is trouble: %s is gone', async (gone, said) => {
  const { here, start } = await machine('codex');
  if (gone !== 'the project')
    fs.writeFileSync(path.join(here.folder, 'bin/codex'), '#!/nonexistent/interpreter\n');
  const client = start(gone === 'the project' ? { root: path.join(here.folder, 'gone') } : {});
  const trouble = { what: 'unknown', said: expect.stringMatching(said) };
  expect(await all(client)).toMatchObject([{ kind: 'ended', code: null, trouble }]);
  expect([client.pid, client.send('More.')]).toEqual([0, false]);
  await client.end();
});

describe('the end of a client', () => {
  it('is trouble in its own last words where it failed', async () => {
    const { here, start } = await machine('codex');
    for (const [file, text] of [
      ['stream', ''],
      ['code', '3'],
      ['complaint', 'one\nno such session\n'],
    ] as const)
      here.write(file, text);
    expect(await all(start())).toMatchObject([
      { kind: 'ended', code: 3, trouble: { said: 'no such session' } },
    ]);
  });

  it('comes after its last line, which may have no end', async () => {
    const { here, start } = await machine('codex');
    here.write('stream', recordedLines('codex/stream-hold.jsonl').join('\n'));
    expect((await all(start())).slice(-2)).toMatchObject([{ kind: 'result', ok: true }, ENDED]);
  });
});

describe('with less than full access', () => {
  it('Droid is not started', async () => {
    const { here, start } = await machine('droid');
    expect(() => start({ access: 'edit' })).toThrow('Droid is driven with full access alone');
    expect(here.calls()).toEqual([]);
  });

  it('opencode has rules in its environment, and none with full', async () => {
    const { here, start } = await machine('opencode');
    await all(start({ access: 'edit', allowed: ['npm test'] }));
    expect(here.read('env')).toMatch(/^OPENCODE_PERMISSION=\{.*"npm test":"allow"/m);
    await all(start());
    expect(here.read('env')).not.toContain('OPENCODE_PERMISSION');
  });

  it('Gemini CLI has a file of rules, the user’s own beside it, and one for its copy of our command', async () => {
    const { here, start } = await machine('gemini');
    const rules = async (allowed: readonly string[]): Promise<string[]> => {
      await all(start({ access: 'edit', allowed, commands: ['why'] }));
      const args = linesOf(here, 'args');
      return args.filter((_, at) => args[at - 1] === '--policy');
    };
    const [ours = '', ...others] = await rules(['npm test']);
    expect(others).toEqual([]);
    expect(ours).toMatch(/\.local\/state\/holdfast\/clients\/[0-9a-f]{16}-policy\.toml$/);
    expect(fs.readFileSync(ours, 'utf8').match(/npm test/g)).toHaveLength(1);
    here.write('.gemini/policies/mine.toml', '');
    here.write('.gemini/extensions/holdfast/bin/holdfast', '');
    const [withCopy = '', ...users] = await rules(['npm test']);
    expect(users).toEqual([path.join(here.home, '.gemini/policies')]);
    expect(fs.readFileSync(withCopy, 'utf8')).toContain('extensions/holdfast/bin/holdfast why');
  });
});

describe('a session can be gone on with where a prompt is in its file', () => {
  const CODEX = '019a9000-0000-7000-8000-000000000001';
  const day = new Date(0x019a90000000).toISOString().slice(0, 10).replaceAll('-', '/');
  const text = (file: string, from = 0, to?: number): string =>
    recordedLines(file).slice(from, to).join('\n');
  const upTo = (file: string, words: string): string =>
    text(
      file,
      0,
      recordedLines(file).findIndex((line) => line.includes(words)),
    );
  const opencode = '{}\n{"opencode":1,"id":"p","kind":"text"}\n';
  const rows: [client: string, session: string, file: string, text: string, variable?: string][] = [
    ['claude-code', SESSION, '.claude/projects/-p/ID.jsonl', text('claude-code/transcript-hold.jsonl')],
    ['claude-code', SESSION, 'c/projects/-p/ID.jsonl', '{}\n{"type":"user"}\n', 'CLAUDE_CONFIG_DIR'],
    ['codex', CODEX, `.codex/sessions/${day}/rollout-1-ID.jsonl`, text('codex/transcript-hold.jsonl')],
    ['copilot', SESSION, '.copilot/session-state/ID/events.jsonl', text('copilot/transcript-hold.jsonl')],
    [
      'copilot',
      SESSION,
      'c/session-state/ID/events.jsonl',
      text('copilot/transcript-hold.jsonl'),
      'COPILOT_HOME',
    ],
    ['droid', SESSION, '.factory/sessions/-p/ID.jsonl', text('droid/transcript-fork.jsonl')],
    [
      'gemini',
      SESSION,
      '.gemini/tmp/p/chats/session-1-00000000.jsonl',
      text('gemini/transcript-resume.jsonl'),
    ],
    [
      'gemini',
      SESSION,
      'c/.gemini/tmp/p/chats/session-1-00000000.jsonl',
      text('gemini/transcript-resume.jsonl'),
      'GEMINI_CLI_HOME',
    ],
    ['opencode', 'ses_1', '.local/state/holdfast/opencode/ID.jsonl', opencode],
    ['opencode', 'a_B-9'.padEnd(100, 'a'), '.local/state/holdfast/opencode/ID.jsonl', opencode],
    ['qwen', SESSION, '.qwen/projects/-p/chats/ID.jsonl', text('qwen/transcript-hold.jsonl')],
    ['qwen', SESSION, 'c/projects/-p/chats/ID.jsonl', text('qwen/transcript-hold.jsonl'), 'QWEN_HOME'],
    ['qwen', SESSION, 'c/projects/-p/chats/ID.jsonl', text('qwen/transcript-hold.jsonl'), 'QWEN_RUNTIME_DIR'],
  ];

  const can = async (
    client: string,
    session: string,
    file: string,
    content: string,
    env: object,
    root = '/p',
  ) => {
    const here = programs({});
    for (const name of ['.gemini/tmp/p/.project_root', 'c/.gemini/tmp/p/.project_root'])
      here.write(name, '/p');
    here.write(file, `${content}\n`);
    const set = Object.entries(env).map(([name, folder]) => [name, path.join(here.home, folder)]);
    return (await headlessOf(client)).canResume(session, {
      root,
      env: { ...here.env, ...Object.fromEntries(set) },
    });
  };

  it.each(rows)('of %s: %s in %s', async (client, session, file, content, variable) => {
    const place = file.replace('ID', session);
    const env = variable === undefined ? {} : { [variable]: 'c' };
    expect(await can(client, session, place, content, env)).toBe(true);
    expect(await can(client, session, `${place}.bak`, content, env), 'of another file').toBe(false);
    expect(await can(client, session, place, '{}', env), 'without a prompt').toBe(false);
    if (variable !== undefined)
      expect(await can(client, session, place, content, {}), 'elsewhere').toBe(false);
    const id =
      client === 'opencode' ? `y/../${session}` : `../${path.basename(path.dirname(place))}/${session}`;
    expect(await can(client, id, place, content, env), 'of an id that is a path').toBe(false);
  });

  it.each([
    [
      'codex',
      CODEX,
      `.codex/sessions/${day}/rollout-1-ID.jsonl`,
      upTo('codex/transcript-hold.jsonl', 'Do the work'),
    ],
    [
      'droid',
      SESSION,
      '.factory/sessions/-p/ID.jsonl',
      upTo('droid/transcript-fork.jsonl', '"text":"Begin it."'),
    ],
    [
      'gemini',
      SESSION,
      '.gemini/tmp/p/chats/session-1-00000000.jsonl',
      text('gemini/transcript-resume.jsonl', 0, 2),
    ],
    ['opencode', 'a'.repeat(101), '.local/state/holdfast/opencode/ID.jsonl', opencode],
    ['opencode', 'x.y', '.local/state/holdfast/opencode/ID.jsonl', opencode],
  ])(
    'but not where %s wrote no more than its own context, or by such an id: %s',
    async (client, session, file, content) => {
      expect(content).not.toBe('');
      expect(await can(client, session, file.replace('ID', session), content, {})).toBe(false);
    },
  );

  it('in Gemini CLI only of the project that it began in, and by its whole id', async () => {
    const resumed = text('gemini/transcript-resume.jsonl');
    const file = '.gemini/tmp/p/chats/session-1-00000000.jsonl';
    expect(await can('gemini', SESSION, file, resumed, {}, '/q')).toBe(false);
    expect(await can('gemini', SESSION.replace(/1$/, '2'), file, resumed, {})).toBe(false);
  });
});
