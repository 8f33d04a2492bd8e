import { expect, it } from 'vitest';
import { bareProject } from '../../test/support/bare-project.ts';
import { stopOf } from '../../test/support/stop-here.ts';
import { newSidecar, type Sidecar } from '../store/records.ts';
import { isServed } from './context.ts';

const project = bareProject();
const by = (session: string) => ({ handover: { session, text: '' } });

it.each<[string, string, string | null, Partial<Sidecar>, boolean]>([
  ['its own session', 'claude-code', 's1', { sessions: ['s0', 's1'] }, true],
  ['another session', 'claude-code', 's2', { sessions: ['s0', 's1'] }, false],
  ['any session while it has none', 'claude-code', 's1', { sessions: [] }, false],
  ['a session that has handed it over', 'claude-code', 's1', { sessions: ['s1'], ...by('s1') }, false],
  ['the session after one that has', 'claude-code', 's2', { sessions: ['s1', 's2'], ...by('s1') }, true],
  ['a person', 'claude-code', null, { sessions: ['s1'] }, true],
  ['a person, with --client generic', 'generic', 'generic', { sessions: [] }, true],
  ['a session that is called so', 'claude-code', 'generic', { sessions: [] }, false],
  ['a session, with --client generic', 'generic', 's1', { sessions: [] }, false],
])('whether a run is served at a stop of %s', (_, client, session, more, served) => {
  expect(isServed({ ...newSidecar('toy:a'), ...more }, stopOf(project, { client, session }))).toBe(served);
});
