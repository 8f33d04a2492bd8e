// The views' source over a model that lies in memory: for pictures, and for texts that no project would have.

import { nameOf, overviewOf } from '../../src/cli/shown/cards.ts';
import type { Diagram } from '../../src/engine/workflow-cli.ts';
import type { ViewModel } from '../../src/view/model.ts';
import type { Source } from '../../src/views/source.ts';

export type Seeded = Source & {
  /** What was cancelled, by id. */
  cancelled: string[];
  /** Null: all that have ended. */
  dismissed: (string | null)[];
  /** Shows another model from now on. */
  change(model: ViewModel): void;
};

export function seededSource(first: ViewModel, file: (name: string) => string = () => ''): Seeded {
  let model = first;
  const listeners = new Set<() => void>();
  const cancelled: string[] = [];
  const dismissed: (string | null)[] = [];
  const find = (id: string) =>
    model.projects
      .flatMap((project) => project.runs.map((run) => ({ project, run })))
      .find(({ run }) => run.id === id) ?? null;
  return {
    version: '0.0.0',
    cancelled,
    dismissed,
    change(next) {
      model = next;
      for (const listener of listeners) listener();
    },
    overview: () => overviewOf([model]),
    async run(id) {
      const found = find(id);
      if (found === null) return null;
      const { project, run } = found;
      return {
        project: nameOf(project),
        run,
        diagram: run.workflow === 'flow' ? TDD : null,
        hasOlder: false,
      };
    },
    file: async (id, name) => {
      const isListed = find(id)?.run.files.includes(name) === true;
      return isListed ? { text: file(name), cut: false } : null;
    },
    line: async (id, { offset }) => {
      const at = find(id)?.run.stops.find(({ position }) => position.offset === offset);
      return at === undefined ? null : JSON.stringify({ event: 'stop', why: at.why });
    },
    older: async () => ({ stops: [], hasOlder: false }),
    watch(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    cancel: async (id) => {
      cancelled.push(id);
      return 'Cancelled.';
    },
    async dismiss(id) {
      dismissed.push(id);
      return 'Dismissed.';
    },
  };
}

const TDD: Diagram = {
  start: 'red',
  states: { red: 'red', green: 'green', refactor: 'refactor', done: 'done', 'given-up': 'given-up' },
  ways: [
    { from: 'red', to: 'green', by: 'test failed' },
    { from: 'green', to: 'refactor', by: 'test passed' },
    { from: 'green', to: 'red', by: 'says again' },
    { from: 'refactor', to: 'red', by: 'says next' },
    { from: 'refactor', to: 'done', by: 'says finished, test passed' },
    { from: 'green', to: 'given-up', by: 'after 12 holds' },
  ],
};
