// A workflow for the engine's own tests, with its state in `.toy/<id>.json`. Not part of the product.

import fs from 'node:fs';
import path from 'node:path';
import type { Project } from '../../src/engine/project.ts';
import { defineWorkflow } from '../../src/engine/workflow.ts';
import { readInside } from '../../src/store/files.ts';
import { fingerprint } from '../../src/store/fingerprint.ts';
import { isObject, parseJson } from '../../src/store/json.ts';
import { decide, type ToyChange, type ToyFacts, type ToyState } from './decide.ts';

type World = { text: string; note: string };

export const workflow = defineWorkflow<World, ToyState, ToyFacts, ToyChange>({
  name: 'toy',
  guard: { unmoved: 3, tools: 12 },
  disabled: (env) => env.TOY_DISABLE === '1',
  newest: (project) => toyRuns(project).at(-1) ?? null,
  live: (project) =>
    toyRuns(project)
      .filter((run) => readToy(project, run)?.state.phase !== 'done')
      .map((run) => ({ run: `toy:${run}`, adopt: `${project.cli} adopt toy:${run}` })),
  observe({ project, run, own, stop }) {
    const toy = readToy(project, run);
    if (toy === null) return null;
    const overheard = own === 'overheard';
    const waiting = stop.backgroundCommands.includes('toy-runner');
    const facts = { finished: 'unread' as const, overheard, waiting, note: fingerprint(toy.world.note) };
    return { ...toy, facts, stateHash: fingerprint(toy.world.text) };
  },
  decide,
  look: async (_, { stop }) => ({ finished: stop.lastMessage?.includes('FINISHED') ? 'yes' : 'no' }),
  commit(change, world, { project, run }) {
    const content = `${JSON.stringify({ ...change, note: world.note })}\n`;
    const file = statePath(project, run);
    const draft = { kind: 'replace' as const, path: `${file}.draft`, content: 'a file beside the state\n' };
    const state = { kind: 'replace' as const, path: file, content };
    return { writes: [draft, state], stateHash: fingerprint(content), own: 'committed' };
  },
  artifacts: (_, { project }) => [path.join(project.root, 'WORK.md')],
  say: (message, world) => `${message.name} ${JSON.stringify(message.slots)} ${world.note}`,
  released: () => ({ name: 'released', slots: {} }),
  reviewCall: ({ file, number }, _, { project }) => ({
    prompt: `review into ${file}`,
    file: path.join(project.root, file),
    log: path.join(project.root, '.toy', `.review-${number}.log`),
  }),
  overhear: ({ stop }) => (stop.lastMessage?.includes('FINISHED') ? 'overheard' : undefined),
  beforeCompaction: ({ project, run }) => ({
    writes: [
      { kind: 'replace', path: path.join(project.root, '.toy', `${run}.anchor`), content: 'anchor\n' },
    ],
    stateHash: '',
    own: 'anchored',
  }),
  afterCompaction: ({ own }) => (own === 'anchored' ? 'the toy goes on' : null),
});

export function toyRuns(project: Project): string[] {
  const folder = path.join(project.root, '.toy');
  if (!fs.existsSync(folder)) return [];
  return fs.readdirSync(folder).flatMap((name) => /^([a-z0-9-]+)\.json$/.exec(name)?.[1] ?? []);
}

export function readToy(project: Project, run: string): { state: ToyState; world: World } | null {
  const text = readInside(statePath(project, run), project.root);
  if (text === null) return null;
  const value = parseJson(text);
  if (!isObject(value)) throw new Error(`${statePath(project, run)} is not readable as a toy's state`);
  const state = { phase: String(value.phase), left: Number(value.left), reviews: Number(value.reviews ?? 0) };
  return { state, world: { text, note: String(value.note ?? '') } };
}

export function statePath(project: Project, run: string): string {
  return path.join(project.root, '.toy', `${run}.json`);
}
