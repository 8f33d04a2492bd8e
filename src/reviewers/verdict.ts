// How a review ended. `none`: it ran but gave no verdict. `failed`: it did not run to its end.

export type Verdict = 'clean' | 'findings' | 'none' | 'failed';

export type { NoVerdict } from '../store/records.ts';
