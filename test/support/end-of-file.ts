// A setup file of vitest's, which it runs before each file of tests.

import { afterAll } from 'vitest';
import { takeAllAway } from './at-the-end.ts';

afterAll(takeAllAway);
