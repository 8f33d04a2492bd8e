// The tests as vitest.config.ts has them, one at a time, and without the build before them: the mutants' own run
// builds what a mutant needs.

import config from '../../vitest.config.ts';
import { leftOut } from './tests-for.mjs';

const isProbed = process.env.HOLDFAST_PROBES !== undefined;
const probes = isProbed ? ['test/mutants/probe-setup.mjs'] : [];

/** For of-file.mjs, which says in `globalThis.holdfastMutant` which text comes in which file's place. */
const mutantInPlace = {
  name: 'mutant-in-place',
  enforce: 'pre',
  load: (id) => globalThis.holdfastMutant?.(id.split('?')[0]) ?? null,
};

export default {
  ...config,
  plugins: [...config.plugins, mutantInPlace],
  test: {
    // Without them no file loads in which a test has a tag.
    tags: config.test.tags,
    projects: config.test.projects.map((project) => ({
      ...project,
      test: {
        ...project.test,
        setupFiles: [...(project.test.setupFiles ?? []), ...probes],
        globalSetup: ['test/support/suite-folder.ts'],
        maxWorkers: 1,
        // Many mutants make a test wait for ever.
        ...(isProbed ? {} : { testTimeout: 60_000, hookTimeout: 30_000 }),
        isolate: process.env.HOLDFAST_MUTANTS_TOGETHER === undefined,
        exclude: [...(project.test.exclude ?? []), ...leftOut],
      },
    })),
  },
};
