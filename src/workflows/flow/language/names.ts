// Which names and patterns a flow may use. Pure.

/** Letters of a flow's file. */
export const LONGEST = 64 * 1024;

/** Of flows, states, signals and reviews. */
const NAME = /^[a-z][a-z0-9-]{0,39}$/;

export const isName = (text: string): boolean => NAME.test(text);

export const SLOTS = ['task', 'visits', 'holds', 'checks', 'findings'] as const;

export type Slot = (typeof SLOTS)[number];

/** `{{…}}` with anything in it: a slot that is misspelled must not reach an agent as it is. */
const SLOT = /\{\{([^{}\n]*)\}\}/g;

/** Their names, also of those that there are not. */
export const slotsIn = (text: string): string[] => [...text.matchAll(SLOT)].map(([, name = '']) => name);

export const isSlot = (name: string): name is Slot => SLOTS.some((slot) => slot === name);

/** Null: it is a pattern of files inside the project. */
export function whyNoPattern(glob: string): string | null {
  if (glob.trim() === '') return 'a pattern of files is missing';
  if (glob.length > 200) return 'a pattern of files is at most 200 letters long';
  if (glob.includes('\0')) return 'a pattern of files has no such letter';
  if (/^[/~\\]|^[A-Za-z]:[\\/]/.test(glob) || glob.split(/[/{},\\]/).includes('..'))
    return `"${glob}" leads out of the project: write it relative to the project, without ".."`;
  if (/^(?:\.\/)*\.(?:git|holdfast)(?:\/|$)/.test(glob)) return `"${glob}" is no content of the project`;
  return null;
}
