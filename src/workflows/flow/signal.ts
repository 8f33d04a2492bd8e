// A signal as an agent writes it. Pure.

export const signalOf = (name: string): string => `<flow>${name}</flow>`;

export const nameOf = (signal: string): string => signal.slice('<flow>'.length, -'</flow>'.length);
