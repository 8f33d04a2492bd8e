// The proof that the suite on views can fail: defects planted into the source, one at a time.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Defect } from '../crash/plant.ts';
import { type TempProject, tempProject } from '../support/project.ts';
import { removePlanted, viewWith } from './planting.ts';
import { properties } from './view-properties.ts';

let temp: TempProject;
beforeAll(() => {
  temp = tempProject('project', { emptyHome: true });
});
afterAll(() => {
  removePlanted();
  temp.remove();
});

const PLAIN = 'nothing in a journal ends a view, and what it shows is plain data';
const MARKUP = 'nothing in a journal is markup in a report';
const GROWN = 'what is read as it grows is what is read at once';

const defects: readonly (Defect & { foundBy: string })[] = [
  {
    name: 'a line without a time is shown',
    file: 'view/project-reader.ts',
    from: 'workflow === null || run === null || Number.isNaN(at)',
    to: 'workflow === null || run === null',
    foundBy: PLAIN,
  },
  {
    name: 'what is read of a work line is taken as it comes',
    file: 'store/journal-events.ts',
    from: "if (typeof attempt !== 'string' || typeof name !== 'string') return null;",
    to: '',
    foundBy: PLAIN,
  },
  {
    name: 'a page takes text as it is',
    file: 'text/escape.ts',
    from: '[&<>"',
    to: '[&"',
    foundBy: MARKUP,
  },
  {
    name: 'a report takes text as it is',
    file: 'text/escape.ts',
    from: ".replace(/[\\\\`*_{}[\\]<>|~!&$]/g, '\\\\$&')",
    to: '',
    foundBy: MARKUP,
  },
  {
    name: 'the rest of a torn line is read as a line',
    file: 'text/forward.ts',
    from: 'if (count === 0) return;',
    to: "if (count === 0) {\n      if (rest.length > 0) yield { text: rest.toString('utf8'), end: at };\n      return;\n    }",
    foundBy: GROWN,
  },
];

describe('a planted defect is found:', () => {
  test.each(defects)('$name', async (defect) => {
    const here = await viewWith(defect);
    const property = properties[defect.foundBy];
    await expect(property?.(here, temp, 300)).rejects.toThrow();
  });
});
