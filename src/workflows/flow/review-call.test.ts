import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject, contextIn, writeIn } from '../../../test/support/bare-project.ts';
import { RUN, runOf } from '../../../test/support/flow-run.ts';
import type { Project } from '../../engine/project.ts';
import type { ReviewRequest } from '../../engine/step.ts';
import { reviewCall } from './review-call.ts';

const FLOW = `flow: sample
start: work
states:
  work:
    say: Do it
    leave: [{ when: { review: critic }, to: finished }]
  finished: { end: completed }
reviews:
  critic:
    prompt: |
      Is {{task}} done? Really: {{task}}?
    files: [src/**, "*.md"]
`;

const folder = `.holdfast/flow/${RUN}`;
const REQUEST: ReviewRequest = {
  ...{ reviewer: 'claude', kind: 'critic', number: 2, model: 'opus' },
  file: `${folder}/review-2-critic.md`,
};

let project: Project;
beforeEach(() => {
  project = bareProject();
});
const callOf = (request = REQUEST) => reviewCall(request, runOf(project, FLOW), contextIn(project, RUN));

describe('a review of a flow', () => {
  it('is asked for with the flow’s prompt, its files and where to write, in a sandbox', () => {
    writeIn(project, `${folder}/task.md`, 'the {{file}} of $& \n');
    const file = path.join(project.root, folder, 'review-2-critic.md');
    expect(callOf()).toEqual({
      prompt: `Is the {{file}} of $& done? Really: the {{file}} of $&?

Look at these files of the project, and at others where you must to understand them: src/**, *.md

Write your review to this exact file, and change no other file: ${file}

You start with a clean slate: judge only what is there now, and read no earlier review. What you find stands there in order, the worst first, each with its file and line and what is wrong. The review file must exist before you answer. Your answer is the verdict alone: PASS if there is nothing that has to be changed, FAIL if there is at least one such thing.`,
      file,
      log: path.join(project.root, folder, 'review-2.log'),
      sandboxed: true,
    });
  });

  it('is not asked for where the definition has none of that name', () => {
    const found = runOf(project, FLOW);
    const ask =
      (kind: string, world = found) =>
      () =>
        reviewCall({ ...REQUEST, kind }, world, contextIn(project, RUN));
    expect(ask('other')).toThrow('the flow has no review called other');
    expect(ask('constructor')).toThrow('the flow has no review called constructor');
    expect(ask('critic', { ...found, definition: null })).toThrow('the flow has no review called critic');
  });

  it.each(['review-2-critic.md', 'review-2.log'])('is not asked for where %s is a link', (name) => {
    runOf(project, FLOW);
    fs.symlinkSync('/dev/null', path.join(project.root, folder, name));
    expect(() => callOf()).toThrow(name);
  });

  it.each(['.holdfast', '.holdfast/flow', folder])('is not asked for where %s is a link', (name) => {
    const found = runOf(project, FLOW);
    const place = path.join(project.root, name);
    const elsewhere = path.join(project.root, 'elsewhere');
    fs.renameSync(place, elsewhere);
    fs.symlinkSync(elsewhere, place);
    expect(() => reviewCall(REQUEST, found, contextIn(project, RUN))).toThrow(place);
  });
});
