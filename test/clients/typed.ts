// The scenario of a skill that a user types, in the clients that fill the words into its text.

import { expect, it } from 'vitest';
import type { Played } from './basics.ts';
import type { PlayOptions } from './clients/host.ts';
import { DONE, iterations } from './loop.ts';
import { holdsOf, run, saw, say } from './scenario.ts';
import { skillCall } from './skill.ts';

/** `words`: the task as it reaches the model. */
export type Typed = { prompt: string; words: string; options?: PlayOptions };

export function typedScenario({ host, open }: Played, { prompt, words, options }: Typed): void {
  it(`/idle:loop as a user types it (${host.mode})`, async (context) => {
    const stage = await open();
    stage.agent(
      (heard) => {
        const call = skillCall(heard);
        expect(call.words).toBe(words);
        return run(
          `mkdir -p .holdfast && echo '${words}' >${call.file} && ${call.cli} idle loop <${call.file}`,
        );
      },
      say('One.'),
      say(DONE),
    );
    const { result } = await host.play(stage, prompt, options);
    expect(result).toBe(DONE);
    expect(iterations(holdsOf(stage))).toEqual(['1/10']);
    saw(
      context,
      host.mode,
      "the command's text reached the model with the user's words in it; held once, let go at the signal",
    );
  });
}
