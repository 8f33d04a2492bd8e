// Which plan a command means, and what it says where it means none.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { callIn } from '../../../../test/support/call.ts';
import { type PlanScene, planScene } from '../../../../test/support/taskie-plan.ts';
import type { Project } from '../../../engine/project.ts';
import { NotNow, WrongUsage } from '../../../engine/workflow-cli.ts';
import { homeOf, sidecarPath } from '../../../store/home.ts';
import { bind } from '../../../store/sidecars.ts';
import {
  planMeant,
  projectWithPlans,
  readPlan,
  refuseClosedState,
  troubleWithState,
  unusedBeside,
} from './which-plan.ts';

let scene: PlanScene;
let project: Project;
let plans: string;
beforeEach(() => {
  scene = planScene();
  project = scene.project;
  plans = path.join(scene.root, '.taskie/plans');
});

/** Written one after the other: the last one is the newest. */
const put = (...names: readonly string[]): void => {
  for (const [index, name] of names.entries()) {
    scene.put('plan.md', 'x', name);
    fs.utimesSync(scene.at('plan.md', name), 1000 + index, 1000 + index);
  }
};
const refusal = (work: () => unknown): [unknown, string] => {
  try {
    work();
  } catch (error) {
    if (error instanceof NotNow || error instanceof WrongUsage) return [error.constructor, error.message];
    throw error;
  }
  throw new Error('it was not refused');
};
const meant = (wanted: unknown = undefined, guess: 'newest' | 'only' = 'newest'): string =>
  planMeant(project, wanted, guess);

describe('a command without a name', () => {
  it('means the plan changed last', () => {
    put('one', 'two', 'also');
    expect(meant()).toBe('also');
  });

  it('means the only one, also where it writes', () => {
    put('one');
    expect(meant(undefined, 'only')).toBe('one');
  });

  it('does not guess among several where it writes, and names at most ten of them', () => {
    put('one', 'two');
    expect(refusal(() => meant(undefined, 'only'))).toEqual([
      WrongUsage,
      'there are several plans: two, one. Say which with --plan ID.',
    ]);
    put(...Array.from({ length: 12 }, (_, index) => `p${index}`));
    expect(refusal(() => meant(undefined, 'only'))).toEqual([
      WrongUsage,
      'there are several plans: p11, p10, p9, p8, p7, p6, p5, p4, p3, p2. Say which with --plan ID.',
    ]);
  });

  it('has no plan of its own outside of a session', () => {
    put('one', 'two');
    const terminal = { ...project, env: { ...project.env, CLAUDE_CODE_SESSION_ID: undefined } };
    expect(planMeant(terminal, undefined, 'newest')).toBe('two');
    expect(refusal(() => planMeant(terminal, undefined, 'only'))[0]).toBe(WrongUsage);
  });

  it.each(['newest', 'only'] as const)('means this session’s own before a newer one (%s)', (guess) => {
    put('one', 'two');
    bind(scene.root, 'taskie:one', ['session-1']);
    expect(meant(undefined, guess)).toBe('one');
  });

  it('means no plan of another session before a newer one', () => {
    put('one', 'two');
    bind(scene.root, 'taskie:one', ['session-2']);
    expect(meant()).toBe('two');
  });

  it('means no plan that another session took over since', () => {
    put('one', 'two');
    bind(scene.root, 'taskie:one', ['session-1']);
    bind(scene.root, 'taskie:one', ['session-2']);
    expect(meant()).toBe('two');
  });

  it('means no plan whose notes cannot be read', () => {
    put('one', 'two');
    bind(scene.root, 'taskie:one', ['session-1']);
    fs.writeFileSync(sidecarPath(homeOf(scene.root), 'taskie:one'), '{');
    expect(meant()).toBe('two');
  });

  it('is told to begin where there is no plan', () => {
    const nothing = 'there is no plan in .taskie/plans here. Begin with /taskie:new-plan.';
    expect(refusal(() => meant())).toEqual([NotNow, nothing]);
    fs.mkdirSync(path.join(plans, 'empty'), { recursive: true });
    fs.writeFileSync(path.join(plans, 'no plan id.txt'), '');
    expect(refusal(() => meant())).toEqual([NotNow, nothing]);
  });

  it('is told which plans cannot be used where there are no others, ten of them at most', () => {
    for (const name of 'abcdefghijkl') scene.put('plan.md', 'x', `.${name} ${name}`);
    const sentences = [...'abcdefghij'].map(
      (name) =>
        `".${name} ${name}" is in .taskie/plans, but is not used: its name begins with a dot. Rename it: \`mv '${plans}/.${name} ${name}' ${plans}/${name}-${name}\`.`,
    );
    expect(refusal(() => meant())).toEqual([
      NotNow,
      `there is no plan in .taskie/plans here that can be used. ${sentences.join(' ')}`,
    ]);
  });

  it('is told what is where the plans belong', () => {
    fs.mkdirSync(path.dirname(plans));
    fs.writeFileSync(plans, '');
    expect(refusal(() => meant())).toEqual([
      NotNow,
      `${plans} is a file where a folder belongs; to fix it, run \`mv ${plans} ${plans}.aside\``,
    ]);
  });

  it('is told what is where a plan belongs, but not of other names', () => {
    fs.mkdirSync(path.join(plans, 'fine'), { recursive: true });
    fs.writeFileSync(path.join(plans, 'another.txt'), '');
    fs.writeFileSync(path.join(plans, 'mine'), '');
    expect(refusal(() => meant())).toEqual([
      NotNow,
      `${plans}/mine is a file where a folder belongs; to fix it, run \`mv ${plans}/mine ${plans}/mine.aside\``,
    ]);
  });
});

describe('a command with a name', () => {
  it('means the plan of that name, whosever it is and however old', () => {
    put('one', 'two');
    bind(scene.root, 'taskie:two', ['session-1']);
    expect([meant('one'), meant('one', 'only')]).toEqual(['one', 'one']);
  });

  it('is told to write its plan.md where there is no plan at all', () => {
    expect(refusal(() => meant('mine'))).toEqual([
      NotNow,
      `there is no plan "mine" in ${plans}. There is none yet: write its plan.md there first.`,
    ]);
  });

  it('is told what there is, ten at most, where it is not among them', () => {
    put('one', 'two');
    expect(refusal(() => meant('mine'))).toEqual([
      NotNow,
      `there is no plan "mine" in ${plans}. There are: two, one.`,
    ]);
    put(...Array.from({ length: 12 }, (_, index) => `p${index}`));
    expect(refusal(() => meant('mine'))[1]).toBe(
      `there is no plan "mine" in ${plans}. There are: p11, p10, p9, p8, p7, p6, p5, p4, p3, p2.`,
    );
  });

  it.each([
    ['.my plan', 'begins with a dot'],
    ['../one', 'begins with a dot'],
    ['', 'is empty'],
    ['a/b', 'has a slash in it'],
  ])('that can be none is told why: %j', (name, why) => {
    put('one');
    const said = `--plan: a plan is named like its folder, and this name ${why}.`;
    expect(refusal(() => meant(name))).toEqual([WrongUsage, said]);
  });

  it('means it in any spelling, and quotes those there are', () => {
    put('über'.normalize('NFD'), 'my plan');
    for (const form of ['NFC', 'NFD']) expect(meant('über'.normalize(form))).toBe('über'.normalize('NFC'));
    expect(refusal(() => meant('a b'))[1]).toBe(
      `there is no plan "a b" in ${plans}. There are: "my plan", "über".`,
    );
  });

  it('of a plan that is not used is told why', () => {
    put('.my plan', 'one');
    expect(refusal(() => meant('.my plan'))).toEqual([
      NotNow,
      `".my plan" is in .taskie/plans, but is not used: its name begins with a dot. Rename it: \`mv '${plans}/.my plan' ${plans}/my-plan\`.`,
    ]);
  });

  it('is told what is in the plan’s place, and of no other’s', () => {
    put('one');
    for (const name of ['mine', 'other']) fs.writeFileSync(path.join(plans, name), '');
    expect(refusal(() => meant('mine'))).toEqual([
      NotNow,
      `${plans}/mine is a file where a folder belongs; to fix it, run \`mv ${plans}/mine ${plans}/mine.aside\``,
    ]);
    expect(refusal(() => meant('third'))[1]).toBe(`there is no plan "third" in ${plans}. There are: one.`);
  });
});

describe('beside a plan that was guessed', () => {
  it('those that cannot be used are described, ten of them at most', () => {
    put('one', ...[...'abcdefghijkl'].map((name) => `.${name} ${name}`));
    const said = unusedBeside(project, undefined, 'one');
    expect(said).toHaveLength(10);
    expect(said[9]).toBe(
      `".j j" is in .taskie/plans, but is not used: its name begins with a dot. Rename it: \`mv '${plans}/.j j' ${plans}/j-j\`.`,
    );
  });

  it('nothing is said where it was named, or is this session’s own', () => {
    put('one', 'two', '.a a');
    bind(scene.root, 'taskie:two', ['session-1']);
    expect(unusedBeside(project, 'one', 'one')).toEqual([]);
    expect(unusedBeside(project, undefined, 'two')).toEqual([]);
    expect(unusedBeside(project, undefined, 'one')).toHaveLength(1);
  });
});

describe('a plan that is read', () => {
  it('comes with its folder and its state, as text and as understood', () => {
    scene.sound({ phase: 'complete', next_phase: null });
    expect(readPlan(project, 'my-plan')).toEqual({
      plan: 'my-plan',
      folder: scene.folder(),
      stateText: fs.readFileSync(scene.at('state.json'), 'utf8'),
      state: expect.objectContaining({ kind: 'known', phase: 'complete', next: null }),
    });
  });

  it('may have no state, or one that is no object', () => {
    put('my-plan');
    expect(readPlan(project, 'my-plan')).toMatchObject({ stateText: null, state: { kind: 'absent' } });
    scene.put('state.json', '[]');
    expect(readPlan(project, 'my-plan')).toMatchObject({ stateText: '[]', state: { kind: 'broken' } });
  });

  it('is refused where it is not there', () => {
    expect(refusal(() => readPlan(project, 'mine'))).toEqual([
      NotNow,
      `there is no plan "mine" in ${scene.root}/.taskie/plans.`,
    ]);
  });
});

describe('a state.json', () => {
  it('that is a file or not there is no trouble, whatever is in it', () => {
    put('my-plan');
    expect(troubleWithState(project, 'my-plan')).toBeNull();
    scene.put('state.json', '[');
    expect(troubleWithState(project, 'my-plan')).toBeNull();
    expect(refuseClosedState(project, 'my-plan')).toBeUndefined();
  });

  it('that is a folder is refused, with the command that moves it away', () => {
    fs.mkdirSync(scene.at('state.json'), { recursive: true });
    const [what, fix] = [
      `${scene.at('state.json')} is a folder where a file belongs`,
      `run \`mv ${scene.at('state.json')} ${scene.at('state.json.aside')}\``,
    ];
    expect(troubleWithState(project, 'my-plan')).toEqual({ what, fix });
    expect(refusal(() => refuseClosedState(project, 'my-plan'))).toEqual([
      NotNow,
      `${what}; to fix it, ${fix}`,
    ]);
  });
});

it('a command finds the project, or is told to begin where there is none', async () => {
  const found = callIn(scene.root, { existing: async () => project });
  expect(await projectWithPlans(found.call)).toBe(project);
  const none = callIn(scene.root, { existing: async () => null });
  await expect(projectWithPlans(none.call)).rejects.toEqual(
    new NotNow('there is no .taskie/plans here or above. Begin with /taskie:new-plan.'),
  );
});
