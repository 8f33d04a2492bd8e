import { defineConfig } from 'vitest/config';
import { listRequirements } from './test/conformance/conformance.ts';
import requirements from './test/conformance/requirements.json' with { type: 'json' };
import { LongestFirst } from './test/support/longest-first.ts';
import { memoryFolder } from './test/support/memory-folder.ts';

/** Message files and the flows that are built in are imported as text, as in the bundle. */
const markdownAsText = {
  name: 'markdown-as-text',
  transform(code: string, id: string) {
    return /\.(?:md|yaml)$/.test(id) ? `export default ${JSON.stringify(code)};` : null;
  },
};

const shared = {
  globalSetup: ['test/support/suite-folder.ts', 'test/global-setup.ts'],
  setupFiles: ['test/support/end-of-file.ts'],
  // Each stop is a handful of real processes, and a busy machine takes ten times as long: what never ends is ended.
  testTimeout: 300_000,
  hookTimeout: 120_000,
  pool: 'forks' as const,
  // One per core of the smallest machine: most of a test's time is spent in the processes it starts.
  maxWorkers: 2,
};

/** A worker plays many files: starting one for each was a tenth of the fast suite's time. */
const together = { isolate: false };

const inMemory = process.env.TMPDIR === undefined ? memoryFolder() : null;

/** Calls of the hook and of commands that nothing disturbs are made inside the test's process (test/support/inside.ts). */
const inside = { HOLDFAST_TEST_INSIDE: process.env.HOLDFAST_TEST_INSIDE ?? '1' };

/** Defects planted in the code, each of which a suite must find: the proof that the suites can fail. */
const defects = ['test/**/*planted.test.ts', 'test/**/*defects.test.ts'];

const disturbed = { ...shared, globalSetup: ['test/support/suite-folder.ts'] };

export default defineConfig({
  plugins: [markdownAsText],
  test: {
    // A test names the requirements it proves as its tags; a tag that is none of them is an error.
    tags: listRequirements(requirements).map(({ id, text }) => ({ name: id, description: text })),
    // The table of requirements and tests says where a test stands.
    includeTaskLocation: true,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          ...shared,
          ...together,
          name: 'fast',
          env: { ...inside, ...(inMemory === null ? {} : { TMPDIR: inMemory }) },
          // A third of its tests' time is spent waiting: for a program, a lock, a clock.
          maxWorkers: 3,
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [
            'test/linux/**',
            'test/fuzz/**',
            'test/crash/**',
            'test/race/**',
            'test/clients/**',
            'test/web/**',
            'test/full/**',
            ...defects,
            '**/node_modules/**',
          ],
        },
      },
      // These three know no toy: they disturb the product as built.
      {
        extends: true,
        test: {
          ...disturbed,
          name: 'fuzz',
          include: ['test/fuzz/**/*.test.ts'],
          exclude: defects,
        },
      },
      // Its processes wait for the disk, and for each other to be gone, a third of their time.
      {
        extends: true,
        test: {
          ...disturbed,
          name: 'crash',
          env: inside,
          include: ['test/crash/**/*.test.ts'],
          exclude: defects,
          maxWorkers: 4,
        },
      },
      {
        extends: true,
        test: { ...disturbed, name: 'race', include: ['test/race/**/*.test.ts'], exclude: defects },
      },
      // Needs chromium and tmux; the built product is what it looks at.
      {
        extends: true,
        test: {
          ...disturbed,
          name: 'web',
          include: ['test/web/**/*.test.ts'],
          // What a page or a terminal shows is waited for: it is drawn when it is, not when a key was pressed.
          expect: { poll: { timeout: 20_000 } },
          // A browser and a terminal are programs of others: once more, and the report says so.
          retry: 1,
        },
      },
      {
        extends: true,
        test: {
          ...shared,
          ...together,
          name: 'linux',
          include: ['test/linux/**/*.test.ts'],
          exclude: defects,
        },
      },
      // What only a release needs: whole explorations, installers, README typed out, each way in which a stop comes about,
      // and the planted defects.
      {
        extends: true,
        test: {
          ...shared,
          name: 'full',
          env: { ...inside, HOLDFAST_TEST_WAY: 'all' },
          include: ['test/full/**/*.test.ts', 'test/conformance/*.test.ts', ...defects],
        },
      },
    ],
  },
});
