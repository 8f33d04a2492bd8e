import { describe, expect, it } from 'vitest';
import { type Programs, programs, says } from '../../../test/support/programs.ts';
import { forgetCodexHooks, lookAtCodexHooks, readHookList, trustCodexHooks } from './hooks.ts';

const listed = (key: string, trustStatus: string, more: object = {}): object => ({
  ...{ key, eventName: 'stop', command: 'c', pluginId: 'holdfast@holdfast', enabled: true },
  ...{ currentHash: `hash of ${key}`, trustStatus, ...more },
});
const hook = (key: string, trust: string, more: object = {}): object => ({
  ...{ key, event: 'stop', command: 'c', hash: `hash of ${key}`, trust, enabled: true, ...more },
});
const list = (...hooks: object[]): object => ({ data: [{ hooks }] });

/** Answers its first request, which starts the talk, and each further one with these results. */
function codex(...results: readonly object[]): Programs {
  const cases = [{}, ...results].map(
    (result, at) => `*'"id":${at + 1},'*) ${says(JSON.stringify({ id: at + 1, result }))}\n;;`,
  );
  const server = `while read -r line; do printf '%s\\n' "$line" >>"$HOME/asked"; case $line in ${cases.join('\n')}\nesac; done`;
  return programs({ codex: { 'app-server': server } });
}

/** Without the two lines that start the talk. */
const asked = (here: Programs): unknown[] =>
  here
    .read('asked')
    .trimEnd()
    .split('\n')
    .slice(2)
    .map((line) => JSON.parse(line))
    .map(({ method, params }) => [method, params]);

it('Codex is asked for the hooks of one folder', async () => {
  const here = codex(list(listed('a', 'trusted')));
  expect(await lookAtCodexHooks(here.project)).toEqual({ hooks: [hook('a', 'trusted')], problems: [] });
  expect(asked(here)).toEqual([['hooks/list', { cwds: [here.project] }]]);
});

describe('the trust in our hooks', () => {
  it('is recorded as each is shown now, and read again', async () => {
    const before = list(
      listed('a', 'untrusted'),
      listed('b', 'trusted'),
      listed('c', 'modified'),
      listed('d', 'managed'),
      listed('e', 'untrusted', { pluginId: 'other@x' }),
    );
    const here = codex(before, {}, list(listed('a', 'trusted')));
    expect(await trustCodexHooks(here.project)).toEqual({ hooks: [hook('a', 'trusted')], problems: [] });
    const value = { a: { trusted_hash: 'hash of a' }, c: { trusted_hash: 'hash of c' } };
    const edits = [{ keyPath: 'hooks.state', value, mergeStrategy: 'upsert' }];
    expect(asked(here)).toEqual([
      ['hooks/list', { cwds: [here.project] }],
      ['config/batchWrite', { edits, reloadUserConfig: true }],
      ['hooks/list', { cwds: [here.project] }],
    ]);
  });

  it('is recorded where one alone wants it', async () => {
    const here = codex(list(listed('a', 'modified')), {}, list());
    await trustCodexHooks(here.project);
    expect(asked(here)).toHaveLength(3);
  });

  it('is not written where all are trusted', async () => {
    const here = codex(list(listed('b', 'trusted')), list(listed('b', 'managed')));
    expect((await trustCodexHooks(here.project)).hooks).toEqual([hook('b', 'managed')]);
    expect(asked(here).map((each) => (each as string[])[0])).toEqual(['hooks/list', 'hooks/list']);
  });
});

describe('what is taken out of the user’s config', () => {
  const user = (config: unknown): object => ({ name: { type: 'user' }, config });
  const state = (...keys: string[]): object => ({
    hooks: { state: Object.fromEntries(keys.map((key) => [key, {}])) },
  });
  const A = 'holdfast@holdfast:a';
  const B = 'holdfast@holdfast:"b"';

  it.each<[string, object, string[]]>([
    ['all of it where all is ours', { layers: [user(state(A, B))] }, ['hooks.state']],
    [
      'ours by name where others are there',
      { layers: [user(state(A, 'holdfast@holdfast', 'x:holdfast@holdfast:', B))] },
      ['hooks.state."holdfast@holdfast:a"', 'hooks.state."holdfast@holdfast:\\"b\\""'],
    ],
    [
      'of the user’s layer alone',
      {
        layers: [
          null,
          { config: state(A) },
          { name: 'user', config: state(A) },
          { name: { type: 'project' }, config: state(A, 'other') },
          user(state(B)),
        ],
      },
      ['hooks.state'],
    ],
  ])('is %s', async (_, answer, paths) => {
    const here = codex(answer, {});
    expect(await forgetCodexHooks(here.project)).toBeUndefined();
    const edits = paths.map((keyPath) => ({ keyPath, value: null, mergeStrategy: 'replace' }));
    expect(asked(here)).toEqual([
      ['config/read', { includeLayers: true }],
      ['config/batchWrite', { edits, reloadUserConfig: true }],
    ]);
  });

  it.each<[unknown]>([
    [{}],
    [[]],
    [{ layers: {} }],
    [{ layers: [] }],
    [{ layers: [{ name: { type: 'user' } }] }],
    [{ layers: [user(null)] }],
    [{ layers: [user({})] }],
    [{ layers: [user({ hooks: null })] }],
    [{ layers: [user({ hooks: {} })] }],
    [{ layers: [user({ hooks: { state: ['holdfast@holdfast:'] } })] }],
    [{ layers: [user(state('other:a'))] }],
    [{ layers: [{ name: { type: 'system' }, config: state(A) }] }],
    [{ layers: [user(state()), user(state(A))] }],
  ])('is nothing where nothing of ours is there: %j', async (answer) => {
    const here = codex(answer as object);
    await forgetCodexHooks(here.project);
    expect(asked(here)).toEqual([['config/read', { includeLayers: true }]]);
  });
});

describe('a list of hooks', () => {
  it('has ours of all folders, and what is said of our files', () => {
    expect(
      readHookList({
        data: [
          { hooks: [listed('a', 'untrusted', { command: undefined, enabled: false })] },
          {
            hooks: [listed('b', 'modified'), listed('c', 'trusted', { pluginId: null })],
            warnings: ['holdfast/holdfast: w', 'holdfast/other: w'],
            errors: [
              { path: '/c/holdfast/holdfast/1', message: 'no' },
              { path: '/c/holdfast/idle/1', message: 'no' },
            ],
          },
          { hooks: [], warnings: ['in holdfast/holdfast'] },
        ],
      }),
    ).toEqual({
      hooks: [hook('a', 'untrusted', { command: '', enabled: false }), hook('b', 'modified')],
      problems: ['holdfast/holdfast: w', '/c/holdfast/holdfast/1: no', 'in holdfast/holdfast'],
    });
  });

  it.each<[unknown]>([
    [null],
    [{}],
    [{ data: [{}] }],
    [list(listed('a', 'odd'))],
    [list(listed('a', 'trusted', { key: 7 }))],
    [list(listed('a', 'trusted', { eventName: null }))],
    [list(listed('a', 'trusted', { enabled: 'yes' }))],
    [list(listed('a', 'trusted', { currentHash: undefined }))],
    [{ data: [{ hooks: [], warnings: [7] }] }],
    [{ data: [{ hooks: [], errors: [{ path: 'p' }] }] }],
    [{ data: [{ hooks: [], errors: [{ message: 'm' }] }] }],
  ])('cannot be read: %j', (answer) => {
    expect(() => readHookList(answer)).toThrow('Codex answered hooks/list with what Holdfast cannot read.');
  });
});
