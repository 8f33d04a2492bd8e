// The process's environment as it reaches us: any variable may be missing.

/** Holds the token of `holdfast run` for the client that it started (driver-tokens.ts). No other program gets it. */
export const DRIVER_VARIABLE = 'HOLDFAST_DRIVER';

export type Environment = Readonly<Record<string, string | undefined>>;
