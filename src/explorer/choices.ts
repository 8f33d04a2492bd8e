// Every way a pure function can go, without trying combinations it never looks at: a value is chosen when it
// is first read. What was not read cannot have mattered, so all its values are covered by the one run.

/** A row of decisions, gone through like the wheels of a counter. */
export class Choices {
  readonly #taken: number[] = [];
  readonly #sizes: number[] = [];
  #at = 0;

  pick<Value>(values: readonly Value[]): Value {
    const position = this.#at++;
    if (position === this.#taken.length) {
      this.#taken.push(0);
      this.#sizes.push(values.length);
    }
    const value = values[this.#taken[position] ?? 0];
    if (value === undefined && values.length === 0) throw new Error('nothing to choose from');
    return value as Value;
  }

  /** On to the next row; false when there is none. */
  next(): boolean {
    this.#at = 0;
    while (this.#taken.length > 0) {
      const last = this.#taken.length - 1;
      const turned = (this.#taken[last] ?? 0) + 1;
      if (turned < (this.#sizes[last] ?? 0)) {
        this.#taken[last] = turned;
        return true;
      }
      this.#taken.pop();
      this.#sizes.pop();
    }
    return false;
  }
}

/** For each field, the values it can have in a node. */
export type Domains<Node, Facts> = {
  readonly [Name in keyof Facts & string]-?: (node: Node) => readonly Exclude<Facts[Name], undefined>[];
};

/** Facts whose values are chosen as they are read; made once, used for every node. */
export class LazyFacts<Node, Facts extends object> {
  readonly facts: Facts;
  readonly #domains: Domains<Node, Facts>;
  readonly #names: readonly (keyof Facts & string)[];
  readonly #known = new Map<string, unknown>();
  #choices = new Choices();
  #node: Node | undefined;

  constructor(domains: Domains<Node, Facts>) {
    this.#domains = domains;
    this.#names = Object.keys(domains) as (keyof Facts & string)[];
    const facts = {};
    for (const name of this.#names)
      Object.defineProperty(facts, name, { enumerable: true, get: () => this.#read(name) });
    this.facts = facts as Facts;
  }

  /** Runs once for each combination of the facts that the run reads. */
  each(node: Node, run: (facts: Facts) => void): void {
    this.#node = node;
    this.#choices = new Choices();
    do {
      this.#known.clear();
      run(this.facts);
    } while (this.#choices.next());
  }

  /** Which facts the current run has read, and what they were. */
  read(): Readonly<Record<string, unknown>> {
    return Object.fromEntries(this.#known);
  }

  /** How many combinations of facts the current run stands for. */
  combinations(): number {
    const node = this.#node as Node;
    let product = 1;
    for (const name of this.#names) if (!this.#known.has(name)) product *= this.#domains[name](node).length;
    return product;
  }

  #read<Name extends keyof Facts & string>(name: Name): unknown {
    if (this.#known.has(name)) return this.#known.get(name);
    const value = this.#choices.pick(this.#domains[name](this.#node as Node));
    this.#known.set(name, value);
    return value;
  }
}
