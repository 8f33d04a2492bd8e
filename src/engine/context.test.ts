import { expect, it } from 'vitest';
import { bareProject, contextIn } from '../../test/support/bare-project.ts';
import type { Stop } from '../clients/stop.ts';
import { newSidecar, type Sidecar } from '../store/records.ts';
import { isHandFired, isServed, runName } from './context.ts';

const project = bareProject();
const stopOf = (client: string, session: string | null): Stop =>
  contextIn(project, 'a', { stop: { client, session } as Partial<Stop> }).stop;

it.each([
  ['claude-code', null, true],
  ['claude-code', 's1', false],
  ['claude-code', 'generic', false],
  ['generic', null, true],
  ['generic', 'generic', true],
  ['generic', 's1', false],
])('a stop of %s with the session %s is a person’s: %s', (client, session, isTheirs) => {
  expect(isHandFired(stopOf(client, session))).toBe(isTheirs);
});

const handover = (session: string) => ({ handover: { session } }) as Partial<Sidecar>;

it.each<[string, string | null, Partial<Sidecar>, boolean]>([
  ['its own session', 's1', { sessions: ['s0', 's1'] }, true],
  ['another session', 's2', { sessions: ['s0', 's1'] }, false],
  ['any session while it has none', 's1', { sessions: [] }, false],
  ['a person', null, { sessions: ['s1'] }, true],
  ['a session that handed it over', 's1', { sessions: ['s1'], ...handover('s1') }, false],
  ['the session after one that handed it over', 's2', { sessions: ['s1', 's2'], ...handover('s1') }, true],
])('whether a run is served at a stop of %s', (_, session, more, served) => {
  expect(isServed({ ...newSidecar('toy:a'), ...more }, stopOf('claude-code', session))).toBe(served);
});

it('a run is called by its workflow and its id', () => {
  expect(runName('toy', 'a')).toBe('toy:a');
});
