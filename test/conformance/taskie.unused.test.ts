// Plans that are there and cannot be used are named, with the reason and what to do; and a plan whose id begins with
// "-" is spoken of in commands that work.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FULL_STATE, type PlanProject, planProject } from '../fixtures/taskie/plan.ts';

let project: PlanProject;
let elsewhere: string;

beforeEach(() => {
  project = planProject();
  elsewhere = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-elsewhere-')));
});

afterEach(() => {
  project.remove();
  fs.rmSync(elsewhere, { recursive: true, force: true });
});

const plans = (...parts: string[]): string => path.join(project.root, '.taskie/plans', ...parts);

/** The only plan of the project, under another name. */
const rename = (name: string): void => fs.renameSync(plans('my-plan'), plans(name));

/** The only plan of the project, moved away and linked to. */
function linkAway(link = plans('my-plan')): void {
  fs.cpSync(link, path.join(elsewhere, 'kept'), { recursive: true });
  fs.rmSync(link, { recursive: true });
  fs.symlinkSync(path.join(elsewhere, 'kept'), link);
}

/** What a command says that finds no plan; it must exit 1 and say it in one line. */
async function refusal(...args: string[]): Promise<string> {
  const { stderr, exitCode } = await project.holdfast(args, 's');
  expect(exitCode).toBe(1);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  return stderr;
}

/** Runs the command in backticks, as a person would. */
function follow(text: string): void {
  const command = /`((?:mv|rm) [^`]+)`/.exec(text)?.[1] ?? 'false';
  execFileSync('/bin/sh', ['-c', command]);
}

const COMMANDS: [name: string, args: string[]][] = [
  ['next', ['taskie', 'next']],
  ['status', ['taskie', 'status']],
  ['validate', ['taskie', 'validate']],
  ['record', ['taskie', 'record', 'new-plan']],
];

describe('a folder whose name no plan can have', () => {
  it.each([
    ['.my plan', 'my-plan'],
    [`.the "plan" of 'mine'`, 'the-plan-of-mine'],
    ['.Über uns', 'Uber-uns'],
    ['.計画', 'plan'],
  ])('%s is named by taskie status, which says how to rename it, and that works', async (name, id) => {
    rename(name);
    const said = await refusal('taskie', 'status');
    expect(said).toContain(
      `${JSON.stringify(name)} is in .taskie/plans, but is not used: its name begins with a dot`,
    );
    follow(said);
    const { stdout, exitCode } = await project.holdfast(['taskie', 'status'], 's');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(new RegExp(`^plan: +${id}$`, 'm'));
  });

  it.each(COMMANDS)('is named by %s, and so is one that was asked for by it', async (_, args) => {
    rename('.my plan');
    expect(await refusal(...args)).toContain('".my plan" is in .taskie/plans, but is not used');
    expect(await refusal(...args, '--plan', '.my plan')).toContain(
      '".my plan" is in .taskie/plans, but is not',
    );
    expect(fs.existsSync(plans('.my plan', 'state.json'))).toBe(false);
  });

  it.each(['taskie:.my plan', '.my plan'])('is named by adopt and cancel of %s', async (name) => {
    rename('.my plan');
    for (const command of ['adopt', 'cancel']) {
      const said = await refusal(command, name);
      expect(said).toContain('taskie:.my plan is there, but is not used: its name begins with a dot');
      expect(said).toContain(`mv '${plans('.my plan')}' ${plans('my-plan')}`);
    }
  });

  it('is named by holdfast status and doctor', async () => {
    rename('.my plan');
    const status = await project.holdfast(['status'], 's');
    expect(status.stdout).toContain('taskie:.my plan  not used: its name begins with a dot');
    const data = JSON.parse((await project.holdfast(['status', '--json'], 's')).stdout);
    expect(data.unused).toMatchObject([{ name: 'taskie:.my plan', fix: expect.stringContaining('mv ') }]);
    const doctor = await project.holdfast(['doctor'], 's');
    expect(doctor.stdout).toContain('taskie:.my plan is there, but is not used');
    expect(doctor.stdout).toContain('rename it: `mv ');
  });

  it.each(COMMANDS)('is named by %s beside the plan that was guessed', async (_, args) => {
    project.write('.taskie/plans/.old plan/plan.md', 'x');
    const { stdout, exitCode } = await project.holdfast(args, 's');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('my-plan');
    expect(stdout).toContain('".old plan" is in .taskie/plans, but is not used');
  });

  it('is not spoken of beside the plan that was asked for, nor beside the session’s own', async () => {
    project.write('.taskie/plans/.old plan/plan.md', 'x');
    expect((await project.holdfast(['taskie', 'status', '--plan', 'my-plan'], 's')).stdout).not.toContain(
      '.old plan',
    );
    await project.holdfast(['taskie', 'next', '--plan', 'my-plan'], 's');
    expect((await project.holdfast(['taskie', 'next', '--plan', 'my-plan'], 's')).stdout).not.toContain(
      '.old plan',
    );
    expect((await project.holdfast(['taskie', 'next'], 's')).stdout).not.toContain('.old plan');
  });

  it('is named beside an older plan that a hook fired by hand is served by, held or not', async () => {
    project.write('.taskie/plans/.newer/plan.md', 'x');
    const named =
      /Holdfast: "\.newer" is in \.taskie\/plans, but is not used: its name begins with a dot\. Rename it: /;
    expect((await project.stop()).answer?.systemMessage).toMatch(named);
    project.put('wrong.md', 'x');
    const { answer } = await project.stop();
    expect(answer?.decision).toBe('block');
    expect(answer?.systemMessage).toMatch(named);
  });

  it('is named once to each session that stops there, whether it has a plan or not', async () => {
    project.write('.taskie/plans/.newer/plan.md', 'x');
    await project.holdfast(['taskie', 'next', '--plan', 'my-plan'], 'mine');
    for (const session_id of ['mine', 'other']) {
      expect((await project.stop({ session_id })).answer?.systemMessage).toContain(
        '".newer" is in .taskie/plans',
      );
      expect((await project.stop({ session_id })).answer?.systemMessage ?? '').not.toContain('.newer');
    }
  });

  it('gets a new name that is free', async () => {
    project.write('.taskie/plans/.my plan/plan.md', 'x');
    const { stdout } = await project.holdfast(['status'], 's');
    expect(stdout).toContain(`mv '${plans('.my plan')}' ${plans('my-plan-2')}`);
  });

  it('is none without a plan’s files, and a folder may lie there', async () => {
    project.write('.taskie/plans/.cache/x.bin', 'x');
    project.write('.taskie/plans/notes.txt', 'x');
    expect((await project.holdfast(['status'], 's')).stdout).not.toContain('not used');
  });
});

describe('a plan that is a link', () => {
  it.each(COMMANDS)('out of the project is named by %s, with where it leads', async (_, args) => {
    linkAway();
    const named = `"my-plan" is in .taskie/plans, but is not used: it is a link to ${elsewhere}/kept, outside`;
    expect(await refusal(...args)).toContain(named);
    expect(await refusal(...args, '--plan', 'my-plan')).toContain(named);
    expect(fs.existsSync(path.join(elsewhere, 'kept/state.json'))).toBe(false);
  });

  it('out of the project can be used once it is replaced as it is said', async () => {
    linkAway();
    follow(await refusal('taskie', 'next'));
    expect((await project.holdfast(['taskie', 'next'], 's')).exitCode).toBe(0);
    expect(fs.lstatSync(plans('my-plan')).isDirectory()).toBe(true);
  });

  it.each(['.taskie/plans/my-plan', '.taskie/plans', '.taskie'])(
    'in the place of %s is named once by status and by doctor, not as two troubles',
    async (place) => {
      const link = path.join(project.root, place);
      linkAway(link);
      for (const command of ['status', 'doctor']) {
        const { stdout } = await project.holdfast([command], 's');
        expect(stdout.match(/is a link|leads out/g)).toHaveLength(1);
      }
    },
  );

  it('is named by adopt, status and doctor', async () => {
    linkAway();
    expect(await refusal('adopt', 'taskie:my-plan')).toContain('it is a link to');
    for (const command of ['status', 'doctor'])
      expect((await project.holdfast([command], 's')).stdout).toContain('it is a link to');
  });

  it.each(['.taskie/plans', '.taskie'])('through %s is named by that', async (folder) => {
    linkAway(path.join(project.root, folder));
    const said = await refusal('taskie', 'next');
    expect(said).toContain(`${folder} is there, but is not used: it is a link to ${elsewhere}/kept, outside`);
    follow(said);
    expect((await project.holdfast(['taskie', 'next'], 's')).exitCode).toBe(0);
  });

  it('that leads nowhere or in circles is named, and hides no other', async () => {
    fs.symlinkSync('nowhere', plans('gone'));
    fs.symlinkSync('round', plans('round'));
    const { stdout } = await project.holdfast(['status'], 's');
    expect(stdout).toContain('taskie:gone  not used: it is a link to nowhere, which cannot be reached');
    expect(stdout).toContain('taskie:round  not used: it is a link to round, which cannot be reached');
    expect((await project.holdfast(['taskie', 'status'], 's')).stdout).toMatch(/^plan: +my-plan$/m);
  });

  it('within the project is used', async () => {
    fs.cpSync(plans('my-plan'), path.join(project.root, 'kept'), { recursive: true });
    fs.rmSync(plans('my-plan'), { recursive: true });
    fs.symlinkSync('../../kept', plans('my-plan'));
    const { stdout, exitCode } = await project.holdfast(['taskie', 'next'], 's');
    expect(exitCode).toBe(0);
    expect(stdout).toContain("Plan 'my-plan'");
    expect((await project.holdfast(['status'], 's')).stdout).not.toContain('not used');
  });
});

describe('a plan whose id begins with "-"', () => {
  const runs = (text: string): string => {
    const command = /(?:run: |`)(\S+ taskie [^`\n]*--plan\S*)/.exec(text)?.[1];
    if (command === undefined) throw new Error(`no command with a plan in: ${text}`);
    return execFileSync('/bin/sh', ['-c', command], {
      cwd: project.root,
      encoding: 'utf8',
      env: { ...process.env, CLAUDE_CODE_SESSION_ID: 's', HOME: project.home },
    });
  };

  beforeEach(() => rename('-x'));

  it('is recorded by the very command of the hold', async () => {
    await project.holdfast(['taskie', 'record', 'new-plan', '--plan=-x'], 's');
    const { answer } = await project.stop({ session_id: 's' });
    expect(answer?.decision).toBe('block');
    fs.writeFileSync(plans('-x', 'plan-post-review-1.md'), 'Done.');
    expect(runs(answer?.reason ?? '')).toContain("Recorded post-plan-review for plan '-x'");
  });

  it('is checked by the very command of a hold for its structure', async () => {
    await project.holdfast(['taskie', 'next', '--plan=-x'], 's');
    fs.writeFileSync(plans('-x', 'wrong.md'), 'x');
    const { answer } = await project.stop({ session_id: 's' });
    expect(answer?.reason).toContain('taskie validate --plan=-x');
  });

  it.each([
    ['complete', {}],
    ['create-tasks', {}],
    ['complete-task', {}],
    ['post-plan-review', { phase: 'plan-review', phase_iteration: 1 }],
  ])('is named rightly in every command that `next` prints (%s)', async (following, more) => {
    const state = { ...JSON.parse(NEW), next_phase: following, ...more };
    fs.writeFileSync(plans('-x', 'state.json'), JSON.stringify(state));
    fs.writeFileSync(plans('-x', 'plan-review-1.md'), 'x');
    const { stdout } = await project.holdfast(['taskie', 'next', '--plan=-x'], 's');
    expect(stdout).toContain("Plan '-x'");
    expect(stdout).toContain('--plan=-x');
    expect(stdout).not.toContain('--plan -x');
  });

  it('is named rightly to a session whose it is not, and in a refusal', async () => {
    fs.writeFileSync(plans('-x', 'state.json'), NEW);
    const { answer } = await project.stop({ session_id: 'other' });
    expect(answer?.systemMessage).toContain('taskie next --plan=-x');
    const refused = await project.holdfast(['taskie', 'record', 'complete', '--plan=-x'], 's');
    expect(refused.stderr).toContain('taskie next --plan=-x');
  });

  it('given as two words is refused with the words that work', async () => {
    const refused = await project.holdfast(['taskie', 'record', 'new-plan', '--plan', '-x'], 's');
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('--plan=-x');
  });
});

const NEW = JSON.stringify(FULL_STATE);
