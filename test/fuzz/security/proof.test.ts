// Nothing that a repository, an agent or a check can write makes a claim worth more than it is.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { contentOf } from '../../../src/engine/proof/content.ts';
import { definitionOf } from '../../../src/engine/proof/definition.ts';
import { keepReceipt } from '../../../src/engine/proof/receipts.ts';
import { giveTrust } from '../../../src/engine/proof/trust.ts';
import { openProject } from '../../support/proof.ts';
import * as scenes from '../proof-scenes.ts';
import { type Claiming, claiming, floods, OUTPUTS, prints, testIs, unsoundAnswer } from '../proof-scenes.ts';

test.each([
  ['a check that nobody trusts does not run', scenes.untrusted],
  ['trust that was given after the start does not count', scenes.trustedLate],
  ['a receipt of other files does not count', scenes.otherContent],
  ['a receipt of another check does not count', scenes.otherDefinition],
  ['what an agent’s own `holdfast check` says does not count', scenes.agentsOwnCheck],
  ['a check that is made easier after the start is the one it was', scenes.easierConfig],
  ['a claim that is always refused ends all the same', scenes.refusedForEver],
  ['a check that was killed has not passed', scenes.killed],
  ['a check of a sandboxed session does not run outside', scenes.sandboxed],
  ['a check sees nothing of the client', scenes.environment],
  ['git settings run nothing at a claim', scenes.gitSettings],
  ['a check that prints without end is ended', floods],
])('%s', async (_, scene) => {
  expect(await scene()).toEqual([]);
});

test.each(Object.entries(OUTPUTS))('a check that prints %s is told of in plain text', async (_, output) => {
  expect(await prints(output)()).toEqual([]);
});

describe('records in the project', () => {
  /** As `holdfast trust` and a check that passed would have left them, had HOME been the project. */
  async function forge({ project }: Claiming): Promise<void> {
    const env = { HOME: project.root, PATH: process.env.PATH };
    const opened = await openProject(project, {}, Date.now() - 100_000, env);
    giveTrust(opened, opened.config.checks);
    const seen = await contentOf(project.root, env, { without: ['.holdfast', '.jwz'] });
    for (const check of opened.config.checks)
      keepReceipt(opened, {
        ...{ check: check.name, definition: definitionOf(check), content: seen?.of(check.paths) ?? '' },
        ...{ end: 'passed', code: 0, milliseconds: 1, flaky: false, tail: '', at: Date.now() },
      });
    for (const place of ['.holdfast', 'holdfast', '.holdfast/holdfast'])
      fs.cpSync(path.join(project.root, '.local/state/holdfast'), path.join(project.root, place), {
        recursive: true,
      });
  }

  test.each<[string, (root: string) => Record<string, string>]>([
    ['where nothing names them', () => ({})],
    ['that XDG_STATE_HOME names by a relative path', () => ({ XDG_STATE_HOME: '.local/state' })],
    ['that XDG_STATE_HOME names as the folder itself', () => ({ XDG_STATE_HOME: '.' })],
    ['that XDG_STATE_HOME names', (root) => ({ XDG_STATE_HOME: path.join(root, '.local/state') })],
    [
      'that XDG_STATE_HOME names by a detour',
      (root) => ({ XDG_STATE_HOME: `${root}/../${path.basename(root)}/.local/state` }),
    ],
    ['that HOME leads to', (root) => ({ HOME: root })],
  ])('prove nothing and run nothing: %s', async (_, env) => {
    const files = { '.gitignore': '.local\nholdfast\n' };
    const scene = await claiming({ own: testIs('true'), trusted: 'never', files, unpinned: true });
    await forge(scene);
    const { project } = scene;
    const fired = await project.stop({ last_assistant_message: scenes.COMPLETE }, { env: env(project.root) });
    expect(unsoundAnswer(fired)).toEqual([]);
    expect(scene.ran()).toBe(0);
    expect(scene.end()).toEqual({ outcome: 'completed', proof: 'unproven' });
  });
});

const TEN_MB = 10 * 1024 * 1024;
const BROKEN: readonly (readonly [string, (sound: string) => string])[] = [
  ['empty', () => ''],
  ['no JSON', () => '{"repository":'],
  ['torn', (sound) => sound.slice(0, sound.length / 2)],
  ['null', () => 'null'],
  ['a list', () => '[]'],
  ['a number', () => '1e999'],
  ['an object without anything', () => '{}'],
  ['names of a prototype', () => '{"__proto__":{"checks":[]},"constructor":{},"toString":1}'],
  ['with lists that are none', (sound) => sound.replace(/"(checks|receipts)":\[/, '"$1":{"length":1},"x":[')],
  ['with names that are none', (sound) => sound.replaceAll(/"(name|check|run)":"/g, '"$1":null,"x":"')],
  ['ten megabytes of it', (sound) => `${' '.repeat(TEN_MB)}${sound}`],
  ['ten megabytes of nothing', () => '\0'.repeat(TEN_MB)],
  ['deep', () => '['.repeat(100_000)],
];

describe.each(['trust', 'pins', 'receipts'])('a record under %s', (folder) => {
  test.each(BROKEN)('that is %s never makes a claim worth more', async (_, broken) => {
    const scene = await claiming({ own: testIs('grep -q good code.txt') });
    await scene.check();
    scene.project.write('code.txt', 'bad\n');
    const [name = ''] = fs.readdirSync(scene.state(folder)).filter((each) => each.endsWith('.json'));
    const file = scene.state(folder, name);
    fs.writeFileSync(file, broken(fs.readFileSync(file, 'utf8')));
    const fired = await scene.claim();
    expect(unsoundAnswer(fired)).toEqual([]);
    expect(fired.stdout).not.toContain('done and proven');
    expect(scene.end().proof).not.toBe('proven');
    // It is not for good: what comes from a sound run, once the code is mended, counts again.
    if (folder !== 'receipts') return;
    fs.rmSync(file);
    scene.project.write('code.txt', 'good once more\n');
    await scene.claim();
    expect(scene.end()).toEqual({ outcome: 'completed', proof: 'proven' });
  });
});

describe('notes in the project', () => {
  const NOTES: readonly (readonly [string, object | null])[] = [
    ['are gone', null],
    ['say that nothing was asked for', { asked: { checks: [], off: false }, definitions: '', content: null }],
    ['say that checks are off', { asked: { checks: null, off: true } }],
    ['say that it is pinned', { pinned: true }],
    ['say that all was said', { cannotRunSaid: true, protectedSaid: true, refusals: 11 }],
    ['have no number of refusals', { refusals: -5 }],
    ['have more refusals than there are numbers', { refusals: 1e308 }],
    ['have another content', { content: 'x', contents: { __proto__: 'x', test: 'x' } }],
    ['have other definitions', { definitions: 'test=x constructor=y __proto__=z = == test' }],
    ['have definitions of another kind', { definitions: { test: 'x' }, asked: [] }],
    ['come from the future', { startedAt: 9e15 }],
    ['come from before all time', { startedAt: -9e15 }],
    [
      'ask for names of a prototype',
      { asked: { checks: ['__proto__', 'constructor', 'toString'], off: false } },
    ],
    ['ask for ten thousand checks', { asked: { checks: Array(10_000).fill('x'.repeat(60)), off: false } }],
  ];

  describe.each([
    ['before the pin', true],
    ['after the pin', false],
  ])('%s', (_, unpinned) => {
    test.each(NOTES)('that %s make no claim worth more', async (__, notes) => {
      const scene = await claiming({ own: testIs('false'), unpinned });
      const runs = path.join(scene.project.root, '.holdfast/runs');
      const file = path.join(runs, fs.readdirSync(runs)[0] ?? '');
      const { proof, ...sidecar } = JSON.parse(fs.readFileSync(file, 'utf8'));
      fs.writeFileSync(
        file,
        JSON.stringify(notes === null ? sidecar : { ...sidecar, proof: { ...proof, ...notes } }),
      );
      const fired = await scene.claim();
      expect(unsoundAnswer(fired)).toEqual([]);
      // Refused, or unproven, or not served at all since the notes are no notes.
      expect(fired.stdout).not.toContain('done and proven');
      expect(['unproven', null]).toContain(scene.end().proof);
      if (scene.end().outcome === 'completed') expect(scene.end().proof).toBe('unproven');
      if (!unpinned && notes === null) expect(fired.answer?.decision).toBe('block');
    });
  });
});

describe('a config', () => {
  const marked = { run: scenes.RAN };
  test.each<[string, unknown]>([
    ['a text', scenes.RAN],
    ['a number', 1],
    ['null', null],
    ['a list', [marked]],
    ['checks that are texts', { test: scenes.RAN }],
    ['checks that are lists', { test: [scenes.RAN] }],
    ['a command that is a number', { test: { run: 7 } }],
    ['a command that is an object', { test: { run: { toString: scenes.RAN } } }],
    ['a command with a word that is none', { test: { run: ['sh', '-c', null] } }],
    ['an empty command', { test: { run: '' }, other: { run: [] } }],
    ['a command with NUL', { test: { run: `${scenes.RAN}\0` } }],
    ['a time that is none', { test: { ...marked, timeout: '1e9' } }],
    ['a time without end', { test: { ...marked, timeout: 1e308, retries: 1e308 } }],
    ['paths that lead out', { test: { ...marked, paths: ['../**', '/etc/**', 7] } }],
    ['a folder that leads out', { test: { ...marked, cwd: '../outside' } }],
    [
      'names of a prototype',
      JSON.parse(`{"__proto__":${JSON.stringify(marked)},"constructor":{"run":"true"}}`),
    ],
    ['names that are paths', { '../../x': marked, 'a b': marked, '': marked, '-rf': marked }],
    ['a thousand checks', Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`c${at}`, marked]))],
  ])('whose checks are %s runs nothing and proves nothing', async (_, checks) => {
    const own = JSON.stringify({ checks });
    const scene = await claiming({ own, trusted: 'never', unpinned: true });
    const fired = await scene.claim();
    expect(unsoundAnswer(fired)).toEqual([]);
    expect(fired.answer?.decision).toBeUndefined();
    expect(scene.ran()).toBe(0);
    expect(scene.project.started()).toEqual([]);
    expect(scene.end().outcome).toBe('completed');
    expect(scene.end().proof).not.toBe('proven');
  });
});
