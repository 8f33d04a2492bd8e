import { describe, expect, it } from 'vitest';
import { personaOf } from './personas.ts';

const begins = (round: number): string[] =>
  personaOf(round)
    .text.split('\n\n')
    .map((text) => text.slice(0, 27));
const ON_CALL = 'You will be on call for thi';

describe('the angle of a round', () => {
  it.each([
    [0, 'Senior-engineer review', ['You are a senior engineer w']],
    [1, 'Senior-engineer review', ['You are a senior engineer w']],
    [2, 'Security and data-integrity review', ['You are responsible for sec']],
    [3, 'Ops and SRE review', [ON_CALL]],
    [4, 'Ops and SRE review', [ON_CALL, 'The earlier angles have bee']],
    [9, 'Ops and SRE review', [ON_CALL, 'The earlier angles have bee']],
  ])('of round %i is the %s', (round, label, texts) => {
    expect([personaOf(round).label, begins(round)]).toEqual([label, texts]);
    expect(personaOf(round).text).toBe(personaOf(round).text.trim());
  });
});
