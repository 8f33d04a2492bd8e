// The stages of a file of Gemini CLI's scenarios: installing takes seconds, so all of them begin with a copy of one home.

import { afterAll, beforeAll } from 'vitest';
import { removeFolder } from '../support/remove-folder.ts';
import { enterGemini, geminiHome } from './clients/gemini.ts';
import { type Stage, stageFor } from './scenario.ts';

/** Called once in a file; what it answers with opens a stage. */
export function geminiStages(): (name?: string) => Promise<Stage> {
  let home = '';
  beforeAll(() => {
    home = geminiHome();
  }, 150_000);
  afterAll(() => removeFolder(home));
  return async (name) => {
    const stage = await stageFor(name);
    await enterGemini(stage, home);
    return stage;
  };
}
