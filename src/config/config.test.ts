import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { type TempProject, tempProject } from '../../test/support/project.ts';
import type { Environment } from '../store/environment.ts';
import {
  CONFIG_NAME,
  type Config,
  DEFAULT_CONFIG,
  guardLimits,
  loadConfig,
  userConfigPath,
} from './config.ts';
import type { ConfigFile } from './schema.ts';
import { changedSettings, settle } from './settings.ts';

let project: TempProject;
let env: Environment;

beforeEach(() => {
  project = tempProject();
  env = { HOME: project.home };
});

afterEach(() => project.remove());

/** Loads with the user's and the project's file as given; text is written as it is. */
function load(user: ConfigFile | string | null, own: ConfigFile | string | null = null): Promise<Config> {
  const text = (file: ConfigFile | string) => (typeof file === 'string' ? file : JSON.stringify(file));
  fs.mkdirSync(path.dirname(userConfigPath(env)), { recursive: true });
  if (user !== null) fs.writeFileSync(userConfigPath(env), text(user));
  if (own !== null) project.write(CONFIG_NAME, text(own));
  return loadConfig(project.root, env);
}

const projectFile = (): string => path.join(project.root, CONFIG_NAME);
const taskie = { unmoved: 3, tools: 12 };
const idle = { unmoved: 6, tools: null };

describe('without a file', () => {
  it('the defaults hold', async () => {
    const config = await load(null);

    expect(config.problems).toEqual([]);
    expect(config.review).toMatchObject({ timeoutMs: 600_000, access: 'full' });
    expect(config.issues).toEqual({ list: null, show: null });
    expect(guardLimits(config, 'taskie', taskie)).toEqual(taskie);
    expect(guardLimits(config, 'idle', idle)).toEqual(idle);
  });

  it('and without a project only the user’s is read', async () => {
    await load({ review: { timeout: 10 } }, { review: { timeout: 5 } });

    expect((await loadConfig(null, env)).review.timeoutMs).toBe(10_000);
  });
});

describe('the limits of the guard', () => {
  const rows: readonly [string, ConfigFile, ConfigFile, object, object][] = [
    [
      'the user may loosen',
      { guard: { unmoved: 9, tools: 99 } },
      {},
      { unmoved: 9, tools: 99 },
      { unmoved: 9, tools: 99 },
    ],
    [
      'the user may tighten',
      { guard: { unmoved: 1, tools: 2 } },
      {},
      { unmoved: 1, tools: 2 },
      { unmoved: 1, tools: 2 },
    ],
    [
      'the project may tighten',
      {},
      { guard: { unmoved: 1, tools: 2 } },
      { unmoved: 1, tools: 2 },
      { unmoved: 1, tools: 2 },
    ],
    [
      'the project may not loosen',
      {},
      { guard: { unmoved: 9, tools: 99 } },
      taskie,
      { unmoved: 6, tools: 99 },
    ],
    [
      'the project may not loosen what the user tightened',
      { guard: { unmoved: 1, tools: 2 } },
      { guard: { unmoved: 2, tools: 3 } },
      { unmoved: 1, tools: 2 },
      { unmoved: 1, tools: 2 },
    ],
    [
      'the project may tighten what the user loosened',
      { guard: { unmoved: 9, tools: 99 } },
      { guard: { unmoved: 8, tools: 98 } },
      { unmoved: 8, tools: 98 },
      { unmoved: 8, tools: 98 },
    ],
    [
      'a workflow’s own come before those for all',
      { guard: { unmoved: 4, workflows: { idle: { unmoved: 20, tools: 30 } } } },
      {},
      { unmoved: 4, tools: 12 },
      { unmoved: 20, tools: 30 },
    ],
    [
      'the project’s for one workflow may tighten it alone',
      {},
      { guard: { workflows: { idle: { unmoved: 2, tools: 5 } } } },
      taskie,
      { unmoved: 2, tools: 5 },
    ],
    [
      'the project’s for one workflow may not loosen it',
      {},
      { guard: { unmoved: 1, workflows: { taskie: { unmoved: 1000, tools: 1000 } } } },
      taskie,
      { unmoved: 1, tools: null },
    ],
    [
      'zero lets go at once',
      {},
      { guard: { unmoved: 0, tools: 0 } },
      { unmoved: 0, tools: 0 },
      { unmoved: 0, tools: 0 },
    ],
  ];

  test.each(rows)('%s', async (_, user, own, forTaskie, forIdle) => {
    const config = await load(user, own);

    expect(config.problems).toEqual([]);
    expect(guardLimits(config, 'taskie', taskie)).toEqual(forTaskie);
    expect(guardLimits(config, 'idle', idle)).toEqual(forIdle);
  });
});

type Review = NonNullable<ConfigFile['review']>;

describe('the review settings', () => {
  const rows: readonly [string, Review, Review, number, string][] = [
    ['the user may lengthen and shorten', { timeout: 7000 }, {}, 7000, 'full'],
    ['the project may shorten', {}, { timeout: 1.5 }, 1.5, 'full'],
    ['the project may not lengthen the default', {}, { timeout: 601 }, 600, 'full'],
    ['the project may not lengthen the user’s', { timeout: 30 }, { timeout: 31 }, 30, 'full'],
    ['the project may ask for the sandbox', {}, { access: 'sandboxed' }, 600, 'sandboxed'],
    ['the project may not leave the sandbox', { access: 'sandboxed' }, { access: 'full' }, 600, 'sandboxed'],
    ['the user may give full access', { access: 'full' }, {}, 600, 'full'],
  ];

  test.each(rows)('%s', async (_, user, own, seconds, access) => {
    const config = await load({ review: user }, { review: own });

    expect(config.problems).toEqual([]);
    expect(config.review).toMatchObject({ timeoutMs: seconds * 1000, access });
  });
});

describe('who reviews', () => {
  const chosen = { models: ['codex/', 'opus'] as [string, string], claudex: 'claude/opus' };

  it('is the user’s choice', async () => {
    const { review, problems } = await load({ review: chosen }, {});
    expect(problems).toEqual([]);
    expect(review).toMatchObject({ models: ['codex/', 'opus'], chosen: true, claudex: 'claude/opus' });
  });

  it('is never a repository’s: what its file says of it is ignored, and said', async () => {
    const { review, problems } = await load({}, { review: { ...chosen, timeout: 30 } });
    expect(review).toMatchObject({ models: ['opus', 'sonnet'], chosen: false, claudex: 'codex/' });
    expect(review.timeoutMs).toBe(30_000);
    expect(problems).toHaveLength(2);
    for (const key of ['review.models', 'review.claudex'])
      expect(problems.join('\n')).toContain(`${key}: only your own file may set this; it is ignored`);
  });

  it('stays who it was where the user’s own choice is no choice', async () => {
    const bad = { review: { models: ['opus', '--settings'], claudex: 'sh/-c' } } as unknown as ConfigFile;
    const { review, problems } = await load(bad, {});
    expect(review).toMatchObject({ models: ['opus', 'sonnet'], chosen: false, claudex: 'codex/' });
    expect(problems.join('\n')).toContain('expected a list of two reviewers');
  });
});

describe('the floor of reviews', () => {
  const rows: readonly [string, Review, Review, string, number][] = [
    ['is the reviewer’s word by default', {}, {}, 'low', 1],
    ['is the user’s to raise', { floor: 'high', floorFrom: 3 }, {}, 'high', 3],
    ['is not the project’s to raise', {}, { floor: 'medium' }, 'low', 1],
    ['is not the project’s to raise above the user’s', { floor: 'medium' }, { floor: 'high' }, 'medium', 1],
    ['is the project’s to lower', { floor: 'high' }, { floor: 'medium' }, 'medium', 1],
    ['comes later where the project says so', { floor: 'high' }, { floorFrom: 4 }, 'high', 4],
    ['comes no sooner', { floor: 'high', floorFrom: 4 }, { floorFrom: 2 }, 'high', 4],
  ];

  test.each(rows)('%s', async (_, user, own, severity, from) => {
    const config = await load({ review: user }, { review: own });

    expect(config.problems).toEqual([]);
    expect(config.floor).toEqual({ severity, from });
  });
});

describe('the commands for issues', () => {
  it('are the project’s, else the user’s, each for itself', async () => {
    const user = { idle: { issues: { list: 'gh issue list', show: 'gh issue view' } } };
    const config = await load(user, { idle: { issues: { list: 'tissue ls' } } });

    expect(config.issues).toEqual({ list: 'tissue ls', show: 'gh issue view' });
  });
});

describe('checks', () => {
  const own: ConfigFile = {
    checks: { test: { run: 'npm test' }, types: { run: ['npx', 'tsc'], cwd: 'a', retries: 2 } },
  };
  const user = {
    checks: { test: { run: 'make test', timeout: 5, paths: ['src/**'] }, lint: { run: 'lint' } },
  };
  const plain = { timeout: 600, retries: 0, paths: null, cwd: null };

  it('are none without a file', async () => {
    expect(await load(null)).toMatchObject({ checks: [], brokenChecks: [] });
  });

  it('are those of both files; where both have a name, the user’s counts', async () => {
    expect((await load(user, own)).checks).toEqual([
      { ...plain, name: 'test', run: 'make test', timeout: 5, paths: ['src/**'], from: 'user' },
      { ...plain, name: 'types', run: ['npx', 'tsc'], cwd: 'a', retries: 2, from: 'project' },
      { ...plain, name: 'lint', run: 'lint', from: 'user' },
    ]);
  });

  test.each([
    ['{}', 'checks.test: there is no "run"'],
    ['5', 'checks.test: expected an object, got 5'],
    ['{"run":[]}', 'checks.test.run: expected a command, or a list of a program and its words, got a list'],
    ['{"run":"x","timeout":0}', 'checks.test.timeout: expected a number of seconds from 1 to 7000, got 0'],
    [
      '{"run":"x","timeout":1e9}',
      'checks.test.timeout: expected a number of seconds from 1 to 7000, got 1000',
    ],
    [
      '{"run":"x","cwd":"../a"}',
      'checks.test.cwd: expected a folder inside the project, relative to its root',
    ],
  ])('with a mistake do not run, and are not forgotten: %s', async (text, said) => {
    const config = await load(null, `{"checks":{"test":${text},"types":{"run":"tsc"}}}`);

    expect(config.problems).toEqual([
      expect.stringMatching(/; this check does not run, and claims are unproven until it is fixed$/),
    ]);
    expect(config.problems[0]).toContain(`${projectFile()}: ${said}`);
    expect(config.brokenChecks).toEqual(['test']);
    expect(config.checks.map(({ name }) => name)).toEqual(['types']);
  });

  it('of the user’s that are broken are not replaced by the project’s of that name', async () => {
    const config = await load('{"checks":{"test":{"run":5}}}', own);

    expect(config.brokenChecks).toEqual(['test']);
    expect(config.checks.map(({ name }) => name)).toEqual(['types']);
  });

  it('keep their command where a key is unknown', async () => {
    const config = await load(null, '{"checks":{"test":{"run":"x","later":1}}}');

    expect(config.checks).toEqual([{ ...plain, name: 'test', run: 'x', from: 'project' }]);
    expect(config.unknownKeys).toHaveLength(1);
  });

  it('may be called like what every object has, but not __proto__', async () => {
    const config = await load(
      '{"checks":{"toString":{"run":"y"}}}',
      '{"checks":{"__proto__":{"run":"x"},"constructor":{"run":"x"}}}',
    );

    expect(config.checks.map(({ name, from }) => [name, from])).toEqual([
      ['constructor', 'project'],
      ['toString', 'user'],
    ]);
    expect(config.problems).toEqual([expect.stringContaining('checks.__proto__: expected a name of')]);
    expect('run' in {}).toBe(false);
  });

  it('are at most 50 of a file, and one given twice is the last one', async () => {
    const entries = Array.from({ length: 1000 }, (_, at) => `"c${at}":{"run":"x"}`);
    const config = await load(null, `{"checks":{${entries.join(',')},"c0":{"run":"y"}}}`);

    expect(config.checks).toHaveLength(50);
    expect(config.checks[0]).toMatchObject({ name: 'c0', run: 'y' });
    expect(config.problems).toEqual([
      expect.stringContaining('checks: expected at most 50, got 1000; those after "c49" are ignored'),
    ]);
  });
});

describe('the settings of proof and protect', () => {
  const proof = { sandbox: 'auto', bail: false, refusals: 12, acceptRed: [] };
  const rows: readonly [string, ConfigFile, ConfigFile, object][] = [
    ['defaults', {}, {}, proof],
    [
      'the user may loosen',
      { proof: { sandbox: 'never', refusals: 20 } },
      {},
      { sandbox: 'never', refusals: 20 },
    ],
    [
      'the project may tighten',
      {},
      { proof: { sandbox: 'always', refusals: 2 } },
      { sandbox: 'always', refusals: 2 },
    ],
    ['the project may not loosen', {}, { proof: { sandbox: 'never', refusals: 20 } }, proof],
    [
      'the project may tighten what the user loosened',
      { proof: { sandbox: 'never' } },
      { proof: { sandbox: 'auto' } },
      { sandbox: 'auto' },
    ],
    ['bail is the nearest', { proof: { bail: true } }, { proof: { bail: false } }, { bail: false }],
  ];

  test.each(rows)('%s', async (_, user, own, expected) => {
    const config = await load(user, own);

    expect(config.problems).toEqual([]);
    expect(config.proof).toMatchObject(expected);
  });

  test.each(['{"proof":{"sandbox":"off"}}', '{"proof":{"sandbox":false}}', '{"proof":"never"}'])(
    'a sandbox that cannot be understood is the tightest: %s',
    async (text) => {
      for (const [user, own] of [
        [text, null],
        [{ proof: { sandbox: 'never' as const } }, text],
      ] as const) {
        fs.rmSync(projectFile(), { force: true });
        const config = await load(user, own);

        expect(config.proof.sandbox).toBe('always');
        expect(config.problems).toEqual([
          expect.stringMatching(/; checks run in a sandbox alone until this is fixed$/),
        ]);
      }
    },
  );

  it('protect the paths of both files, and hold where one of them wants it', async () => {
    const config = await load(
      { protect: { paths: ['a'], then: 'hold' } },
      { protect: { paths: ['b'], then: 'notice' } },
    );

    expect(config.protect).toEqual({ paths: ['a', 'b'], then: 'hold' });
    expect((await load({}, { protect: { then: 'hold' } })).protect).toEqual({ paths: [], then: 'hold' });
  });
});

describe('the settings of waiting', () => {
  const defaults = { wait: { workMs: 7_200_000, personMs: 604_800_000 }, ask: 'wait', holdAs: 'auto' };
  const rows: readonly [string, ConfigFile, ConfigFile, object][] = [
    ['defaults', {}, {}, defaults],
    [
      'the user may set all of them',
      { wait: { work: 9000, person: 60 }, ask: 'refuse', hold: { as: 'feedback' } },
      {},
      { wait: { workMs: 9_000_000, personMs: 60_000 }, ask: 'refuse', holdAs: 'feedback' },
    ],
    ['the project may wait for work less', {}, { wait: { work: 5 } }, { wait: { workMs: 5000 } }],
    ['the project may not wait for work longer', {}, { wait: { work: 7201 } }, defaults],
    [
      'the project may not wait for work longer than the user',
      { wait: { work: 10 } },
      { wait: { work: 11 } },
      { wait: { workMs: 10_000 } },
    ],
  ];

  test.each(rows)('%s', async (_, user, own, expected) => {
    const config = await load(user, own);

    expect(config.problems).toEqual([]);
    expect(config).toMatchObject(expected);
  });

  test.each<[string, ConfigFile]>([
    ['ask', { ask: 'refuse' }],
    ['hold.as', { hold: { as: 'feedback' } }],
    ['wait.person', { wait: { person: 60 } }],
  ])('%s in a project’s file is ignored, and that is said', async (key, own) => {
    const config = await load(null, own);

    expect(config.problems).toEqual([
      `${projectFile()}: ${key}: only your own file may set this; it is ignored`,
    ]);
    expect(config.unknownKeys).toEqual([]);
    expect(config).toMatchObject(defaults);
    expect(changedSettings(config)).toEqual([]);
  });

  it('beside them in a project’s file still count', async () => {
    const config = await load(
      { ask: 'refuse' },
      { ask: 'wait', wait: { work: 5, person: 60 }, guard: { tools: 3 } },
    );

    expect(config.problems).toHaveLength(2);
    expect(config.ask).toBe('refuse');
    expect(config.wait).toEqual({ workMs: 5000, personMs: 604_800_000 });
    expect(config.project).toEqual({ wait: { work: 5 }, guard: { tools: 3 } });
  });
});

describe('a key that is not as it should be', () => {
  const wrong: readonly (readonly [string, string])[] = [
    ['{"guards":{}}', 'there is no key "guards" (did you mean "guard"?); it is ignored'],
    ['{"__proto__":{"guard":{"unmoved":1000}}}', 'there is no key "__proto__"; it is ignored'],
    ['{"constructor":1}', 'there is no key "constructor"; it is ignored'],
    ['{"guard":[]}', 'guard: expected an object, got a list; this key is ignored'],
    ['{"guard":{"unmoved":"3"}}', 'guard.unmoved: expected a whole number from 0 to 1000, got "3"; this key'],
    ['{"guard":{"unmoved":-1}}', 'guard.unmoved: expected a whole number from 0 to 1000, got -1; this key'],
    ['{"guard":{"unmoved":1.5}}', 'guard.unmoved: expected a whole number from 0 to 1000, got 1.5; this key'],
    ['{"guard":{"tools":1001}}', 'guard.tools: expected a whole number from 0 to 1000, got 1001; this key'],
    ['{"guard":{"tools":1e400}}', 'guard.tools: expected a whole number from 0 to 1000, got Infinity'],
    ['{"guard":{"tools":null}}', 'guard.tools: expected a whole number from 0 to 1000, got null'],
    ['{"guard":{"workflows":[]}}', 'guard.workflows: expected an object, got a list'],
    ['{"guard":{"workflows":{"idle":{"max":1}}}}', 'there is no key "guard.workflows.idle.max"'],
    ['{"guard":{"__proto__":{"unmoved":1000}}}', 'there is no key "guard.__proto__"'],
    ['{"review":{"timeout":0}}', 'review.timeout: expected a number of seconds from 1 to 7000, got 0'],
    ['{"review":{"timeout":7001}}', 'review.timeout: expected a number of seconds from 1 to 7000, got 7001'],
    ['{"journal":{"keep":0}}', 'journal.keep: expected a whole number of megabytes from 1 to 100000, got 0'],
    ['{"idle":{"issues":{"list":["rm"]}}}', 'idle.issues.list: expected a text, got a list'],
    ['{"wait":{"work":-1}}', 'wait.work: expected a number of seconds from 0 to 86400, got -1; this key'],
    ['{"ask":"never"}', 'ask: expected "wait" or "refuse", got "never"; this key is ignored'],
  ];

  test.each(wrong)(
    'is ignored, and the problem names file, key and what is allowed: %s',
    async (text, said) => {
      const config = await load(null, text);

      expect(config.problems).toHaveLength(1);
      expect(config.problems[0]).toContain(`${projectFile()}: ${said}`);
      expect(config.unknownKeys).toEqual(said.startsWith('there is no key') ? config.problems : []);
      expect(config.settings).toEqual(DEFAULT_CONFIG.settings);
      expect(guardLimits(config, 'taskie', taskie)).toEqual(taskie);
      expect(guardLimits(config, 'idle', idle)).toEqual(idle);
    },
  );

  it('costs no other key its value', async () => {
    const text = {
      future: { on: true },
      review: { access: 'sandboxed', timeout: 'long', later: 1 },
      guard: { unmoved: 1, tools: -1, workflows: { idle: { unmoved: 2, later: 1 }, taskie: 3 } },
      journal: { keep: 8 },
    };
    const config = await load(null, JSON.stringify(text));

    expect(config.review).toMatchObject({ timeoutMs: 600_000, access: 'sandboxed' });
    expect(config.journal.keepBytes).toBe(8 * 1024 * 1024);
    expect(guardLimits(config, 'taskie', taskie)).toEqual({ unmoved: 1, tools: 12 });
    expect(guardLimits(config, 'idle', idle)).toEqual({ unmoved: 2, tools: null });
    expect(config.problems).toHaveLength(5);
  });

  it.each([
    ['"root"', 'review.access: expected "full" or "sandboxed", got "root"'],
    ['"read-only"', 'review.access: expected "full" or "sandboxed", got "read-only"'],
    ['null', 'review.access: expected "full" or "sandboxed", got null'],
    ['true', 'review.access: expected "full" or "sandboxed", got true'],
  ])('means the sandbox where it is about access: %s', async (value, said) => {
    for (const [user, own] of [
      [`{"review":{"access":${value}}}`, null],
      [{ review: { access: 'full' as const } }, `{"review":{"access":${value}}}`],
    ] as const) {
      fs.rmSync(projectFile(), { force: true });
      const config = await load(user, own);

      expect(config.problems).toEqual([
        expect.stringMatching(/; reviewers are sandboxed until this is fixed$/),
      ]);
      expect(config.problems[0]).toContain(said);
      expect(config.review.access).toBe('sandboxed');
    }
  });

  it('means the sandbox where all about reviews cannot be read', async () => {
    expect((await load(null, '{"review":"sandboxed"}')).review.access).toBe('sandboxed');
  });

  it('that changes what is allowed is spoken of before those that do not', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`k${i}`, 1]));
    const text = JSON.stringify({ ...unknown, guard: { unmoved: 'x' }, review: { access: 'all' } });
    const { problems } = await load(null, text);

    expect(problems[0]).toContain('review.access');
    expect(problems[1]).toContain('guard.unmoved');
  });
});

describe('a file that is not as it should be', () => {
  test.each([
    ['', 'not valid JSON (line 1, column 1: a value belongs here)'],
    ['{\n  "a": 1\n  "b": 2\n}', 'not valid JSON (line 3, column 3: a comma belongs here)'],
    ['{"review":{"access":"sandboxed"}', 'not valid JSON (line 1, column 33: a closing brace is missing)'],
    ['// comment\n{}', 'not valid JSON (line 1, column 1: JSON has no comments)'],
    ['null', 'the whole file: expected an object, got null'],
    ['[]', 'the whole file: expected an object, got a list'],
    ['"text"', 'the whole file: expected an object, got "text"'],
  ])('is ignored, but for what it may have said about access: %j', async (text, said) => {
    const config = await load({ review: { access: 'full' } }, text);

    expect(config.problems).toEqual([
      `${projectFile()}: ${said}; it is ignored, and reviewers and checks are sandboxed until it is fixed or removed`,
    ]);
    expect(config.review).toMatchObject({ timeoutMs: 600_000, access: 'sandboxed' });
    expect(config.proof.sandbox).toBe('always');
    expect(guardLimits(config, 'taskie', taskie)).toEqual(taskie);
  });

  it('does not take the other one with it', async () => {
    const config = await load('{', { guard: { unmoved: 1 } });

    expect(config.problems).toEqual([expect.stringContaining(userConfigPath(env))]);
    expect(guardLimits(config, 'taskie', taskie).unmoved).toBe(1);
  });

  it('may begin with a byte order mark', async () => {
    const config = await load(null, '\ufeff{"guard":{"unmoved":1}}');

    expect(config.problems).toEqual([]);
    expect(config.project).toEqual({ guard: { unmoved: 1 } });
  });

  it('says each thing in one line of fair length, without what steers a terminal', async () => {
    const key = `a\n\u001b[2J\u009b${'x'.repeat(10_000)}`;
    const config = await load(null, JSON.stringify({ [key]: 1 }));

    expect(config.problems[0]).not.toMatch(/\p{Cc}/u);
    expect(config.problems[0]?.length).toBeLessThan(600);
  });

  it('does not say a thousand things', async () => {
    const workflows = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`w${i}`, { unmoved: 'x' }]));

    expect((await load(null, JSON.stringify({ guard: { workflows } }))).problems).toHaveLength(5);
  });

  it('changes no prototype', async () => {
    await load(null, '{"__proto__":{"polluted":1},"guard":{"workflows":{"__proto__":{"unmoved":0}}}}');

    expect('polluted' in {}).toBe(false);
    expect('unmoved' in {}).toBe(false);
  });

  it('is named and not read when it is a folder', async () => {
    fs.mkdirSync(projectFile());

    expect((await load(null)).problems).toEqual([
      expect.stringContaining(`${projectFile()}: not a regular file; it is ignored`),
    ]);
  });

  it('is named and not waited for when it is a FIFO', async () => {
    execFileSync('mkfifo', [projectFile()]);

    expect((await load(null)).problems).toEqual([
      expect.stringContaining(`${projectFile()}: not a regular file; it is ignored`),
    ]);
  });

  it('is named when it is a link that goes in circles, and counts as none when it leads nowhere', async () => {
    fs.symlinkSync(CONFIG_NAME, projectFile());
    expect((await load(null)).problems).toEqual([
      expect.stringContaining(`${projectFile()}: cannot be read`),
    ]);

    fs.rmSync(projectFile());
    fs.symlinkSync('nowhere', projectFile());
    expect((await load(null)).problems).toEqual([]);
  });
});

describe('a setting', () => {
  const from = async (user: ConfigFile, own: ConfigFile) => (await load(user, own)).settings;

  it('is the default’s without a file', async () => {
    const settings = await from({}, {});

    expect(new Set(Object.values(settings).map((setting) => setting.from))).toEqual(new Set(['default']));
    expect((await load(null)).settings).toEqual(settings);
  });

  test.each<[ConfigFile, ConfigFile, string, unknown, string]>([
    [{ review: { timeout: 700 } }, {}, 'review.timeout', 700, 'user'],
    [{ review: { timeout: 700 } }, { review: { timeout: 5 } }, 'review.timeout', 5, 'project'],
    [{ review: { timeout: 7 } }, { review: { timeout: 8 } }, 'review.timeout', 7, 'user'],
    [{}, { review: { timeout: 700 } }, 'review.timeout', 600, 'default'],
    [{ review: { access: 'full' } }, {}, 'review.access', 'full', 'user'],
    [{}, { review: { access: 'full' } }, 'review.access', 'full', 'default'],
    [{}, { review: { access: 'sandboxed' } }, 'review.access', 'sandboxed', 'project'],
    [
      { review: { access: 'sandboxed' } },
      { review: { access: 'sandboxed' } },
      'review.access',
      'sandboxed',
      'user',
    ],
    [{ journal: { keep: 500 } }, {}, 'journal.keep', 500, 'user'],
    [{}, { journal: { keep: 500 } }, 'journal.keep', 64, 'default'],
    [{}, { journal: { keep: 2 } }, 'journal.keep', 2, 'project'],
    [{ idle: { issues: { list: 'a' } } }, {}, 'idle.issues.list', 'a', 'user'],
    [{ budget: { tokens: '2M' } }, {}, 'budget.tokens', 2_000_000, 'user'],
    [{ budget: { tokens: '2M' } }, { budget: { tokens: '3M' } }, 'budget.tokens', 2_000_000, 'user'],
    [{ budget: { tokens: '2M' } }, { budget: { tokens: 500 } }, 'budget.tokens', 500, 'project'],
    [{ budget: { tokens: '2m' } }, {}, 'budget.tokens', 2_000_000, 'user'],
    [{ budget: { tokens: '500K' } }, {}, 'budget.tokens', 500_000, 'user'],
    [{ budget: { tokens: '0.5M' } }, {}, 'budget.tokens', 500_000, 'user'],
    [{}, { budget: { hours: 0.5 } }, 'budget.hours', 0.5, 'project'],
    [{ budget: { reviews: 3 } }, { budget: { reviews: 9 } }, 'budget.reviews', 3, 'user'],
    [{}, {}, 'budget.usd', null, 'default'],
    [
      { idle: { issues: { show: 'a' } } },
      { idle: { issues: { show: 'b' } } },
      'idle.issues.show',
      'b',
      'project',
    ],
  ])('knows where it came from: %j, %j', async (user, own, key, value, origin) => {
    expect(await from(user, own)).toMatchObject({ [key]: { value, from: origin } });
  });
});

describe('what a file changed', () => {
  it('is nothing without a file', async () => {
    expect(changedSettings(await load(null))).toEqual([]);
  });

  it('is listed with where it came from, what no file may change left out', async () => {
    const user: ConfigFile = {
      review: { timeout: 30 },
      guard: { unmoved: 5, workflows: { idle: { tools: 40 } } },
      wait: { person: 3600 },
      hold: { as: 'feedback' },
    };
    const own: ConfigFile = {
      wait: { work: 60 },
      ask: 'refuse',
      review: { timeout: 31, access: 'sandboxed' },
      guard: { unmoved: 2, tools: 3, workflows: { idle: { tools: 50 } } },
      idle: { issues: { show: 'gh issue view' } },
    };

    expect(changedSettings(await load(user, own))).toEqual([
      { key: 'review.timeout', value: 30, from: 'user' },
      { key: 'review.access', value: 'sandboxed', from: 'project' },
      { key: 'idle.issues.show', value: 'gh issue view', from: 'project' },
      { key: 'wait.work', value: 60, from: 'project' },
      { key: 'wait.person', value: 3600, from: 'user' },
      { key: 'hold.as', value: 'feedback', from: 'user' },
      { key: 'guard.unmoved', value: 2, from: 'project' },
      { key: 'guard.tools', value: 3, from: 'project' },
      { key: 'guard.workflows.idle.tools', value: 40, from: 'user' },
    ]);
  });
});

describe('the user’s file', () => {
  test.each([
    [{ HOME: '/home/u' }, '/home/u/.config/holdfast/holdfast.config.json'],
    [{ HOME: '/home/u', XDG_CONFIG_HOME: '/config' }, '/config/holdfast/holdfast.config.json'],
    [{ HOME: '/home/u', XDG_CONFIG_HOME: 'relative' }, '/home/u/.config/holdfast/holdfast.config.json'],
    [{ HOME: '/home/u', XDG_CONFIG_HOME: '' }, '/home/u/.config/holdfast/holdfast.config.json'],
  ])('with %j is %s', (variables, expected) => {
    expect(userConfigPath(variables)).toBe(expected);
  });
});

describe('all that is settled', () => {
  it('has these values without any file', () => {
    expect(DEFAULT_CONFIG).toEqual({
      user: {},
      project: {},
      settings: settle({}, {}),
      review: {
        timeoutMs: 600_000,
        access: 'full',
        models: ['opus', 'sonnet'],
        chosen: false,
        claudex: 'codex/',
      },
      floor: { severity: 'low', from: 1 },
      journal: { keepBytes: 67_108_864 },
      issues: { list: null, show: null },
      checks: [],
      brokenChecks: [],
      proof: { sandbox: 'auto', bail: false, refusals: 12, acceptRed: [] },
      protect: { paths: [], then: 'notice' },
      wait: { workMs: 7_200_000, personMs: 604_800_000 },
      ask: 'wait',
      holdAs: 'auto',
      run: { silenceMs: 1_800_000, client: null },
      budget: null,
      notify: [],
      brokenBudget: null,
      problems: [],
      unknownKeys: [],
    });
  });

  test.each<[ConfigFile, ConfigFile, string, unknown, string]>([
    // What a project says that is just what is allowed already changes nothing.
    [{ review: { timeout: 7 } }, { review: { timeout: 7 } }, 'review.timeout', 7, 'user'],
    [{}, { review: { timeout: 600 } }, 'review.timeout', 600, 'default'],
    [{ review: { floorFrom: 3 } }, { review: { floorFrom: 3 } }, 'review.floorFrom', 3, 'user'],
    [{}, { review: { floorFrom: 1 } }, 'review.floorFrom', 1, 'default'],
    [{}, { review: { floorFrom: 2 } }, 'review.floorFrom', 2, 'project'],
    [{ budget: { usd: 5 } }, { budget: { usd: 5 } }, 'budget.usd', 5, 'user'],
    [{ protect: { then: 'notice' } }, { protect: { then: 'notice' } }, 'protect.then', 'notice', 'user'],
    [{ run: { silence: 7200 } }, {}, 'run.silence', 7200, 'user'],
    [{}, { run: { silence: 60 } }, 'run.silence', 60, 'project'],
    [{}, { run: { silence: 1801 } }, 'run.silence', 1800, 'default'],
    [{ run: { client: 'codex' } }, {}, 'run.client', 'codex', 'user'],
    [{ proof: { bail: false } }, {}, 'proof.bail', false, 'user'],
  ])('knows whose word counts: %j, %j', async (user, own, key, value, origin) => {
    expect((await load(user, own)).settings).toMatchObject({ [key]: { value, from: origin } });
  });

  it('is in the units that the rest of the code counts in', async () => {
    const { review, journal, wait, run } = await load({
      review: { timeout: 7000 },
      journal: { keep: 2 },
      wait: { work: 3, person: 61 },
      run: { silence: 62, client: 'qwen' },
    });
    expect({ review, journal, wait, run }).toMatchObject({
      review: { timeoutMs: 7_000_000 },
      journal: { keepBytes: 2_097_152 },
      wait: { workMs: 3000, personMs: 61_000 },
      run: { silenceMs: 62_000, client: 'qwen' },
    });
  });
});

describe('a budget', () => {
  const none = { tokens: null, timeMs: null, reviews: null, usd: null };

  test.each<[NonNullable<ConfigFile['budget']>, object | null]>([
    [{}, null],
    [{ tokens: '2k' }, { ...none, tokens: 2000 }],
    [{ hours: 1.5 }, { ...none, timeMs: 5_400_000 }],
    [{ hours: 0.0011 }, { ...none, timeMs: 3960 }],
    [{ reviews: 1 }, { ...none, reviews: 1 }],
    [{ usd: 0.5 }, { ...none, usd: 0.5 }],
  ])('%j is %j', async (budget, limits) => {
    const config = await load({ budget });
    expect([config.budget, config.brokenBudget]).toEqual([limits, null]);
  });

  it('that is broken is known where it is the user’s, and only said where it is the project’s', async () => {
    const broken = '{"budget":{"usd":-1}}';
    expect((await load(null, broken)).brokenBudget).toBeNull();
    const config = await load(broken, {});
    expect(config.brokenBudget).toBe(
      `${userConfigPath(env)}: budget.usd: expected a number of dollars from 0.01 to 1000000, such as 10 or 2.50, got -1`,
    );
    expect(config.budget).toBeNull();
  });
});

describe('whom to call', () => {
  it('is the user’s own affair', async () => {
    const notify = [{ desktop: true as const, on: ['done' as const] }];
    expect((await load({ notify }, {})).notify).toEqual([{ by: 'desktop', on: ['done'] }]);
    const config = await load({}, { notify });
    expect(config.notify).toEqual([]);
    expect(config.problems).toEqual([
      `${projectFile()}: notify: only your own file may set this; it is ignored`,
    ]);
  });
});

describe('where nobody is there to be asked', () => {
  it('questions are refused, whatever the files say', async () => {
    env = { ...env, HOLDFAST_UNATTENDED: '1' };
    const config = await load({ ask: 'wait', journal: { keep: 3 } });
    expect([config.ask, config.settings.ask]).toEqual(['refuse', { value: 'refuse', from: 'user' }]);
    expect(config.settings['journal.keep']).toEqual({ value: 3, from: 'user' });
  });

  test.each(['', '0', 'true', undefined])('is not said by %j', async (said) => {
    env = { ...env, ...(said === undefined ? {} : { HOLDFAST_UNATTENDED: said }) };
    const config = await load(null);
    expect([config.ask, config.settings.ask]).toEqual(['wait', { value: 'wait', from: 'default' }]);
  });
});

describe('how a file is read', () => {
  const MEGABYTE = 1024 * 1024;

  it('whole up to a megabyte, and not at all beyond', async () => {
    const text = '{"guard":{"unmoved":1}}';
    expect((await load(null, text.padEnd(MEGABYTE))).project).toEqual({ guard: { unmoved: 1 } });
    const config = await load(null, text.padEnd(MEGABYTE + 1));
    expect(config.problems).toEqual([
      `${projectFile()}: cannot be read (${projectFile()} is 1048577 bytes long, more than the 1048576 that are read); it is ignored, and reviewers and checks are sandboxed until it is fixed or removed`,
    ]);
    expect(config.review.access).toBe('sandboxed');
  });

  it('through a link where it is the user’s, and never out of the project', async () => {
    const kept = path.join(project.home, 'kept.json');
    fs.writeFileSync(kept, '{"journal":{"keep":3}}');
    await load(null);
    fs.symlinkSync(kept, userConfigPath(env));
    expect((await loadConfig(project.root, env)).user).toEqual({ journal: { keep: 3 } });

    fs.rmSync(userConfigPath(env));
    fs.symlinkSync(kept, projectFile());
    const config = await loadConfig(project.root, env);
    expect(config.settings['journal.keep'].value).toBe(64);
    expect(config.problems).toEqual([expect.stringContaining(`${projectFile()}: cannot be read (`)]);

    fs.rmSync(projectFile());
    project.write('settings/own.json', '{"journal":{"keep":4}}');
    fs.symlinkSync('settings/own.json', projectFile());
    expect((await loadConfig(project.root, env)).project).toEqual({ journal: { keep: 4 } });
  });
});

describe('the limits that a file set', () => {
  it('of workflows are named by both files, the lower one where both have it', async () => {
    const config = await load(
      { guard: { tools: 9, workflows: { idle: { unmoved: 4 }, both: { tools: 7 } } } },
      { guard: { tools: 9, workflows: { taskie: { unmoved: 0 }, both: { tools: 6 } } } },
    );
    expect(changedSettings(config)).toEqual([
      { key: 'guard.tools', value: 9, from: 'user' },
      { key: 'guard.workflows.idle.unmoved', value: 4, from: 'user' },
      { key: 'guard.workflows.both.tools', value: 6, from: 'project' },
      { key: 'guard.workflows.taskie.unmoved', value: 0, from: 'project' },
    ]);
  });

  it('are not those of what every object has', async () => {
    const config = await load({ guard: { unmoved: 2 } });
    expect(guardLimits(config, 'constructor', taskie)).toEqual({ unmoved: 2, tools: 12 });
  });
});
