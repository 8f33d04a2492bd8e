import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import { recordedLines } from '../../../test/support/recorded.ts';
import { putToy, SESSION, stopOf, stoppedIn } from '../../../test/support/stop-here.ts';
import { clientNamed } from '../../clients/index.ts';
import type { Stop } from '../../clients/stop.ts';
import { NO_GUARD_MEMORY } from '../../store/records.ts';
import { readSidecar, writeSidecar } from '../../store/sidecars.ts';
import { hear } from '../../text/hear.ts';
import type { Project } from '../project.ts';
import { readLastMessage } from './read-last-message.ts';

let project: Project;
let gemini: Partial<Stop>;
beforeEach(() => {
  project = bareProject(Date.now());
  const transcriptPath = path.join(path.dirname(project.root), 'session.jsonl');
  fs.writeFileSync(transcriptPath, `${recordedLines('gemini/transcript-hold.jsonl').join('\n')}\n`);
  gemini = { client: 'gemini', lastMessage: null, transcriptPath };
  putToy(project, 'toy:a');
});
const isServed = async (stop: Partial<Stop>) =>
  (await readLastMessage(stoppedIn(project, stop))).answer === null;

it.each<[string, boolean, Partial<Stop>]>([
  ['Qwen that sends it', true, { client: 'qwen', lastMessage: 'Done.' }],
  ['Qwen that does not', false, { client: 'qwen' }],
  ['Qwen in a session without a run', true, { client: 'qwen', session: 'another' }],
  ['Claude Code, which always sends one that there is', true, { client: 'claude-code' }],
])('a stop of %s is served: %s', async (_, served, stop) => {
  expect(await isServed(stop)).toBe(served);
});

it.each<[string, boolean, object, string?]>([
  ['was held at its newest line', false, {}],
  ['was not held there', true, { held: false }],
  ['was let go since', true, { released: true }],
  ['has said something since', true, { marker: 'an earlier line' }],
  ['is another session', true, {}, 'another'],
])(
  'Gemini, which may take a hold without asking its model, and %s: served %s',
  async (_, served, more, by) => {
    const heard = await hear(stopOf(project, gemini), clientNamed('gemini'), { lags: false });
    const marker = heard.kind === 'heard' ? heard.newest : 'nothing heard';
    const guard = { [by ?? SESSION]: { ...NO_GUARD_MEMORY, held: true, marker, ...more } };
    writeSidecar(project.root, { ...readSidecar(project.root, 'toy:a'), guard });
    expect(await isServed(gemini)).toBe(served);
  },
);

it('notes that cannot be read are no reason to fail here', async () => {
  writeIn(project, '.holdfast/runs/toy-a.json', 'broken');
  expect(await isServed(gemini)).toBe(true);
});
