// What the workflows' own commands say where a file or folder of theirs cannot be used: one true line with the place and
// the command that fixes it, never that there is nothing, and never what no file says.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Ran, run } from '../../support/hook.ts';
import { LOOP_ID, SESSION } from '../corpus.ts';
import { stages } from '../stage.ts';
import { type Hostile, hostileProject } from './hostile.ts';

const STATE = `.claude/claudex/${LOOP_ID}.state`;

function prepared(workflow: string): Hostile {
  const project = hostileProject();
  for (const stage of stages) if (stage.workflow === workflow) project.put(stage, SESSION);
  return project;
}

const KINDS = {
  'a FIFO': {
    make: (file: string) => void execFileSync('mkfifo', [file]),
    fix: (file: string) => `rm ${file}`,
  },
  'a folder': { make: (file: string) => fs.mkdirSync(file), fix: aside },
  'a file': { make: (file: string) => fs.writeFileSync(file, 'x'), fix: aside },
  'a link to nowhere': {
    make: (file: string) => fs.symlinkSync('nothing-there', file),
    fix: (file: string) => `rm ${file}`,
  },
} as const;
type Kind = keyof typeof KINDS;

function aside(file: string): string {
  return `mv ${file} ${file}.aside`;
}

function inPlaceOf(project: Hostile, name: string, kind: Kind): string {
  const file = path.join(project.root, name);
  fs.rmSync(file, { recursive: true, force: true });
  KINDS[kind].make(file);
  return file;
}

/** One line that names the place and the command, and nothing that is not so. */
function expectTold(ran: Ran, file: string, kind: Kind): void {
  const said = `${ran.stdout}${ran.stderr}`;
  const lines = said.trimEnd().split('\n');
  const line = lines.find((each) => each.includes(`${file} is ${kind}`)) ?? said;
  expect(line).toContain(`\`${KINDS[kind].fix(file)}\``);
  expect(said).not.toMatch(
    /no loops|no loop here|there is no plan|new-plan|ENOTDIR|EEXIST|not a JSON object/i,
  );
}

describe.concurrent('a command of a workflow tells of', () => {
  const cases: [string, Kind, string, string[][]][] = [
    [
      'claudex',
      'a FIFO',
      '.claude/claudex',
      [['plan', 'x'], ['review'], ['status'], ['cancel'], ['rollback'], ['done', LOOP_ID]],
    ],
    ['claudex', 'a file', '.claude/claudex', [['plan', 'x'], ['status'], ['cancel', LOOP_ID], ['doctor']]],
    ['claudex', 'a file', '.claude', [['plan', 'x'], ['status'], ['cancel']]],
    ['claudex', 'a FIFO', STATE, [['status'], ['done', LOOP_ID], ['doctor']]],
    ['claudex', 'a folder', STATE, [['status'], ['doctor']]],
    [
      'taskie',
      'a FIFO',
      '.taskie/plans',
      [['status'], ['next'], ['validate'], ['record', 'new-plan'], ['next', '--plan', 'p']],
    ],
    ['taskie', 'a file', '.taskie/plans', [['status'], ['next'], ['status', '--plan', 'p']]],
    ['taskie', 'a file', '.taskie', [['status'], ['next']]],
    ['taskie', 'a FIFO', '.taskie/plans/p', [['status'], ['next', '--plan', 'p']]],
    [
      'taskie',
      'a FIFO',
      '.taskie/plans/p/state.json',
      [['status'], ['next'], ['validate'], ['record', 'new-plan']],
    ],
    ['taskie', 'a folder', '.taskie/plans/p/state.json', [['status'], ['next']]],
    ['idle', 'a FIFO', '.jwz/messages.jsonl', [['status'], ['loop', 'x'], ['cancel'], ['resume']]],
    ['idle', 'a folder', '.jwz/messages.jsonl', [['status'], ['loop', 'x'], ['cancel']]],
    ['idle', 'a link to nowhere', '.jwz/messages.jsonl', [['status'], ['loop', 'x'], ['cancel']]],
    ['idle', 'a file', '.jwz', [['status'], ['loop', 'x'], ['cancel']]],
    ['idle', 'a FIFO', '.jwz', [['status'], ['loop', 'x'], ['cancel']]],
  ];
  const each = cases.flatMap(([workflow, kind, name, commands]) =>
    commands.map((words) => [workflow, words.join(' '), kind, name, words] as const),
  );

  test.each(each)('%s %s: %s in the place of %s', async (workflow, _, kind, name, words) => {
    const project = prepared(workflow);
    const file = inPlaceOf(project, name, kind);
    const ran = await project.cli([workflow, ...words]);
    expect(ran.exitCode).toBeLessThanOrEqual(1);
    expectTold(ran, file, kind);
  });

  test.each([['claudex plan x'], ['idle loop x'], ['taskie next']])(
    '.holdfast that is a file (%s)',
    async (words) => {
      const project = prepared('taskie');
      const file = inPlaceOf(project, '.holdfast', 'a file');
      const ran = await project.cli(words.split(' '));
      expect(ran.exitCode).toBe(1);
      expectTold(ran, file, 'a file');
    },
  );
});

test('a stop tells of .holdfast that is a file, with what to do', async () => {
  const project = prepared('idle');
  const file = inPlaceOf(project, '.holdfast', 'a file');
  const { answer } = await project.stop();
  expect(JSON.stringify(answer)).toContain(`mv ${file} ${file}.aside`);
});

describe.concurrent('a loop whose state cannot be read', () => {
  const kinds: Kind[] = ['a FIFO', 'a folder', 'a link to nowhere'];

  test.each(kinds)('(%s) shows nothing in `claudex status` that no file says', async (kind) => {
    const project = prepared('claudex');
    inPlaceOf(project, STATE, kind);
    const { stdout, exitCode } = await project.cli(['claudex', 'status']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(LOOP_ID);
    expect(stdout).toContain('its state cannot be read');
    expect(stdout).not.toMatch(/^(topic|round|signal|phase|mode) /m);
    const asData = JSON.parse((await project.cli(['claudex', 'status', '--json'])).stdout);
    expect(asData.loops).toEqual([{ id: LOOP_ID, unreadable: expect.stringContaining(kind) }]);
  });

  // A link to nowhere has no time, so the start itself moves it to swept/.
  test.each(kinds.slice(0, 2))(
    '(%s) is not said to go on, and the command that is named takes it away',
    async (kind) => {
      const project = prepared('claudex');
      inPlaceOf(project, STATE, kind);
      const refused = await project.cli(['claudex', 'plan', 'x']);
      expect(refused.exitCode).toBe(1);
      expect(refused.stderr).not.toContain('is still going');
      expect(refused.stderr).toContain(`${LOOP_ID}.state is ${kind}`);
      const [, words = ''] = /holdfast'? (claudex cancel \S+)`?\.?$/m.exec(refused.stderr) ?? [];
      expect(words).toContain(LOOP_ID);
      const ended = await project.cli(['claudex', 'cancel', LOOP_ID]);
      expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
      expect(ended.stdout).toContain('swept/');
      const swept = path.join(project.root, '.claude/claudex/swept', LOOP_ID, `${LOOP_ID}.state`);
      expect(fs.lstatSync(swept)).toBeDefined();
      expect((await project.cli(['claudex', 'plan', 'x'])).exitCode).toBe(0);
    },
  );

  test('(a FIFO) is taken away by `holdfast cancel` too, and by `claudex cancel` without a name', async () => {
    for (const words of [
      ['cancel', `claudex:${LOOP_ID}`],
      ['claudex', 'cancel'],
    ]) {
      const project = prepared('claudex');
      inPlaceOf(project, STATE, 'a FIFO');
      expect((await project.cli(words)).exitCode).toBe(0);
      expect(project.exists(STATE)).toBe(false);
    }
  });

  test('(a FIFO) is a failure for `claudex doctor`', async () => {
    const project = prepared('claudex');
    inPlaceOf(project, STATE, 'a FIFO');
    const { stdout, exitCode } = await project.cli(['claudex', 'doctor']);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(new RegExp(`^FAIL .*${LOOP_ID}`, 'm'));
  });
});

describe.concurrent('a link that a review is not written through', () => {
  const start = async (): Promise<Hostile> => {
    const project = hostileProject();
    execFileSync('git', ['init', '-q', project.root]);
    expect((await project.cli(['claudex', 'review'])).exitCode).toBe(0);
    return project;
  };
  const link = (project: Hostile, target: string): string => {
    const reviews = path.join(project.root, 'reviews');
    fs.rmSync(reviews, { recursive: true, force: true });
    fs.mkdirSync(path.join(project.root, 'docs'));
    fs.symlinkSync(target, reviews);
    return reviews;
  };

  test.each([
    ['in the project', 'docs'],
    ['out of it', '../outside'],
  ])('(reviews, %s) is named with the command by the stop and by doctor', async (_, target) => {
    const project = await start();
    const reviews = link(project, target);
    const { answer } = await project.stop();
    expect(answer?.systemMessage).toContain(`run \`rm ${reviews}\``);
    const { stdout } = await project.cli(['doctor']);
    expect(stdout).toContain(`rm ${reviews}`);
  });

  test('(the folder of the findings) is named by doctor', async () => {
    const project = prepared('claudex');
    const folder = path.join(project.root, '.claude/claudex', LOOP_ID);
    fs.rmSync(folder, { recursive: true, force: true });
    fs.symlinkSync('../..', folder);
    expect((await project.cli(['doctor'])).stdout).toContain(`rm ${folder}`);
  });
});

describe.concurrent('one folder of PATH that may not be searched', () => {
  const isRoot = process.geteuid?.() === 0;
  const asNobody = isRoot ? ['setpriv', '--reuid=64711', '--regid=64711', '--clear-groups'] : ['env'];

  test.each(['doctor', 'claudex doctor'])('does not make %s say that codex is there', async (words) => {
    const project = hostileProject();
    const closed = path.join(path.dirname(project.root), 'closed');
    fs.mkdirSync(closed);
    fs.chmodSync(closed, 0);
    if (isRoot) {
      fs.chmodSync(path.dirname(project.root), 0o755);
      execFileSync('chown', ['-Rh', '64711', project.root, project.home]);
    }
    const bin = path.join(path.dirname(project.root), 'node-only');
    fs.mkdirSync(bin);
    fs.symlinkSync(process.execPath, path.join(bin, 'node'));
    const plugin =
      process.env.HOLDFAST_TEST_PLUGIN ?? path.resolve(import.meta.dirname, '../../../dist/holdfast');
    const command = [...asNobody, path.join(plugin, 'bin/holdfast'), ...words.split(' ')];
    const { stdout } = await run(command[0] ?? '', command.slice(1), project.root, {
      timeoutMs: 240_000,
      env: { PATH: `${closed}:${bin}:/usr/bin:/bin`, HOME: project.home },
    });
    expect(stdout).toMatch(
      words === 'doctor' ? /Claude Code, Codex, .+ are not on PATH/ : /codex is not on PATH/i,
    );
    expect(stdout).not.toMatch(/is gone|codex is there/);
  });
});
