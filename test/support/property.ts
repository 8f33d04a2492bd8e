// fast-check with one seed for all: a test tries the same examples in every run, today and on another machine.

import fc from 'fast-check';

fc.configureGlobal({ seed: 20261115 });

export { fc };
