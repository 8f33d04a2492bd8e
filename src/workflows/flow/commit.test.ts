import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject, contextIn } from '../../../test/support/bare-project.ts';
import { RUN, runOf } from '../../../test/support/flow-run.ts';
import type { Project } from '../../engine/project.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import type { Json } from '../../store/json.ts';
import { commit } from './commit.ts';
import { writeRunState } from './state-format.ts';
import type { Change } from './types.ts';

const FLOW = `flow: sample
start: work
states:
  work:
    say: Do it
    leave: [{ when: { signal: done }, to: finished }]
  finished: { end: completed }
`;

const NOTHING: Change = {
  ...{ to: null, by: null, held: false, ended: null, marks: {}, reviewed: null, seen: null },
};

let project: Project;
beforeEach(() => {
  project = bareProject();
});

const committed = (change: Partial<Change>, saved: Json) => {
  const found = runOf(project, FLOW);
  return { found, ...commit({ ...NOTHING, ...change }, found, contextIn(project, RUN, { saved })) };
};

describe('what a stop writes of a flow', () => {
  const kept = { name: 'done', state: 'x' };

  it('is the state after the change, and its fingerprint', () => {
    const { found, writes, stateHash } = committed({ held: true }, null);
    if (found.run === null) throw new Error('there is no state');
    const content = writeRunState({ ...found.run, stay: 1, held: 1 });
    expect(writes).toEqual([{ kind: 'replace', path: found.files.state, content }]);
    expect(stateHash).toBe(fingerprint(content));
  });

  it('is the newest line of the transcript, and the one before where nobody looked', () => {
    const before = { seen: 'old', kept: null };
    expect(committed({ held: true, seen: 'new' }, before).saved).toEqual({ seen: 'new', kept: null });
    expect(committed({ held: true, seen: '' }, before).saved).toEqual({ seen: '', kept: null });
    expect(committed({ held: true }, before).saved).toEqual(before);
  });

  it('is a signal that was kept, but where the state stays as it is: it was heard', () => {
    expect(committed({ held: true }, { seen: 'old', kept }).saved).toEqual({ seen: 'old', kept });
    const same = committed({}, { seen: 'old', kept });
    expect(same.stateHash).toBe(same.found.stateHash);
    expect(same.saved).toEqual({ seen: 'old', kept: null });
  });

  it('is nothing of a run without a state', () => {
    const found = { ...runOf(project, FLOW), run: null };
    expect(() => commit(NOTHING, found, contextIn(project, RUN))).toThrow(
      'a run without a state has nothing to change',
    );
  });
});
