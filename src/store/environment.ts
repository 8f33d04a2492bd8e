// The process's environment as it reaches us: any variable may be missing.

export type Environment = Readonly<Record<string, string | undefined>>;
