import { defineConfig } from 'vitest/config';

/** Message files are imported as text, as in the bundle. */
const markdownAsText = {
  name: 'markdown-as-text',
  transform(code: string, id: string) {
    return id.endsWith('.md') ? `export default ${JSON.stringify(code)};` : null;
  },
};

const shared = {
  globalSetup: 'test/global-setup.ts',
  testTimeout: 20_000,
  hookTimeout: 30_000,
  pool: 'forks' as const,
};

export default defineConfig({
  plugins: [markdownAsText],
  test: {
    projects: [
      {
        extends: true,
        test: {
          ...shared,
          name: 'fast',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['test/linux/**', 'test/fuzz/**', 'test/clients/**', '**/node_modules/**'],
        },
      },
      // One file at a time: its inputs are many and its machine may be small.
      {
        extends: true,
        test: {
          ...shared,
          name: 'fuzz',
          include: ['test/fuzz/**/*.test.ts'],
          testTimeout: 120_000,
          fileParallelism: false,
        },
      },
      { extends: true, test: { ...shared, name: 'linux', include: ['test/linux/**/*.test.ts'] } },
    ],
  },
});
