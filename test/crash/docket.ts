// Stops that write a docket, for the crash suite: a verdict with findings, and a round that is left behind.

import type { Bench } from './bench.ts';
import { draft, shared as loop, loopIds, startPlan } from './claudex.ts';
import type { Scenario } from './scenario.ts';
import { answerReviews, ownPlan, planState } from './taskie.ts';

const PLAN = '.taskie/plans/my-plan';

type Kept = { id: string; review: string; claim: string; status: string; earlier?: string[] };

/** What the docket says, without what no crash could change. */
export function kept(bench: Bench, folder: string): Kept[] {
  const { findings } = JSON.parse(bench.project.read(`${folder}/docket.json`));
  return findings.map(({ id, review, claim, status, earlier }: Kept) => ({
    id,
    review,
    claim,
    status,
    earlier,
  }));
}

/** The second of two reviews that list findings: the first one's are answered, and both files are spoken of again. */
export const listed: Scenario = {
  run: () => 'taskie:my-plan',
  view: planState,
  async prepare(bench) {
    await ownPlan(bench);
    bench.reviewers('two-listed');
    await bench.stop();
    bench.project.write(`${PLAN}/plan-post-review-1.md`, 'F1 fixed: renamed\nF2 rejected: it is released\n');
  },
  async carryOn(bench) {
    const end = await answerReviews(bench);
    return { end, docket: kept(bench, PLAN) };
  },
  reviewed: ['plan-review-1.md', 'plan-review-2.md', 'plan-review-3.md', 'plan-review-4.md'],
};

/** A docket that is broken when the verdict comes: it is set aside, and begun again. */
export const broken: Scenario = {
  ...listed,
  async prepare(bench) {
    await listed.prepare(bench);
    const text = bench.project.read(`${PLAN}/docket.json`);
    bench.project.write(`${PLAN}/docket.json`, text.replace('"claim": "a name', '"claim": a name'));
  },
};

/** A round whose findings are written, and answered in the changelog. */
export const leftRound: Scenario = {
  ...loop,
  async prepare(bench) {
    // So many that no summary is due yet: it says how long the loop took.
    await startPlan(bench, 4);
    draft(bench);
    await bench.stop();
    const found = '# Round 1 findings\n\n## High\n- the lock\n\n## Low\n- a name\n';
    bench.project.write(`${folderOf(bench)}/findings-round-1.md`, found);
    bench.project.write('PLAN.md', '# Plan\n\nA cache.\n\n## Changelog\n\n- F1 fixed: taken\n');
  },
  async carryOn(bench) {
    const end = await loop.carryOn(bench);
    return { end, docket: kept(bench, folderOf(bench)) };
  },
};

const folderOf = (bench: Bench): string => `.claude/claudex/${loopIds(bench)[0]}`;
