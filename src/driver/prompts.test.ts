import { describe, expect, it } from 'vitest';
import { clientNamed } from '../clients/index.ts';
import { type PromptFor, promptFor, skillFor } from './prompts.ts';

const about: PromptFor = {
  ...{ run: 'idle:a', stage: 'iteration 1/4', cli: 'holdfast', first: 'Do it all', driven: undefined },
  ...{ client: clientNamed('claude-code'), given: null },
};

describe('the first prompt', () => {
  it('is given to a session that knows nothing yet', () => {
    expect(promptFor('first', false, about)).toBe('Do it all');
    expect(promptFor('first', false, { ...about, run: null })).toBe('Do it all');
  });

  it('is not given again to a session that was left in its first turn', () => {
    const again = promptFor('first', true, about);
    expect(again).toContain('go on with idle:a (iteration 1/4)');
    expect(again).not.toContain('Do it all');
  });

  it('is given again, as what is still to be done, where the agent has begun no run', () => {
    const again = promptFor('first', true, { ...about, run: null });
    expect(again).toMatch(/^Nothing was begun yet\.[\s\S]*Do it all/);
  });

  it('gives way to a person’s answer', () => {
    expect(promptFor('first', true, { ...about, given: 'Tabs.' })).toBe('Tabs.');
  });
});

describe('what a session is given to go on', () => {
  const withSkill: PromptFor = { ...about, run: 'taskie:a:b', driven: { goOn: 'continue' } };
  const SKILL = '/taskie:continue a:b';
  const NEW = /^Another session worked on idle:a before you.* iteration 1\/4\.[\s\S]*\n\nDo it all\s*$/;

  it.each([
    ['after-limit', /^The usage limit .* Go on with idle:a \(iteration 1\/4\)/],
    ['after-error', /^Your last turn was ended by an error .* Go on with idle:a \(iteration 1\/4\)/],
    ['after-crash', /^Your client was ended .* go on with idle:a \(iteration 1\/4\)/],
    ['continue', /^idle:a is not over yet: iteration 1\/4\..*`holdfast ask /],
    ['go-on', /^idle:a is not over yet: iteration 1\/4\..*`holdfast ask /],
    ['compact', /^idle:a is not over yet/],
    ['handed-over', /^idle:a is not over yet/],
    ['new-session', NEW],
  ] as const)('is words of ours where it knows what was said: %s', (say, words) => {
    expect(promptFor(say, true, about)).toMatch(words);
  });

  it.each([
    'after-limit',
    'after-error',
    'after-crash',
    'go-on',
    'compact',
    'handed-over',
    'new-session',
  ] as const)('is all of it where it knows nothing: %s', (say) => {
    expect(promptFor(say, false, about)).toMatch(NEW);
    expect(promptFor(say, false, withSkill)).toBe(SKILL);
  });

  it('is the workflow’s own skill, where it has one for that', () => {
    for (const say of ['continue', 'go-on', 'compact', 'handed-over', 'new-session'] as const)
      expect(promptFor(say, true, withSkill)).toBe(SKILL);
    expect(promptFor('continue', false, withSkill)).toBe(SKILL);
    expect(promptFor('after-limit', true, withSkill)).toContain('usage limit');
    expect(promptFor('continue', false, about)).toMatch(/^idle:a is not over yet/);
  });

  it('is a person’s answer, with all of it before that where it knows nothing', () => {
    expect(promptFor('go-on', true, { ...withSkill, given: 'Tabs.' })).toBe('Tabs.');
    const words = promptFor('go-on', false, { ...about, given: 'Tabs.' });
    expect(words.replace('\n\nTabs.', '')).toMatch(NEW);
    expect(words).toMatch(/\n\nTabs\.$/);
    expect(promptFor('go-on', false, { ...withSkill, given: 'Tabs.' })).toMatch(
      /^Another session worked on taskie:a:b/,
    );
    expect(promptFor('first', false, { ...about, run: null, given: 'Tabs.' })).toMatch(
      /^Another session worked on this/,
    );
  });

  it('names a skill as its user would type it', () => {
    const { client } = about;
    expect(skillFor({ client }, undefined, 'idle', 'a')).toBeNull();
    expect(skillFor({ client }, 'loop', 'idle', '')).toBe('/idle:loop');
    expect(skillFor({ client: { ...client, skillMark: '$' } }, 'loop', 'idle', 'a')).toBe('$idle:loop a');
  });
});
