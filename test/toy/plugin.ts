// Where the build with the toy workflow lies.

import path from 'node:path';
import { held } from '../support/held.ts';

export const toyPlugin = path.resolve(import.meta.dirname, '../../.test-build/toy/holdfast');

export const heldByToy = (text: string): string => held(text, toyPlugin);
