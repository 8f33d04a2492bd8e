// Many stops at once, each in a project of its own: what one costs when the cores are full.

import { spawn } from 'node:child_process';
import os from 'node:os';
import { makeIdle } from './cases.mjs';

/** { processes: milliseconds a stop, times the cores it could use } for each count. */
export async function crowd(counts = [1, 2, 8, 32], rounds = 8) {
  const scenes = Array.from({ length: Math.max(...counts) }, makeIdle);
  const cores = os.cpus().length;
  const costs = Object.fromEntries(counts.map((count) => [count, []]));
  for (let round = -1; round < rounds; round++) {
    for (const count of counts) {
      const taking = scenes.slice(0, count);
      for (const each of taking) each.before();
      const begin = process.hrtime.bigint();
      await Promise.all(taking.map(stop));
      const took = Number(process.hrtime.bigint() - begin) / 1e6;
      if (round >= 0) costs[count].push((took / count) * Math.min(cores, count));
    }
  }
  for (const { scene } of scenes) scene.remove();
  return Object.fromEntries(
    Object.entries(costs).map(([count, list]) => [
      count,
      list.sort((a, b) => a - b)[Math.floor(list.length / 2)],
    ]),
  );
}

function stop({ command, args, cwd, env, input }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['pipe', 'ignore', 'ignore'], timeout: 60_000 });
    child.on('error', reject);
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`a stop in the crowd exited ${code}`)),
    );
    child.stdin.end(input);
  });
}
