// When a plan gets a budget, and that it keeps the one it has.

import fs from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject, budgetOf, giveBudget } from '../../../../test/support/bare-project.ts';
import type { Project } from '../../../engine/project.ts';
import { NotNow } from '../../../engine/workflow-cli.ts';
import { ensureHome, homeOf, sidecarPath } from '../../../store/home.ts';
import { newSidecar } from '../../../store/records.ts';
import { writeSidecar } from '../../../store/sidecars.ts';
import { budgetOfPlan, MOST_REVIEWS } from './budget.ts';

const NAME = 'taskie:my-plan';
const NONE = { tokens: null, timeMs: null, reviews: null, usd: null };
const THREE = { ...NONE, reviews: 3 };
const FIFTY = { ...NONE, reviews: 50 };
const start = (project: Project, limits: typeof NONE | typeof THREE) => ({
  notes: { limits, startedAt: project.now },
  lines: [
    `It may spend ${limits.reviews} reviews; then it is paused, and a person decides whether it goes on.`,
  ],
});

let plain: Project;
let bounded: Project;
beforeEach(() => {
  plain = bareProject();
  bounded = { ...plain, config: { ...plain.config, budget: FIFTY } };
  ensureHome(plain.root);
});
const note = (): void =>
  writeSidecar(plain.root, { ...newSidecar(NAME), budget: { limits: FIFTY, startedAt: 1 } });

describe('a plan', () => {
  it('gets what is asked for, when it is made and later', () => {
    for (const begins of [true, false])
      expect(budgetOfPlan(plain, NAME, THREE, begins)).toEqual(start(plain, THREE));
  });

  it('gets what the settings say only when it is made', () => {
    expect(budgetOfPlan(bounded, NAME, NONE, true)).toEqual(start(bounded, FIFTY));
    expect(budgetOfPlan(bounded, NAME, NONE, false)).toBeNull();
  });

  it('gets none where nobody asks for one', () => {
    expect(budgetOfPlan(plain, NAME, NONE, true)).toBeNull();
  });

  it('keeps what was noted already', () => {
    note();
    expect(budgetOfPlan(bounded, NAME, NONE, true)).toBeNull();
    expect(budgetOfPlan(bounded, 'taskie:other', NONE, true)).toEqual(start(bounded, FIFTY));
  });

  it('gets a new one where its notes cannot be read', () => {
    note();
    fs.writeFileSync(sidecarPath(homeOf(plain.root), NAME), '{');
    expect(budgetOfPlan(bounded, NAME, NONE, true)).toEqual(start(bounded, FIFTY));
  });

  it('keeps the one it has, and takes no second one', () => {
    giveBudget(plain, budgetOf(plain, NAME, { limits: { reviews: 9 } }));
    expect(budgetOfPlan(bounded, NAME, NONE, true)).toBeNull();
    expect(() => budgetOfPlan(bounded, NAME, THREE, true)).toThrow(NotNow);
  });
});

it('the most reviews that a plan can have are said as a sum', () => {
  expect(MOST_REVIEWS).toBe(
    'Its reviews: at most 24 + 8 N for N tasks, with max_reviews 8; 6 + 2 N where all of them are clean.',
  );
});
