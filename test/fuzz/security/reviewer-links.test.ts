// A link in the place of anything that a reviewer, or the runner that starts it, is told to write: refused at the
// start, when the runner is written, and by the runner. The reviewers here obey their prompt and follow every link.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type LoopProject, loopProject } from '../../fixtures/claudex/loop.ts';
import { type PlanProject, planProject } from '../../fixtures/taskie/plan.ts';
import { entriesOf } from './hostile.ts';

const made: { remove(): void }[] = [];
afterEach(() => {
  for (const project of made.splice(0)) project.remove();
});

type Scene = { project: LoopProject; outside: string; inside: string; untouched(): void };

/** A project with a folder outside of it, and one inside, that no link may lead a writer to. */
function scene(): Scene {
  const project = loopProject();
  made.push(project);
  const outside = path.join(path.dirname(project.root), 'outside');
  const inside = path.join(project.root, 'docs');
  for (const folder of [outside, inside]) {
    fs.mkdirSync(folder);
    fs.writeFileSync(path.join(folder, 'precious.md'), 'mine\n');
  }
  const before = [...entriesOf(outside), ...entriesOf(inside)];
  return {
    project,
    outside,
    inside,
    untouched: () => expect([...entriesOf(outside), ...entriesOf(inside)]).toEqual(before),
  };
}

/** Where a link can lead: to what is there, outside or inside, and to what is not there yet. */
const TARGETS: Readonly<Record<string, (scene: Scene, kind: 'folder' | 'file') => string>> = {
  'out of the project': ({ outside }, kind) =>
    kind === 'folder' ? outside : path.join(outside, 'precious.md'),
  'into another folder of it': ({ inside }, kind) =>
    kind === 'folder' ? inside : path.join(inside, 'precious.md'),
  'to nothing yet': ({ outside }) => path.join(outside, 'new'),
};

function link(at: string, to: string): void {
  fs.rmSync(at, { recursive: true, force: true });
  fs.mkdirSync(path.dirname(at), { recursive: true });
  fs.symlinkSync(to, at);
}

const leading = Object.keys(TARGETS);
const targetOf = (where: string, at: Scene, kind: 'folder' | 'file'): string => {
  const target = TARGETS[where];
  if (target === undefined) throw new Error(`no such target: ${where}`);
  return target(at, kind);
};

describe('a start of claudex', () => {
  const cases = ['.claude', '.claude/claudex', 'reviews'].flatMap((folder) =>
    leading.map((where) => [folder, where] as const),
  );

  test.each(cases)('is refused while %s is a link %s', async (folder, where) => {
    const at = scene();
    link(path.join(at.project.root, folder), targetOf(where, at, 'folder'));
    const entries = entriesOf(at.project.root);
    const refused = await at.project.claudex(['review']);
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toContain(`${at.project.root}/${folder} is a link`);
    expect(refused.stderr).toMatch(/^holdfast: [^\n]+\n$/);
    expect(entriesOf(at.project.root)).toEqual(entries);
    at.untouched();
  });

  test('takes reviews/ for what it is when only a plan is reviewed', async () => {
    const at = scene();
    link(path.join(at.project.root, 'reviews'), at.outside);
    await at.project.plan();
    expect((await at.project.stop()).answer?.decision).toBe('block');
    at.untouched();
  });

  test('is refused when the folder of CLAUDEX_STATE_DIR is a link that lies in the project', async () => {
    const at = scene();
    link(path.join(at.project.root, 'loops'), at.outside);
    for (const folder of ['loops', 'loops/below', path.join(at.project.root, 'loops')]) {
      const refused = await at.project.claudex(['plan', 'x'], { env: { CLAUDEX_STATE_DIR: folder } });
      expect(refused.exitCode).toBe(1);
      expect(refused.stderr).toContain(`${at.project.root}/loops is a link`);
    }
    at.untouched();
  });

  test('keeps to a CLAUDEX_STATE_DIR outside of the project that is a link of the user', async () => {
    const at = scene();
    const folder = path.join(at.project.home, 'loops');
    fs.mkdirSync(path.join(at.project.home, 'real'));
    fs.symlinkSync('real', folder);
    const env = { CLAUDEX_STATE_DIR: folder };
    expect((await at.project.claudex(['plan', 'x'], { env })).exitCode).toBe(0);
    at.project.write('PLAN.md', '# Plan\n');
    expect((await at.project.stop({}, { env })).answer?.reason).toContain('### Claudex round 1 of 3');
  });
});

/** What each mode writes, relative to the project; ID stands for the loop's. */
const WRITTEN = {
  plan: [
    ['.claude/claudex/ID', 'folder'],
    ['.claude/claudex/ID-runner.sh', 'file'],
    ['.claude/claudex/ID-prompt.txt', 'file'],
    ['.claude/claudex/ID/findings-round-1.md', 'file'],
    ['.claude/claudex/ID/output-round-1.txt', 'file'],
    ['.claude/claudex/ID/exit-round-1', 'file'],
    ['.claude/claudex/ID/running', 'file'],
  ],
  review: [
    ['reviews', 'folder'],
    ['reviews/review-ID.md', 'file'],
    ['reviews/proposed-fixes-ID.md', 'file'],
  ],
} as const;

const places = (['plan', 'review'] as const).flatMap((mode) =>
  WRITTEN[mode].flatMap(([place, kind]) => leading.map((where) => [mode, place, where, kind] as const)),
);

/** Starts a loop that writes its runner at the next stop. */
async function started(at: Scene, mode: 'plan' | 'review'): Promise<string> {
  if (mode === 'plan') {
    const id = await at.project.plan();
    at.project.write('PLAN.md', '# Plan\n');
    return id;
  }
  expect((await at.project.claudex(['review'])).exitCode).toBe(0);
  return at.project.id();
}

describe('a link that was put there after the start', () => {
  test.each(places)('keeps a runner of %s from being written: %s %s', async (mode, place, where, kind) => {
    const at = scene();
    const id = await started(at, mode);
    link(path.join(at.project.root, place.replace('ID', id)), targetOf(where, at, kind));
    const allowed = await at.project.stop();
    expect(allowed).toMatchObject({ exitCode: 0, stderr: '' });
    expect(allowed.answer?.decision).toBeUndefined();
    expect(allowed.answer?.systemMessage).toContain(`${place.replace('ID', id)} is a link`);
    expect(at.project.field('phase')).toBe(mode === 'plan' ? 'drafting' : 'reviewing');
    at.untouched();
    fs.rmSync(path.join(at.project.root, place.replace('ID', id)));
    expect((await at.project.stop()).answer?.reason).toContain('Run the reviewer');
  });
});

describe('a link that was put there after the runner was written', () => {
  const withoutRunner = places.filter(([, place]) => !place.endsWith('-runner.sh'));
  const above = ['plan', '.claude', 'into another folder of it', 'folder'] as const;

  test.each([...withoutRunner, above])(
    'keeps the runner of %s from starting codex: %s %s',
    async (mode, place, where, kind) => {
      const at = scene();
      const id = await started(at, mode);
      expect((await at.project.stop()).answer?.reason).toContain('Run the reviewer');
      const file = path.join(at.project.root, place.replace('ID', id));
      if (place === '.claude') fs.renameSync(file, path.join(at.project.root, 'real'));
      link(file, place === '.claude' ? path.join(at.project.root, 'real') : targetOf(where, at, kind));
      const ran = await at.project.review('findings');
      expect(ran.exitCode).toBe(73);
      expect(ran.stderr).toContain(`${file} is a link, so nothing was reviewed.`);
      expect(fs.existsSync(path.join(path.dirname(at.project.root), 'codex'))).toBe(false);
      at.untouched();
    },
  );

  test('and only while codex is being looked for is found, too', async () => {
    const at = scene();
    const id = await started(at, 'review');
    await at.project.stop();
    const runner = at.project.ours(`${id}-runner.sh`);
    const bin = path.join(at.project.home, 'bin');
    fs.mkdirSync(bin);
    // `cat` writes the prompt: the last program before codex.
    fs.writeFileSync(
      path.join(bin, 'cat'),
      `#!/bin/sh\nln -s '${at.outside}' '${at.project.root}/reviews'\nexec /bin/cat "$@"\n`,
      { mode: 0o755 },
    );
    const { run } = await import('../../support/hook.ts');
    const fakes = path.resolve(import.meta.dirname, '../../fixtures/claudex/bin');
    const record = path.join(at.project.home, 'codex');
    const ran = await run('sh', [runner], at.project.root, {
      env: { PATH: `${bin}:${fakes}:${process.env.PATH}`, FAKE_CODEX_RECORD: record, HOME: at.project.home },
    });
    expect(ran.exitCode).toBe(73);
    expect(fs.existsSync(record)).toBe(false);
    at.untouched();
  });
});

test('the fake codex does follow links: without the checks it would have written outside', async () => {
  const at = scene();
  const id = await started(at, 'review');
  await at.project.stop();
  const runner = at.project.ours(`${id}-runner.sh`);
  fs.writeFileSync(runner, fs.readFileSync(runner, 'utf8').replaceAll('[ -L "$place" ]', 'false'));
  link(path.join(at.project.root, 'reviews'), at.outside);
  expect((await at.project.review('findings')).exitCode).toBe(0);
  expect(fs.readdirSync(at.outside)).toContain(`review-${id}.md`);
});

describe("taskie's reviewer", () => {
  const SESSION = 's1';

  function plan(): { project: PlanProject; outside: string; untouched(): void } {
    const project = planProject();
    made.push(project);
    project.put('plan.md', '# Plan\n');
    project.setState({ phase: 'new-plan', next_phase: 'plan-review' });
    project.reviewer('pass');
    const outside = path.join(path.dirname(project.root), 'outside');
    fs.mkdirSync(outside);
    fs.writeFileSync(path.join(outside, 'precious.md'), 'mine\n');
    const before = entriesOf(outside);
    return { project, outside, untouched: () => expect(entriesOf(outside)).toEqual(before) };
  }

  test.each(['.taskie', '.taskie/plans', '.taskie/plans/PLAN'])(
    'is not started while %s is a link, wherever it leads',
    async (place) => {
      const { project, untouched } = plan();
      await project.holdfast(['adopt', `taskie:${project.plan}`], SESSION);
      const folder = path.join(project.root, place.replace('PLAN', project.plan));
      const real = path.join(project.root, 'real');
      fs.renameSync(folder, real);
      fs.symlinkSync(real, folder);
      const allowed = await project.stop({ session_id: SESSION, prompt_id: 'p1', hook_event_name: 'Stop' });
      expect(allowed.answer?.decision).toBeUndefined();
      expect(allowed.answer?.systemMessage).toContain(`${folder} is a link`);
      expect(project.calls()).toEqual([]);
      untouched();
    },
  );

  test.each(['precious.md', 'new.md'])(
    'never writes through a link in the place of its review (%s)',
    async (name) => {
      const { project, outside, untouched } = plan();
      await project.holdfast(['adopt', `taskie:${project.plan}`], SESSION);
      const folder = path.join(project.root, '.taskie/plans', project.plan);
      fs.symlinkSync(path.join(outside, name), path.join(folder, 'plan-review-1.md'));
      await project.stop({ session_id: SESSION, prompt_id: 'p1', hook_event_name: 'Stop' });
      expect(project.calls()).toHaveLength(1);
      expect(project.calls()[0]?.prompt).not.toContain('plan-review-1.md');
      expect(fs.readFileSync(path.join(folder, 'plan-review-2.md'), 'utf8')).not.toBe('');
      untouched();
    },
  );
});
