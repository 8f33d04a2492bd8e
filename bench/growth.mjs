// The cost of a stop must not grow with the past. Each case measures the same stop at four sizes or more and
// bounds largest / smallest.

import fs from 'node:fs';
import path from 'node:path';
import { makeIdle } from './cases.mjs';
import { makeScene, mustAllow, mustHold, plugin } from './scene.mjs';

const BYTES = [1e3, 1e6, 1e8, 1e9];

export const growth = {
  'transcript, bytes': { sizes: BYTES, bound: 1.1, make: withTranscript },
  'topic log, bytes': { sizes: BYTES, bound: 1.1, make: withTopicLog },
  'journal, bytes': { sizes: [0, 1e6, 1e8, 1e9], bound: 1.1, make: withJournal },
  'journal read by `why`, bytes': { sizes: BYTES, bound: 1.1, make: whyOfJournal },
  'finished runs': { sizes: [1, 100, 1000, 10_000], bound: 1.3, make: withFinishedRuns },
  'other plans': { sizes: [1, 10, 100, 1000], bound: 1.5, make: withOtherPlans },
  'files of one plan': { sizes: [5, 50, 500, 2000], bound: 2, make: withPlanFiles },
  'files in the repository': { sizes: [10, 1000, 20_000, 200_000], bound: 1.05, make: withRepositoryFiles },
  'depth of cwd': { sizes: [1, 5, 20, 40], bound: 1.4, make: withDepth },
};

/** Mostly a hole in the file: its size is what a reader sees, the disk is spared. */
function makeLarge(file, bytes, head = '') {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, head);
  fs.truncateSync(file, Math.max(bytes, head.length));
  fs.appendFileSync(file, '\n');
}

function withTranscript(bytes) {
  const made = makeIdle();
  makeLarge(made.scene.transcript, bytes);
  return made;
}

function withTopicLog(bytes) {
  const scene = makeScene();
  const topic = {
    type: 'topic',
    id: '01HZZZZZZZZZZZZZZZZZZZZZZZ',
    name: 'notes',
    description: '',
    created_at: 1,
  };
  makeLarge(path.join(scene.root, '.jwz', 'messages.jsonl'), bytes, `${JSON.stringify(topic)}\n`);
  scene.cli(['idle', 'loop', '--max', '100000', 'a task']);
  return { scene, ...scene.stop(), before: scene.work, after: mustHold };
}

function withJournal(bytes) {
  const made = makeIdle();
  makeLarge(path.join(made.scene.root, '.holdfast', 'journal.jsonl'), bytes);
  return made;
}

function whyOfJournal(bytes) {
  const made = makeIdle();
  const { scene } = made;
  const journal = path.join(scene.root, '.holdfast', 'journal.jsonl');
  const line = {
    time: '2026-01-01T00:00:00.000Z',
    session: 's',
    workflow: 'idle',
    run: 'r',
    answer: 'hold',
    error: null,
    client: 'claude-code',
    guard: null,
    step: null,
  };
  makeLarge(journal, bytes);
  const older = { ...line, time: '2025-01-01T00:00:00.000Z' };
  fs.appendFileSync(journal, `${JSON.stringify(older)}\n${JSON.stringify(line)}\n{"torn`);
  return {
    scene,
    command: path.join(plugin, 'bin', 'holdfast'),
    args: ['why'],
    cwd: scene.root,
    env: scene.env,
    after: mustAllow,
  };
}

function withFinishedRuns(count) {
  const made = makeIdle();
  for (let run = 0; run < count; run++) {
    const id = `20250101-000000-${run.toString(16).padStart(6, '0')}`;
    const state = [
      'mode: plan',
      'phase: done',
      'topic: "a topic"',
      'round: 1',
      'max_rounds: 3',
      `review_id: ${id}`,
      `repo_root: ${made.scene.root}`,
      'decision_signal: none',
    ];
    made.scene.write(`.claude/claudex/${id}.state`, `${state.join('\n')}\n`);
  }
  return made;
}

function withOtherPlans(count) {
  const made = withPlanFiles(1);
  for (let plan = 0; plan < count; plan++) {
    made.scene.write(`.taskie/plans/other-${plan}/plan.md`, '# Plan\n\n## Overview\n');
    made.scene.write(`.taskie/plans/other-${plan}/state.json`, '{"phase":"new-plan","next_phase":null}\n');
  }
  return made;
}

function withPlanFiles(count) {
  const scene = makeScene();
  scene.write('.taskie/plans/bench/plan.md', '# Plan\n\n## Overview\n\nMeasure it.\n');
  scene.cli(['taskie', 'record', '--plan', 'bench', 'new-plan']);
  const file = path.join(scene.root, '.taskie/plans/bench/state.json');
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('"plan-review"', 'null'));
  const rows = Array.from({ length: count }, (_, task) => `| ${task + 1} | done | high | A task | Tests |`);
  scene.write(
    '.taskie/plans/bench/tasks.md',
    `| Id | Status | Priority | Description | Test strategy |\n| --- | --- | --- | --- | --- |\n${rows.join('\n')}\n`,
  );
  for (let task = 1; task <= count; task++)
    scene.write(`.taskie/plans/bench/task-${task}.md`, `# Task ${task}\n`);
  return { scene, ...scene.stop(), before: scene.work, after: mustAllow };
}

function withRepositoryFiles(count) {
  const made = makeIdle();
  for (let file = 0; file < count; file++) made.scene.write(`src/${file % 200}/file-${file}.txt`, '');
  return made;
}

function withDepth(depth) {
  const made = makeIdle();
  const cwd = path.join(made.scene.root, ...Array.from({ length: depth }, () => 'd'));
  fs.mkdirSync(cwd, { recursive: true });
  return { ...made, cwd, input: made.input.replace(JSON.stringify(made.scene.root), JSON.stringify(cwd)) };
}
