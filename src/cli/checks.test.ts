// What `doctor` finds, and how it says it, with a launcher of the test's own; test/cli/doctor.test.ts fires the real one.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { emptyFolder, projectIn } from '../../test/support/bare-project.ts';
import { callIn } from '../../test/support/call.ts';
import { standInPlugin } from '../../test/support/cli-plugin.ts';
import { startRun } from '../../test/support/cli-runs.ts';
import { notices } from '../engine/stop/notices.ts';
import type { Call } from '../engine/workflow-cli.ts';
import { cliCommand } from '../hook/runtime.ts';
import { loadKernelLock } from '../store/kernel-lock.ts';
import { checkEverything } from './checks.ts';
import { doctor } from './doctor.ts';
import { bad, type Finding, fair, good } from './finding.ts';
import { installable } from './install/clients.ts';

/** Refuses what is no stop, and answers a stop with nothing. */
const SOUND = 'read -r stop; [ "$stop" = "{}" ] || echo "Holdfast: Invalid JSON"';
const FIX = 'correct that key; schema/holdfast.config.schema.json describes all of them';
const AGAIN = 'install Holdfast again';

let root: string;
let home: string;
let env: Record<string, string>;
beforeEach(() => {
  root = emptyFolder();
  home = path.join(path.dirname(root), 'home');
  fs.mkdirSync(home);
  const bin = path.join(path.dirname(root), 'bin');
  fs.mkdirSync(bin);
  env = { HOME: home, PATH: bin };
  for (const { install } of installable)
    vi.spyOn(install, 'load').mockResolvedValue({ look: async () => null });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const write = (file: string, text: string, mode = 0o644): string => {
  const place = path.resolve(root, file);
  fs.mkdirSync(path.dirname(place), { recursive: true });
  fs.writeFileSync(place, text, { mode });
  return place;
};
const OWN = '../home/.config/holdfast/holdfast.config.json';

async function found(more: Partial<Call> = {}, stop = SOUND): Promise<Finding[]> {
  standInPlugin({ stop });
  return checkEverything(callIn(root, { env, ...more }).call);
}

/** The findings from the one that begins so. */
const from = (findings: readonly Finding[], begin: string): Finding[] =>
  findings.slice(findings.findIndex(({ what }) => what.startsWith(begin)));
const about = (findings: readonly Finding[], part: string): Finding[] =>
  findings.filter(({ what }) => what.includes(part));

describe('what doctor looks at', () => {
  it('is everything that a stop needs, in this order', async () => {
    const findings = await found();
    const said = findings.map(({ what }) => what);
    expect(findings.slice(0, 3)).toEqual([
      good(`node ${process.versions.node} at ${process.execPath}`),
      loadKernelLock() === null
        ? fair('the kernel lock cannot be loaded on this system; the slower lease of files is used instead')
        : good('the kernel lock works'),
      good('the hook answers: it lets go in a folder without a live run'),
    ]);
    expect(said[3]).toMatch(/^Claude Code, .+ are not on PATH$/);
    expect(findings.slice(4, 7)).toEqual([
      fair('the command `holdfast` is not on PATH', `${cliCommand()} install`),
      good('Holdfast is not switched off'),
      good('the config is valid'),
    ]);
    expect(said.slice(7, 9)).toEqual([
      expect.stringMatching(/^the reviewer claude /),
      expect.stringMatching(/^the reviewer codex /),
    ]);
    expect(findings.at(-1)).toEqual(good('no runs here, so no state to read'));
    expect(fs.readdirSync(root)).toEqual(['.git']);
  });

  it('says that Holdfast is switched off', async () => {
    expect(about(await found({ env: { ...env, HOLDFAST_DISABLE: '1' } }), 'HOLDFAST_DISABLE')).toEqual([
      fair(
        'HOLDFAST_DISABLE=1 is set: the hook is silent and commands that write refuse',
        'unset HOLDFAST_DISABLE',
      ),
    ]);
    expect(about(await found({ env: { ...env, HOLDFAST_DISABLE: '0' } }), 'switched off')).toHaveLength(1);
  });

  it('says why the checks of the project cannot be looked at', async () => {
    const findings = await found({
      forNewRun: async () => {
        throw new Error('no run could start here');
      },
    });
    expect(about(findings, 'no run could')).toEqual([fair('no run could start here')]);
  });
});

describe('the hook', () => {
  const hook = async (stop: string): Promise<Finding | undefined> => (await found({}, stop))[2];

  it.each([
    ['refuses nothing', 'cat', bad('the hook does not run: no stop at all', AGAIN)],
    ['says nothing', 'cat >/dev/null', bad('the hook does not run: it says nothing', AGAIN)],
    ['says blanks', 'cat >/dev/null; echo; echo " "', bad('the hook does not run: it says nothing', AGAIN)],
    [
      'says too much',
      `cat >/dev/null; printf ' '; printf 'x%.0s' $(seq 300)`,
      bad(`the hook does not run: ${'x'.repeat(200)}`, AGAIN),
    ],
    [
      'holds where nothing is live',
      `${SOUND}; echo ' {"decision":"block"} '`,
      bad('the hook answered what it should not: {"decision":"block"}', AGAIN),
    ],
    [
      'answers too much',
      `${SOUND}; printf 'x%.0s' $(seq 300)`,
      bad(`the hook answered what it should not: ${'x'.repeat(200)}`, AGAIN),
    ],
  ])('that %s does not do', async (_, stop, finding) => {
    expect(await hook(stop)).toEqual(finding);
  });

  it('may say what is wrong with the user’s config, which is a finding of its own', async () => {
    write(OWN, '{"guard":7,"future":1}');
    const findings = await found();
    expect(findings[2]).toEqual(good('the hook answers: it lets go in a folder without a live run'));
    const problems = findings.filter(({ fix }) => fix === FIX).map(({ what }) => what);
    expect(problems).toHaveLength(2);
    const said = `${JSON.stringify({ systemMessage: problems.map(notices.config).join('\n') })}\n`;
    write('../said', said);
    const stop = `read -r stop; if [ "$stop" = "{}" ]; then cat "${path.dirname(root)}/said"; else echo Invalid JSON; fi`;
    expect(await hook(stop)).toEqual(good('the hook answers: it lets go in a folder without a live run'));
    write('../said', said.slice(0, -1));
    expect((await hook(stop))?.result).toBe('bad');
  });

  it('is fired in a folder of its own with a run’s trace, as for a user who was told nothing yet', async () => {
    const log = path.join(path.dirname(root), 'log');
    vi.stubEnv('HOLDFAST_DISABLE', '1');
    expect(
      await hook(
        `[ -d .claude/claudex ] && echo "$PWD $XDG_STATE_HOME \${HOLDFAST_DISABLE-unset}" >>'${log}'; ${SOUND}`,
      ),
    ).toEqual(good('the hook answers: it lets go in a folder without a live run'));
    const [first, second, ...rest] = fs.readFileSync(log, 'utf8').split('\n');
    expect([second, rest]).toEqual([first, ['']]);
    const [folder = '', state, disabled] = first?.split(' ') ?? [];
    expect(path.basename(folder)).toMatch(/^stage-doctor-/);
    expect([state, disabled]).toEqual([path.join(folder, 'state'), 'unset']);
    expect(fs.existsSync(folder)).toBe(false);
  });
});

describe('the command', () => {
  const MARK = '#!/bin/sh\n# Written by `holdfast install`; `holdfast uninstall` removes it.\n';
  const command = async (): Promise<Finding[]> => about(await found(), 'holdfast`').slice(0, 1);

  it('is ours, or another program', async () => {
    const file = write('../bin/holdfast', MARK, 0o755);
    expect(await command()).toEqual([good(`the command \`holdfast\` on PATH is ours: ${file}`)]);
    write('../bin/holdfast', '#!/bin/sh\n', 0o755);
    expect(await command()).toEqual([
      fair(`the command \`holdfast\` on PATH is another program: ${file}`, `rename ${file}`),
    ]);
  });

  it('is there, but not on PATH', async () => {
    const file = write('../home/.local/bin/holdfast', MARK, 0o755);
    expect(about(await found(), 'its folder is not on PATH')).toEqual([
      fair(
        `${file} is there, but its folder is not on PATH`,
        'add to your shell\'s profile: export PATH="$HOME/.local/bin:$PATH"',
      ),
    ]);
  });
});

describe('the config', () => {
  it('is said key by key: what cannot be read fails, what is not known is noted, what is set is listed', async () => {
    const own = write(OWN, '{"review":{"timeout":30}}');
    const file = write('holdfast.config.json', '{"guard":{"unmoved":2},"future":{},"ask":7}');
    const expected = [
      expect.objectContaining({ result: 'fair', what: expect.stringContaining('"future"'), fix: FIX }),
      expect.objectContaining({ result: 'bad', what: expect.stringContaining('ask: '), fix: FIX }),
      good(`setting review.timeout: 30 (user: ${own})`),
      good(`setting guard.unmoved: 2 (project: ${file})`),
    ];
    const without = from(await found(), 'Holdfast is not').slice(1, 5);
    expect(without).toHaveLength(4);
    expect(without).toEqual(expect.arrayContaining(expected));
    expect(without.slice(2)).toEqual(expected.slice(2));
    await startRun(root, ['idle', 'loop', 'a task'], 's1');
    expect(from(await found(), 'Holdfast is not').slice(1, 5)).toEqual(without);
  });

  it('is valid beside what is set', async () => {
    const own = write(OWN, '{"review":{"timeout":30}}');
    expect(from(await found(), 'the config').slice(0, 2)).toEqual([
      good('the config is valid'),
      good(`setting review.timeout: 30 (user: ${own})`),
    ]);
  });
});

describe('the state', () => {
  it('of one run, or of several, is readable', async () => {
    await startRun(root, ['idle', 'loop', 'a task'], 's1');
    expect((await found()).at(-1)).toEqual(good('state and notes of 1 run are readable'));
    write('.taskie/plans/p/plan.md', '# Plan\n');
    expect((await found()).at(-1)).toEqual(good('state and notes of 2 runs are readable'));
  });

  it('that cannot be read is named once, with its run', async () => {
    const state = write('.taskie/plans/p/state.json', 'nonsense');
    write('.taskie/plans/p/plan.md', '# Plan\n');
    const wrong = (await found()).filter(({ result }) => result === 'bad');
    expect(wrong).toHaveLength(1);
    expect(wrong[0]?.what).toMatch(/^the state of taskie:p cannot be read: /);
    expect(wrong[0]?.what).toContain(state);
    expect(about(await found(), 'are readable')).toEqual([]);
  });

  it('has notes that cannot be read', async () => {
    const run = await startRun(root, ['idle', 'loop', 'a task'], 's1');
    write(`.holdfast/runs/${run.replace(':', '-')}.json`, 'nonsense');
    const wrong = (await found()).filter(({ result }) => result === 'bad');
    expect(wrong).toHaveLength(1);
    expect(wrong[0]?.what).toContain('is not readable');
    expect(wrong[0]?.fix).toBe(`run \`holdfast adopt ${run}\``);
  });

  it('may be hidden by what is in the way', async () => {
    write('.taskie', 'a file');
    const [hidden] = (await found()).slice(-1);
    expect(hidden?.result).toBe('bad');
    expect(hidden?.what).toContain(path.join(root, '.taskie'));
  });

  it('may have what looks like a run beside it', async () => {
    write('.taskie/plans/.not a plan/plan.md', '# Plan\n');
    const [unused] = (await found()).slice(-1);
    expect(unused).toEqual({
      result: 'fair',
      what: expect.stringMatching(/^taskie:.not a plan is there, but is not used: ./),
      fix: expect.stringMatching(/./),
    });
  });
});

describe('doctor', () => {
  async function examined(flags: Call['flags'] = {}): Promise<[number, string[]]> {
    standInPlugin({ stop: SOUND });
    const { call, printed } = callIn(root, { env, flags });
    return [await doctor.run(call), printed];
  }

  it('marks each finding, says how to fix it, and ends with 1 where something fails', async () => {
    const [code, printed] = await examined();
    expect(code).toBe(0);
    expect(printed).toContain('ok    Holdfast is not switched off');
    expect(printed).toContain(
      `note  the command \`holdfast\` is not on PATH\n      to fix it: ${cliCommand()} install`,
    );
    write(OWN, '{"guard":7}');
    const [failed, lines] = await examined();
    expect(failed).toBe(1);
    const [line = ''] = lines.filter((each) => each.startsWith('FAIL'));
    expect(line).toMatch(/^FAIL {2}.*guard: .*\n {6}to fix it: correct that key; /);
  });

  it('says the same as data', async () => {
    const [, [text = '', ...rest]] = await examined({ json: true });
    expect(rest).toEqual([]);
    expect(text).toBe(JSON.stringify(await found(), null, 2));
  });
});

it('a project that is found is the one that is looked at', async () => {
  const project = projectIn(root, { env });
  const findings = await found({ existing: async () => project });
  expect(findings.at(-1)).toEqual(good('state and notes of 0 runs are readable'));
});
