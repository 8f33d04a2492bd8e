// The process's environment as it reaches us: any variable may be missing.

/** Holds the token of `holdfast run` for the client that it started (driver-tokens.ts). No other program gets it. */
export const DRIVER_VARIABLE = 'HOLDFAST_DRIVER';

/** Marks every process of an attempt, and of a client that is driven: children inherit it. */
export const ATTEMPT_VARIABLE = 'HOLDFAST_ATTEMPT';

/** Set for a client in which we are called by our name, which is on its PATH (src/driver/by-name.ts). */
export const BY_NAME_VARIABLE = 'HOLDFAST_BY_NAME';

export type Environment = Readonly<Record<string, string | undefined>>;
