// Waiting that a signal cuts short, so that ^C or a supervisor's SIGTERM ends an exporter at once and in order.

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

export class Pauses {
  #isOver = false;
  #wake: () => void = () => {};

  constructor() {
    for (const signal of SIGNALS) process.once(signal, this.#stop);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** False: it was cut short. */
  readonly pause = async (ms: number): Promise<boolean> => {
    if (this.#isOver) return false;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    return !this.#isOver;
  };

  /** A second signal ends the process as it likes. */
  end(): void {
    for (const signal of SIGNALS) process.off(signal, this.#stop);
  }

  readonly #stop = (): void => {
    this.#isOver = true;
    this.end();
    this.#wake();
  };
}
