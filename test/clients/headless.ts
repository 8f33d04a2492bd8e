// The clients as `holdfast run` drives them: the very files that are built, on a stage.

import { createRequire } from 'node:module';
import path from 'node:path';
import type { Headless, HeadlessClient, HeadlessEvent, StartHow } from '../../src/clients/headless.ts';
import { pluginFlags } from './clients/claude.ts';
import { installPlugins } from './clients/codex.ts';
import { pluginFolder } from './clients/place.ts';
import type { Stage } from './scenario.ts';

export type Driven = {
  name: string;
  /** What `--client` takes. */
  program: string;
  /** What its command line needs on a stage, beside what the driver says. */
  args(stage: Stage): string[];
};

/** Also without its command. */
export type Startable = Driven & { headless: Headless };

const load = createRequire(import.meta.url);

function builtHeadless(name: Driven['name']): Headless {
  const file = path.join(pluginFolder('holdfast'), 'lib', `clients-${name}-headless.cjs`);
  return (load(file) as { headless: Headless }).headless;
}

export const drivenClaude: Startable & { name: 'claude-code' } = {
  name: 'claude-code',
  program: 'claude',
  headless: builtHeadless('claude-code'),
  args: () => pluginFlags(),
};

export const drivenCodex: Startable & { name: 'codex' } = {
  name: 'codex',
  program: 'codex',
  headless: builtHeadless('codex'),
  args(stage) {
    installPlugins(stage);
    return ['--dangerously-bypass-hook-trust'];
  },
};

/** One that has Holdfast in its own home. */
export const drivenOther = (name: string): Startable => ({
  name,
  program: name,
  headless: builtHeadless(name),
  args: () => [],
});

export type Following = {
  client: HeadlessClient;
  /** All that was heard so far. */
  events: HeadlessEvent[];
  /** The next event that the test accepts, from those not yet looked at. */
  next<Kind extends HeadlessEvent['kind']>(kind: Kind): Promise<Extract<HeadlessEvent, { kind: Kind }>>;
};

export function follow(driven: Startable, stage: Stage, how: Partial<StartHow>): Following {
  const client = driven.headless.start({
    ...{ root: stage.root, env: stage.env, session: null, resume: null, prompt: 'Do it.', access: 'edit' },
    ...{ allowed: [], commands: [], model: null },
    ...how,
    args: [...driven.args(stage), ...(how.args ?? [])],
  });
  const events: HeadlessEvent[] = [];
  const iterator = client.events[Symbol.asyncIterator]();
  return {
    client,
    events,
    async next<Kind extends HeadlessEvent['kind']>(kind: Kind) {
      for (;;) {
        const { value, done } = await iterator.next();
        if (done) throw new Error(`it ended without ${kind}: ${JSON.stringify(events)}`);
        events.push(value);
        if (value.kind === kind) return value as Extract<HeadlessEvent, { kind: Kind }>;
        if (value.kind === 'ended') throw new Error(`it ended without ${kind}: ${JSON.stringify(events)}`);
      }
    },
  };
}

/** How often each kind came. */
export function kindsOf(events: readonly HeadlessEvent[]): Partial<Record<HeadlessEvent['kind'], number>> {
  const counted: Partial<Record<HeadlessEvent['kind'], number>> = {};
  for (const { kind } of events) counted[kind] = (counted[kind] ?? 0) + 1;
  return counted;
}
