// A review whose hook died after it ended: its verdict is found by the next stop, when the files may be others.

import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { fingerprint } from '../../src/store/fingerprint.ts';
import { attemptFolder, homeOf } from '../../src/store/home.ts';
import { flowScene } from './scene.ts';

const FLOW = `flow: critic
start: work
reviews:
  critic: { prompt: Look, files: ["code.txt"] }
states:
  work:
    say: Work.
    leave: [ { when: { review: critic }, to: done } ]
  done: { end: completed }
`;

it('does not count for content that the reviewer never saw', async () => {
  const scene = flowScene();
  scene.flow('critic', FLOW);
  scene.reviewer('fail');
  scene.write('code.txt', 'other\n');
  await scene.start('critic', '');
  const id = 'left-1-1';
  const attempt = {
    ...{ id, work: 'review', reviewer: 'claude', kind: 'critic', number: 1, model: 'opus', owner: null },
    ...{ file: path.relative(scene.root, scene.runFile('review-1-critic.md')), deadline: 1 },
    ...{ status: 'done', verdict: 'clean', content: 'what it saw' },
    before: fingerprint(fs.readFileSync(scene.runFile('state.json'), 'utf8')),
  };
  const runs = path.join(scene.root, '.holdfast/runs');
  const [name = ''] = fs.readdirSync(runs);
  fs.writeFileSync(path.join(runs, name), JSON.stringify({ ...scene.sidecar(), attempts: [attempt] }));
  fs.mkdirSync(attemptFolder(homeOf(scene.root), id), { recursive: true });

  const answer = await scene.stop('Done.');

  expect(answer.decision).toBe('block');
  expect(scene.reviews()).toHaveLength(1);
  expect(scene.state()).toMatchObject({
    at: 'work',
    reviewed: { critic: { verdict: 'findings', number: 2 } },
  });
  const log = scene.read('.holdfast/journal.jsonl');
  expect(log.match(/"event":"review"/g)).toHaveLength(2);
});
