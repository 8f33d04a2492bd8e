import { expect, it } from 'vitest';
import { bareProject } from '../../../test/support/bare-project.ts';
import { putToy } from '../../../test/support/stop-here.ts';
import { readSidecar, writeSidecar } from '../../store/sidecars.ts';
import { lastHandOver, pendingHandOver } from './hand-over.ts';

it('a hold that was handed over waits for the next session, which may be told it again', () => {
  const project = bareProject();
  const { root } = project;
  putToy(project, 'toy:a', {}, 's1');
  expect([pendingHandOver(root, 'toy:a'), lastHandOver(root, 'toy:a')]).toEqual([null, null]);
  const handover = { session: 's1', text: 'Go on.' };
  writeSidecar(root, { ...readSidecar(root, 'toy:a'), handover });
  expect([pendingHandOver(root, 'toy:a'), lastHandOver(root, 'toy:a')]).toEqual([handover, 'Go on.']);
  writeSidecar(root, { ...readSidecar(root, 'toy:a'), sessions: ['s2'] });
  expect([pendingHandOver(root, 'toy:a'), lastHandOver(root, 'toy:a')]).toEqual([null, 'Go on.']);
});
