import { describe, expect, it } from 'vitest';
import { checkCodex, judgeTrust } from './check.ts';
import { type CodexHook, readHookList } from './hooks.ts';
import type { CodexState } from './plugins.ts';

const hook = (more: Partial<CodexHook> = {}): CodexHook => ({
  ...{ key: 'k', event: 'stop', command: 'c', hash: 'h', trust: 'trusted', enabled: true },
  ...more,
});
const judged = (hooks: readonly CodexHook[], problems: readonly string[] = []) =>
  judgeTrust({ hooks, problems }, 'Codex 1', 'hf');
const TRUST =
  'start codex, choose "Review hooks" where it says "Hooks need review", look at them and press t (in an open session: /hooks, then t); or run: hf install --client codex --trust';

describe('Codex’s trust in the hooks', () => {
  it('is good where all are trusted and on', () => {
    expect(judged([hook(), hook({ trust: 'managed' })])).toEqual([
      { result: 'good', what: 'Codex 1: the plugin is installed and its hooks are trusted', fix: null },
    ]);
  });

  it('is missing for some, each with its name', () => {
    expect(
      judged([
        hook({ trust: 'modified' }),
        hook({ event: 'preCompact', trust: 'modified' }),
        hook({ event: 'sessionStart', trust: 'untrusted' }),
        hook({ event: 'stop', enabled: false }),
        hook({ event: 'preCompact', enabled: false, trust: 'untrusted' }),
      ]),
    ).toEqual([
      {
        result: 'bad',
        what: 'Codex 1 no longer trusts the hooks (Stop, PreCompact): the plugin changed since you trusted it, so they do not run',
        fix: TRUST,
      },
      {
        result: 'bad',
        what: 'Codex 1 does not trust the hooks yet (SessionStart, PreCompact), so they do not run',
        fix: TRUST,
      },
      {
        result: 'bad',
        what: 'Codex 1: hooks are switched off: Stop, PreCompact',
        fix: 'turn them on in Codex with /hooks',
      },
    ]);
  });

  it.each([
    [
      [],
      'Codex lists none of its hooks: are hooks switched off there? `codex features enable hooks` turns them on.',
    ],
    [['a: b', 'c: d'], 'Codex cannot use its hooks: a: b'],
  ])('is of no use where there are none: %j', (problems, what) => {
    expect(judged([], problems)).toEqual([
      { result: 'bad', what: `Codex 1: ${what}`, fix: 'hf install --client codex' },
    ]);
  });
});

describe('Codex without a plugin that works', () => {
  const check = (more: Partial<CodexState>) =>
    checkCodex(
      { version: '1', source: { kind: 'folder', folder: '/f' }, plugins: [], ...more },
      { cwd: '/', cli: 'hf', env: {} },
    );
  const fix = 'hf install --client codex';
  const plugin = { pluginId: 'holdfast@holdfast', enabled: true };

  it.each<[string, Partial<CodexState>, object]>([
    [
      'the folder is gone',
      { source: { kind: 'unreadable' }, plugins: [plugin] },
      { what: 'Codex 1: the folder its plugins were installed from is gone' },
    ],
    [
      'nothing is installed',
      { source: { kind: 'none' } },
      { what: 'Codex 1: the Holdfast plugin is not installed in it', absent: true },
    ],
    [
      'only a workflow is installed',
      { plugins: [{ pluginId: 'idle@holdfast', enabled: true }] },
      { what: 'Codex 1: the Holdfast plugin is not installed in it', absent: true },
    ],
    [
      'the plugin is off',
      { plugins: [{ ...plugin, enabled: false }] },
      { what: 'Codex 1: the plugin is switched off' },
    ],
  ])('%s', async (_, state, finding) => {
    expect(await check(state)).toEqual([{ result: 'bad', fix, ...finding }]);
  });
});

describe('the list of Codex’s hooks', () => {
  const listed = {
    ...{ key: 'k', eventName: 'stop', pluginId: 'holdfast@holdfast', enabled: true, currentHash: 'h' },
    trustStatus: 'trusted',
  };

  it('has ours, and what Codex complains of about our file', () => {
    const other = { ...listed, pluginId: null };
    const data = [
      { hooks: [listed, other, { ...listed, key: 'l', command: 'c', enabled: false }] },
      {
        hooks: [{ ...listed, eventName: 'preCompact', trustStatus: 'managed', pluginId: 'holdfast@other' }],
        warnings: ['in /c/holdfast/holdfast/hooks.json', 'elsewhere'],
        errors: [
          { path: '/c/holdfast/holdfast/1', message: 'no' },
          { path: '/c/holdfast/idle/1', message: 'no' },
        ],
      },
    ];
    expect(readHookList({ data })).toEqual({
      hooks: [hook({ command: '' }), hook({ key: 'l', enabled: false })],
      problems: ['in /c/holdfast/holdfast/hooks.json', '/c/holdfast/holdfast/1: no'],
    });
    expect(readHookList({ data: [] })).toEqual({ hooks: [], problems: [] });
  });

  it.each([{}, { data: {} }, { data: [{}] }, { data: [{ hooks: [{ ...listed, trustStatus: 'x' }] }] }])(
    'cannot be %j',
    (answer) => {
      expect(() => readHookList(answer)).toThrow(
        /^Codex answered hooks\/list with what Holdfast cannot read\.$/,
      );
    },
  );
});
