import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { contextIn, emptyFolder, NOW, projectIn } from '../../../test/support/bare-project.ts';
import { ANCHOR_TOPIC, giveAnchorBack, writeAnchor } from './anchor.ts';
import { LOG_FILE, TOPIC } from './files.ts';
import { endings } from './messages.ts';
import { modifiedFiles } from './modified-files.ts';
import { HOOK_REACH, latestOf, post } from './topic-log.ts';

let root: string;
beforeEach(() => {
  root = emptyFolder();
});

const context = (run = 'r1') => contextIn(projectIn(root), run, { saved: { seen: 'line' } });
function postBody(name: string, body: unknown): void {
  const { log } = latestOf(name, root, null, HOOK_REACH);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const made = post(root, name, log, text, NOW);
  fs.mkdirSync(path.join(root, '.jwz'), { recursive: true });
  if (made.kind === 'append') fs.appendFileSync(path.join(root, LOG_FILE), `${made.line}\n`);
}
const putLoop = (fields: object = {}): void =>
  postBody(TOPIC, {
    schema: 1,
    run_id: 'r1',
    updated_at: '2026-01-31T09:29:00Z',
    stack: [
      { mode: 'grind', iter: 7, max: 100 },
      { mode: 'issue', iter: 2, max: 10, issue_id: 'A-1' },
    ],
    ...fields,
  });
const anchor = {
  schema: 1,
  event: 'ANCHOR',
  run_id: 'r1',
  updated_at: '2026-01-31T09:30:00Z',
  mode: 'issue',
  iteration: 2,
  max: 10,
  goal: 'The task:\n\nA-1',
  modified_files: null,
  next_step: 'look at the files as they are, see what of the task is still missing, and go on with it.',
};

describe('before a compaction', () => {
  it('the goal and where the loop stands are posted to a topic of their own', async () => {
    putLoop();
    const made = await writeAnchor(context());
    const [write] = made?.writes ?? [];
    if (write?.kind !== 'append') throw new Error('nothing is appended');
    const [opening, message] = write.line.split('\n').map((line) => JSON.parse(line));
    expect(opening).toMatchObject({ type: 'topic', name: ANCHOR_TOPIC });
    expect(message).toMatchObject({ type: 'message', topic_id: opening.id });
    expect(JSON.parse(message.body)).toEqual(anchor);
    expect(made?.saved).toEqual({ seen: 'line' });
  });

  it('nothing is posted where no loop of this run goes on', async () => {
    expect(await writeAnchor(context())).toBeNull();
    putLoop({ event: 'DONE' });
    expect(await writeAnchor(context())).toBeNull();
    putLoop();
    expect(await writeAnchor(context('r2'))).toBeNull();
    putLoop({ updated_at: '2026-01-31T07:29:59Z' });
    expect(await writeAnchor(context())).toBeNull();
  });
});

describe('after a compaction', () => {
  it('the anchor is given back, with how the loop ends', () => {
    putLoop();
    postBody(ANCHOR_TOPIC, { ...anchor, modified_files: ['a.ts', 7, 'y'.repeat(201)] });
    expect(giveAnchorBack(context())).toBe(
      `This conversation was compacted while the loop idle:r1 goes on. It stood at iteration 2/10 (mode issue).\n\nThe task:\n\nA-1\n\nFiles that differ from the last commit:\n\n- a.ts\n- ${'y'.repeat(200)}\n\nNext: ${anchor.next_step}\n\n${endings.issue}`,
    );
  });

  it.each([
    [null, 'Which files were changed is not known here.'],
    ['a.ts', 'Which files were changed is not known here.'],
    [[], 'No file differs from the last commit.'],
    [[7], 'No file differs from the last commit.'],
  ])('says of the files %j what is known', (modified_files, words) => {
    putLoop();
    postBody(ANCHOR_TOPIC, { ...anchor, modified_files });
    expect(giveAnchorBack(context())).toContain(`A-1\n\n${words}\n\nNext:`);
  });

  it('thirty files are named and 2500 letters of a text', () => {
    putLoop();
    const files = Array.from({ length: 31 }, (_, at) => `f${at}.ts`);
    postBody(ANCHOR_TOPIC, { ...anchor, modified_files: files, goal: 'g'.repeat(2501), next_step: 7 });
    const text = giveAnchorBack(context()) ?? '';
    expect(text).toContain(`\n\n${'g'.repeat(2500)}\n\n`);
    expect(text).toContain('- f29.ts\n\nNext: \n\n');
  });

  it('a count that is none is said to be so, and one that is missing is 0', () => {
    putLoop();
    postBody(ANCHOR_TOPIC, { ...anchor, iteration: 'x', max: undefined });
    expect(giveAnchorBack(context())).toContain('at iteration corrupt/0 (mode issue)');
  });

  it.each<[string, unknown]>([
    ['there is none', null],
    ['it is another run’s', { ...anchor, run_id: 'r2' }],
    ['its mode is unknown', { ...anchor, mode: 'unknown' }],
    ['it is no JSON', '{'],
    ['it is a list', '[]'],
  ])('nothing is given where %s', (_, body) => {
    putLoop();
    if (body !== null) postBody(ANCHOR_TOPIC, body);
    expect(giveAnchorBack(context())).toBeNull();
  });

  it('nothing is given where the loop has ended', () => {
    putLoop({ event: 'DONE' });
    postBody(ANCHOR_TOPIC, anchor);
    expect(giveAnchorBack(context())).toBeNull();
  });
});

describe('the files that differ from the last commit', () => {
  const git = (...args: string[]): void => {
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: root,
      stdio: 'ignore',
    });
  };
  const files = () => modifiedFiles(root, projectIn(root).env);

  it('are not known outside of a repository', async () => {
    expect(await files()).toBeNull();
  });

  it('are what git lists, but for what the loop itself writes', async () => {
    git('init', '--quiet');
    expect(await files()).toEqual([]);
    for (const name of ['.jwz/x', '.holdfast/x', '.claude/idle-loop.local.md', 'b c.ts', 'a.ts', 'x.jwz/y']) {
      fs.mkdirSync(path.join(root, path.dirname(name)), { recursive: true });
      fs.writeFileSync(path.join(root, name), 'x');
    }
    git('add', 'a.ts', '.claude', '.jwz', '.holdfast', 'x.jwz');
    expect(await files()).toEqual(['a.ts', 'x.jwz/y', 'b c.ts']);
    git('commit', '-qm', 'x');
    fs.writeFileSync(path.join(root, 'a.ts'), 'y');
    expect(await files()).toEqual(['a.ts', 'b c.ts']);
  });

  it('are thirty at most', async () => {
    git('init', '--quiet');
    for (let at = 10; at < 41; at++) fs.writeFileSync(path.join(root, `f${at}`), 'x');
    expect(await files()).toHaveLength(30);
  });

  it('are asked for where the user’s own config does', async () => {
    git('init', '--quiet');
    const { env } = projectIn(root);
    fs.mkdirSync(String(env.HOME), { recursive: true });
    fs.writeFileSync(path.join(String(env.HOME), '.gitconfig'), '[filter "lfs"]\n\tclean = cat\n');
    expect(await files()).toEqual([]);
  });
});
