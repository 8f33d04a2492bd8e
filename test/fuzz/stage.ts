// Projects with one run that holds its session, as files that a test may break; and what a hold may rest on, told
// by a second, naive reader. Stops go through the whole hook, in this process or in one of its own.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { isObject, parseJson } from '../../src/store/json.ts';
import { NEW_SESSION, newSidecar } from '../../src/store/records.ts';
import { FULL_STATE, TASKS, taskText } from '../fixtures/taskie/plan.ts';
import { brokenText } from './broken.ts';
import { claudeTranscripts, claudexStates, configs, journals, LOOP_ID, SESSION } from './corpus.ts';
import type { Fuzzed } from './hook-here.ts';

export type Files = Record<string, string>;

export type Stage = {
  workflow: string;
  /** The name of the run. */
  run: string;
  /** Files of the contract (docs/contracts), by their path in the project; `state` is the one that decides. */
  files(root: string): Files;
  state: string;
  /** Could a person who reads the state call the run live? */
  isLive(state: string): boolean;
};

const topic = {
  type: 'topic',
  id: '01JBF9X0000000000000000000',
  name: 'loop:current',
  description: '',
  created_at: 1,
};

export const stages: readonly Stage[] = [
  {
    workflow: 'claudex',
    run: `claudex:${LOOP_ID}`,
    state: `.claude/claudex/${LOOP_ID}.state`,
    files: (root) => ({
      [`.claude/claudex/${LOOP_ID}.state`]: (claudexStates[0] ?? '').replace('/somewhere', root),
    }),
    isLive: (state) =>
      /phase.*(drafting|reviewing|summarizing)/.test(state) && /mode.*(plan|review)/.test(state),
  },
  {
    workflow: 'taskie',
    run: 'taskie:p',
    state: '.taskie/plans/p/state.json',
    files: () => ({
      '.taskie/plans/p/plan.md': '# Plan\n\n## Overview\n',
      '.taskie/plans/p/plan-review-1.md': '1. A name is unclear.\n',
      '.taskie/plans/p/tasks.md': TASKS,
      '.taskie/plans/p/task-1.md': taskText('1'),
      '.taskie/plans/p/state.json': JSON.stringify(
        { ...FULL_STATE, phase: 'plan-review', phase_iteration: 1, next_phase: 'post-plan-review' },
        null,
        2,
      ),
    }),
    isLive(state) {
      const value = parseJson(state.replace(/^\uFEFF/, ''));
      return isObject(value) && value.phase === 'plan-review' && value.next_phase === 'post-plan-review';
    },
  },
  {
    workflow: 'idle',
    run: 'idle:loop-1',
    state: '.jwz/messages.jsonl',
    files: () => {
      const stack = [{ id: 'f1', mode: 'loop', iter: 1, max: 10 }];
      const body = {
        schema: 1,
        event: 'STATE',
        run_id: 'loop-1',
        updated_at: new Date().toISOString(),
        stack,
      };
      const message = {
        type: 'message',
        id: 'm1',
        topic_id: topic.id,
        parent_id: null,
        body: JSON.stringify(body),
        created_at: 1,
      };
      return { '.jwz/messages.jsonl': `${JSON.stringify(topic)}\n${JSON.stringify(message)}\n` };
    },
    isLive: (state) => state.split('\n').some(holdsLiveLoop),
  },
];

function holdsLiveLoop(line: string): boolean {
  const message = parseJson(line);
  const body = isObject(message) && typeof message.body === 'string' ? parseJson(message.body) : undefined;
  if (!isObject(body) || !Array.isArray(body.stack) || body.stack.length === 0) return false;
  return (body.event ?? 'STATE') === 'STATE' && typeof body.updated_at === 'string';
}

/** What else a stop reads, and may find broken. */
export const PLACES = [
  'state',
  'sidecar',
  'index',
  'config',
  'journal',
  'lock',
  'transcript',
  'payload',
] as const;
export type Place = (typeof PLACES)[number];

/** Everything of one stop, as text. */
export type Scene = { files: Files; payload: string };

export const pathOf = (stage: Stage, place: Place, root: string): string => {
  const files: Record<Exclude<Place, 'payload'>, string> = {
    state: stage.state,
    sidecar: `.holdfast/runs/${stage.run.replace(':', '-')}.json`,
    index: `.holdfast/sessions/${SESSION}.json`,
    config: 'holdfast.config.json',
    journal: '.holdfast/journal.jsonl',
    lock: '.holdfast/lock',
    transcript: '../transcript.jsonl',
  };
  return place === 'payload' ? '' : path.join(root, files[place]);
};

/** A run that belongs to `owner`; the stop is always SESSION's. */
export function soundScene(stage: Stage, root: string, owner: string, withTranscript: boolean): Scene {
  const at = (place: Place): string => path.relative(root, pathOf(stage, place, root));
  return {
    files: {
      ...stage.files(root),
      [at('sidecar')]: JSON.stringify({ ...newSidecar(stage.run), sessions: [owner] }),
      [at('index')]: JSON.stringify({ ...NEW_SESSION, runs: [stage.run], notified: [stage.run] }),
      [at('config')]: configs[0] ?? '',
      [at('journal')]: `${journals.join('\n')}\n`,
      [at('lock')]: '',
      [at('transcript')]: claudeTranscripts[0] ?? '',
    },
    payload: JSON.stringify({
      session_id: SESSION,
      cwd: root,
      prompt_id: 'p1',
      hook_event_name: 'Stop',
      last_assistant_message: 'I am done.',
      ...(withTranscript ? { transcript_path: pathOf(stage, 'transcript', root) } : {}),
    }),
  };
}

/** Breaks one place of a scene. */
export function breakAt(
  scene: Scene,
  stage: Stage,
  place: Place,
  root: string,
  broken: (text: string) => string,
): Scene {
  if (place === 'payload') return { ...scene, payload: broken(scene.payload) };
  const file = path.relative(root, pathOf(stage, place, root));
  return { ...scene, files: { ...scene.files, [file]: broken(scene.files[file] ?? '') } };
}

/** Sound but for one place, whichever it is. */
export function brokenScene(
  stage: Stage,
  root: string,
  owner: string,
  places: readonly Place[] = PLACES,
): fc.Arbitrary<Scene> {
  return fc.constantFrom(...places).chain((place) => {
    const scene = soundScene(stage, root, owner, place === 'transcript');
    const file = path.relative(root, pathOf(stage, place, root));
    const sound = place === 'payload' ? scene.payload : (scene.files[file] ?? '');
    return brokenText([sound]).map((text) => breakAt(scene, stage, place, root, () => text));
  });
}

/** The project as the scene has it, and nothing else. */
export function setUp(scene: Scene, root: string): void {
  fs.rmSync(root, { recursive: true, force: true });
  fs.mkdirSync(path.join(root, '.git'), { recursive: true });
  for (const [name, text] of Object.entries(scene.files)) {
    const file = path.join(root, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }
}

/** One answer a client can read, or none and one clear line; and a hold only where the workflow's own file wants it. */
export function assertSound(result: Fuzzed, stage: Stage, scene: Scene, root: string): void {
  const { stdout, stderr, exitCode, reviewers } = result;
  assert(exitCode === 0 || exitCode === 1, `exit code ${exitCode}`);
  if (exitCode === 1) {
    assert.equal(stdout, '');
    assert.match(stderr, /^Holdfast: [^\n]+ The stop is allowed\.\n$/);
  }
  const answer = stdout === '' ? {} : (JSON.parse(stdout) as Record<string, unknown>);
  assert(
    Object.keys(answer).every((key) =>
      ['decision', 'reason', 'systemMessage', 'suppressOutput'].includes(key),
    ),
  );
  assert.equal(reviewers, 0, 'a reviewer was started');
  if (answer.decision !== 'block') return;
  assert(typeof answer.reason === 'string' && Buffer.byteLength(answer.reason) < 8192, 'a reason too long');
  const text = (place: Place): string => scene.files[path.relative(root, pathOf(stage, place, root))] ?? '';
  assert(stage.isLive(text('state')), 'a hold that the state does not ask for');
  const payload = parseJson(scene.payload.replace(/^\uFEFF/, ''));
  const byHand =
    isObject(payload) &&
    !['session_id', 'sessionId', 'conversation_id'].some(
      (name) => typeof payload[name] === 'string' && payload[name] !== '' && !payload[name].includes('\0'),
    );
  assert(byHand || text('sidecar').includes(SESSION), 'a hold of a session that has no ticket');
}
