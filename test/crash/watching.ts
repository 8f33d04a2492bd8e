// Stops that leave something for views and for people who are called, for the crash suite.

import fs from 'node:fs';
import path from 'node:path';
import { knownProjects } from '../../src/store/projects.ts';
import { cleanEnvironment } from '../support/hook.ts';
import type { Bench } from './bench.ts';
import { complete, hold, startLoop } from './idle.ts';
import type { Scenario } from './scenario.ts';

/** The first stop of a run: from then on its project is in the list of all. */
export const firstStop: Scenario = {
  ...hold,
  prepare: (bench) => startLoop(bench, 10),
  watch: (bench) => {
    const env = cleanEnvironment(bench.root);
    const half = knownProjects(env).filter((root) => root !== bench.root);
    return () => [
      ...half.map((root) => `the list names ${root}`),
      ...(knownProjects(env).includes(bench.root) ? [] : ['the project is not in the list']),
    ];
  },
};

const homeOf = (bench: Bench): string => path.join(path.dirname(bench.root), 'home');
/** Where going back takes it away. */
const saidIn = (bench: Bench): string => path.join(path.dirname(bench.root), 'reviews', 'said');

/** The end of a run that somebody is called about: once at most, whatever happens to the hook. */
export const called: Scenario = {
  ...complete,
  async prepare(bench) {
    const config = path.join(homeOf(bench), '.config/holdfast/holdfast.config.json');
    fs.mkdirSync(path.dirname(config), { recursive: true });
    const run = ['sh', '-c', 'cat >> "$0"', saidIn(bench)];
    fs.writeFileSync(config, JSON.stringify({ notify: [{ run, on: ['done'] }] }));
    bench.callsSomebody = true;
    await startLoop(bench, 10);
    await bench.stop();
  },
  watch: (bench) => () => {
    const calls = fs.existsSync(saidIn(bench)) ? fs.readFileSync(saidIn(bench), 'utf8') : '';
    const count = calls.split('\n').filter((line) => line !== '').length;
    return count > 1 ? [`somebody was called ${count} times`] : [];
  },
};
