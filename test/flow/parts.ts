// The parts of flows that are tried with a defect in them, as one bundle.

import { builtIn } from '../../src/workflows/flow/built-in.ts';
import { check } from '../../src/workflows/flow/checker/check.ts';
import { decide } from '../../src/workflows/flow/decide.ts';
import { compile } from '../../src/workflows/flow/language/compile.ts';
import { Walk } from './walk.ts';

export const parts = { builtIn, check, compile, decide, Walk };

export type Parts = typeof parts;
