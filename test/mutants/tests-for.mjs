// How the tests are run over a mutant, and which of them where nothing is known of what they reach.

/** They find their places by the source's text, so every mutant would look caught; or they repeat others. */
export const leftOut = [
  '**/*defects.test.ts',
  '**/*planted.test.ts',
  'test/architecture.test.ts',
  'test/loading.test.ts',
  'test/house/**',
  'test/conformance/conformance.test.ts',
];

export const buildArguments = ['scripts/build.mjs'];

/** As in test/global-setup.ts. */
export const toyArguments = [
  ...['scripts/build.mjs', '--out', '.test-build/toy', '--registry', 'test/toy/registry.ts'],
  ...['--reviewers', 'test/toy/reviewers.ts'],
];

export function vitestArguments(command, ...more) {
  const config = ['--config', 'test/mutants/vitest.config.mjs', '--root', '.'];
  return ['node_modules/vitest/vitest.mjs', command, ...more, ...config];
}

export const launcherTests = ['test/launcher', 'test/plugins', 'test/hook/project', 'test/linux/other-user'];

/** For a short look, without knowing what the tests reach: those of the same folder, then one of these. */
const built = {
  'src/workflows/claudex': 'test/conformance/claudex.rows',
  'src/workflows/idle': 'test/conformance/idle.compaction',
  'src/workflows/taskie': 'test/conformance/taskie.unused',
  'src/cli': 'test/cli/usage',
  plugins: 'test/launcher/launcher',
};

export function quickStages(file) {
  const folder = Object.keys(built).find((each) => file.startsWith(`${each}/`));
  const args = ['--bail=1', '--project', 'fast'];
  // Not by `related`, which `--dir` does not keep in a folder where a config has projects: most of the suite would run.
  const beside = [file.slice(0, file.lastIndexOf('/') + 1), '--passWithNoTests'];
  return [
    ...(file.endsWith('.ts') ? [vitestArguments('run', ...beside, ...args)] : []),
    vitestArguments('run', built[folder] ?? 'test/hook/pipeline', ...args),
  ];
}
