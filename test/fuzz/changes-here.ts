// The making of patches, built by itself, so that a defect can be planted into it.

export { makeChanges } from '../../src/engine/changes/make.ts';
