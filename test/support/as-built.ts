// A module as the build would make it, for what takes long: in what vitest makes of one every import is asked for again
// at every use, and the explorations of millions of steps take a sixth longer.

import { createRequire } from 'node:module';
import vm from 'node:vm';
import { build } from 'esbuild';

export async function asBuilt<Module>(file: string): Promise<Module> {
  const { outputFiles } = await build({
    ...{ entryPoints: [file], bundle: true, write: false, platform: 'node', format: 'cjs', target: 'node20' },
    ...{ loader: { '.md': 'text', '.yaml': 'text' }, external: ['fs-native-extensions'] },
  });
  const source = `(function (module, exports, require) {${outputFiles[0]?.text}\n})`;
  const module = { exports: {} };
  vm.runInThisContext(source, { filename: file })(module, module.exports, createRequire(file));
  return module.exports as Module;
}
