// Goes along one line of markdown, counting columns: a tab reaches to the next multiple of four.

import type { Range } from './signals.ts';

export class LineCursor {
  readonly #text: string;
  readonly start: number;
  readonly end: number;
  #at: number;
  #column = 0;
  /** Columns of a tab that was used up in part only. */
  #left = 0;
  /** Columns of blanks before the next character. */
  #indent = 0;
  /** The next character that is no blank. */
  #next = 0;

  constructor(text: string, start: number, end: number) {
    this.#text = text;
    this.start = start;
    this.end = end;
    this.#at = start;
    this.#look();
  }

  get indent(): number {
    return this.#indent;
  }

  get isBlank(): boolean {
    return this.#next === this.end;
  }

  /** From the next character that is no blank. */
  rest(): string {
    return this.#text.slice(this.#next, this.end);
  }

  restRange(): Range {
    return { start: this.#next, end: this.end };
  }

  /** Past the blanks and so many characters after them. */
  skipCharacters(count: number): void {
    this.#column += this.#indent + count;
    this.#at = this.#next + count;
    this.#left = 0;
    this.#look();
  }

  /** Past so many columns of blanks; false, and nowhere, when there are not as many. */
  skipColumns(count: number): boolean {
    if (this.#indent < count) return false;
    let wanted = count;
    while (wanted > 0) {
      const width = this.#left > 0 ? this.#left : this.#width(this.#column, this.#at);
      const used = Math.min(width, wanted);
      this.#left = width - used;
      this.#column += used;
      wanted -= used;
      if (this.#left === 0) this.#at++;
    }
    this.#look();
    return true;
  }

  #look(): void {
    let column = this.#column + this.#left;
    let at = this.#left > 0 ? this.#at + 1 : this.#at;
    for (; at < this.end && (this.#text[at] === ' ' || this.#text[at] === '\t'); at++)
      column += this.#width(column, at);
    this.#next = at;
    this.#indent = column - this.#column;
  }

  #width(column: number, at: number): number {
    return this.#text[at] === '\t' ? 4 - (column % 4) : 1;
  }
}
