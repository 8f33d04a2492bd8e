// A taskie plan reviewed in the hook by one of the other clients: in a session of that client, where it leaves a hook its
// keys.

import { expect, it } from 'vitest';
import type { Played } from './basics.ts';
import { answerReview, draftPlan, planState } from './plan.ts';
import { ownConfig, reviewers } from './reviews.ts';
import { answers, holdsOf, journal, saw, say } from './scenario.ts';

/** `title`: what people call it; `models`: as the settings name them; `asked`: as its API does. */
export type ReviewedBy = { title: string; models: readonly [string, string]; asked: readonly string[] };

export function reviewedByScenario({ host, open }: Played, { title, models, asked }: ReviewedBy): void {
  it(`taskie: a plan reviewed by ${title} (${host.mode})`, async (context) => {
    const stage = await open();
    ownConfig(stage, { review: { models } });
    reviewers(stage, [{ severity: 'high', claim: 'It says nothing of tests.' }], [], []);
    stage.agent(draftPlan(host.cli(stage)), say('The plan is written.'), ...answerReview, ...answerReview);
    const played = await host.play(stage, 'Plan it.', { limitMs: 150_000 });
    expect(answers(stage.root)).toEqual(['hold', 'hold', 'allow']);
    expect(holdsOf(stage)[0]).toContain('It says nothing of tests.');
    expect(planState(stage)).toMatchObject({ next_phase: 'create-tasks', consecutive_clean: 2 });
    const reviewing = stage.cast.of('reviewer');
    expect([...new Set(reviewing.map(({ model }) => model))]).toEqual(asked);
    // Our hook fired in none of them.
    expect(reviewing.flatMap(({ holds }) => holds)).toEqual([]);
    expect(new Set(journal(stage.root).map(({ session }) => session))).toEqual(new Set([played.session]));
    saw(
      context,
      host.mode,
      `three reviews in the hook by ${title}, with the verdict in its last message: findings held, two clean ones in a row let go; no reviewer was held`,
    );
  });
}
