// Torn, foreign and hostile journals through the model and the reports.

import { afterAll, beforeAll, describe, test } from 'vitest';
import { type TempProject, tempProject } from '../support/project.ts';
import { viewHere } from './view-here.ts';
import { properties } from './view-properties.ts';

let temp: TempProject;
beforeAll(() => {
  temp = tempProject('project', { emptyHome: true });
});
afterAll(() => temp.remove());

describe('a view over any journal', () => {
  test.each(Object.entries(properties))('%s', async (_, property) => {
    await property(viewHere, temp, 60);
  });
});
