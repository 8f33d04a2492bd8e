import { describe, expect, it } from 'vitest';
import { countOfHolds, notices } from './notices.ts';

const cap = { title: 'Client', most: 3, left: 0 };
const run = (name: string) => ({ run: name, adopt: `hf adopt ${name}` });

describe('a notice', () => {
  it.each([
    [
      notices.failed('no disk', 'hf'),
      'hit an error, so this stop was allowed: no disk. Run `hf doctor` to see what is wrong.',
    ],
    [
      notices.denied({ what: 'it is read-only', fix: '`chmod u+w it`' }),
      'hit an error, so this stop was allowed: it is read-only. To change that: `chmod u+w it`.',
    ],
    [
      notices.unclaimed([run('toy:a')], 'hf'),
      "toy:a is unfinished here but is not this session's. To go on with it: hf adopt toy:a",
    ],
    [
      notices.unclaimed([run('toy:b'), run('toy:a')], 'hf'),
      "2 runs are unfinished here but are not this session's; `hf status` lists them. The newest: toy:b. To go on with it: hf adopt toy:b",
    ],
    [
      notices.reviewUnderWay('r.md'),
      'a review is already under way (r.md); this stop is allowed and no second one is started.',
    ],
    [
      notices.checkUnderWay('toy:a'),
      'a check of toy:a is already under way; this stop is allowed and no second one is started.',
    ],
    [
      notices.editedDuringReview('r.md'),
      'the state was edited while a review ran, so the edit stands and the verdict was not applied. The review is kept in r.md.',
    ],
    [
      notices.verdictWaits('r.md'),
      'the state cannot be read since a review ran (r.md); its verdict waits until the state can be read again.',
    ],
    [
      notices.unknownClient(),
      'this client is not supported yet: what its agent says cannot be read, so its stops are allowed. To have it supported, open an issue with what it sends: give it a Stop hook with the command `cat >payload.json`, and add the last lines of the file that `transcript_path` in it names.',
    ],
    [
      notices.unheard('Client'),
      "what the agent in Client said last could not be read from its transcript, so its stops are allowed. If this goes on, open an issue with the client's version and the last lines of its transcript.",
    ],
    [
      notices.modelNotAsked('Client'),
      'Client took the last hold without asking its model (its loop detection, or its limit of turns), so it is not held again. The run waits: type anything to go on with it.',
    ],
    [
      notices.noTimeForReview('Client', 1, 'toy:a', 'hf'),
      "no review was started, and this stop is allowed: Client ends this hook after 1 s. To have the work reviewed, raise the hook's timeout, and the `--limit` in its command, to 120 s or more; or go on in another client: hf adopt toy:a",
    ],
    [
      notices.noTimeForReview('Client', 0, 'toy:a', 'hf'),
      'no review was started, and this stop is allowed: how long Client lets this hook run is not known. To have the work reviewed, go on in a client that says it: hf adopt toy:a',
    ],
    [
      notices.noTimeLeftForReview('toy:a'),
      'no time left in this stop for the review of toy:a; the next stop runs it.',
    ],
    [
      notices.clientCap({ ...cap, more: undefined }, 'toy:a'),
      'toy:a is not done, but Client ends a turn after 3 holds. Type anything to go on.',
    ],
    [
      notices.clientCap({ ...cap, most: 1, more: 'Raise it in its settings.' }, 'toy:a'),
      'toy:a is not done, but Client ends a turn after 1 hold. Type anything to go on. Raise it in its settings.',
    ],
    [notices.complaint('toy:a', 'it failed'), 'toy:a: it failed'],
    [
      notices.signalLost('toy:a', 'hf'),
      'a completion signal for toy:a was given at this stop, but nothing can be written here, so the next stop will not know of it. Once the disk can be written, have the agent give it again, or run `hf cancel toy:a`.',
    ],
    [
      notices.lockBusy(2),
      'another Holdfast process held the lock for 2 s; this stop was allowed unchecked. The next one is checked again.',
    ],
    [notices.config('guard.tools is no number'), 'guard.tools is no number.'],
  ])('says whose it is, and: %#', (said, expected) => {
    expect(said).toBe(`Holdfast: ${expected}`);
  });

  it('holds nothing that would steer a terminal', () => {
    expect(notices.complaint('toy:\u0007a', 'b\u202Ec')).toBe('Holdfast: toy: a: b c');
  });
});

it.each([
  [0, '0 holds'],
  [1, '1 hold'],
  [2, '2 holds'],
])('%d in words', (count, words) => {
  expect(countOfHolds(count)).toBe(words);
});
