// The proof that the suite on the driver's tokens can fail: defects planted into the source, one at a time.

import { afterAll, expect, test } from 'vitest';
import type { Defect } from '../crash/plant.ts';
import * as scenes from './driver-scenes.ts';
import { pluginWith, removePlanted } from './planting.ts';

afterAll(removePlanted);

const TOKENS = 'store/driver-tokens.ts';

const defects: readonly (Defect & { foundBy: scenes.DriverScene; says: RegExp })[] = [
  {
    name: 'a token is good for whoever has it',
    file: TOKENS,
    from: 'return known.session === session ? known : null;',
    to: 'return known;',
    foundBy: scenes.comesOnce,
    says: /nested one took it/,
  },
  {
    name: 'every beginning is a startup',
    file: 'hook/session-start.ts',
    from: "(source === 'startup' || source === 'resume')",
    to: 'true',
    foundBy: scenes.comesOtherwise,
    says: /clear got it/,
  },
  {
    name: 'a session that is resumed is as good as a fork',
    file: 'engine/driver/bind.ts',
    from: 'if (resumes !== (readToken(token, project.env)?.forks ?? false)) return;',
    to: 'void resumes;',
    foundBy: scenes.comesOtherwise,
    says: /resume got it/,
  },
  {
    name: 'a token never expires',
    file: TOKENS,
    from: 'if (now - known.left > WAITS_MS) return null;',
    to: 'void WAITS_MS; void now;',
    foundBy: scenes.comesLate,
    says: /eleven minutes/,
  },
  {
    name: 'a token is good in every project',
    file: TOKENS,
    from: 'known === null || known.root !== root',
    to: 'known === null || root === undefined',
    foundBy: scenes.comesFromElsewhere,
    says: /another project/,
  },
  {
    name: 'a record is found by its name',
    file: TOKENS,
    from: "createHash('sha256').update(token).digest('hex').slice(0, 32)",
    to: '(void createHash, token)',
    foundBy: scenes.comesForged,
    says: /forged token was good/,
  },
  {
    name: 'a hold that is handed over is answered too',
    file: 'engine/stop/answer.ts',
    from: 'if (last?.handedOver) return { ...allow([...said, ...lost], false, complaints), news };',
    to: '',
    foundBy: scenes.countsOn,
    says: /answered/,
  },
  {
    name: 'a new session begins to count from none',
    file: 'store/sidecars.ts',
    from: 'guard: memory === undefined ? {} : { [session]: { ...memory, marker: TRANSCRIPT_START } },',
    to: 'guard: memory === undefined || TRANSCRIPT_START ? {} : {},',
    foundBy: scenes.countsOn,
    says: /handed over,handed over,handed over,handed over,handed over,handed over,handed over/,
  },
  {
    name: 'a new session is one whose tools are unknown',
    file: 'store/sidecars.ts',
    from: 'marker: TRANSCRIPT_START }',
    to: 'marker: TRANSCRIPT_START || null }',
    foundBy: scenes.countsOn,
    says: /handed over,handed over,handed over,handed over,handed over,handed over,handed over/,
  },
  {
    name: 'a run that is handed over still holds',
    file: 'engine/context.ts',
    from: ' && handover?.session !== session',
    to: ' && handover !== null',
    foundBy: scenes.stopsAgain,
    says: /counted again/,
  },
  {
    name: 'nothing is written down',
    file: 'engine/stop/serve-run.ts',
    from: 'handOver(takeTurn(workflow, stopped, run, fetched), stopped)',
    to: '(void handOver, takeTurn(workflow, stopped, run, fetched))',
    foundBy: scenes.stopsAgain,
    says: /handed over: undefined/,
  },
];

test.each(defects)('finds: $name', { timeout: 240_000 }, async ({ foundBy, says, ...defect }) => {
  const plugin = await pluginWith(defect);
  const problems = await foundBy(plugin);
  expect(problems.join('; ')).toMatch(says);
});
