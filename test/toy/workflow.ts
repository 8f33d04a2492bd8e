// Two workflows for the engine's own tests, alike but for their name: `toy` keeps its state in `.toy/<id>.json` and is
// told to finish by FINISHED, `toy2` in `.toy2/<id>.json` by FINISHED2. Not part of the product.

import fs from 'node:fs';
import path from 'node:path';
import type { Project } from '../../src/engine/project.ts';
import { type AnyWorkflow, defineWorkflow } from '../../src/engine/workflow.ts';
import { readInside } from '../../src/store/files.ts';
import { fingerprint } from '../../src/store/fingerprint.ts';
import { isObject, parseJson } from '../../src/store/json.ts';
import { decide, type ToyChange, type ToyFacts, type ToyState } from './decide.ts';

type World = { text: string; note: string };

export type ToyName = 'toy' | 'toy2';

export const toy = makeToy('toy', /FINISHED\b/);
export const toy2 = makeToy('toy2', /FINISHED2/);

function makeToy(name: ToyName, finished: RegExp): AnyWorkflow {
  return defineWorkflow<World, ToyState, ToyFacts, ToyChange>({
    name,
    guard: { unmoved: 3, tools: 12 },
    disabled: (env) => env.TOY_DISABLE === '1',
    newestRun: (project) => toyRuns(project, name).at(-1) ?? null,
    // As strict as can be: a state that cannot be read throws, so that the tests see what the engine makes of it.
    unfinishedRuns: (project) =>
      toyRuns(project, name)
        .filter((run) => readToy(project, name, run)?.state.phase !== 'done')
        .map((run) => ({ run: `${name}:${run}`, adopt: `${project.cli} adopt ${name}:${run}` })),
    observe({ project, run, saved, keptSignals = [], stop }) {
      const toy = readToy(project, name, run);
      if (toy === null) return null;
      const signalKept = saved === 'kept' || keptSignals.includes('kept');
      const waiting = stop.backgroundTasks.some(({ command }) => command === `${name}-runner`);
      const facts = { finished: 'unread' as const, signalKept, waiting, note: fingerprint(toy.world.note) };
      // A verdict speaks of everything but the note.
      const subject = fingerprint(JSON.stringify(toy.state));
      return { ...toy, facts, stateHash: fingerprint(toy.world.text), subject };
    },
    decide,
    look: async (_, { stop }) => ({ finished: finished.test(stop.lastMessage ?? '') ? 'yes' : 'no' }),
    commit(change, world, { project, run }) {
      const content = `${JSON.stringify({ ...change, note: world.note })}\n`;
      const file = statePath(project, name, run);
      const draft = { kind: 'replace' as const, path: `${file}.draft`, content: 'a file beside the state\n' };
      const state = { kind: 'replace' as const, path: file, content };
      return { writes: [draft, state], stateHash: fingerprint(content), saved: 'committed' };
    },
    artifacts: (_, { project }) => [path.join(project.root, 'WORK.md')],
    say: (message, world) => `${message.name} ${JSON.stringify(message.slots)} ${world.note}`,
    released: (_, __, holds) => ({ name: 'released', slots: { holds } }),
    reviewCall: ({ file, number }, _, { project }) => ({
      prompt: `review into ${file}`,
      file: path.join(project.root, file),
      log: path.join(project.root, '.toy', `.review-${number}.log`),
    }),
    signalGiven({ project, run, stop }) {
      const toy = finished.test(stop.lastMessage ?? '') ? readToy(project, name, run) : null;
      return toy === null ? null : { word: 'kept', state: fingerprint(toy.world.text) };
    },
    keepSignal: (saved, word) => (word === 'kept' ? word : (saved ?? null)),
    beforeCompaction: ({ project, run }) => ({
      writes: [
        { kind: 'replace', path: path.join(project.root, `.${name}`, `${run}.anchor`), content: 'anchor\n' },
      ],
      stateHash: '',
      saved: 'anchored',
    }),
    afterCompaction: ({ saved }) => (saved === 'anchored' ? 'the toy goes on' : null),
  });
}

export function toyRuns(project: Project, name: ToyName): string[] {
  const folder = path.join(project.root, `.${name}`);
  if (!fs.existsSync(folder)) return [];
  return fs.readdirSync(folder).flatMap((name) => /^([a-z0-9-]+)\.json$/.exec(name)?.[1] ?? []);
}

export function readToy(
  project: Project,
  name: ToyName,
  run: string,
): { state: ToyState; world: World } | null {
  const text = readInside(statePath(project, name, run), project.root);
  if (text === null) return null;
  const value = parseJson(text);
  if (!isObject(value)) throw new Error(`${statePath(project, name, run)} is not readable as a toy's state`);
  const state = { phase: String(value.phase), left: Number(value.left), reviews: Number(value.reviews ?? 0) };
  return { state, world: { text, note: String(value.note ?? '') } };
}

export function statePath(project: Project, name: ToyName, run: string): string {
  return path.join(project.root, `.${name}`, `${run}.json`);
}
