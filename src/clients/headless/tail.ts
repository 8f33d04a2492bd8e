// The end of a stream: what a program complained of last.

const KEPT_BYTES = 16 * 1024;

export class Tail {
  #kept: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): void {
    const all = Buffer.concat([this.#kept, chunk.subarray(-KEPT_BYTES)]);
    this.#kept = Buffer.from(all.subarray(-KEPT_BYTES));
  }

  text(): string {
    return this.#kept.toString('utf8');
  }
}
