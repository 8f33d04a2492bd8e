// What must hold of every judgement, as a list of what is broken, so that a proof can want some.

import type { Trouble } from '../../src/clients/headless.ts';
import type { judge as Judge } from '../../src/driver/judge.ts';
import { type ClientEnd, NO_COUNTS, type Situation, type Stand } from '../../src/driver/types.ts';

const NOW = 1_800_000_000_000;

const base: Situation = {
  ...{ stand: { kind: 'active' }, end: { how: 'turn', trouble: null }, progress: 'none', counts: NO_COUNTS },
  ...{ denied: 0, now: NOW, persist: 1, stopAt: null },
};
const by = (what: Trouble['what'], resetsAt: number | null = null): ClientEnd => ({
  how: 'turn',
  trouble: { what, resetsAt, said: '' },
});

export function brokenRules(judge: typeof Judge): string[] {
  const broken: string[] = [];
  const want = (rule: string, holds: boolean): void => {
    if (!holds) broken.push(rule);
  };
  const at = (more: Partial<Situation>) => judge({ ...base, ...more });
  const over = (stand: Stand, code: number): void => {
    const next = at({ stand });
    want(`${JSON.stringify(stand)} ends with ${code}`, next.kind === 'finish' && next.code === code);
  };
  over({ kind: 'over', outcome: 'completed', worth: null }, 0);
  over({ kind: 'over', outcome: 'completed', worth: 'unproven' }, 4);
  over({ kind: 'over', outcome: 'stuck', worth: null }, 5);
  over({ kind: 'question', what: '' }, 6);
  over({ kind: 'paused', why: '', flags: '' }, 7);
  want(
    'a run that is over is not started',
    at({ stand: { kind: 'over', outcome: null, worth: null }, end: by('server') }).kind === 'finish',
  );
  const limited = at({ end: by('limit', NOW + 60_000) });
  want('a limit is waited for', limited.kind === 'go' && (limited.at ?? 0) > NOW + 60_000);
  want(
    'a limit takes no try',
    limited.kind === 'go' && JSON.stringify({ ...limited.counts, limits: 0 }) === JSON.stringify(NO_COUNTS),
  );
  for (const end of [
    by('limit'),
    by('server'),
    by('unknown'),
    by('context'),
    base.end,
    { how: 'ended', trouble: null } as const,
  ])
    want(`${JSON.stringify(end)} comes to an end`, comesToAnEnd(judge, { ...base, end }));
  want(
    'a new session after the guard comes to an end',
    comesToAnEnd(judge, { ...base, stand: { kind: 'released' } }),
  );
  want(
    'holds that are handed over come to an end',
    comesToAnEnd(judge, { ...base, stand: { kind: 'handed-over' } }),
  );
  const handed = at({ stand: { kind: 'handed-over' } });
  want('a hold that was handed over goes to a new session', handed.kind === 'go' && handed.session === 'new');
  const stop = at({ stand: { kind: 'goes-on', reached: 'plan' }, stopAt: 'plan' });
  want('it stops where it was asked to', stop.kind === 'finish' && stop.code === 0);
  const woken = at({ stand: { kind: 'waits', for: 'work', until: null } });
  want('work in the background is not disturbed', woken.kind === 'listen');
  const capped: Stand = { kind: 'waits', for: 'prompt', until: null };
  const prompted = at({ stand: capped });
  want('a client’s cap is prompted past', prompted.kind === 'go' && prompted.at === null);
  want('prompts past a client’s cap come to an end', comesToAnEnd(judge, { ...base, stand: capped }));
  const denied = at({ denied: 3 });
  want('permissions are a person’s', denied.kind === 'finish' && denied.code === 6);
  return broken;
}

/** The same thing again and again, with nothing moved. */
function comesToAnEnd(judge: typeof Judge, situation: Situation): boolean {
  let { counts } = situation;
  for (let tries = 0; tries < 1000; tries++) {
    const next = judge({ ...situation, counts });
    if (next.kind !== 'go') return true;
    counts = next.counts;
  }
  return false;
}
