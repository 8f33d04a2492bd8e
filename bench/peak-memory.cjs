// Loaded into a measured process by NODE_OPTIONS: leaves its peak memory behind.
process.on('exit', () => {
  require('node:fs').writeFileSync(process.env.HOLDFAST_BENCH_PEAK, String(process.resourceUsage().maxRSS));
});
