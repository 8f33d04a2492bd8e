import path from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

describe('what a stop loads of taskie', () => {
  it('is our own code alone: no schema library, no markdown parser, no child processes, no crypto', async () => {
    const result = await build({
      entryPoints: [path.join(import.meta.dirname, 'index.ts')],
      bundle: true,
      write: false,
      metafile: true,
      platform: 'node',
      format: 'cjs',
      loader: { '.md': 'text' },
      plugins: [{ name: 'lazy', setup: (building) => building.onResolve({ filter: /^\./ }, skipLazy) }],
    });
    const inputs = Object.keys(result.metafile.inputs);
    const builtins = Object.values(result.metafile.outputs).flatMap(({ imports }) =>
      imports.filter(({ external }) => external).map(({ path: name }) => name),
    );
    expect(inputs.filter((file) => file.includes('node_modules'))).toEqual([]);
    expect([...new Set(builtins)].sort()).toEqual([
      './in-files.ts',
      './tasks-table.ts',
      './unused-plans.ts',
      'node:fs',
      'node:os',
      'node:path',
    ]);
  });
});

function skipLazy({ kind, path: imported }: { kind: string; path: string }) {
  return kind === 'dynamic-import' ? { path: imported, external: true } : undefined;
}
