import { describe, expect, it } from 'vitest';
import { clientNamed } from '../clients/index.ts';
import { type PromptFor, promptFor } from './prompts.ts';

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
