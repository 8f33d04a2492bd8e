import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ['scenarios/**/*.test.ts'],
    globalSetup: 'clients/global-setup.ts',
    pool: 'forks',
    // Each scenario runs a real client, and two of them fill two cores.
    maxWorkers: 2,
    fileParallelism: true,
    testTimeout: 240_000,
    // The client is not ours: what it does at times is no reason to play all scenarios again. The report says so.
    retry: 1,
    hookTimeout: 60_000,
  },
});
