import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FULL_STATE } from '../../test/fixtures/taskie/plan.ts';
import { bareProject, writeIn } from '../../test/support/bare-project.ts';
import type { Project } from '../engine/project.ts';
import { NotNow, type WorkflowCli } from '../engine/workflow-cli.ts';
import { sidecarPath } from '../store/home.ts';
import { newSidecar } from '../store/records.ts';
import { writeSidecar } from '../store/sidecars.ts';
import {
  allRuns,
  type KnownRun,
  ofWorkflow,
  pickRun,
  placesOf,
  refuseUnused,
  topOf,
  troublesWithPlaces,
  unusedBeside,
} from './runs.ts';
import { hiddenRuns, troublesIn, troubleWithJournal } from './troubles.ts';

const run = (workflow: string, id: string): KnownRun =>
  ({ run: id, name: `${workflow}:${id}`, workflow: { name: workflow } }) as KnownRun;
const runs = [run('toy', 'a'), run('toy', 'b'), run('idle', 'a')];

describe('a run that a user names', () => {
  it('is found by its whole name, or by its id where that is clear', () => {
    expect(pickRun(runs, 'idle:a')).toBe(runs[2]);
    expect(pickRun(runs, 'b')).toBe(runs[1]);
    expect(pickRun(runs, 'idl')).toBe(runs[2]);
    expect(() => pickRun(runs, 'to')).toThrow('could be toy:a or toy:b');
    expect(() => pickRun(runs, '')).toThrow('there is no run');
    expect(() => pickRun(runs, 'a')).toThrow(/^"a" could be toy:a or idle:a; name it in full\.$/);
    expect(() => pickRun(runs, 'c')).toThrow(
      /^there is no run "c" in this project\. `holdfast status --all` lists them\.$/,
    );
    expect(() => pickRun([], 'a')).toThrow('there is no run "a"');
  });

  it('is of one workflow, or of any', () => {
    expect(ofWorkflow(runs, 'toy')).toEqual([runs[0], runs[1]]);
    expect(ofWorkflow(runs, null)).toBe(runs);
    expect(ofWorkflow(runs, 'other')).toEqual([]);
  });
});

describe('all runs of a project', () => {
  const listed = async (project: Project) =>
    (await allRuns(project)).map(({ name, workflow, sidecar, stateTrouble, notesTrouble }) => ({
      ...{ name, workflow: workflow.name, sessions: sidecar.sessions, stateTrouble, notesTrouble },
    }));
  const known = { workflow: 'taskie', sessions: [], stateTrouble: null, notesTrouble: null };
  const withPlan = (state = JSON.stringify(FULL_STATE)): { project: Project; state: string } => {
    const project = bareProject();
    return { project, state: writeIn(project, '.taskie/plans/my-plan/state.json', state) };
  };

  it('are none in an empty one', async () => {
    expect(await allRuns(bareProject())).toEqual([]);
  });

  it('have the sessions of their notes', async () => {
    const { project } = withPlan();
    fs.mkdirSync(project.home);
    writeSidecar(project.root, { ...newSidecar('taskie:my-plan'), sessions: ['s1'] });
    expect(await listed(project)).toEqual([{ name: 'taskie:my-plan', ...known, sessions: ['s1'] }]);
  });

  it('say what is wrong with the file that tells where one stands', async () => {
    const { project, state } = withPlan('[]');
    const [run] = await listed(project);
    expect(run?.stateTrouble?.what.startsWith(`${state}: `)).toBe(true);
    expect(run?.stateTrouble?.fix).toBe(
      `correct that file, or move it aside: \`mv ${state} ${state}.broken\``,
    );
    fs.rmSync(state);
    fs.mkdirSync(state);
    expect((await listed(project))[0]?.stateTrouble?.what).toContain(`${state} `);
  });

  it.each([
    ['[]', 'run `holdfast adopt taskie:my-plan`'],
    ['{"schema":99}', 'upgrade this one'],
  ])('say what to do where their notes are %s', async (notes, fix) => {
    const { project } = withPlan();
    fs.mkdirSync(project.home);
    writeSidecar(project.root, { ...newSidecar('taskie:my-plan'), sessions: ['s1'] });
    fs.writeFileSync(sidecarPath(project.home, 'taskie:my-plan'), notes);
    const [run] = await listed(project);
    expect(run?.sessions).toEqual([]);
    expect(run?.notesTrouble?.fix).toBe(fix);
  });

  it('are listed though another workflow’s folder cannot be', async () => {
    const { project } = withPlan();
    writeIn(project, '.claude/claudex', 'a file');
    expect(await listed(project)).toEqual([{ name: 'taskie:my-plan', ...known }]);
  });
});

describe('what looks like a run and is not used', () => {
  const project = bareProject();
  const folder = path.dirname(writeIn(project, '.taskie/plans/.my plan/state.json', '{}'));
  const why = `its name begins with a dot`;
  const fix = `rename it: \`mv '${folder}' ${path.dirname(folder)}/my-plan\``;

  it('is named, unless its place was named already', async () => {
    const unused = [{ name: 'taskie:.my plan', run: '.my plan', folder, why, fix }];
    expect(await unusedBeside([], project)).toEqual(unused);
    expect(await unusedBeside([{ what: `${folder}s is a link`, fix: '' }], project)).toEqual(unused);
    expect(await unusedBeside([{ what: `${folder} is a link`, fix: '' }], project)).toEqual([]);
    expect(await unusedBeside([], null)).toEqual([]);
  });

  it.each(['.my plan', 'taskie:.my plan'])('is refused with the reason: %s', async (named) => {
    await expect(refuseUnused(project, named)).rejects.toThrow(
      new NotNow(`taskie:.my plan is there, but is not used: ${why}. To use it, ${fix}.`),
    );
  });

  it('is no other run', async () => {
    await expect(refuseUnused(project, 'my-plan')).resolves.toBeUndefined();
  });
});

describe('where a workflow’s runs are', () => {
  const project = bareProject();
  const cli = (places?: WorkflowCli['places']) => (places === undefined ? {} : { places }) as WorkflowCli;
  const either = [{ path: path.join(project.root, '.toy'), kind: 'either' }];

  it('is what it says, else its traces', () => {
    const own = [{ path: '/a', kind: 'file' as const }];
    expect(
      placesOf(
        cli(() => own),
        ['.toy'],
        project,
      ),
    ).toBe(own);
    expect(placesOf(cli(), ['.toy'], project)).toEqual(either);
    const throws = (): never => {
      throw new Error('no');
    };
    expect(placesOf(cli(throws), ['.toy'], project)).toEqual(either);
  });

  it('is looked at for what is in the way', () => {
    const file = writeIn(project, 'here/file', '');
    const places = [
      { path: path.join(project.root, 'here'), kind: 'folder' as const },
      { path: file, kind: 'folder' as const },
      { path: path.join(project.root, 'nowhere'), kind: 'file' as const },
    ];
    const troubles = troublesWithPlaces(
      cli(() => places),
      [],
      project,
    );
    expect(troubles).toHaveLength(1);
    expect(troubles[0]?.what).toContain(`${file} `);
  });

  it('is below the project, or below its own folder where the user moved it', () => {
    expect(topOf(path.join(project.root, 'a/b'), project)).toBe(project.root);
    expect(topOf('/elsewhere/a/b', project)).toBe('/elsewhere/a');
  });
});

describe('what is in the way of the journal', () => {
  const line =
    '{"schema":2,"time":"2026-11-17T09:00:00.000Z","session":null,"event":"start","workflow":"toy","run":"a"}\n';

  it('is nothing where it can be read, or is not there yet', () => {
    const project = bareProject();
    expect(troubleWithJournal(project, 'read')).toBeNull();
    writeIn(project, '.holdfast/journal.jsonl', line);
    expect(troubleWithJournal(project, 'read')).toBeNull();
    writeIn(project, '.holdfast/journal/1.jsonl', line);
    expect(troubleWithJournal(project, 'append')).toBeNull();
  });

  it('is a link in its place, or in that of its folder', () => {
    const project = bareProject();
    const file = path.join(project.home, 'journal.jsonl');
    writeIn(project, '.holdfast/journal/1.jsonl', line);
    fs.symlinkSync('/nowhere', file);
    expect(troubleWithJournal(project, 'read')).toEqual({
      ...{ what: `${file} is a link, and the journal is no link`, fix: `run \`rm ${file}\`` },
    });
    fs.rmSync(file);
    const folder = path.join(project.home, 'journal');
    fs.renameSync(folder, path.join(project.root, 'moved'));
    fs.symlinkSync(path.join(project.root, 'moved'), folder);
    expect(troubleWithJournal(project, 'read')?.what).toBe(`${folder} is a link, and the journal is no link`);
  });

  it('is a folder in its place', () => {
    const project = bareProject();
    const file = path.join(project.home, 'journal.jsonl');
    fs.mkdirSync(file, { recursive: true });
    expect(troubleWithJournal(project, 'read')?.what).toContain(`${file} `);
  });

  it('is that nothing in it is a journal', () => {
    const project = bareProject();
    const file = writeIn(project, '.holdfast/journal.jsonl', 'x\n');
    expect(troubleWithJournal(project, 'read')).toEqual({
      what: `${file} holds no line that can be read as a stop`,
      fix: `run \`mv ${file} ${file}.aside\``,
    });
    fs.writeFileSync(file, '');
    expect(troubleWithJournal(project, 'read')).toBeNull();
  });
});

describe('what is in the way of a project', () => {
  it('is nothing in one that is as it should be', async () => {
    const project = bareProject();
    expect(await troublesIn(project)).toEqual([]);
    writeIn(project, '.holdfast/sessions/s1.json', '{"schema":2,"runs":[],"notified":[],"looked":{}}');
    writeIn(project, '.holdfast/sessions/note.txt', 'broken');
    expect(await troublesIn(project)).toEqual([]);
  });

  it('is notes on a session that cannot be read', async () => {
    const project = bareProject();
    const broken = writeIn(project, '.holdfast/sessions/s1.json', 'broken');
    const newer = writeIn(project, '.holdfast/sessions/s2.json', '{"schema":99}');
    expect(await troublesIn(project)).toEqual([
      {
        what: `${broken} is not readable as Holdfast's notes on a session`,
        fix: `run \`rm ${broken}\`, and \`holdfast adopt\` in that session where it had a run`,
      },
      { what: `${newer} was written by a newer Holdfast`, fix: 'upgrade this one' },
    ]);
  });

  it('is a file where a folder of ours belongs, and then nothing of what would be in it', async () => {
    const project = bareProject();
    writeIn(project, '.holdfast', 'a file');
    const troubles = await troublesIn(project);
    expect(troubles.map(({ what }) => what.startsWith(`${project.home} `))).toEqual([true]);
    fs.rmSync(project.home);
    const sessions = writeIn(project, '.holdfast/sessions', 'a file');
    writeIn(project, '.holdfast/journal.jsonl', 'x\n');
    expect((await troublesIn(project)).map(({ what }) => what.split(' ')[0])).toEqual([sessions]);
  });

  it('is a file where the user’s tickets belong', async () => {
    const project = bareProject();
    const state = path.join(String(project.env.XDG_STATE_HOME), 'holdfast');
    fs.mkdirSync(state, { recursive: true });
    expect(await troublesIn(project)).toEqual([]);
    fs.writeFileSync(path.join(state, 'next-session'), '');
    expect((await troublesIn(project)).map(({ what }) => what.split(' ')[0])).toEqual([
      path.join(state, 'next-session'),
    ]);
  });

  it('hides runs where it is a trace', () => {
    const project = bareProject();
    const call = { cwd: project.root, env: project.env };
    expect(hiddenRuns(call)).toBeNull();
    fs.symlinkSync('/nowhere-at-all', path.join(project.root, '.idle'));
    const entry = { traces: ['.idle'] } as never;
    expect(hiddenRuns(call, entry)?.what).toContain(path.join(project.root, '.idle'));
    expect(hiddenRuns(call, { traces: ['.else'] } as never)).toBeNull();
  });
});
