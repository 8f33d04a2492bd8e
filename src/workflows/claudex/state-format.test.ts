import { describe, expect, it } from 'vitest';
import { NOW } from '../../../test/fixtures/claudex/project.ts';
import { fc } from '../../../test/support/property.ts';
import { normaliseTopic, readField, readLoop, setField, swapPhase, writeNewState } from './state-format.ts';

const fresh = writeNewState({
  id: '20260131-093000-1a2b3c',
  mode: 'plan',
  topic: 'say "hi" & wave | $(now)',
  maxRounds: 3,
  fromDraft: false,
  interviewUsed: true,
  repoRoot: '/home/me/project',
  session: 's1',
  now: NOW,
});

const LATER = NOW + 61_000;

describe('the state file', () => {
  it('holds every documented field, one key: value per line', { tags: ['C2.0.a'] }, () => {
    expect(fresh).toBe(
      [
        'mode: plan',
        'phase: drafting',
        'topic: "say \\"hi\\" & wave | $(now)"',
        'round: 1',
        'max_rounds: 3',
        'from_draft: false',
        'interview_used: true',
        'review_id: 20260131-093000-1a2b3c',
        'repo_root: /home/me/project',
        'session_id: s1',
        'started_at: 2026-01-31T09:30:00Z',
        'last_updated_at: 2026-01-31T09:30:00Z',
        'started_at_epoch: 1769851800',
        'decision_signal: none',
        '',
      ].join('\n'),
    );
  });

  it('begins a review in the phase reviewing', () => {
    const loop = { id: 'x', mode: 'review', topic: '', maxRounds: 3, fromDraft: false } as const;
    const text = writeNewState({ ...loop, interviewUsed: false, repoRoot: '/p', session: '', now: NOW });
    expect(readField(text, 'phase')).toBe('reviewing');
  });

  it('gives any topic back as it went in, on one line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const topic = normaliseTopic(text);
        const written = fresh.replace(/^topic: .*$/m, () => `topic: ${JSON.stringify(topic)}`);
        expect(written.split('\n')).toHaveLength(fresh.split('\n').length);
        fc.pre(!topic.includes('\0'));
        expect(readLoop(written).topic).toBe(topic);
      }),
      { numRuns: 1000 },
    );
  });

  it('turns each kind of line break in a topic into one space', () => {
    expect(normaliseTopic('a\r\nb\nc\rd\u2028e\u0085f')).toBe('a b c d e f');
  });
});

describe('reading a field', () => {
  it('finds the value after the first colon', { tags: ['C2.1.d'] }, () => {
    expect(readField('repo_root: /a: b\n', 'repo_root')).toBe('/a: b');
  });

  it('is not taken in by a key that only begins the same, or by the topic', { tags: ['C2.1.d'] }, () => {
    const text = 'rounds: 9\ntopic: "round: 8"\nround: 2\n';
    expect(readField(text, 'round')).toBe('2');
  });

  it('answers null for a field that is not there', () => {
    expect(readField(fresh, 'colour')).toBeNull();
  });

  it('reads CRLF, a byte order mark and quoted values', () => {
    expect(readField('\uFEFFmode: plan\r\nphase: "reviewing"\r\n', 'mode')).toBe('plan');
    expect(readField('\uFEFFmode: plan\r\nphase: "reviewing"\r\n', 'phase')).toBe('reviewing');
  });
});

describe('setting a field', () => {
  it('changes that field and moves last_updated_at, and nothing else', { tags: ['C2.1.e', 'C2.3'] }, () => {
    const changed = setField(fresh, 'round', 2, LATER);
    expect(changed).toBe(
      fresh
        .replace('round: 1', 'round: 2')
        .replace('last_updated_at: 2026-01-31T09:30:00Z', 'last_updated_at: 2026-01-31T09:31:01Z'),
    );
  });

  it('stores last_updated_at as given when that is the field', () => {
    const changed = setField(fresh, 'last_updated_at', '2020-01-01T00:00:00Z', LATER);
    expect(readField(changed, 'last_updated_at')).toBe('2020-01-01T00:00:00Z');
  });

  it('adds a field that is missing', () => {
    expect(setField('mode: plan', 'phase', 'done', LATER)).toBe(
      'mode: plan\nphase: done\nlast_updated_at: 2026-01-31T09:31:01Z\n',
    );
  });

  it('adds a missing field with the line ending that the file begins with', () => {
    expect(setField('mode: plan\r\nphase: x\r\n', 'last_updated_at', 'y', LATER)).toBe(
      'mode: plan\r\nphase: x\r\nlast_updated_at: y\r\n',
    );
    expect(setField('mode: plan\r\nphase: x', 'last_updated_at', 'y', LATER)).toBe(
      'mode: plan\r\nphase: x\r\nlast_updated_at: y\r\n',
    );
    expect(setField('mode: plan\nphase: x\r\n', 'last_updated_at', 'y', LATER)).toBe(
      'mode: plan\nphase: x\r\nlast_updated_at: y\n',
    );
  });

  it("keeps each line's own ending where they differ", () => {
    expect(setField('mode: plan\nlast_updated_at: x\r\n', 'last_updated_at', 'y', LATER)).toBe(
      'mode: plan\nlast_updated_at: y\r\n',
    );
    expect(setField('mode: plan\r\nlast_updated_at: x\n', 'last_updated_at', 'y', LATER)).toBe(
      'mode: plan\r\nlast_updated_at: y\n',
    );
    expect(setField('last_updated_at: x\r\nmode: plan\n', 'last_updated_at', 'y', LATER)).toBe(
      'last_updated_at: y\r\nmode: plan\n',
    );
  });

  it('keeps unknown fields, comments and CRLF', () => {
    const text = '# mine\r\nmode: plan\r\nphase: drafting\r\nowner: me\r\nlast_updated_at: x\r\n';
    expect(setField(text, 'phase', 'reviewing', LATER)).toBe(
      '# mine\r\nmode: plan\r\nphase: reviewing\r\nowner: me\r\nlast_updated_at: 2026-01-31T09:31:01Z\r\n',
    );
  });

  it('cannot be made to add a line', () => {
    expect(readField(setField(fresh, 'session_id', 's\nphase: done', LATER), 'phase')).toBe('drafting');
  });
});

describe('swapping the phase', () => {
  it('writes when the phase is the expected one, and moves last_updated_at in the same text', {
    tags: ['C2.1.g', 'C2.1.h', 'C2.3.d'],
  }, () => {
    const swapped = swapPhase(fresh, 'drafting', 'reviewing', LATER) ?? '';
    expect(readField(swapped, 'phase')).toBe('reviewing');
    expect(readField(swapped, 'last_updated_at')).toBe('2026-01-31T09:31:01Z');
  });

  it('refuses when somebody else moved the phase', { tags: ['C2.1.g', 'C2.3.e'] }, () => {
    expect(swapPhase(fresh, 'reviewing', 'done', LATER)).toBeNull();
  });
});

describe('a state read for use', () => {
  it.each(['', 'two', '-1', '0', '1.5', '99999999999', '1e3', 'NaN'])(
    'takes round "%s" for 1',
    { tags: ['C3.7.a'] },
    (round) => {
      expect(readLoop(setField(fresh, 'round', round, NOW)).round).toBe(1);
    },
  );

  it.each(['', 'many', '-3', '0', '2.5'])(
    'leaves max_rounds "%s" to the default',
    { tags: ['C3.7.b'] },
    (max) => {
      expect(readLoop(setField(fresh, 'max_rounds', max, NOW)).maxRounds).toBeNull();
    },
  );

  it('calls a mode, phase or signal that it does not know unknown or none', () => {
    const loop = readLoop('mode: dream\nphase: sleeping\ndecision_signal: maybe\n');
    expect(loop).toMatchObject({ mode: 'unknown', phase: 'unknown', signal: 'none' });
  });

  it('never fails, whatever the file holds', { tags: ['C3.7'] }, () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(readLoop(text).round).toBeGreaterThan(0);
      }),
    );
  });

  it('falls back from a broken epoch to started_at', () => {
    expect(readLoop(setField(fresh, 'started_at_epoch', 'x', NOW)).startedAtMs).toBe(NOW);
    expect(readLoop('').startedAtMs).toBeNull();
  });
});

describe('the path of a project', () => {
  const stateOf = (repoRoot: string): string => {
    const loop = { id: '20260131-093000-1a2b3c', mode: 'plan', topic: 'x', maxRounds: 3 } as const;
    return writeNewState({ ...loop, fromDraft: false, interviewUsed: false, repoRoot, session: '', now: 0 });
  };

  it.each([
    '/a',
    '/a ',
    '/a\t',
    '/a\u00a0',
    '/a\ufeff',
    '/"a"',
    '/a\\n',
    '/a\nb',
    '/a\rb',
    '/a\n',
    '"a"',
    '',
  ])('comes back as it went in: %j', (repoRoot) => {
    const text = stateOf(repoRoot);
    expect(readLoop(text).repoRoot).toBe(repoRoot);
    expect(text.split('\n')).toHaveLength(stateOf('/a').split('\n').length);
  });

  it('stands there as it is where that is enough', () => {
    expect(stateOf('/a b/$(c) "d"')).toContain('\nrepo_root: /a b/$(c) "d"\n');
  });
});
