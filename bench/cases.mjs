// What a stop costs in each situation, with the bound it must keep. Each case makes its own project.

import fs from 'node:fs';
import path from 'node:path';
import { makeScene, mustAllow, mustHold } from './scene.mjs';

/**
 * name → { bound, boundOnNode20, against, make() → what measure() takes, and the scene to remove }
 *
 * Node 20, whose support has ended, has a bound of its own where a hold is written: page.mjs says why.
 */
export const cases = {
  'no run in the project': {
    against: 'sh',
    bound: 2.5,
    make() {
      const scene = makeScene();
      return { scene, ...scene.stop(), after: mustAllow };
    },
  },
  'a run of another session': {
    against: 'node',
    bound: 1.4,
    make() {
      const scene = makeScene();
      scene.cli(['idle', 'loop', 'a task']);
      const stop = scene.stop({ session_id: '99999999-1111-4222-8333-444455556666' });
      return { scene, ...stop, after: mustAllow };
    },
  },
  'a finished run': {
    against: 'node',
    bound: 1.4,
    make() {
      const scene = makeScene();
      scene.cli(['idle', 'loop', 'a task']);
      scene.cli(['idle', 'cancel']);
      return { scene, ...scene.stop(), after: mustAllow };
    },
  },
  'idle: an iteration held': {
    against: 'node',
    bound: 1.5,
    boundOnNode20: 1.6,
    make: makeIdle,
  },
  'idle: held after a wait for a transcript that lags': {
    against: 'node',
    /** Reported apart: the wait is the client's doing (it writes on a timer), at most 250 ms, and read in look.ts. */
    bound: null,
    make() {
      const made = makeIdle();
      return { ...made, before: made.scene.lag };
    },
  },
  'claudex: next round held, runner written': {
    against: 'node',
    bound: 1.6,
    boundOnNode20: 1.7,
    make() {
      const scene = makeScene();
      scene.cli(['claudex', 'plan', '--rounds', '900', '--skip-interview', 'a topic']);
      let draft = 0;
      const before = () => {
        scene.work();
        scene.write('PLAN.md', `# Plan\n\nDraft ${++draft}\n`);
      };
      return { scene, ...scene.stop(), before, after: mustHold };
    },
  },
  'flow: a step held': {
    against: 'node',
    bound: 1.5,
    boundOnNode20: 1.6,
    make() {
      const scene = makeScene();
      scene.write('holdfast.flows/bench.yaml', FLOW);
      scene.cli(['flow', 'start', 'bench', 'a task']);
      return { scene, ...scene.stop(), before: scene.work, after: mustHold };
    },
  },
  'taskie: valid plan, nothing pending': {
    against: 'node',
    bound: 1.6,
    make() {
      const scene = makeScene();
      makePlan(scene);
      editState(scene, { next_phase: null });
      return { scene, ...scene.stop(), before: scene.work, after: mustAllow };
    },
  },
  'taskie: a review that answers at once': {
    against: 'node',
    /** It was 2 before a watcher stood beside every reviewer; what it is made of stands on the page (page.mjs). */
    bound: 2.2,
    /** The fake reviewer's own time is measured too and taken off. */
    less: 'the reviewer alone',
    make() {
      const scene = makeScene();
      const bin = makeReviewer(scene);
      makePlan(scene);
      const env = { ...scene.env, PATH: `${bin}:${scene.env.PATH}` };
      const before = () => {
        scene.work();
        editState(scene, {
          phase: 'new-plan',
          next_phase: 'plan-review',
          phase_iteration: 0,
          consecutive_clean: 0,
        });
        for (const name of fs.readdirSync(planFolder(scene)))
          if (name.startsWith('plan-review')) fs.rmSync(path.join(planFolder(scene), name));
      };
      return { scene, ...scene.stop(), env, before, after: mustHold };
    },
  },
};

const FLOW = `flow: bench
holds: 1000
start: work
states:
  work:
    say: |
      {{task}}
      When it is done, say <flow>done</flow> on a line of its own.
    leave:
      - when: { signal: done }
        to: finished
  finished:
    end: completed
`;

export const baselines = {
  sh: { command: '/bin/sh', args: ['-c', ':'], env: { PATH: process.env.PATH } },
  node: { command: process.execPath, args: ['-e', '0'], env: { PATH: process.env.PATH } },
};

export function makeIdle() {
  const scene = makeScene();
  scene.cli(['idle', 'loop', '--max', '100000', 'a task']);
  return { scene, ...scene.stop(), before: scene.work, after: mustHold };
}

/** The same program the review case runs, started the same way but without us. */
export function reviewerAlone() {
  const scene = makeScene();
  const bin = makeReviewer(scene);
  const file = path.join(scene.root, 'review.md');
  return {
    scene,
    command: '/bin/sh',
    args: ['-c', `exec "$@"`, 'sh', path.join(bin, 'claude'), file],
    env: scene.env,
  };
}

const planFolder = (scene) => path.join(scene.root, '.taskie', 'plans', 'bench');

function makePlan(scene) {
  scene.write('.taskie/plans/bench/plan.md', '# Plan\n\n## Overview\n\nMeasure it.\n');
  scene.cli(['taskie', 'record', '--plan', 'bench', 'new-plan']);
}

function editState(scene, change) {
  const file = path.join(planFolder(scene), 'state.json');
  const state = JSON.parse(fs.readFileSync(file, 'utf8'));
  fs.writeFileSync(file, `${JSON.stringify({ ...state, ...change }, null, 2)}\n`);
}

/** A reviewer that answers at once: writes the one review file it is ever asked for, prints the client's envelope. */
function makeReviewer(scene) {
  const bin = path.join(path.dirname(scene.root), 'bin');
  fs.mkdirSync(bin);
  const script = [
    '#!/bin/sh',
    `echo '# Review' > "${planFolder(scene)}/plan-review-1.md" 2>/dev/null`,
    `printf '%s\\n' '{"type":"result","subtype":"success","is_error":false,"structured_output":{"verdict":"FAIL"},"result":"{\\"verdict\\":\\"FAIL\\"}"}'`,
    '',
  ].join('\n');
  fs.writeFileSync(path.join(bin, 'claude'), script, { mode: 0o755 });
  return bin;
}
