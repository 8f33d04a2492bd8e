// FIFOs, devices and folders in the place of every file that is read or written: no stop hangs, none is held by them.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { outputFolder } from '../../../src/store/outputs.ts';
import { LOOP_ID, SESSION } from '../corpus.ts';
import { stages } from '../stage.ts';
import { type Hostile, hostileProject } from './hostile.ts';

const PLACES: readonly [workflow: string, place: string][] = [
  ['claudex', `.claude/claudex/${LOOP_ID}.state`],
  ['claudex', '.claude/claudex/log'],
  ['claudex', `.claude/claudex/${LOOP_ID}-runner.sh`],
  ['claudex', `.claude/claudex/${LOOP_ID}/running`],
  ['claudex', `.claude/claudex/${LOOP_ID}/findings-round-1.md`],
  ['claudex', 'PLAN.md'],
  ['claudex', 'holdfast.config.json'],
  ['claudex', '../home/.config/holdfast/holdfast.config.json'],
  ['claudex', '../home/.local/state/holdfast/next-session'],
  ['taskie', '.taskie/plans/p/state.json'],
  ['taskie', '.taskie/plans/p/tasks.md'],
  ['taskie', '.taskie/plans/p/plan-review-1.md'],
  ['taskie', '.taskie/plans/p/plan-post-review-1.md'],
  ['taskie', '.taskie/plans/p/task-1.md'],
  ['idle', '.jwz/messages.jsonl'],
  ['idle', '.claude/idle-loop.local.md'],
  ['idle', '.holdfast/runs/idle-loop-1.json'],
  ['idle', `.holdfast/sessions/${SESSION}.json`],
  ['idle', '.holdfast/journal.jsonl'],
  ['idle', '.holdfast/lock'],
  ['idle', '.holdfast/lease-only'],
  ['idle', '.holdfast/lock.lease'],
  ['idle', '.holdfast/.gitignore'],
  ['idle', '.holdfast/attempts'],
];

const KINDS: Readonly<Record<string, (file: string) => void>> = {
  FIFO: (file) => execFileSync('mkfifo', [file]),
  'link to a device': (file) => fs.symlinkSync('/dev/zero', file),
  folder: (file) => fs.mkdirSync(file),
};

function replace(project: Hostile, place: string, make: (file: string) => void): void {
  const file = path.join(project.root, place);
  fs.rmSync(file, { recursive: true, force: true });
  fs.mkdirSync(path.dirname(file), { recursive: true });
  make(file);
}

describe.concurrent('in the place of a file of ours', () => {
  const cases = PLACES.flatMap(([workflow, place]) =>
    Object.keys(KINDS).map((kind) => [workflow, place, kind] as const),
  );

  test.each(cases)('of %s, %s, a %s makes no stop hang or fail', async (workflow, place, kind) => {
    const project = hostileProject();
    for (const stage of stages.filter((each) => each.workflow === workflow)) project.put(stage, SESSION);
    project.write('PLAN.md', '# A plan\n');
    replace(project, place, KINDS[kind] ?? (() => {}));
    // Each ends by itself: one that hangs is killed after forty seconds and has no exit code.
    const fired = await project.stop();
    expect(fired.exitCode).toBe(0);
    // That a review had no verdict is said there, too; nothing else is.
    expect(
      fired.stderr.replace(/^Holdfast: taskie:p: the review into .+ ended without a verdict: .+\n$/, ''),
    ).toBe('');
    expect(
      Object.keys(fired.answer ?? {}).every((key) => key !== 'decision') ||
        fired.answer?.decision === 'block',
    ).toBe(true);
    // By its name the answer to a review is there, whatever it is: the session's own plan goes on to its next review.
    if (!place.includes('post-review')) expect(project.started()).toEqual([]);
  });
});

describe.concurrent('elsewhere', () => {
  test.each(['FIFO', 'link to a device', 'folder'])(
    'a transcript that is a %s is not waited for',
    async (kind) => {
      const project = hostileProject();
      for (const stage of stages) project.put(stage, SESSION);
      replace(project, '../transcript.jsonl', KINDS[kind] ?? (() => {}));
      const transcript_path = path.join(project.root, '../transcript.jsonl');
      expect((await project.stop({ transcript_path })).answer?.decision).toBe('block');
    },
  );

  test('a task whose file is a FIFO is not waited for', async () => {
    const project = hostileProject();
    const idle = stages.find((stage) => stage.workflow === 'idle');
    if (idle === undefined) throw new Error('there is no stage for idle');
    const log = Object.values(idle.files(project.root))
      .join('')
      .replace('\\"mode\\"', '\\"prompt_file\\":\\".holdfast/idle/f1.md\\",\\"mode\\"');
    project.put(idle, SESSION, { [idle.state]: log });
    replace(project, '.holdfast/idle/f1.md', KINDS.FIFO ?? (() => {}));
    expect((await project.stop()).answer?.decision).toBe('block');
  });

  test.each(['stdout', 'stderr', 'owner'])(
    'what a dead hook left of a review is not waited for when its %s is a FIFO',
    async (name) => {
      const project = hostileProject();
      const taskie = stages.find((stage) => stage.workflow === 'taskie');
      if (taskie === undefined) throw new Error('there is no stage for taskie');
      project.put(taskie, SESSION);
      const sidecar = '.holdfast/runs/taskie-p.json';
      const attempt = {
        work: 'review' as const,
        id: 'a1',
        reviewer: 'claude',
        kind: 'plan-review',
        number: 1,
        file: '.taskie/plans/p/plan-review-9.md',
        model: 'opus',
        owner: null,
        deadline: 1,
        status: 'running',
        verdict: null,
        before: 'x',
      };
      project.write(sidecar, JSON.stringify({ ...JSON.parse(project.read(sidecar)), attempts: [attempt] }));
      const printed = path.relative(
        project.root,
        outputFolder({ root: project.root, env: { HOME: project.home } }, 'a1'),
      );
      const folder = name === 'owner' ? '.holdfast/attempts/a1' : printed;
      replace(project, `${folder}/${name}`, KINDS.FIFO ?? (() => {}));
      expect((await project.stop()).exitCode).toBe(0);
    },
  );

  test.each([
    ['status'],
    ['log'],
    ['why'],
    ['replay', '1'],
    ['doctor'],
    ['claudex', 'status'],
    ['idle', 'status'],
    ['taskie', 'status'],
  ])('no command waits for FIFOs in the place of all that it reads (%s %s)', async (...command) => {
    const project = hostileProject();
    for (const stage of stages) project.put(stage, SESSION);
    for (const [, place] of PLACES.filter(
      ([, each]) => !each.startsWith('..') && !/attempts|lease/.test(each),
    ))
      replace(project, place, KINDS.FIFO ?? (() => {}));
    const ran = await project.cli(command.filter((word) => word !== undefined));
    expect(ran.exitCode).toSatisfy((code) => code === 0 || code === 1);
  });
});
