import fs from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { fc } from '../../test/support/property.ts';
import { isObject } from '../store/json.ts';
import { parseConfig } from './parse.ts';
import { configFile } from './schema.ts';

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
    { proof: { sandbox: 'never', bail: true, refusals: 1, acceptRed: ['test'] } },
    { proof: { sandbox: 'always', bail: false, refusals: 1000 } },
    { protect: { paths: ['test/**', 'package.json'], then: 'hold' } },
    { wait: {}, hold: {} },
    { wait: { work: 0, person: 60 }, ask: 'wait', hold: { as: 'auto' } },
    { wait: { work: 86_400, person: 31_536_000 }, ask: 'refuse', hold: { as: 'feedback' } },
    { notify: [] },
    { notify: [{ run: ['ntfy', 'publish', 'me'], on: ['needs-you', 'let-go'] }, { desktop: true }] },
    { notify: [{ webhook: 'https://a.b/c', on: ['done', 'limit'] }, { webhook: 'http://127.0.0.1:1' }] },
    { budget: {}, run: {} },
    { budget: { tokens: 1, hours: 0.001, reviews: 1, usd: 0.01 } },
    { budget: { tokens: 1e12, hours: 8760, reviews: 9999, usd: 1e6 } },
    { budget: { tokens: ' 1.5M ' } },
    ...['claude', 'codex', 'copilot', 'qwen', 'droid', 'gemini', 'opencode'].map((client) => ({
      run: { silence: 60, client },
    })),
    { run: { silence: 86_400 } },
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
    ...[0, 1.5, 1e12 + 1, '', 'much', '2G', null].map((tokens) => ({ budget: { tokens } })),
    ...[0, 0.0009, 8760.1, '4', null].map((hours) => ({ budget: { hours } })),
    ...[0, 1.5, 10_000, '1', null].map((reviews) => ({ budget: { reviews } })),
    ...[0, 0.009, 1e6 + 1, '1', null].map((usd) => ({ budget: { usd } })),
    { budget: 5 },
    { budget: { extra: 1 } },
    ...[59, 86_401, '60', null].map((silence) => ({ run: { silence } })),
    ...['', 'sh', 'claude-code', null].map((client) => ({ run: { client } })),
    { run: { extra: 1 } },
    { review: { floorFrom: 1001 } },
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

describe('what is long', () => {
  const list = (length: number, of: unknown): unknown[] => Array.from({ length }, () => of);
  const check = (entry: object): object => ({ checks: { test: { run: 'x', ...entry } } });

  test.each<[string, (length: number) => unknown, number]>([
    ['a pattern', (length) => ({ protect: { paths: ['x'.repeat(length)] } }), 1000],
    ['a list of patterns', (length) => check({ paths: list(length, 'x') }), 200],
    ['a command', (length) => check({ run: 'x'.repeat(length) }), 10_000],
    ['a program', (length) => check({ run: ['x'.repeat(length)] }), 10_000],
    ['a word of a command', (length) => check({ run: ['x', 'y'.repeat(length)] }), 10_000],
    ['a command in words', (length) => check({ run: list(length, 'x') }), 1000],
    ['a folder', (length) => check({ cwd: 'x'.repeat(length) }), 1000],
    ['a check’s name', (length) => ({ checks: { ['x'.repeat(length)]: { run: 'x' } } }), 64],
    ['an address', (length) => ({ notify: [{ webhook: 'https://a'.padEnd(length, 'x') }] }), 2000],
    ['a list of whom to call', (length) => ({ notify: list(length, { desktop: true }) }), 20],
    ['a model’s name', (length) => ({ review: { claudex: 'x'.repeat(length) } }), 200],
  ])('%s is taken up to its limit, by the hook and by the published schema', (_, make, most) => {
    expect([most, most + 1].map((length) => isAccepted(make(length)))).toEqual([true, false]);
    expect([most, most + 1].map((length) => accepts(published, make(length)))).toEqual([true, false]);
  });
});

describe('what is said of a mistake', () => {
  const said = (content: string, whose: 'user' | 'project' = 'user') => parseConfig(content, 'f', whose);
  const one = (value: unknown): string => said(JSON.stringify(value)).problems.join('\n');

  test.each<[unknown, string]>([
    [
      { guard: { unmoved: 'x'.repeat(81) } },
      `f: guard.unmoved: expected a whole number from 0 to 1000, got "${'x'.repeat(80)}"; this key is ignored`,
    ],
    [
      { guard: { unmoved: {} } },
      'f: guard.unmoved: expected a whole number from 0 to 1000, got an object; this key is ignored',
    ],
    [{ guard: 5 }, 'f: guard: expected an object, got 5; this key is ignored'],
    [{ review: 5 }, 'f: review: expected an object, got 5; reviewers are sandboxed until this is fixed'],
    [
      { proof: [] },
      'f: proof: expected an object, got a list; checks run in a sandbox alone until this is fixed',
    ],
    [{ 'a\n\u001bb': 1 }, 'f: there is no key "a b"; it is ignored'],
    [{ review: { later: 1 } }, 'f: there is no key "review.later"; it is ignored'],
    [
      { checks: { 'a b': { run: 'x' } } },
      'f: checks.a b: expected a name of letters, digits and . _ : - (at most 64, a letter or digit first); it is ignored',
    ],
    [
      { checks: { a: { run: 'x', retries: 11 } } },
      'f: checks.a.retries: expected a whole number from 0 to 10, got 11; this check does not run, and claims are unproven until it is fixed',
    ],
    [
      { checks: { a: { timeout: 0 } } },
      'f: checks.a.timeout: expected a number of seconds from 1 to 7000, got 0; this check does not run, and claims are unproven until it is fixed',
    ],
    [
      { run: { client: 'sh' } },
      'f: run.client: expected one of "claude", "codex", "copilot", "qwen", "droid", "gemini", "opencode", got "sh"; this key is ignored',
    ],
    [
      { notify: 1 },
      'f: notify: expected a list of { "run": ["program", "word"] }, { "webhook": "https://…" } or { "desktop": true }, each with "on" if it is not for all of needs-you, let-go, done, limit, got 1; this key is ignored',
    ],
  ])('%j', (value, line) => {
    expect(one(value)).toBe(line);
  });

  const seconds = (least: number, most: number) => `a number of seconds from ${least} to ${most}`;
  const globs = 'a list of 1 to 200 patterns, such as "src/**", none of which begins with "!"';
  const reviewer =
    'a model such as "opus", or a program and a model such as "codex/gpt-5.2-codex", or "codex/" (programs: ';

  test.each<[string, string]>([
    ['$schema', 'a text'],
    ['guard.tools', 'a whole number from 0 to 1000'],
    ['guard.workflows.idle.unmoved', 'a whole number from 0 to 1000'],
    ['review.timeout', seconds(1, 7000)],
    ['review.floor', '"low", "medium" or "high"'],
    ['review.floorFrom', 'a whole number from 1 to 1000'],
    ['proof.bail', 'true or false'],
    ['proof.refusals', 'a whole number from 1 to 1000'],
    ['protect.paths', globs],
    ['protect.then', '"notice" or "hold"'],
    ['journal.keep', 'a whole number of megabytes from 1 to 100000'],
    ['wait.work', seconds(0, 86_400)],
    ['wait.person', seconds(60, 31_536_000)],
    ['ask', '"wait" or "refuse"'],
    ['run.silence', seconds(60, 86_400)],
    ['hold.as', '"auto", "block" or "feedback"'],
    ['budget.tokens', 'a number of tokens from 1, such as 500k, 2M or 1.5M'],
    ['budget.hours', 'a number of hours from 0.001 to 8760, such as 4 or 0.5'],
    ['idle.issues.list', 'a text'],
    ['idle.issues.show', 'a text'],
  ])('of %s names what is allowed', (place, allowed) => {
    const value = place.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), null);
    expect(one(value)).toBe(`f: ${place}: expected ${allowed}, got null; this key is ignored`);
  });

  test.each([
    ['run', 'a command, or a list of a program and its words'],
    ['paths', globs],
    ['cwd', 'a folder inside the project, relative to its root'],
  ])('of a check’s %s names what is allowed', (name, allowed) => {
    expect(one({ checks: { a: { run: 'x', [name]: null } } })).toBe(
      `f: checks.a.${name}: expected ${allowed}, got null; this check does not run, and claims are unproven until it is fixed`,
    );
  });

  test.each([
    ['models', `a list of two reviewers, each ${reviewer}`],
    ['claudex', reviewer],
  ])('of review.%s begins with what is allowed', (name, allowed) => {
    expect(
      one({ review: { [name]: null } }).startsWith(`f: review.${name}: expected ${allowed}`.slice(0, 200)),
    ).toBe(true);
  });

  it('of a sandbox, or of a check without a command, is what counts until it is fixed', () => {
    expect(said('{"proof":{"sandbox":"off","bail":true}}')).toEqual({
      file: { proof: { sandbox: 'always', bail: true } },
      problems: [
        'f: proof.sandbox: expected "auto", "always" or "never", got "off"; checks run in a sandbox alone until this is fixed',
      ],
      unknown: [],
    });
    expect(said('{"checks":{"a":{"retries":1}},"proof":1,"review":1}')).toEqual({
      file: { checks: { a: {} }, proof: { sandbox: 'always' }, review: { access: 'sandboxed' } },
      problems: [
        'f: checks.a: there is no "run"; this check does not run, and claims are unproven until it is fixed',
        'f: proof: expected an object, got 1; checks run in a sandbox alone until this is fixed',
        'f: review: expected an object, got 1; reviewers are sandboxed until this is fixed',
      ],
      unknown: [],
    });
  });

  it('of a whole file is that it counts as none, but for the sandbox', () => {
    const file = { review: { access: 'sandboxed' }, proof: { sandbox: 'always' } };
    const counts = 'it is ignored, and reviewers and checks are sandboxed until it is fixed or removed';
    expect(said('{')).toMatchObject({ file, problems: [`f: not valid JSON; ${counts}`], unknown: [] });
    expect(said('[]')).toEqual({
      file,
      problems: [`f: the whole file: expected an object, got a list; ${counts}`],
      unknown: [],
    });
    expect(said('{"ask":"\uFEFF"}').problems).toEqual([
      'f: ask: expected "wait" or "refuse", got "\uFEFF"; this key is ignored',
    ]);
  });

  it('is whole up to 300 characters, and otherwise its beginning and its end', () => {
    const frame = 'there is no key ""; it is ignored'.length;
    const fits = 'x'.repeat(300 - frame);
    expect(one({ [fits]: 1 })).toBe(`f: there is no key "${fits}"; it is ignored`);
    const what = `there is no key "${fits}y"; it is ignored`;
    expect(one({ [`${fits}y`]: 1 })).toBe(`f: ${what.slice(0, 200)} … ${what.slice(-90)}`);
  });

  it('is said of five at most, the worst first, and those of unknown keys are known', () => {
    const keys = { a: 1, b: 1, guard: { tools: 'x' }, c: 1, review: { access: 1 }, d: 1 };
    const { problems, unknown, file: read } = said(JSON.stringify(keys));
    expect(problems).toEqual([
      'f: review.access: expected "full" or "sandboxed", got 1; reviewers are sandboxed until this is fixed',
      'f: guard.tools: expected a whole number from 0 to 1000, got "x"; this key is ignored',
      'f: there is no key "a"; it is ignored',
      'f: there is no key "b"; it is ignored',
      'f: there is no key "c"; it is ignored',
    ]);
    expect(unknown).toEqual(problems.slice(2));
    expect(read).toEqual({ guard: {}, review: { access: 'sandboxed' } });
  });

  it('is nothing where all is as it should be, and a file is the user’s unless it is said', () => {
    const whole = { ask: 'wait', guard: { workflows: { idle: { tools: 5 } } }, notify: [] };
    const read = { file: whole, problems: [], unknown: [] };
    expect(parseConfig(JSON.stringify(whole), 'f')).toEqual(read);
    expect(said(JSON.stringify(whole))).toEqual(read);
  });

  it('of a project’s file names each key that is the user’s own, and keeps the rest', () => {
    const whole = {
      $schema: 's',
      ask: 'wait',
      run: { silence: 60, client: 'claude' },
      hold: { as: 'block' },
      notify: [],
      checks: { a: { run: 'x' } },
      guard: { workflows: { idle: { tools: 5 } } },
    };
    const { problems, unknown, file: read } = said(JSON.stringify(whole), 'project');
    expect(problems).toEqual(
      ['ask', 'run.client', 'hold.as', 'notify'].map(
        (name) => `f: ${name}: only your own file may set this; it is ignored`,
      ),
    );
    expect(unknown).toEqual([]);
    expect(read).toEqual({
      $schema: 's',
      run: { silence: 60 },
      hold: {},
      checks: { a: { run: 'x' } },
      guard: { workflows: { idle: { tools: 5 } } },
    });
  });

  test.each<[string, unknown, string | undefined]>([
    [
      'a limit',
      { budget: { usd: 0 } },
      'f: budget.usd: expected a number of dollars from 0.01 to 1000000, such as 10 or 2.50, got 0',
    ],
    ['all of it', { budget: 5 }, 'f: budget: expected an object, got 5'],
    ['an unknown key', { budget: { dollars: 5 } }, 'f: there is no key "budget.dollars"'],
    ['a whole budget', { budget: { usd: 5 } }, undefined],
    ['another key', { guard: 1, budgets: 1, run: { budget: 1 } }, undefined],
    ['a word in another key’s value', { ask: 'budget: 5' }, undefined],
    [
      'what is said in a limit',
      { budget: { hours: 'x; it is ignored; y' } },
      'f: budget.hours: expected a number of hours from 0.001 to 8760, such as 4 or 0.5, got "x; it is ignored; y"',
    ],
    [
      'the sixth of them',
      { review: 1, proof: 1, guard: 1, wait: 1, journal: 1, budget: { reviews: 0 } },
      'f: budget.reviews: expected a whole number of reviews from 1 to 9999, got 0',
    ],
  ])('of a budget is kept apart: %s', (_, value, brokenBudget) => {
    const read = said(JSON.stringify(value));
    expect(read.brokenBudget).toBe(brokenBudget);
    expect('brokenBudget' in read).toBe(brokenBudget !== undefined);
  });

  it('of a table of checks with one too many names the last that counts', () => {
    expect(said(JSON.stringify({ checks: table(51) }))).toMatchObject({
      problems: ['f: checks: expected at most 50, got 51; those after "c49" are ignored'],
      file: { checks: table(50) },
    });
  });
});
