// Loaded into a process by NODE_OPTIONS: leaves behind which files of ours and which of node's own costly
// modules it had loaded when it ended.
const COSTLY = ['crypto', 'child_process', 'http', 'net', 'worker_threads', 'stream/web'];
process.on('exit', () => {
  const own = Object.keys(require.cache).filter((file) => file !== __filename);
  const loaded = new Set(process.moduleLoadList);
  const builtin = COSTLY.filter((name) => loaded.has(`NativeModule ${name}`));
  require('node:fs').writeFileSync(process.env.HOLDFAST_BENCH_LOADED, JSON.stringify({ own, builtin }));
});
