export type Mutant = { file: string; from: number; to: number; replacement: string };

export type TreeCopy = {
  folder: string;
  plant(mutants: readonly Mutant[]): () => void;
  run(
    program: string,
    args: readonly string[],
    limitMs: number,
  ): Promise<{ code: number | null; output: string }>;
  remove(): void;
};

export function copyTree(repository: string): TreeCopy;
export function endAll(): void;
