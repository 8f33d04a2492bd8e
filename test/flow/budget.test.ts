// A flow whose budget is spent: nothing of it runs until more is granted.

import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { flowScene } from './scene.ts';

const FLOW = `flow: green
start: work
states:
  work:
    say: Work.
    leave: [ { when: { check: test }, to: done } ]
  done: { end: completed }
`;

it('paused, it runs no check at a stop', async () => {
  const scene = flowScene();
  const ran = path.join(scene.home, 'ran.txt');
  scene.checks({ test: `echo ran >>${ran}; false` });
  scene.flow('green', FLOW);
  expect((await scene.agent('flow', 'start', '--tokens', '10', 'green')).exitCode).toBe(0);
  const transcript = path.join(scene.home, 'transcript.jsonl');
  const uses = (id: string): object => {
    const usage = { input_tokens: 100, cache_read_input_tokens: 0, output_tokens: 0 };
    const message = { id, content: [{ type: 'text', text: 'Hm.' }], usage };
    const line = { type: 'assistant', uuid: id, timestamp: new Date().toISOString(), message };
    fs.appendFileSync(transcript, `${JSON.stringify(line)}\n`);
    return { transcript_path: transcript };
  };
  expect((await scene.stop('Hm.', uses('one'))).reason).toContain('The budget of ');
  expect((await scene.stop('Hm.', uses('two'))).systemMessage).toContain(' is paused: ');
  const before = fs.readFileSync(ran, 'utf8');

  // What a check said of other content would only be read again.
  scene.write('changed.txt', 'since');
  expect(await scene.stop('Hm.', uses('three'))).toEqual({});

  expect(fs.readFileSync(ran, 'utf8')).toBe(before);
});
