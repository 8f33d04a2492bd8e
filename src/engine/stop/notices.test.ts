import { expect, it } from 'vitest';
import { notices } from './notices.ts';

const run = (name: string) => ({ run: name, adopt: `hf adopt ${name}` });
const cap = { title: 'Client', most: 3, left: 0, more: undefined };

it('the notices of the engine say what happened, and what to do next', async () => {
  const all = [
    notices.failed('no disk', 'hf'),
    notices.denied({ what: 'it is read-only', fix: '`chmod u+w it`' }),
    notices.unclaimed([run('toy:a')], 'hf'),
    notices.unclaimed([run('toy:b'), run('toy:a'), { ...run('toy:c'), unused: 'toy:c is unused.' }], 'hf'),
    notices.unclaimed([{ ...run('toy:c'), unused: 'toy:c is unused.' }], 'hf'),
    notices.reviewUnderWay('r.md'),
    notices.checkUnderWay('toy:a'),
    notices.editedDuringReview('r.md'),
    notices.verdictWaits('r.md'),
    notices.unknownClient(),
    notices.unheard('Client'),
    notices.notTakenUp('toy:a', 'hf'),
    notices.modelNotAsked('Client'),
    notices.noTimeForReview('Client', 1, 'toy:a', 'hf'),
    notices.noTimeForReview('Client', 0, 'toy:a', 'hf'),
    notices.noTimeLeftForReview('toy:a'),
    notices.clientCap(cap, 'toy:a'),
    notices.clientCap({ ...cap, most: 1, more: 'Raise it.' }, 'toy:a'),
    notices.planMode('toy:a'),
    notices.nothingProved('toy:a', 'hf'),
    notices.complaint('toy:a', 'it failed'),
    notices.signalLost('toy:a', 'hf'),
    notices.lockBusy(2),
    notices.config('guard.tools is no number'),
  ];
  await expect(`${all.join('\n\n')}\n`).toMatchFileSnapshot('./golden/notices.txt');
});

it('a notice holds nothing that would steer a terminal', () => {
  expect(notices.complaint('toy:\u0007a', 'b\u202Ec')).toBe('Holdfast: toy: a: b c');
});
