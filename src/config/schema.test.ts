import fs from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { fc } from '../../test/support/property.ts';
import { isObject } from '../store/json.ts';
import { configFile, parseConfig } from './schema.ts';

const file = new URL('../../schema/holdfast.config.schema.json', import.meta.url);
const published: unknown = JSON.parse(fs.readFileSync(file, 'utf8'));

/** As much of JSON Schema as ours uses; fails on a keyword it does not know, so that none is passed over. */
function accepts(schema: unknown, value: unknown): boolean {
  if (!isObject(schema)) throw new Error(`not a schema: ${JSON.stringify(schema)}`);
  return Object.entries(schema).every(([keyword, rule]) => {
    switch (keyword) {
      case '$schema':
      case '$defs':
      case 'title':
      case 'description':
      case 'properties':
        return true;
      case '$ref':
        return accepts(definition(String(rule)), value);
      case 'type':
        return isOfType(String(rule), value);
      case 'enum':
        return Array.isArray(rule) && rule.includes(value);
      case 'minimum':
        return Number(value) >= Number(rule);
      case 'maximum':
        return Number(value) <= Number(rule);
      case 'anyOf':
        return Array.isArray(rule) && rule.some((each) => accepts(each, value));
      case 'minItems':
        return !Array.isArray(value) || value.length >= Number(rule);
      case 'maxItems':
        return !Array.isArray(value) || value.length <= Number(rule);
      case 'minLength':
        return typeof value !== 'string' || value.length >= Number(rule);
      case 'maxLength':
        return typeof value !== 'string' || value.length <= Number(rule);
      case 'pattern':
        return typeof value !== 'string' || new RegExp(String(rule)).test(value);
      case 'prefixItems':
        return !Array.isArray(value) || lists(rule).every((each, at) => accepts(each, value[at]));
      case 'items':
        return (
          !Array.isArray(value) ||
          value.slice(lists(schema.prefixItems).length).every((each) => accepts(rule, each))
        );
      case 'maxProperties':
        return !isObject(value) || Object.keys(value).length <= Number(rule);
      case 'propertyNames':
        return !isObject(value) || Object.keys(value).every((name) => accepts(rule, name));
      case 'required':
        return !isObject(value) || lists(rule).every((name) => Object.hasOwn(value, String(name)));
      case 'additionalProperties':
        return everyProperty(schema.properties ?? {}, rule, value);
      default:
        throw new Error(`unknown keyword ${keyword}`);
    }
  });
}

const lists = (rule: unknown): readonly unknown[] => (Array.isArray(rule) ? rule : []);

function everyProperty(known: unknown, others: unknown, value: unknown): boolean {
  if (!isObject(value) || !isObject(known)) return false;
  return Object.entries(value).every(([key, inner]) => {
    if (Object.hasOwn(known, key)) return accepts(known[key], inner);
    return others === false ? false : accepts(others, inner);
  });
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'object') return isObject(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function definition(reference: string): unknown {
  const definitions = isObject(published) ? published.$defs : undefined;
  return isObject(definitions) ? definitions[reference.replace('#/$defs/', '')] : undefined;
}

/** Every key that the published schema describes, with its path; `*` is any name. */
function publishedKeys(schema: unknown, at = ''): string[] {
  if (!isObject(schema)) return [];
  if (typeof schema.$ref === 'string') return publishedKeys(definition(schema.$ref), at);
  const named = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  const others = isObject(schema.additionalProperties) ? [['*', schema.additionalProperties] as const] : [];
  return [...named, ...others].flatMap(([key, inner]) => [
    `${at}.${key}`,
    ...publishedKeys(inner, `${at}.${key}`),
  ]);
}

/** The same of the keys that the hook knows. */
function checkedKeys(part: unknown, at = ''): string[] {
  if (!isObject(part)) return [];
  const known = isObject(part.keys) ? Object.entries(part.keys) : [];
  const others = part.kind === 'named' ? [['*', part.each] as const] : [];
  return [...known, ...others].flatMap(([key, inner]) => [
    `${at}.${key}`,
    ...checkedKeys(inner, `${at}.${key}`),
  ]);
}

const isAccepted = (value: unknown): boolean =>
  parseConfig(JSON.stringify(value), 'config', 'user').problems.length === 0;

const table = (length: number): object =>
  Object.fromEntries(Array.from({ length }, (_, at) => [`c${at}`, { run: 'x' }]));

describe('the published schema', () => {
  it('describes the keys that the hook knows, all of them and no others', () => {
    expect(publishedKeys(published).sort()).toEqual(checkedKeys(configFile).sort());
    expect(publishedKeys(published)).toContain('.guard.workflows.*.unmoved');
  });

  test.each<unknown>([
    {},
    { $schema: './holdfast.config.schema.json' },
    { guard: {}, review: {}, idle: {} },
    { guard: { unmoved: 0, tools: 1000, workflows: { idle: { unmoved: 6, tools: 5 }, other: {} } } },
    { review: { timeout: 1, access: 'full' } },
    { review: { timeout: 7000, access: 'sandboxed' } },
    { review: { floor: 'low', floorFrom: 1 } },
    { review: { floor: 'high', floorFrom: 1000 } },
    { review: { timeout: 0.5 + 1 } },
    { review: { models: ['opus', 'codex/gpt-5.2-codex'], claudex: 'claude/opus' } },
    { review: { models: ['codex/', 'claude/'], claudex: 'arn:aws:bedrock:eu:1:profile/x' } },
    { idle: { issues: { list: 'gh issue list', show: '' } } },
    { journal: { keep: 1 } },
    { journal: { keep: 100_000 } },
    { checks: {}, proof: {}, protect: {} },
    { checks: { test: { run: 'npm test', timeout: 7000, retries: 10, paths: ['src/**'], cwd: 'a/b' } } },
    { checks: { 'test:unit': { run: ['npx', 'tsc', ''] }, a: { run: 'a\nb', timeout: 1, retries: 0 } } },
    { checks: { constructor: { run: 'x' }, 'a.b_c-d': { run: 'x', cwd: '..a/b..' } } },
    { checks: table(50) },
    { proof: { sandbox: 'never', bail: true, refusals: 1 } },
    { proof: { sandbox: 'always', bail: false, refusals: 1000 } },
    { protect: { paths: ['test/**', 'package.json'], then: 'hold' } },
    { wait: {}, hold: {} },
    { wait: { work: 0, person: 60 }, ask: 'wait', hold: { as: 'block' } },
    { wait: { work: 86_400, person: 31_536_000 }, ask: 'refuse', hold: { as: 'feedback' } },
    { notify: [] },
    { notify: [{ run: ['ntfy', 'publish', 'me'], on: ['needs-you', 'let-go'] }, { desktop: true }] },
    { notify: [{ webhook: 'https://a.b/c', on: ['done', 'limit'] }, { webhook: 'http://127.0.0.1:1' }] },
  ])('takes what the hook takes: %j', (value) => {
    expect(isAccepted(value)).toBe(true);
    expect(accepts(published, value)).toBe(true);
  });

  test.each<unknown>([
    null,
    [],
    'text',
    { extra: 1 },
    { $schema: 1 },
    { guard: [] },
    { guard: { unmoved: -1 } },
    { guard: { unmoved: 1001 } },
    { guard: { unmoved: 1.5 } },
    { guard: { tools: -1 } },
    { guard: { tools: 1001 } },
    { guard: { tools: '1' } },
    { guard: { tools: null } },
    { guard: { extra: 1 } },
    { guard: { workflows: [] } },
    { guard: { workflows: { idle: 1 } } },
    { guard: { workflows: { idle: { extra: 1 } } } },
    { guard: { workflows: { idle: { unmoved: 1001 } } } },
    { review: { timeout: 0.9 } },
    { review: { timeout: 7001 } },
    { review: { access: 'none' } },
    { review: { floor: 'critical' } },
    { review: { floorFrom: 0 } },
    { review: { floorFrom: 1.5 } },
    { review: { extra: 1 } },
    ...[
      'opus',
      [],
      ['opus'],
      ['opus', 'sonnet', 'haiku'],
      ['opus', 1],
      ['opus', '-x'],
      ['opus', 'nobody/x'],
    ].map((models) => ({ review: { models } })),
    ...['', '-x', 'a b', 'codex/-x', 'sh/-c', 1, null, ['codex/']].map((claudex) => ({
      review: { claudex },
    })),
    { idle: { extra: 1 } },
    { journal: { keep: 0 } },
    { journal: { keep: 1.5 } },
    { journal: { keep: 100_001 } },
    { journal: { extra: 1 } },
    ...[
      'desktop',
      { desktop: true },
      ['desktop'],
      [{}],
      [{ on: ['done'] }],
      [{ desktop: false }],
      [{ desktop: true, extra: 1 }],
      [{ desktop: true, run: ['x'] }],
      [{ desktop: true, on: [] }],
      [{ desktop: true, on: ['start'] }],
      [{ run: 'ntfy' }],
      [{ run: [] }],
      [{ run: [' '] }],
      [{ run: ['x', 1] }],
      [{ webhook: 'file:///etc/passwd' }],
      [{ webhook: 'https:///x' }],
      [{ webhook: 'javascript:alert(1)' }],
      Array.from({ length: 21 }, () => ({ desktop: true })),
    ].map((notify) => ({ notify })),
    { idle: { issues: { list: 1 } } },
    { idle: { issues: { show: null } } },
    { idle: { issues: { extra: '' } } },
    { checks: [] },
    { checks: { test: 'npm test' } },
    { checks: { test: {} } },
    { checks: { test: { run: 'x', extra: 1 } } },
    ...['', '  ', [], [''], [' ', 'a'], ['a', 1], ['a', 'b\0'], 'a\0', null, 5, {}].map((run) => ({
      checks: { test: { run } },
    })),
    ...[0, 0.5, 7001, 1e9, '600', null].map((timeout) => ({ checks: { test: { run: 'x', timeout } } })),
    ...[-1, 0.5, 11, '1', null].map((retries) => ({ checks: { test: { run: 'x', retries } } })),
    ...[[], [''], ['!src/**'], 'src/**', [1], null].map((paths) => ({
      checks: { test: { run: 'x', paths } },
    })),
    ...['', '/', '/etc', '..', '../a', 'a/..', 'a/../..', 'a\0', 'a\nb', 5, null].map((cwd) => ({
      checks: { test: { run: 'x', cwd } },
    })),
    ...['', '-x', '.', '..', 'a/b', 'a b', 'a\n', 'a\u001b[2J', '_x', 'ä', 'x'.repeat(65)].map((name) => ({
      checks: { [name]: { run: 'x' } },
    })),
    JSON.parse('{"checks":{"__proto__":{"run":"x"}}}'),
    { checks: table(51) },
    { proof: { sandbox: 'off' } },
    { proof: { bail: 1 } },
    { proof: { refusals: 0 } },
    { proof: { refusals: 1001 } },
    { proof: { extra: 1 } },
    { protect: { paths: [] } },
    { protect: { paths: 'test/**' } },
    { protect: { then: 'refuse' } },
    { protect: { extra: 1 } },
    ...[-1, 86_401, '60', null].map((work) => ({ wait: { work } })),
    ...[0, 59, 31_536_001, '60', null].map((person) => ({ wait: { person } })),
    { wait: 60 },
    { wait: { extra: 1 } },
    ...['never', true, '', null, {}].map((ask) => ({ ask })),
    { hold: 'feedback' },
    { hold: { as: 'error' } },
    { hold: { extra: 1 } },
  ])('refuses what the hook refuses: %j', (value) => {
    expect(isAccepted(value)).toBe(false);
    expect(accepts(published, value)).toBe(false);
  });

  it('agrees with the hook on whatever can be put under its keys', () => {
    const value = fc.oneof(
      fc.constantFrom<unknown>(
        -1,
        0,
        1,
        1.5,
        12,
        600,
        1000,
        1001,
        7000,
        7001,
        'full',
        'sandboxed',
        'wait',
        'feedback',
        '',
        null,
        true,
      ),
      fc.constantFrom<unknown>([], {}),
    );
    const command = fc.oneof(value, fc.constantFrom<unknown>('npm test', ['a', ''], [''], '../a', 'a/b'));
    const some = (keys: Record<string, fc.Arbitrary<unknown>>) =>
      fc.oneof(value, fc.record(keys, { requiredKeys: [] }));
    const limits = { unmoved: value, tools: value };
    const config = fc.record(
      {
        $schema: value,
        guard: some({
          ...limits,
          workflows: some({ idle: some(limits), taskie: some({ ...limits, extra: value }) }),
        }),
        review: some({ timeout: value, access: value, floor: value, floorFrom: value }),
        journal: some({ keep: value }),
        idle: some({ issues: some({ list: value, show: value }) }),
        checks: some({
          test: some({ run: command, timeout: value, retries: value, paths: command, cwd: command }),
          'a/b': value,
        }),
        proof: some({ sandbox: value, bail: value, refusals: value }),
        protect: some({ paths: command, then: value }),
        wait: some({ work: value, person: value }),
        ask: value,
        hold: some({ as: value, extra: value }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(config, (generated) => {
        expect(accepts(published, generated)).toBe(isAccepted(generated));
      }),
      { numRuns: 3_000 },
    );
  });
});
