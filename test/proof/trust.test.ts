// `holdfast trust` with a person, whom `script` plays: it gives the command a terminal and types the answer.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { type Ran, run, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';

const PLUGIN = process.env.HOLDFAST_TEST_PLUGIN ?? path.resolve(import.meta.dirname, '../../dist/holdfast');
const OWN = {
  checks: { test: { run: 'npm test', retries: 1 }, types: { run: ['npx', 'tsc'], paths: ['src/**'] } },
};
const SESSION = { CLAUDE_CODE_SESSION_ID: '5e551011-0000-4000-8000-000000000001' };

let project: TempProject;
beforeEach(() => {
  project = tempProject();
  configure(OWN);
});
afterEach(() => project.remove());

const configure = (config: unknown): string => project.write('holdfast.config.json', JSON.stringify(config));

/** At a terminal; null: nothing is typed, and the terminal is closed. */
function atTerminal(
  answer: string | null,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<Ran> {
  const line = [`'${path.join(PLUGIN, 'bin/holdfast')}'`, 'trust', ...args].join(' ');
  return run('script', ['-qec', line, '/dev/null'], project.root, {
    env,
    stdin: answer === null ? '\u0004' : `${answer}\n`,
    timeoutMs: 30_000,
  });
}

const cli = (...args: string[]): Promise<Ran> => runCli(project.root, args, { timeoutMs: 30_000 });

function records(): { root: string; checks: { name: string }[] }[] {
  const folder = path.join(project.home, '.local/state/holdfast/trust');
  if (!fs.existsSync(folder)) return [];
  return fs.readdirSync(folder).map((name) => JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8')));
}

const namesTrusted = (): string[] => records().flatMap(({ checks }) => checks.map(({ name }) => name));

describe('a person', () => {
  it('sees each command as it will be run, and is asked', async () => {
    const { stdout, exitCode } = await atTerminal('yes');
    expect(stdout).toContain('npm test');
    expect(stdout).toContain('at most 600 s, run again up to 1 times when it fails');
    expect(stdout).toContain('npx tsc');
    expect(stdout).toContain('until something changes in ["src/**"]');
    expect(stdout).toContain('with your rights');
    expect(stdout).toContain('Trusted: test, types.');
    expect(exitCode).toBe(0);
    expect(namesTrusted()).toEqual(['test', 'types']);
    expect(records()[0]?.root).toBe(project.root);
  });

  test.each(['no', '', 'yess', 'nyes', null])('who does not say yes changes nothing: %j', async (answer) => {
    const { stdout, exitCode } = await atTerminal(answer);
    expect(stdout).toContain('Nothing was changed.');
    expect(exitCode).toBe(1);
    expect(records()).toEqual([]);
  });

  it('sees what changed since, and what is gone', async () => {
    await atTerminal('y');
    expect((await atTerminal(null)).stdout).toContain('All of them are trusted already.');
    configure({ checks: { test: { run: 'npm test; true' }, lint: { run: 'lint' } } });
    const { stdout } = await atTerminal('yes');
    expect(stdout).toMatch(/test\S* \(\S*changed/);
    expect(stdout).toMatch(/lint\S* \(\S*new/);
    expect(stdout).toMatch(/types\S* \(\S*gone from the config/);
    expect(namesTrusted()).toEqual(['test', 'lint']);
  });

  it('is not asked to forget what a config with a mistake only seems to have lost', async () => {
    await atTerminal('yes');
    for (const config of ['{"checks":', '{"checks": 5}']) {
      project.write('holdfast.config.json', config);
      const { stdout, exitCode } = await atTerminal('yes');
      expect(stdout).toContain('correct it first');
      expect(exitCode).toBe(1);
    }
    expect(namesTrusted()).toEqual(['test', 'types']);
  });

  it('sees no trick of a terminal, and every word of a long command', async () => {
    const run_ = `echo ok\n\u001b[2K\u001b[1A\r${'x'.repeat(3000)}; rm -rf ~`;
    configure({ checks: { test: { run: run_ } } });
    const { stdout } = await atTerminal('no', [], { NO_COLOR: '1' });
    expect(stdout).toContain("sh -c $'echo ok\\n\\u001b[2K\\u001b[1A\\u000d");
    expect(stdout).toContain("; rm -rf ~'");
    expect(stdout).not.toContain('\u001b[2K');
  });

  it('trusts what was shown, not what the file became meanwhile', async () => {
    const file = path.join(project.root, 'holdfast.config.json');
    const shown = path.join(project.home, 'shown');
    const asked = `until grep -q 'Trust them' '${shown}'; do sleep 0.05; done`;
    const swap = `printf '%s' '{"checks":{"test":{"run":"evil"}}}' > '${file}'`;
    const line = `'${path.join(PLUGIN, 'bin/holdfast')}' trust`;
    await run(
      'sh',
      ['-c', `{ ${asked}; ${swap}; echo yes; } | script -qefc "${line}" '${shown}'`],
      project.root,
      {
        timeoutMs: 30_000,
      },
    );
    expect(namesTrusted()).toEqual(['test', 'types']);
    expect((await cli('trust', '--list')).stdout).toContain(
      'test (changed since it was trusted, so not trusted)  evil',
    );
  });
});

describe('without a person', () => {
  const refusal = /^holdfast: only a person can say what is trusted: [^\n]*\n$/;

  it.each<[string, () => Promise<Ran>]>([
    ['no terminal', () => cli('trust')],
    ['yes through a pipe', () => runCli(project.root, ['trust'], { stdin: 'yes\n' })],
  ])('it is refused in one line: %s', async (_, attempt) => {
    const { exitCode, stdout, stderr } = await attempt();
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(refusal);
    expect(records()).toEqual([]);
  });

  it.each([SESSION, { CODEX_THREAD_ID: 'x' }, { GEMINI_CLI: '1' }, { HOLDFAST_ATTEMPT: 'x' }])(
    'it is refused in the shell of an agent, whatever terminal it has: %j',
    async (env) => {
      const { exitCode, stdout } = await atTerminal('yes', [], { ...env });
      expect(stdout).toContain('only a person can say what is trusted');
      expect(exitCode).toBe(1);
      expect(records()).toEqual([]);
    },
  );

  it('an agent cannot take trust back either, but a script of the user’s can', async () => {
    await atTerminal('yes');
    const inside = await runCli(project.root, ['trust', '--revoke'], { env: SESSION });
    expect([inside.exitCode, namesTrusted().length]).toEqual([1, 2]);
    expect(inside.stderr).toMatch(refusal);
    expect(JSON.parse((await cli('trust', '--revoke', '--json')).stdout)).toEqual({
      revoked: ['test', 'types'],
    });
    expect(records()).toEqual([]);
    expect((await cli('trust', '--revoke')).stdout).toContain('Nothing was trusted');
  });

  it('is refused where the user’s folders lie in the project', async () => {
    const { stdout } = await atTerminal('yes', [], { XDG_STATE_HOME: path.join(project.root, 'state') });
    expect(stdout).toContain('where an agent can write, so trust would be worth nothing');
    expect(fs.existsSync(path.join(project.root, 'state/holdfast/trust'))).toBe(false);
  });
});

describe('the list', () => {
  it('shows what is trusted here and elsewhere, to an agent too', async () => {
    await atTerminal('yes');
    configure({ checks: { types: { run: ['npx', 'tsc'], paths: ['src/**'] }, lint: { run: 'lint' } } });
    const { stdout } = await runCli(project.root, ['trust', '--list'], { env: SESSION });
    expect(stdout).toBe(
      `${project.root}\n  types (trusted)  npx tsc\n  lint (not trusted)  lint\n  test (trusted, but gone from the config)\n`,
    );
    const json = JSON.parse((await cli('trust', '--list', '--json')).stdout);
    expect(json).toMatchObject({ repository: path.join(project.root, '.git'), elsewhere: [] });
    expect(json.checks).toHaveLength(3);
    const other = path.join(path.dirname(project.root), 'other');
    fs.mkdirSync(other);
    expect((await runCli(other, ['trust', '--list'])).stdout).toBe(
      `${other} has no checks of its own\nTrusted elsewhere:\n${project.root}\n  test, types\n`,
    );
  });
});

describe('doctor', () => {
  const findings = async (
    env: Record<string, string> = {},
  ): Promise<{ result: string; what: string; fix: string }[]> =>
    JSON.parse((await runCli(project.root, ['doctor', '--json'], { env })).stdout);
  const about = async (word: string, env?: Record<string, string>) =>
    (await findings(env)).filter(({ what }) => what.includes(word));

  it('says which program and which folder is missing, of what may run', async () => {
    const user = path.join(project.home, '.config/holdfast/holdfast.config.json');
    fs.mkdirSync(path.dirname(user), { recursive: true });
    const checks = {
      a: { run: 'no-such-program --x' },
      b: { run: ['./script.sh'] },
      c: { run: 'true', cwd: 'no/folder' },
      d: { run: 'X=1 whatever && cd x' },
      e: { run: ['sh', '-c', 'no-such-program'] },
      f: { run: './there.sh', cwd: 'sub' },
      g: { run: '[ -e x ]' },
    };
    fs.writeFileSync(user, JSON.stringify({ checks }));
    configure({});
    fs.chmodSync(project.write('sub/there.sh', ''), 0o755);
    expect((await about('cannot run')).map(({ result, what }) => [result, what])).toEqual([
      ['bad', 'the check a cannot run: there is no program no-such-program on PATH'],
      ['bad', `the check b cannot run: there is no program ./script.sh in ${project.root}`],
      ['bad', `the check c cannot run: there is no folder no/folder in ${project.root}`],
    ]);
  });
});
