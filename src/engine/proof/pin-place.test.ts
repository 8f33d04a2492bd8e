import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { bareProject } from '../../../test/support/bare-project.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import { hasPin, pinPlace } from './pin-place.ts';

it('is a place for each run of each project', () => {
  expect(pinPlace('/a', 'idle:x')).toBe(`pins/${fingerprint('/a\nidle:x')}.json`);
  const places = [pinPlace('/a', 'b'), pinPlace('/a', 'c'), pinPlace('/b', 'b'), pinPlace('/ab', '')];
  expect(new Set(places).size).toBe(4);
});

it('has a pin where the user’s state folder has the file', () => {
  const project = bareProject();
  expect(hasPin(project, 'idle:x')).toBe(false);
  const file = path.join(project.env.XDG_STATE_HOME ?? '', 'holdfast', pinPlace(project.root, 'idle:x'));
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, '');
  expect([hasPin(project, 'idle:x'), hasPin(project, 'idle:y')]).toEqual([true, false]);
});
