// The texts of a small plan, without the project that test/fixtures/taskie puts around them.

export { FULL_STATE, TASKS, taskText } from '../fixtures/taskie/plan.ts';
