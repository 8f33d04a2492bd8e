// The explorer works on a model of how a change alters a state. Here the model is compared with what the real
// commit writes and the real observation then reads.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_UNTIL, UNASKED } from '../../src/engine/proof/asked.ts';
import { commit as commitClaudex } from '../../src/workflows/claudex/commit.ts';
import { decide as decideClaudex } from '../../src/workflows/claudex/decide.ts';
import { observe as observeClaudex } from '../../src/workflows/claudex/observe.ts';
import { setField, writeNewState } from '../../src/workflows/claudex/state-format.ts';
import { commit as commitIdle } from '../../src/workflows/idle/commit.ts';
import { decide as decideIdle } from '../../src/workflows/idle/decide.ts';
import { observe as observeIdle } from '../../src/workflows/idle/observe.ts';
import { commit as commitTaskie } from '../../src/workflows/taskie/commit.ts';
import { decide as decideTaskie } from '../../src/workflows/taskie/decide.ts';
import { observe as observeTaskie } from '../../src/workflows/taskie/observe.ts';
import { type TempProject, tempProject } from '../support/project.ts';
import * as claudex from './claudex/domains.ts';
import { after as afterClaudex, stateOf as claudexState } from './claudex/model.ts';
import * as idle from './idle/domains.ts';
import { after as afterIdle, rawOf } from './idle/model.ts';
import { carryOutAll, NOW, sceneIn } from './scene.ts';
import * as taskie from './taskie/domains.ts';
import { dueIn, owedIn } from './taskie/invariants.ts';
import { after as afterTaskie } from './taskie/model.ts';

let project: TempProject;
beforeEach(() => {
  project = tempProject();
});
afterEach(() => project.remove());

/** No checks: every claim stands. */
const STANDS = { proof: UNASKED, until: NO_UNTIL };

/** Every so many nodes of a space: the step shares no factor with its size, so all values turn up. */
function samples<Node>(
  space: { size: number; nodeAt(index: number): Node },
  count: number,
  wanted: (node: Node) => boolean,
): Node[] {
  const found: Node[] = [];
  for (let index = 0, tries = 0; found.length < count && tries < space.size; tries++) {
    const node = space.nodeAt(index);
    if (wanted(node)) found.push(node);
    index = (index + 7919) % space.size;
  }
  return found;
}

describe('the model of a change agrees with the real commit', () => {
  it('of claudex', () => {
    const id = '20261115-100000-abcdef';
    const file = `.claude/claudex/${id}.state`;
    let compared = 0;
    for (const node of samples(claudex.space, 200, () => true)) {
      const { mode, phase, round, maxRounds, signal, waited } = node;
      const begun = writeNewState({
        ...{ id, mode: 'plan', topic: 'x', maxRounds, fromDraft: true, interviewUsed: false },
        ...{ repoRoot: project.root, session: 's', now: NOW },
      });
      const edits = { mode, phase, round, decision_signal: signal };
      const text = Object.entries(edits).reduce(
        (all, [name, value]) => setField(all, name, value, NOW),
        begun,
      );
      project.write(file, text);
      project.write('PLAN.md', '# A plan\n');
      const waits = { no: {}, held: { waitHeld: round }, notified: { waitHeld: round, waitNotified: round } }[
        waited
      ];
      const scene = sceneIn(project, id, { plan: null, warned: [], ...waits });
      const seen = observeClaudex(scene);
      if (seen === null) throw new Error('the loop is there');
      expect(seen.state).toEqual(claudexState(node));
      expect(seen.facts.waited).toBe(waited);
      const step = decideClaudex(seen.state, seen.facts);
      if (step.kind !== 'hold' && step.kind !== 'allow') throw new Error(step.kind);
      if (step.change === null) continue;
      const made = commitClaudex(step.change, seen.world, scene);
      carryOutAll(made);
      const again = observeClaudex({ ...scene, saved: made.saved });
      const model = afterClaudex(node, step);
      expect({ ...again?.state, waited: again?.facts.waited }).toEqual({
        ...claudexState(model),
        waited: model.waited,
      });
      expect(again?.stateHash).toBe(made.stateHash);
      compared++;
    }
    expect(compared).toBe(200);
  });

  it('of idle', () => {
    let compared = 0;
    const isRunning = ({ kind, event, depth, age }: idle.Node): boolean =>
      kind === 'loop' && event === 'STATE' && depth > 0 && age !== 'missing' && age !== 'stale';
    for (const node of samples(idle.space, 120, isRunning)) {
      const age = idle.AGES[node.age];
      const body = JSON.stringify({
        ...{ schema: 1, event: node.event, run_id: 'loop-1-1', stack: idle.framesOf(node).map(rawOf) },
        ...(age === null ? {} : { updated_at: new Date(age).toISOString() }),
      });
      const topic = { type: 'topic', id: '01T', name: 'loop:current', description: '', created_at: 1 };
      const message = { type: 'message', id: '01M', topic_id: '01T', parent_id: null, body, created_at: 2 };
      project.write('.jwz/messages.jsonl', `${JSON.stringify(topic)}\n${JSON.stringify(message)}\n`);
      const scene = sceneIn(project, 'loop-1-1');
      const seen = observeIdle(scene);
      if (seen === null) throw new Error('the loop is there');
      expect(seen.state).toEqual(idle.stateOf(node));
      for (const signal of ['none', 'COMPLETE'] as const) {
        const step = decideIdle(seen.state, { ...seen.facts, signal, ...STANDS });
        if ((step.kind !== 'hold' && step.kind !== 'allow') || step.change === null) continue;
        project.write('.jwz/messages.jsonl', `${JSON.stringify(topic)}\n${JSON.stringify(message)}\n`);
        const made = commitIdle(step.change, seen.world, scene);
        carryOutAll(made);
        const again = observeIdle({ ...scene, saved: made.saved });
        expect(again?.state).toEqual(idle.stateOf(afterIdle(node, step)));
        expect(again?.stateHash).toBe(made.stateHash);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(100);
  });

  it('of taskie', () => {
    let compared = 0;
    const moves = (node: taskie.Node): boolean =>
      node.clean < 2 && (dueIn(node) !== null || owedIn(node) !== null);
    for (const node of samples(taskie.editedSpace, 150, moves)) {
      const { currentTask, phase, iteration, next, model, clean, tdd, maxReviews } = node;
      const written = (name: string | null): string | null => (name === 'other' ? 'something else' : name);
      const fields = {
        ...{
          max_reviews: maxReviews,
          current_task: currentTask,
          phase: written(phase),
          phase_iteration: iteration,
        },
        ...{ next_phase: written(next), review_model: model, consecutive_clean: clean, tdd, mine: ['kept'] },
      };
      project.write('.taskie/plans/demo/plan.md', '# Plan\n');
      project.write('.taskie/plans/demo/state.json', `${JSON.stringify(fields, null, 4)}\n`);
      const scene = sceneIn(project, 'demo');
      const seen = observeTaskie(scene);
      if (seen?.state.kind !== 'known') throw new Error('the plan is there');
      expect({ ...seen.state, unsound: [] }).toEqual(taskie.stateOf(node));
      for (const verdict of ['clean', 'findings'] as const) {
        const pending = { others: true, current: false };
        const step = decideTaskie(seen.state, {
          ...seen.facts,
          pending,
          verdict,
          reviewNumber: 1,
          failedReviews: 0,
          ...STANDS,
        });
        if ((step.kind !== 'hold' && step.kind !== 'allow') || step.change === null) continue;
        const made = commitTaskie(step.change, seen.world, scene);
        carryOutAll(made);
        const again = observeTaskie({ ...scene, saved: made.saved });
        expect({ ...again?.state, unsound: [] }).toEqual(taskie.stateOf(afterTaskie(node, step)));
        expect(again?.stateHash).toBe(made.stateHash);
        expect(JSON.parse(project.read('.taskie/plans/demo/state.json')).mine).toEqual(['kept']);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(100);
  });
});
