// The whole hook in this process. Bundled with a planted defect in it, too, so it imports nothing but the product.

import path from 'node:path';
import type { HookResult } from '../../src/hook/call.ts';
import { stopHook } from '../../src/hook/stop.ts';
import { claude } from '../../src/reviewers/claude.ts';
import { registry } from '../../src/workflows/registry.ts';

export type Fuzzed = HookResult & { reviewers: number };

/** No reviewer ever runs; whoever asks for one is counted. */
export async function stopHere({ payload }: { payload: string }, root: string): Promise<Fuzzed> {
  let reviewers = 0;
  const runtime = {
    registry,
    findReviewer: async () => {
      reviewers++;
      return { ...claude, call: () => ({ program: '/nonexistent/reviewer', args: [], env: {} }) };
    },
    env: { HOME: path.join(path.dirname(root), 'home') },
    cwd: root,
    now: Date.now(),
    cli: '/plugin/bin/holdfast',
    lockPatienceMs: 2000,
    whenAskedToEnd: () => {},
  };
  const result = await stopHook({ input: payload, named: null, runtime, limitS: null });
  return { ...result, reviewers };
}

export type StopHere = typeof stopHere;
