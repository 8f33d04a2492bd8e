// The judge alone, so that a defect can be planted in it.

export { judge, MOST } from '../../src/driver/judge.ts';
