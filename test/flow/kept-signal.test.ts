// A signal that was kept while its check ran: at a stop that has heard it, it is used up.

import { expect, it } from 'vitest';
import { flowScene } from './scene.ts';

const FLOW = `flow: rest
start: work
states:
  work:
    say: Work.
    leave: [ { when: { signal: ask }, to: ask } ]
  ask:
    pause: true
    leave: [ { when: { signal: accepted, check: test }, to: done } ]
  done: { end: completed }
`;

it('in a pause it counts at the stop at which it was given, and not at a later one', async () => {
  const scene = flowScene();
  scene.write('check.sh', 'false\n');
  scene.checks({ test: 'sh check.sh' });
  scene.flow('rest', FLOW);
  await scene.start('rest', '');
  await scene.stop('<flow>ask</flow>');
  expect(await scene.stop('<flow>accepted</flow>')).toEqual({});
  expect(scene.state()).toMatchObject({ at: 'ask', ended: null });

  scene.write('check.sh', 'true\n');
  expect(await scene.stop('Something else.')).toEqual({});

  expect(scene.state()).toMatchObject({ at: 'ask', ended: null });
  expect((await scene.stop('<flow>accepted</flow>')).systemMessage).toContain('the flow rest is complete');
});
