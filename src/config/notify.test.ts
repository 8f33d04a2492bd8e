import { expect, it } from 'vitest';
import { NOTIFY_EVENTS, type Notifier, type NotifierFile, notifiersIn } from './notify.ts';

it.each<[NotifierFile, Notifier[]]>([
  [{ run: ['ntfy', 'me'] }, [{ by: 'run', run: ['ntfy', 'me'], on: NOTIFY_EVENTS }]],
  [{ run: ['ntfy'], on: ['done'] }, [{ by: 'run', run: ['ntfy'], on: ['done'] }]],
  [{ webhook: 'https://a.b' }, [{ by: 'webhook', webhook: 'https://a.b', on: NOTIFY_EVENTS }]],
  [{ webhook: 'https://a.b', on: ['limit'] }, [{ by: 'webhook', webhook: 'https://a.b', on: ['limit'] }]],
  [{ desktop: true }, [{ by: 'desktop', on: NOTIFY_EVENTS }]],
  [{ desktop: true, on: ['let-go', 'done'] }, [{ by: 'desktop', on: ['let-go', 'done'] }]],
  [{}, []],
  [{ on: ['done'] }, []],
])('%j calls %j', (given, notifiers) => {
  expect(notifiersIn([given])).toEqual(notifiers);
});

it('several are called in the order in which they stand, about all there is unless it is said', () => {
  const list = notifiersIn([{ desktop: true }, {}, { run: ['a'] }, { webhook: 'http://b' }]);
  expect(list.map(({ by }) => by)).toEqual(['desktop', 'run', 'webhook']);
  expect(NOTIFY_EVENTS).toEqual(['needs-you', 'let-go', 'done', 'limit']);
  expect(notifiersIn([])).toEqual([]);
});
