// In what order the files of the fast suite are begun. Vitest knows how long a file took only where it ran before, and
// a file's size says little: begun late, one of these keeps a single core busy when all others are through.

import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

export const LONGEST = [
  'test/model/taskie/explore.test.ts',
  'test/readme/readme.test.ts',
  'test/proof/whole.test.ts',
  'test/model/taskie/defects.test.ts',
  'test/model/idle/explore.test.ts',
  'test/house/toys.test.ts',
  'test/launcher/rebuilt.test.ts',
  'test/proof/trust.test.ts',
  'test/proof/content.test.ts',
  'test/model/diagrams.test.ts',
  'src/workflows/claudex/runner.process.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const nameOf = ({ moduleId }: TestSpecification): string =>
      path.relative(this.ctx.config.root, moduleId).replaceAll(path.sep, '/');
    const first = LONGEST.flatMap((name) => sorted.filter((file) => nameOf(file) === name));
    return [...first, ...sorted.filter((file) => !first.includes(file))];
  }
}
