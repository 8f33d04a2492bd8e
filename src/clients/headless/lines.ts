// Cuts a stream into lines, whatever comes: a line that is longer than anybody needs is passed over, not kept.

/** A line of a client's holds what one tool printed, or one hold, twice; this is many times as much. */
const MOST_BYTES = 16 * 1024 * 1024;

export class Lines {
  #parts: Buffer[] = [];
  #length = 0;
  #tooLong = false;
  readonly #most: number;

  constructor(most = MOST_BYTES) {
    this.#most = most;
  }

  /** The lines that this chunk completes. */
  push(chunk: Buffer): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
      this.#keep(chunk.subarray(start, end));
      lines.push(...this.rest());
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
    return lines;
  }

  /** What stands there without a line end: at the end of a stream, its last line. */
  rest(): string[] {
    const [only, ...others] = this.#parts;
    const isLine = only !== undefined && !this.#tooLong;
    const text = isLine ? (others.length === 0 ? only : Buffer.concat(this.#parts)).toString('utf8') : '';
    this.#parts = [];
    this.#length = 0;
    this.#tooLong = false;
    return text.trim() === '' ? [] : [text];
  }

  #keep(part: Buffer): void {
    if (part.length === 0 || this.#tooLong) return;
    this.#length += part.length;
    this.#tooLong = this.#length > this.#most;
    if (this.#tooLong) this.#parts = [];
    else this.#parts.push(part);
  }
}
