// What claudex gives to the commands that speak of all runs.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ID, putLoop, writeAt } from '../../../../test/fixtures/claudex/project.ts';
import { emptyFolder, NOW, projectIn } from '../../../../test/support/bare-project.ts';
import type { Project } from '../../../engine/project.ts';
import { readState } from '../loops.ts';
import { readField } from '../state-format.ts';
import { cli } from './index.ts';

const OTHER = '20260131-092900-bbbbbb';

let root: string;
let project: Project;
beforeEach(() => {
  root = emptyFolder();
  project = projectIn(root);
});
const at = (...names: readonly string[]): string => path.join(root, ...names);
const runs = () => cli.runs(project);
const places = () => cli.places?.(project);
const folders = (...paths: readonly string[]) => paths.map((each) => ({ path: each, kind: 'folder' }));

describe('claudex among the workflows', () => {
  it('has these commands, and a reviewer that is the agent’s to run', () => {
    expect(cli.commands.map(({ name }) => name)).toEqual([
      ...['plan', 'review', 'done', 'wait', 'status', 'doctor', 'cancel', 'rollback'],
    ]);
    expect(cli.driven).toEqual({ keepsSession: true });
  });

  it('has a demo of its own', async () => {
    const { demo } = await import('./demo.ts');
    expect(await cli.demo?.()).toBe(demo);
  });

  it('cancels a loop by its id', () => {
    const { dir } = putLoop(project);
    expect(cli.cancel?.(project, ID)).toMatch(/^The loop .+ is cancelled; /);
    expect(readField(readState(dir, ID) ?? '', 'phase')).toBe('cancelled');
  });
});

describe('the loops of a project', () => {
  it('are listed with all that is known of them', () => {
    const { files } = putLoop(project, { phase: 'reviewing', round: '2' });
    fs.utimesSync(files.state, NOW / 1000, NOW / 1000);
    const [run, ...more] = runs();
    expect(more).toEqual([]);
    const { shown: shownAs, ...rest } = run ?? {};
    expect(rest).toEqual({
      ...{ run: ID, file: files.state, live: true, stage: 'plan, reviewing, round 2 of 3' },
      detail: {
        ...{ mode: 'plan', phase: 'reviewing', round: 2, max_rounds: 3, topic: 'a cache' },
        ...{ started_at: '2026-01-31T09:30:00Z', elapsed: 'less than a minute', decision_signal: 'none' },
        ...{ interview_used: false, from_draft: false, activity: 'last moved less than a minute ago' },
        rounds: [1, 2].map((round) => ({ round, counts: null, exit: null })),
      },
    });
    expect(shownAs?.()).toMatchObject({ state: 'reviewing', progress: { unit: 'round', at: 2, of: 3 } });
  });

  it('are alive until they are over', () => {
    putLoop(project, { phase: 'done' });
    putLoop(project, { phase: 'dreaming' }, { id: OTHER });
    expect(Object.fromEntries(runs().map(({ run, live }) => [run, live]))).toEqual({
      [ID]: false,
      [OTHER]: true,
    });
  });

  it.each([
    ['', 'the file is empty'],
    [' \n', 'the file is empty'],
    ['note: x\n', 'it has neither a `mode:` nor a `phase:` that is known'],
    ['mode: plan\n', undefined],
    ['phase: done\n', undefined],
  ])('say what is wrong with the state %j', (text, unreadable) => {
    const { files } = putLoop(project);
    fs.writeFileSync(files.state, text);
    expect(runs()[0]?.detail.unreadable).toBe(unreadable);
    expect(runs()[0]?.detail).toMatchObject({ interview_used: false });
  });

  it('are listed although one of them cannot be looked at', () => {
    const { files } = putLoop(project, { phase: 'reviewing' });
    putLoop(project, { phase: 'done' }, { id: OTHER });
    fs.symlinkSync(ID, files.folder);
    const details = Object.fromEntries(runs().map(({ run, detail }) => [run, Object.keys(detail).length]));
    expect(details).toEqual({ [ID]: 0, [OTHER]: 12 });
  });
});

describe('the places of the loops', () => {
  it('are their folder, and those that unfinished ones are written to', () => {
    const folder = at('.claude/claudex');
    expect(places()).toEqual(folders(folder));
    const plan = putLoop(project);
    expect(places()).toEqual(folders(folder, plan.files.folder));
    putLoop(project, { phase: 'done', mode: 'review' }, { id: OTHER });
    expect(places()).toEqual(folders(folder, plan.files.folder));
    putLoop(project, { mode: 'review' });
    expect(places()).toEqual(folders(folder, plan.files.folder, at('.claude'), folder, at('reviews')));
  });

  it('are one where the folder itself cannot be looked into', () => {
    writeAt(at('.claude/claudex'), 'x');
    expect(places()).toEqual(folders(at('.claude/claudex')));
    fs.rmSync(at('.claude'), { recursive: true });
    fs.symlinkSync('.claude', at('.claude'));
    expect(cli.unused?.(project)).toEqual([]);
  });
});

describe('folders that are links', () => {
  const link = (from: string): void => {
    fs.mkdirSync(at('kept'), { recursive: true });
    fs.symlinkSync(at('kept'), from);
  };
  const unused = (folder: string) => ({
    run: path.basename(folder),
    folder,
    why: 'it is a link, and no reviewer is told to write through one',
    fix: `remove the link: \`rm ${folder}\``,
  });

  it('are named while a loop goes on', () => {
    link(at('.claude'));
    expect(cli.unused?.(project)).toEqual([]);
    const { files } = putLoop(project);
    expect(cli.unused?.(project)).toEqual([unused(at('.claude'))]);
    link(files.folder);
    expect(cli.unused?.(project)).toEqual([unused(at('.claude')), unused(files.folder)]);
    putLoop(project, { phase: 'done' });
    expect(cli.unused?.(project)).toEqual([]);
  });

  it('are named once each, reviews/ for a review alone', () => {
    link(at('.claude'));
    link(at('reviews'));
    putLoop(project);
    expect(cli.unused?.(project)).toEqual([unused(at('.claude'))]);
    putLoop(project, { mode: 'review' });
    expect(cli.unused?.(project)).toEqual([unused(at('.claude')), unused(at('reviews'))]);
  });

  it('are none where they are folders', () => {
    const { files } = putLoop(project);
    fs.mkdirSync(files.folder);
    expect(cli.unused?.(project)).toEqual([]);
  });
});

describe('the docket of a loop', () => {
  it('is that of its rounds so far', () => {
    const { files } = putLoop(project, { phase: 'reviewing', round: '2' });
    for (const round of [1, 2, 3]) writeAt(files.findings(round), `## High\n- A${round} (x)\n`);
    const docket = cli.docket?.(project, ID);
    expect(docket?.file).toBe(`.claude/claudex/${ID}/docket.json`);
    expect(docket?.docket.findings.map(({ round }) => round)).toEqual([1, 2]);
  });

  it('is none of another loop, or of a review', () => {
    putLoop(project, { mode: 'review', phase: 'reviewing' });
    expect([cli.docket?.(project, ID), cli.docket?.(project, OTHER)]).toEqual([null, null]);
  });
});
