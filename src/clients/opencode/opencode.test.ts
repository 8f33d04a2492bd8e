import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clients } from '../index.ts';
import { opencode } from './index.ts';
import { pluginPath, pluginText, readPluginFile } from './plugin-file.ts';
import { usage } from './usage.ts';

const loader = fs.readFileSync(
  path.resolve(import.meta.dirname, '../../../extensions/opencode/loader.js'),
  'utf8',
);

const line = (fields: object): string =>
  JSON.stringify({ opencode: 1, at: '2026-01-01T00:00:00Z', ...fields });
const read = (fields: object) => opencode.readTranscriptLine(line(fields));

describe("a line of opencode's transcript", () => {
  it('says what was said, called or asked', () => {
    const text = read({ kind: 'text', id: 'p1', message: 'm1', text: 'So.' });
    expect(text).toMatchObject({ marker: 'p1', said: { messageId: 'm1', text: 'So.' }, toolCall: false });
    expect(read({ kind: 'tool', id: 'p2', tool: 'bash' })).toMatchObject({ toolCall: true, said: null });
    expect(read({ kind: 'tool', id: 'p3', tool: 'todowrite' })).toMatchObject({ toolCall: false });
    expect(read({ kind: 'user', id: 'm2' })).toMatchObject({ startsTurn: true, at: Date.UTC(2026, 0, 1) });
  });

  it.each(['', 'no json', '{"opencode":1}', '{"opencode":2,"id":"x"}', '{"id":"x","kind":"text"}'])(
    'is none: %s',
    (text) => expect(opencode.readTranscriptLine(text)).toBe(null),
  );

  it('tells its tokens, with those of the cache apart', () => {
    const tokens = { input: 100, output: 10, reasoning: 5, cache: { read: 40, write: 7 } };
    expect(usage.read(line({ kind: 'tokens', id: 'p', tokens }))).toMatchObject({
      tokens: 122,
      cacheRead: 40,
    });
    expect(usage.read(line({ kind: 'tokens', id: 'p', tokens: 'many' }))).toBe(null);
    expect(usage.read('{"tokens":{"input":1},"id":"x"}')).toBe(null);
  });

  it('tells each number of its tokens apart, the message and the time', () => {
    const at = Date.UTC(2026, 0, 1);
    const of = (tokens: object) => usage.read(line({ kind: 'tokens', id: 'p', tokens }));
    const none = { kind: 'message', id: 'p', tokens: 0, cacheRead: 0, at };
    expect(of({})).toEqual(none);
    expect(of({ input: 3 })).toEqual({ ...none, tokens: 3 });
    expect(of({ output: 4 })).toEqual({ ...none, tokens: 4 });
    expect(of({ reasoning: 5 })).toEqual({ ...none, tokens: 5 });
    expect(of({ cache: { write: 6 } })).toEqual({ ...none, tokens: 6 });
    expect(of({ cache: { read: 7 } })).toEqual({ ...none, cacheRead: 7 });
    expect(usage.read('{"opencode":1,"id":"x","tokens":{}}')).toEqual({ ...none, id: 'x', at: null });
    expect(usage.read('{"opencode":1,"tokens":{}}')).toBe(null);
    expect(usage.read(line({ kind: 'text', id: 'p', text: 'tokens' }))).toBe(null);
  });

  it('tells its time, where it has one', () => {
    expect(usage.timeOf(line({ id: 'p' }))).toBe(Date.UTC(2026, 0, 1));
    expect(['', '[]', '{}', '{"at":"soon"}', '{"at":7}'].map((text) => usage.timeOf(text))).toEqual([
      ...[null, null, null, null, null],
    ]);
  });

  it('says nothing without both a text and its message', () => {
    expect(read({ kind: 'text', id: 'p', message: 'm' })?.said).toBe(null);
    expect(read({ kind: 'text', id: 'p', text: 't' })?.said).toBe(null);
    expect(read({ kind: 'tool', id: 'p', tool: 'todoread' })?.toolCall).toBe(false);
    expect(read({ kind: 'tool', id: 'p' })?.toolCall).toBe(true);
    expect(read({ kind: 'text', id: 'p', tool: 'bash', message: 'm', text: 't' })).toMatchObject({
      toolCall: false,
      startsTurn: false,
    });
    expect(read({ kind: 'user', id: 'p', message: 'm', text: 't' })?.said).toBe(null);
    expect(read({ kind: 'user', id: 'p', at: 'soon' })).not.toHaveProperty('at');
  });
});

it('the files with its tokens are its transcript alone', () => {
  const stop = opencode.decode({ opencode: 1, session_id: 's', cwd: '/' });
  expect(usage.files({ ...stop, transcriptPath: '/t.jsonl' })).toEqual(['/t.jsonl']);
  expect(usage.files({ ...stop, transcriptPath: null })).toEqual([]);
  expect(usage.totals).toBe(false);
});

describe('a payload of our plugin', () => {
  it('is opencode’s and nobody else’s', () => {
    const stop = {
      hook_event_name: 'session.idle',
      opencode: 1,
      session_id: 's',
      cwd: '/',
      transcript_path: null,
    };
    const began = { hook_event_name: 'session.created', opencode: 1, session_id: 's', source: 'startup' };
    for (const payload of [stop, began, { ...stop, permission_mode: 'plan' }])
      expect(clients.filter((client) => client.recognises(payload)).map(({ name }) => name)).toEqual([
        'opencode',
      ]);
    expect(opencode.decode({ ...stop, permission_mode: 'plan' }).planMode).toBe(true);
  });
});

describe('the file in the user’s folder of plugins', () => {
  let home: string;
  beforeEach(() => {
    home = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-opencode-'));
  });
  afterEach(() => fs.rmSync(home, { recursive: true }));

  const write = (text: string): void => {
    const file = pluginPath({ HOME: home });
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  };

  it('is known again, with the folder and the plugins it names', () => {
    const folder = '/home/dev/a "quoted" folder/dist';
    expect(readPluginFile({ HOME: home })).toEqual({ kind: 'none' });
    write(pluginText(loader, folder, ['holdfast', 'idle']));
    expect(readPluginFile({ HOME: home })).toMatchObject({
      kind: 'ours',
      source: folder,
      plugins: ['holdfast', 'idle'],
    });
  });

  it.each([
    '',
    'export const Mine = async () => ({});',
    '// Written by `holdfast install`; `holdfast uninstall` removes it.',
    pluginText(loader, '/home/dev/dist', ['holdfast']).replace(/^.*\n/, '// Mine now.\n'),
  ])('is somebody else’s: %j', (text) => {
    write(text);
    expect(readPluginFile({ HOME: home })).toEqual({ kind: 'foreign' });
  });

  it('lies where XDG_CONFIG_HOME says, when that is absolute', () => {
    expect(pluginPath({ HOME: home, XDG_CONFIG_HOME: '/x' })).toBe('/x/opencode/plugins/holdfast.js');
    expect(pluginPath({ HOME: home, XDG_CONFIG_HOME: 'x' })).toBe(
      `${home}/.config/opencode/plugins/holdfast.js`,
    );
  });
});
