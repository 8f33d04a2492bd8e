// A run as it lies on disk, whole or broken.

import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bareProject } from '../../../test/support/bare-project.ts';
import { definitionOf, RUN, runOf } from '../../../test/support/flow-run.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import { writeDefinition } from './definition-format.ts';
import { filesOf } from './files.ts';
import { readRun } from './read-run.ts';
import { standing } from './stand.ts';
import { writeRunState } from './state-format.ts';

const FLOW = `flow: sample
start: a
states:
  a: { say: A, leave: [ { when: { signal: s }, to: z } ] }
  z: { end: completed }
`;

describe('a run on disk', () => {
  it('has its files, its definition, its state and where it stands', () => {
    const project = bareProject();
    const { run } = runOf(project, FLOW, { held: 3, stay: 2 });
    if (run === null) throw new Error('no state');
    const definition = definitionOf(FLOW);
    expect(readRun(project.root, RUN)).toEqual({
      files: filesOf(project.root, RUN),
      text: writeDefinition(definition),
      definition,
      run,
      state: standing(definition, run),
      stateHash: fingerprint(writeRunState(run)),
    });
    expect(run).toMatchObject({ at: 'a', held: 3, stay: 2, ended: null });
  });

  it('is none by a name that is none, and without a state', () => {
    const project = bareProject();
    const { files } = runOf(project, FLOW);
    expect(readRun(project.root, `../flow/${RUN}`)).toBe(null);
    expect(readRun(project.root, 'other-1-1')).toBe(null);
    fs.rmSync(files.state);
    expect(readRun(project.root, RUN)).toBe(null);
  });

  it('has ended, whatever its definition is like', () => {
    const project = bareProject();
    const { files } = runOf(project, FLOW, { ended: 'limit' });
    expect(readRun(project.root, RUN)?.state).toEqual({ kind: 'ended', outcome: 'limit' });
    fs.rmSync(files.definition);
    expect(readRun(project.root, RUN)?.state).toEqual({ kind: 'ended', outcome: 'limit' });
  });

  it('cannot be read without a definition, and has no text then', () => {
    const project = bareProject();
    const { files } = runOf(project, FLOW);
    const unreadable = { kind: 'unreadable', what: 'definition' };
    fs.writeFileSync(files.definition, '{}');
    expect(readRun(project.root, RUN)).toMatchObject({ text: '{}', definition: null, state: unreadable });
    fs.rmSync(files.definition);
    expect(readRun(project.root, RUN)).toMatchObject({ text: '', definition: null, state: unreadable });
  });

  it('cannot be read where its state is none, or stands in an end or nowhere', () => {
    const project = bareProject();
    const unreadable = { kind: 'unreadable', what: 'state' };
    for (const at of ['z', 'nowhere', 'constructor'])
      expect(runOf(project, FLOW, { at }).state, at).toEqual(unreadable);
    const { files } = runOf(project, FLOW);
    fs.writeFileSync(files.state, '{');
    expect(readRun(project.root, RUN)).toMatchObject({
      run: null,
      state: unreadable,
      stateHash: fingerprint('{'),
    });
    fs.writeFileSync(files.definition, '{}');
    expect(readRun(project.root, RUN)?.state).toEqual(unreadable);
  });
});
