import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/fixtures/claudex/project.ts';
import { explainBad, readVariables } from './variables.ts';

describe('the variables', () => {
  it('have defaults', { tags: ['C2.1.k'] }, () => {
    expect(readVariables('/p', {})).toEqual({ planRounds: 3, reviewRounds: 3, staleMinutes: 15, bad: [] });
  });

  it('are read when they hold whole numbers above 0', () => {
    const env = {
      CLAUDEX_MAX_PLAN_ROUNDS: '5',
      CLAUDEX_MAX_REVIEW_ROUNDS: ' 2 ',
      CLAUDEX_STALE_MINUTES: '90',
    };
    expect(readVariables('/p', env)).toEqual({ planRounds: 5, reviewRounds: 2, staleMinutes: 90, bad: [] });
  });

  it.each(['0', '-1', '1.5', 'three', '1e2', '0x10', '99999999999'])(
    'fall back from "%s" and say so',
    (value) => {
      const variables = readVariables('/p', { CLAUDEX_STALE_MINUTES: value });
      expect(variables).toMatchObject({ staleMinutes: 15, bad: ['CLAUDEX_STALE_MINUTES'] });
      expect(explainBad('CLAUDEX_STALE_MINUTES')).toBe(
        'CLAUDEX_STALE_MINUTES is not a whole number above 0; 15 is used.',
      );
    },
  );

  it('count as not set when they are empty', () => {
    expect(readVariables('/p', { CLAUDEX_MAX_PLAN_ROUNDS: '', CLAUDEX_STATE_DIR: '' }).bad).toEqual([]);
  });

  it('name a state folder that is none', () => {
    const root = tempFolder();
    fs.writeFileSync(path.join(root, 'file'), '');
    expect(readVariables(root, { CLAUDEX_STATE_DIR: 'file' }).bad).toEqual(['CLAUDEX_STATE_DIR']);
    expect(readVariables(root, { CLAUDEX_STATE_DIR: 'file/below' }).bad).toEqual(['CLAUDEX_STATE_DIR']);
    expect(readVariables(root, { CLAUDEX_STATE_DIR: 'new' }).bad).toEqual([]);
    fs.rmSync(root, { recursive: true });
  });
});
