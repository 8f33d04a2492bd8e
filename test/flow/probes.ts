// What must hold of flows, each as a question that answers with what is wrong, or null. The healthy parts pass all of
// them; a planted defect must fail at least the one it is named with.

import { UNASKED } from '../../src/engine/proof/asked.ts';
import type { Known } from '../../src/workflows/flow/decide.ts';
import type { At, Definition } from '../../src/workflows/flow/types.ts';
import { fc } from '../support/property.ts';
import { broken, CHECKS } from './broken.ts';
import type { Parts } from './parts.ts';
import { randomFlow, randomWorld } from './random.ts';
import { STILL } from './walk.ts';

export type Probe = (parts: Parts) => string | null;

const BOUNDS: Readonly<Record<string, readonly [number, Readonly<Record<string, number>>]>> = {
  tdd: [60, { test: 61 }],
  'fix-ci': [30, { ci: 34 }],
  docs: [40, {}],
  ralph: [100, {}],
  review: [40, { test: 123 }],
};

export const probes = {
  'each mistake is refused with its place': ({ compile, check }) => {
    for (const [title, text, at, says] of broken) {
      const compiled = compile(text, CHECKS);
      const checked = compiled.kind === 'refused' ? compiled : check(compiled.definition, compiled.places, 6);
      const [first] = checked.kind === 'refused' ? checked.problems : [];
      if (`${first?.place.line}:${first?.place.column}` !== at || first?.what !== says) return title;
    }
    return null;
  },
  'walks end within the bound': ({ compile, check, Walk }) => {
    const worlds = fc.sample(randomWorld, 300);
    for (const text of fc.sample(randomFlow, 200)) {
      const compiled = compile(text, CHECKS);
      if (compiled.kind === 'refused') continue;
      const checked = check(compiled.definition, compiled.places, 6);
      if (checked.kind === 'refused') continue;
      for (let again = 0; again < 20; again++) {
        const walk = new Walk(compiled.definition);
        for (let stop = 0; stop < 60 && !walk.over; stop++)
          walk.stop(worlds[(again * 31 + stop * 13) % worlds.length] ?? STILL);
        const { bounds } = checked;
        if (walk.holds > bounds.holds.withProgress) return `more holds than proven: ${text}`;
        for (const [what, times] of walk.asked) {
          const [kind, name = ''] = what.split(' ');
          const most = (kind === 'check' ? bounds.checks : bounds.reviews)[name] ?? Number.POSITIVE_INFINITY;
          if (times > most) return `${what} more often than proven: ${text}`;
        }
      }
    }
    return null;
  },
  'the bounds of the built-in ones': ({ builtIn, compile, check }) => {
    for (const [name, [holds, checks]] of Object.entries(BOUNDS)) {
      const compiled = compile(builtIn.get(name) ?? '', ['test', 'ci']);
      if (compiled.kind === 'refused') return `${name} is refused`;
      const checked = check(compiled.definition, compiled.places, 6);
      if (checked.kind === 'refused') return `${name} is refused: ${checked.problems[0]?.what}`;
      const found = JSON.stringify([checked.bounds.holds.withProgress, checked.bounds.checks]);
      if (found !== JSON.stringify([holds, checks])) return `${name}: ${found}`;
    }
    return null;
  },
  'a run as it is written down': (parts) => {
    const definition = compiled(parts, RUN);
    const walk = new parts.Walk(definition);
    const seen: string[] = [];
    const stop = (signal = '', test = true): void => {
      const { kind } = walk.stop({ ...STILL, signal, checks: { test } });
      const { at, stay, held, visits } = walk.run;
      seen.push(`${kind} ${at} ${stay} ${held} ${visits[at]}`);
    };
    stop();
    if (walk.asked.size > 0) return 'a check is run though no signal was given';
    stop('go', false);
    stop('go');
    stop();
    stop();
    stop();
    stop('back');
    stop('go');
    const wanted =
      'hold a 1 1 1,hold a 2 2 1,hold b 1 3 1,hold b 2 4 1,hold b 3 5 1,allow p 0 5 1,hold a 1 6 2,allow z 0 6 1';
    return seen.join() === wanted ? null : seen.join();
  },
  'what is asked for': ({ decide }) => {
    const review = { kind: 'review', name: 'critic', is: 'clean' } as const;
    const known = { content: 'c', reviewed: { content: 'c', verdict: 'findings', number: 1 } } as const;
    if (decide(at([review]), facts(known)).kind !== 'hold') return 'a review again on unchanged content';
    if (decide(at([review]), facts({ content: 'd', reviewed: known.reviewed })).kind !== 'review')
      return 'no review of changed content';
    const failed = decide(at([review]), facts({ content: 'c', verdict: 'none', failedReviews: 2 }));
    if (failed.kind !== 'allow' || failed.over !== 'released') return 'not let go after three failures';
    const check = { kind: 'check', name: 'test', is: 'passed' } as const;
    if (decide(at([check]), facts({})).kind !== 'prove') return 'the check is not asked for';
    const lost = decide(at([check]), facts({ checks: { test: end('untrusted') } }));
    if (lost.kind !== 'allow' || lost.over !== 'released') return 'an untrusted check does not end it';
    if (decide(at([check]), facts({ checks: { test: end('timed-out') } })).kind !== 'hold')
      return 'timed out';
    const paused = decide(at([{ kind: 'visits', least: 1 }], true), facts({ waitsForPerson: true }));
    if (paused.kind !== 'allow' || paused.change !== null) return 'it does not wait for a person';
    const differs = decide(at([check]), facts({ pinned: 'differs' }));
    return differs.kind === 'allow' && differs.over === 'released' ? null : 'another definition is taken';
  },
} satisfies Record<string, Probe>;

const RUN = `flow: run
holds: 9
start: a
states:
  a:
    say: A
    leave:
      - { when: { signal: go, visits: 2 }, to: z }
      - { when: { signal: go, check: test }, to: b }
  b:
    say: B
    leave: [ { when: { check: test, is: failed }, to: a } ]
    holds: 3
    otherwise: p
  p:
    pause: true
    leave: [ { when: { signal: back }, to: a } ]
  z: { end: completed }
`;

function compiled({ compile }: Parts, text: string): Definition {
  const found = compile(text, ['test']);
  if (found.kind === 'refused') throw new Error(found.problems[0]?.what);
  return found.definition;
}

function at(when: At['lines'][number]['when'], pause = false): At {
  const target = { to: 'z', is: 'completed', visits: 0, watches: false } as const;
  return {
    ...{ kind: 'at', flow: 'x', at: 'a', pause, lines: [{ when, target }], limit: null },
    ...{ visits: 1, stay: 1, held: 1, most: 9 },
  };
}

const end = (how: 'untrusted' | 'timed-out') => ({
  ...{ name: 'test', end: how, code: null, milliseconds: null, from: null },
});

function facts(more: Partial<Known>): Known {
  return {
    ...{ run: 'x-1', pinned: 'same', signal: '', nearMiss: 'none', seen: null, files: {}, content: null },
    ...{
      reviewed: null,
      reviews: 1,
      marks: null,
      verdict: null,
      failedReviews: 0,
      proof: UNASKED,
      until: null,
    },
    ...more,
  };
}
