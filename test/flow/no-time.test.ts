// A stop that is too short for a check: it says nothing of the flow, which goes on at the next.

import { describe, expect, it } from 'vitest';
import { check } from '../../src/workflows/flow/checker/check.ts';
import { modelOf } from '../../src/workflows/flow/checker/model.ts';
import { compile } from '../../src/workflows/flow/language/compile.ts';
import { flowScene } from './scene.ts';

const FLOW = `flow: green
start: work
states:
  work:
    say: Work.
    leave: [ { when: { check: test }, to: done } ]
  done: { end: completed }
`;

describe('a stop without the time for a check', () => {
  it.each([
    ['to begin', 'false', 'true', '30'],
    ['to end', 'sleep 15', 'true', '62'],
  ])('%s is allowed, said once, and the next one goes on', async (_, before, after, limit) => {
    const scene = flowScene();
    const run = (command: string): string => scene.write('check.sh', `${command}\n`);
    run(before);
    scene.checks({ test: 'sh check.sh' });
    scene.flow('green', FLOW);
    await scene.start('green', '');
    const args = ['--limit', limit];

    const short = await scene.stop('Done.', {}, args);

    expect(short.decision).toBeUndefined();
    expect(short.systemMessage).toContain('no time at this stop for the check test');
    expect(short.systemMessage).toContain(`ends this hook after ${limit} s`);
    expect(scene.state()).toMatchObject({ at: 'work', held: 0, ended: null });
    expect((await scene.agent('why')).stdout).toContain('There was no time at this stop for the check test');
    expect(await scene.stop('Done.', {}, args)).toEqual({});
    run(after);
    expect((await scene.stop('Done.')).systemMessage).toContain('the flow green is complete');
  });
});

describe('the checker', () => {
  const once = FLOW.replace('to: done }', 'to: done }, { when: { check: test, is: failed }, to: done }');
  const compiled = compile(once, ['test']);
  if (compiled.kind === 'refused') throw new Error('it is refused');
  const { definition, places } = compiled;

  it('goes through such a stop: nobody is held, and the run stays where it is', () => {
    const model = modelOf(definition);
    const seen: unknown[] = [];
    for (const { node } of model?.starts ?? [])
      model?.stops(node, ({ taken, to }) => {
        if (taken.facts['check test'] === 'no-time') seen.push({ hold: taken.hold, state: to.state });
      });
    expect(seen).toEqual([{ hold: false, state: 'work' }]);
  });

  it('proves the same bounds with it', () => {
    expect(check(definition, places, 6)).toMatchObject({
      kind: 'proven',
      bounds: { holds: { withProgress: 0, without: 0 }, checks: { test: 1 } },
    });
  });
});
