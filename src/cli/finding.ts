// What `doctor` finds.

/** `fair`: worth knowing, nothing is broken. */
export type Finding = { result: 'good' | 'fair' | 'bad'; what: string; fix: string | null };

export const good = (what: string): Finding => ({ result: 'good', what, fix: null });
export const fair = (what: string, fix: string | null = null): Finding => ({ result: 'fair', what, fix });
export const bad = (what: string, fix: string): Finding => ({ result: 'bad', what, fix });
