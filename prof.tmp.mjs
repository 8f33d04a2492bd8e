import { build } from 'esbuild';
await build({ entryPoints: ['/work/main/test/model/prof.ts'], bundle: true, platform: 'node', format: 'esm', outfile: '/tmp/prof/out.mjs', loader: {'.md':'text'} });
