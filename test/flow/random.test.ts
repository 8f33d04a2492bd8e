// Whatever the checker accepts ends within the bound it proved, walked with any facts; whatever it refuses has the
// counterexample that it prints.

import { describe, expect, it } from 'vitest';
import { type Checked, check } from '../../src/workflows/flow/checker/check.ts';
import { compile, type Places } from '../../src/workflows/flow/language/compile.ts';
import type { Problem } from '../../src/workflows/flow/language/problems.ts';
import type { Definition } from '../../src/workflows/flow/types.ts';
import { fc } from '../support/property.ts';
import { CHECKS, randomFlow, randomWorld } from './random.ts';
import { Walk } from './walk.ts';

const FLOWS = Number(process.env.HOLDFAST_FLOW_RANDOM ?? 500);
const WALKS = 10_000;

type Examined = { definition: Definition; places: Places; checked: Checked };

function examined(text: string): Examined | null {
  const compiled = compile(text, CHECKS);
  if (compiled.kind === 'refused') return null;
  const { definition, places } = compiled;
  return { definition, places, checked: check(definition, places, 6) };
}

/** Thousands of times, so not by `expect`. */
function must(holds: boolean, what: string, text: string): void {
  if (!holds) throw new Error(`${what}: ${text}`);
}

describe('a random flow', () => {
  it('that is accepted ends within its proven bound, in ten thousand walks', { timeout: 300_000 }, () => {
    const accepted = fc.sample(randomFlow, FLOWS).flatMap((text) => {
      const found = examined(text);
      return found?.checked.kind === 'proven'
        ? [{ text, definition: found.definition, ...found.checked }]
        : [];
    });
    expect(accepted.length).toBeGreaterThan(20);
    const worlds = fc.sample(randomWorld, 1000);
    for (let walks = 0; walks < WALKS; walks++) {
      const { text, definition, bounds } = accepted[walks % accepted.length] ?? fail();
      const walk = new Walk(definition);
      // In a pause a person may have the agent stop as often as they like, so the stops are bounded here.
      for (let stop = 0; stop < 60 && !walk.over; stop++)
        walk.stop(worlds[(walks * 7 + stop * 13) % worlds.length] ?? fail());
      must(walk.holds <= bounds.holds.withProgress, 'more holds than proven', text);
      for (const [what, times] of walk.asked) {
        const [kind, name = ''] = what.split(' ');
        const most = (kind === 'check' ? bounds.checks : bounds.reviews)[name];
        must(most === null || times <= Number(most), `${what} more often than proven`, text);
      }
      const pauses = Object.values(definition.states).some(({ kind }) => kind === 'pause');
      must(pauses || walk.over, 'it does not end', text);
    }
  });

  it('that is refused has the counterexample that is printed', { timeout: 300_000 }, () => {
    const seen = new Set<string>();
    for (const text of fc.sample(randomFlow, FLOWS)) {
      const found = examined(text);
      if (found === null || found.checked.kind !== 'refused') continue;
      for (const problem of found.checked.problems) {
        seen.add(kindOf(problem.what));
        verify(found, problem, text);
      }
    }
    expect([...seen].sort()).toEqual(['dead', 'endless', 'far', 'otherwise', 'unreachable']);
  });
});

function fail(): never {
  throw new Error('there is none');
}

const kindOf = (what: string): string => {
  if (/no end can be reached/.test(what)) return 'endless';
  if (/`otherwise`/.test(what)) return 'otherwise';
  if (/can never be taken/.test(what)) return 'dead';
  if (/within the/.test(what)) return 'far';
  return /cannot be reached/.test(what) ? 'unreachable' : what;
};

/** The way is walked as it is printed; after it no random stop does what the sentence says that none can. */
function verify({ definition, places }: Examined, { what, place, way = [] }: Problem, text: string): void {
  const kind = kindOf(what);
  const name = /"([a-z]+)"/.exec(what)?.[1] ?? '';
  const line = places.lines.get(name)?.indexOf(place);
  const walk = new Walk({ ...definition, holds: 100_000 });
  for (const step of way.slice(1, -1).map(readStep)) {
    must(walk.run.at === step.at, `${what}, but the way is not in ${step.at}`, text);
    walk.stop(step.world);
    must(
      step.to === null || walk.run.at === step.to,
      `${what}, but the way does not lead to ${step.to}`,
      text,
    );
  }
  must(way.length === 0 || walk.run.at === name, `${what}, but the way ends in ${walk.run.at}`, text);
  if (kind === 'far') must(walk.holds > definition.holds, 'it is not that far', text);
  for (const world of fc.sample(randomWorld, 60)) {
    if (walk.over) return;
    const before = walk.run.at;
    const { change } = walk.stop(world);
    must(kind !== 'endless' || walk.run.ended === null, 'it ends', text);
    must(kind !== 'unreachable' || walk.run.at !== name, 'it is reached', text);
    const by = before === name ? change?.by : null;
    must(kind !== 'otherwise' || by !== 'otherwise', 'otherwise is taken', text);
    must(kind !== 'dead' || by !== line, 'the line is taken', text);
  }
}

/** `stop: in a: signal go, check test failed, so on to b → hold`. */
function readStep(line: string) {
  const [, at = '', facts = '', to = null] =
    /^stop: in ([a-z]+): (.*?), so (?:on to ([a-z]+)|it stays) → \w+$/.exec(line) ?? [];
  const checks: Record<string, boolean> = {};
  const files: Record<string, boolean> = {};
  let [signal, clean] = ['', true];
  for (const fact of facts.split(', ')) {
    const [word = '', ...rest] = fact.split(' ');
    if (word === 'signal') signal = rest[0] ?? '';
    else if (word === 'check') checks[rest[0] ?? ''] = rest[1] === 'passed';
    else if (word === 'review') clean = rest[0] === 'clean';
    else if (['exists', 'missing', 'changed'].includes(word)) {
      const [glob = '', is] = rest.join(' ').split(': ');
      if (word === 'missing') files[`exists ${glob}`] = is === 'no';
      else files[`${word} ${glob}`] = is === 'yes';
    }
  }
  return { at, to, world: { signal, checks, files, clean } };
}
