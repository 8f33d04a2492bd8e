import { beforeEach, describe, expect, it } from 'vitest';
import { ID, putLoop } from '../../../test/fixtures/claudex/project.ts';
import { emptyFolder, projectIn } from '../../../test/support/bare-project.ts';
import type { World } from './observe.ts';
import { personaOf } from './personas.ts';
import { planPrompt, reviewPrompt } from './prompts.ts';
import { readLoop } from './state-format.ts';

let scene: Pick<World, 'dir' | 'files' | 'loop' | 'maxRounds'>;
beforeEach(() => {
  const { dir, files, text } = putLoop(projectIn(emptyFolder()), {}, { topic: 'a `cache` for $USER' });
  scene = { dir, files, loop: readLoop(text), maxRounds: 5 };
});
const NONE = { high: 0, medium: 0, low: 0 };
const asked = (round: number, owedFrom: number, reviewed: readonly number[] = []): string =>
  planPrompt({ ...scene, rounds: new Map(reviewed.map((each) => [each, NONE])) }, round, owedFrom);
/** What stands between the round and the severities. */
const earlier = (...args: Parameters<typeof asked>): string | undefined =>
  /\nRound: \d+ of 5\n\n([\s\S]*)## Severity/.exec(asked(...args))?.[1];
const FILE = `.claude/claudex/${ID}/findings-round-`;
const earlierOf = (round: number): string =>
  `The findings of round ${round} are in \`${FILE}${round}.md\`. The author has revised PLAN.md since; its \`## Changelog\` says what was taken and what was rejected. Do not repeat what is settled. Do report a finding again that was dismissed without a reason that holds.\n\n`;
const open = (round: number): string =>
  `Round ${round} (${personaOf(round).label}) was not reviewed, so its questions are still open. Answer them too:\n\n${personaOf(round).text}\n\n`;

describe('what the reviewer of a plan is asked', () => {
  it('is in the words of its persona, about the topic as it is, without gaps', () => {
    const prompt = asked(1, 1);
    expect(prompt.slice(0, prompt.indexOf('## Task'))).toBe(
      `# Adversarial plan review: Senior-engineer review\n\n${personaOf(1).text}\n\n`,
    );
    expect(prompt).toContain('\nTopic: a `cache` for $USER\nRound: 1 of 5\n\n## Severity\n');
    expect(prompt).toContain(`\nWrite \`${FILE}1.md\` (make its folder if it is missing)`);
    expect(prompt).toContain('\n# Round 1 findings\n');
    expect(prompt).toMatch(/\nNo substantive findings\.\n```\n$/);
    expect(prompt).not.toMatch(/\n{3}/);
  });

  it.each<[number, number, readonly number[], () => string]>([
    [1, 1, [], () => ''],
    [1, 1, [1], () => ''],
    [2, 2, [1], () => earlierOf(1)],
    [4, 4, [1, 3], () => earlierOf(3)],
    [2, 1, [], () => open(1)],
    [3, 1, [], () => open(1) + open(2)],
    [3, 2, [1], () => earlierOf(1) + open(2)],
    [5, 3, [2], () => earlierOf(2)],
  ])('in round %i, with questions open from round %i on and %j reviewed', (round, owed, reviewed, words) => {
    expect(earlier(round, owed, reviewed)).toBe(words());
  });
});

it('what the reviewer of a diff is asked names the two files it writes', () => {
  const prompt = reviewPrompt(scene);
  expect(prompt).toMatch(/^# Diff review\n/);
  expect(prompt).toContain(`\nWrite \`reviews/review-${ID}.md\` (make`);
  expect(prompt).toMatch(
    new RegExp(`\nWrite \`reviews/proposed-fixes-${ID}\\.md\` too: .+ say so in one line\\.\n$`),
  );
  expect(prompt).not.toMatch(/\n{3}/);
});
