// Where the build with the toy workflow lies.

import path from 'node:path';

export const toyPlugin = path.resolve(import.meta.dirname, '../../.test-build/toy/holdfast');
