import type { Diagram } from '../src/engine/workflow-cli.ts';

export function readDiagrams(file: string): Readonly<Record<string, Diagram>>;
