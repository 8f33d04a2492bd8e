import { describe, expect, it } from 'vitest';
import { registry } from '../../workflows/registry.ts';
import { describePlayed, ending } from './describe.ts';
import type { Played, PlayedEvent } from './play.ts';

describe('the demonstration', () => {
  const rows: readonly [PlayedEvent, string][] = [
    [
      { kind: 'agent', does: 'Writes a file', says: 'Done\nfor now.' } as PlayedEvent,
      '  agent  Writes a file. “Done for now.”',
    ],
    [
      { kind: 'agent', does: 'Talks', says: 'x'.repeat(110) } as PlayedEvent,
      `  agent  Talks. “${'x'.repeat(110)}”`,
    ],
    [
      { kind: 'agent', does: 'Talks', says: 'x'.repeat(111) } as PlayedEvent,
      `  agent  Talks. “${'x'.repeat(109)}…”`,
    ],
    [{ kind: 'hold', reason: 'Go on.', notice: null } as PlayedEvent, '  hold   Go on.'],
    [
      { kind: 'hold', reason: 'One.\n\n \nTwo.\nThree.', notice: 'Look.' } as PlayedEvent,
      '  hold   One.\n         Two.\n  notice Look.',
    ],
    [
      {
        kind: 'hold',
        reason: 'One.\nTwo.\n    a\n    b\n    c\n    d\nThree.',
        notice: null,
      } as PlayedEvent,
      '  hold   One.\n         Two.\n             a\n             b\n             c',
    ],
    [
      { kind: 'hold', reason: 'One.\nTwo.\n    a\nThree.', notice: null } as PlayedEvent,
      '  hold   One.\n         Two.\n             a',
    ],
    [{ kind: 'allow', notice: null } as PlayedEvent, '  allow  the agent may stop.'],
    [{ kind: 'allow', notice: 'Over.' } as PlayedEvent, '  allow  the agent may stop.\n  notice Over.'],
    [{ kind: 'state', after: 'reviewing' } as PlayedEvent, '  state  now: reviewing'],
    [{ kind: 'files', names: ['a', 'b'] } as unknown as PlayedEvent, '  files  a\n         b'],
  ];
  it.each(rows)('shows %j', (event, text) => {
    expect(describePlayed(event)).toBe(text);
  });

  it('ends with how to have it, and where what was kept lies', () => {
    const played = [
      { workflow: 'idle', folder: '/tmp/a' },
      { workflow: 'flow', folder: '/tmp/b' },
    ] as unknown as Played[];
    const skills = registry.map(({ name, begin }) => `/${name}:${begin}`);
    const end = [
      '',
      'Every answer above came from the real hook; only the agent and the reviewers were scripted.',
      `To have it in your own client: \`npx holdfast install\`, then start one with ${skills.slice(0, -1).join(', ')} or ${skills.at(-1)}.`,
      'To stop it at any time: `holdfast cancel`, or HOLDFAST_DISABLE=1.',
    ];
    expect(ending(played, false).split('\n')).toEqual(end);
    expect(ending(played, true).split('\n')).toEqual([
      '',
      'idle: kept in /tmp/a',
      'flow: kept in /tmp/b',
      ...end,
    ]);
  });
});
