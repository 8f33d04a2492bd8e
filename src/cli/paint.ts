// Colour for people: only on a terminal, never with NO_COLOR, never in what a program reads.

const colourful = process.stdout.isTTY === true && !process.env.NO_COLOR;

const style =
  (open: number, close: number) =>
  (text: string): string =>
    colourful ? `\u001b[${open}m${text}\u001b[${close}m` : text;

export const bold = style(1, 22);
export const dim = style(2, 22);
export const green = style(32, 39);
export const yellow = style(33, 39);
export const red = style(31, 39);
