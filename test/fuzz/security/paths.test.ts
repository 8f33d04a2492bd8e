// Names that climb and links that lead out: nothing outside the project changes, whatever they are called.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../support/hook.ts';
import { LOOP_ID, SESSION } from '../corpus.ts';
import { stages } from '../stage.ts';
import { entriesOf, hostileProject, isAllowed } from './hostile.ts';

const CLIMBING = [
  '../../outside',
  '../../../outside/precious',
  '/etc/passwd',
  '..',
  '.',
  'p/../../..',
  'p\u0000q',
  '-x',
  '',
];

/** argv cannot carry NUL. */
const NAMES = CLIMBING.map((name) => name.replaceAll('\0', '%00'));

describe.concurrent('ids and names', () => {
  test.each([
    ['taskie', ['taskie', 'next', '--plan']],
    ['taskie', ['taskie', 'record', '--plan']],
    ['taskie', ['taskie', 'validate']],
    ['taskie', ['adopt', '--']],
    ['claudex', ['claudex', 'rollback', '--']],
    ['claudex', ['claudex', 'cancel', '--']],
    ['claudex', ['claudex', 'status', '--']],
    ['idle', ['cancel', '--']],
  ])('that climb out of the project are refused by a command of %s (%s)', async (workflow, command) => {
    const project = hostileProject();
    for (const stage of stages.filter((each) => each.workflow === workflow)) project.put(stage, SESSION);
    const before = [...project.snapshot(), ...entriesOf(project.root)];
    const prefix = command[0] === 'adopt' || command[0] === 'cancel' ? `${workflow}:` : '';
    // A workflow's name alone is the beginning of its run.
    for (const name of NAMES.filter((each) => prefix === '' || each !== '')) {
      const ran = await project.cli([...command, `${prefix}${name}`]);
      expect({ name, exitCode: ran.exitCode }).toEqual({
        name,
        exitCode: expect.toSatisfy((code) => code === 1 || code === 2),
      });
      expect(ran.stderr).toMatch(/^holdfast: [^\n]+\n$/);
    }
    expect(
      [...project.snapshot(), ...entriesOf(project.root)].filter((entry) => !entry.includes('/.holdfast')),
    ).toEqual(before.filter((entry) => !entry.includes('/.holdfast')));
  });

  test('of sessions, turns and transcripts in a payload never become paths outside', async () => {
    const project = hostileProject();
    for (const stage of stages) project.put(stage, SESSION);
    const before = project.snapshot();
    for (const session_id of CLIMBING) {
      const fired = await project.stop({
        session_id,
        prompt_id: session_id,
        transcript_path: session_id || null,
      });
      // An empty id is none: that stop was fired by hand, and a run may hold it.
      if (session_id !== '' && !session_id.includes('\0'))
        expect({ session_id, allowed: isAllowed(fired) }).toEqual({ session_id, allowed: true });
    }
    expect(project.snapshot()).toEqual(before);
    expect(fs.readdirSync(path.dirname(project.root)).sort()).toEqual([
      'bin',
      'home',
      'outside',
      'project',
      'traces',
    ]);
  });

  test('of tasks and files in a state lead nowhere', async () => {
    const project = hostileProject();
    const [, taskie, idle] = stages;
    if (taskie === undefined || idle === undefined) throw new Error('a stage is missing');
    project.put(taskie, SESSION, {
      [taskie.state]: JSON.stringify({
        phase: 'code-review',
        next_phase: 'code-review',
        current_task: '../../../../outside/precious',
        max_reviews: 8,
      }),
    });
    const log = Object.values(idle.files(project.root))
      .join('')
      .replace('\\"mode\\"', '\\"prompt_file\\":\\"../outside/precious.md\\",\\"mode\\"');
    project.put(idle, SESSION, { [idle.state]: log });
    const before = project.snapshot();
    const fired = await project.stop();
    expect(fired.answer?.reason ?? '').not.toContain('mine');
    expect(fired.answer?.decision).toBe('block');
    expect(project.started()).toEqual([]);
    expect(project.snapshot()).toEqual(before);
  });
});

const LINKS: readonly [workflow: string, place: string][] = [
  ['claudex', '.claude'],
  ['claudex', '.claude/claudex'],
  ['claudex', `.claude/claudex/${LOOP_ID}.state`],
  ['claudex', '.claude/claudex/log'],
  ['claudex', `.claude/claudex/${LOOP_ID}-runner.sh`],
  ['taskie', '.taskie'],
  ['taskie', '.taskie/plans'],
  ['taskie', '.taskie/plans/p'],
  ['taskie', '.taskie/plans/p/state.json'],
  ['idle', '.jwz'],
  ['idle', '.jwz/messages.jsonl'],
  ['idle', '.holdfast'],
  ['idle', '.holdfast/runs'],
  ['idle', '.holdfast/runs/idle-loop-1.json'],
  ['idle', '.holdfast/sessions'],
  ['idle', `.holdfast/sessions/${SESSION}.json`],
  ['idle', '.holdfast/journal.jsonl'],
  ['idle', '.holdfast/lock'],
  ['idle', '.holdfast/.gitignore'],
  ['idle', '.holdfast/attempts'],
  ['idle', '.holdfast/idle'],
];

const COMMANDS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  claudex: [
    ['claudex', 'plan', 'a topic'],
    ['claudex', 'done'],
    ['claudex', 'cancel', LOOP_ID],
  ],
  taskie: [
    ['taskie', 'record', '--plan', 'p', '--phase', 'new-plan'],
    ['taskie', 'next', '--plan', 'p'],
  ],
  idle: [
    ['idle', 'loop', 'a task'],
    ['idle', 'cancel'],
    ['adopt', 'idle:loop-1'],
  ],
};

/** What lies at `place` goes outside (made there when it is missing), and a link comes in its place. */
function linkOut(root: string, outside: string, place: string): void {
  const from = path.join(root, place);
  const to = path.join(outside, 'target');
  if (fs.existsSync(from)) fs.renameSync(from, to);
  else if (path.extname(place) === '' && !place.endsWith('log')) fs.mkdirSync(to);
  else fs.writeFileSync(to, 'precious\n');
  fs.mkdirSync(path.dirname(from), { recursive: true });
  fs.symlinkSync(to, from);
}

describe.concurrent('a link out of the project', () => {
  test.each(LINKS)(
    'in %s at %s is not written through, by no stop and no command',
    async (workflow, place) => {
      const project = hostileProject();
      for (const stage of stages.filter((each) => each.workflow === workflow)) project.put(stage, SESSION);
      project.write('PLAN.md', '# A plan\n');
      linkOut(project.root, project.outside, place);
      const before = project.snapshot();
      const fired = [await project.stop(), await project.stop({ session_id: undefined })];
      for (const { exitCode } of fired) expect(exitCode).toBe(0);
      for (const command of COMMANDS[workflow] ?? [])
        expect((await project.cli(command)).exitCode).not.toBe(3);
      expect(project.snapshot()).toEqual(before);
    },
  );

  test('that dangles is not written through either', async () => {
    const project = hostileProject();
    const [claudex] = stages;
    if (claudex !== undefined) project.put(claudex, SESSION);
    fs.symlinkSync(path.join(project.outside, 'new.log'), path.join(project.root, '.claude/claudex/log'));
    await project.stop();
    expect(fs.readdirSync(project.outside)).toEqual(['precious.md']);
  });
});

describe.concurrent("a link in the place of what claudex's runner writes", () => {
  test.each(['-prompt.txt', '/output-round-1.txt', '/exit-round-1', '/running', ''])(
    'is not written through (%s)',
    async (place) => {
      const project = hostileProject();
      for (const stage of stages.filter((each) => each.workflow === 'claudex')) project.put(stage, SESSION);
      project.write('PLAN.md', '# A plan\n');
      await project.stop();
      const folder = path.join(project.root, '.claude/claudex', LOOP_ID);
      if (place !== '') fs.mkdirSync(folder, { recursive: true });
      const target = place === '' ? project.outside : path.join(project.outside, 'precious.md');
      fs.symlinkSync(target, `${folder}${place}`);
      const before = project.snapshot();
      const PATH = `${path.join(path.dirname(project.root), 'bin')}:${process.env.PATH}`;
      const ran = await run('sh', [`${folder}-runner.sh`], project.root, {
        env: { PATH },
        timeoutMs: 240_000,
      });
      expect(ran.exitCode).toBe(73);
      expect(project.snapshot()).toEqual(before);
    },
  );
});

describe.concurrent('a link that stays inside', () => {
  test.each([
    ['.jwz/messages.jsonl', 'config'],
    ['.claude/claudex/log', 'hooks/pre-commit'],
    [`.claude/claudex/${LOOP_ID}-runner.sh`, 'hooks/post-checkout'],
    ['.holdfast/idle', 'hooks'],
  ])('but leads into .git is not written through (%s)', async (place, target) => {
    const project = hostileProject();
    for (const stage of stages) project.put(stage, SESSION);
    project.write('PLAN.md', '# A plan\n');
    const link = path.join(project.root, place);
    fs.rmSync(link, { recursive: true, force: true });
    fs.symlinkSync(path.join(project.root, '.git', target), link);
    if (!fs.existsSync(link)) project.write(`.git/${target}`, '#!/bin/sh\n');
    const before = entriesOf(path.join(project.root, '.git'));
    await project.stop();
    await project.stop({ session_id: undefined });
    await project.cli(['idle', 'loop', 'a task']);
    expect(entriesOf(path.join(project.root, '.git'))).toEqual(before);
  });

  test('and goes in circles costs a session none of its runs', async () => {
    const project = hostileProject();
    for (const stage of stages) project.put(stage, SESSION);
    for (const place of [
      '.claude/claudex/evil.state',
      '.taskie/plans/p/loop.md',
      '.claude/idle-loop.local.md',
    ])
      fs.symlinkSync(path.basename(place), path.join(project.root, place));
    expect((await project.stop()).answer?.decision).toBe('block');
    expect((await project.cli(['status'])).exitCode).toBe(0);
  });
});
