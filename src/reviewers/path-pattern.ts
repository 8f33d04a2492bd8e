// A path in a permission rule of Claude Code, and of Qwen Code, which has its form: a pattern as in .gitignore, in brackets, in
// a list. A project or a plan may have any name, and none may become a rule of its own, or a pattern for more than it says.

/** What could mean anything there stands as `?`, which is any one character but a slash. */
export function asPattern(place: string): string {
  return place.replace(/[^\p{L}\p{N}\p{M}/._+@=:~^%-]/gu, (character) => '?'.repeat(character.length));
}
