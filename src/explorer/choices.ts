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
  readonly #names: readonly (keyof Facts & string)[];
  readonly #domains: readonly ((node: Node) => readonly unknown[])[];
  /** Of the node that is looked at, by the fact's place; null: not asked for yet. */
  readonly #values: (readonly unknown[] | null)[];
  /** What the facts are in the current run, and in which run each was last read: millions of runs read the same few. */
  readonly #known: unknown[];
  readonly #readIn: number[];
  readonly #order: number[] = [];
  /** How many combinations the node has, once somebody asks, and how many of them the run's own facts are one of. */
  #all: number | null = null;
  #chosen = 1;
  #run = 0;
  #choices = new Choices();
  #node: Node | undefined;

  constructor(domains: Domains<Node, Facts>) {
    this.#names = Object.keys(domains) as (keyof Facts & string)[];
    this.#domains = this.#names.map((name) => domains[name]);
    this.#values = this.#names.map(() => null);
    this.#known = this.#names.map(() => undefined);
    this.#readIn = this.#names.map(() => 0);
    const facts = {};
    for (const [place, name] of this.#names.entries())
      Object.defineProperty(facts, name, { enumerable: true, get: () => this.#read(place) });
    this.facts = facts as Facts;
  }

  /** Runs once for each combination of the facts that the run reads. */
  each(node: Node, run: (facts: Facts) => void): void {
    this.#node = node;
    this.#values.fill(null);
    this.#all = null;
    this.#choices = new Choices();
    do {
      this.#run++;
      this.#chosen = 1;
      this.#order.length = 0;
      run(this.facts);
    } while (this.#choices.next());
  }

  /** Which facts the current run has read, and what they were. */
  read(): Readonly<Record<string, unknown>> {
    return Object.fromEntries(this.#order.map((place) => [this.#names[place], this.#known[place]]));
  }

  /** How many combinations of facts the current run stands for. */
  combinations(): number {
    this.#all ??= this.#names.reduce((product, _, place) => product * this.#valuesOf(place).length, 1);
    return this.#all / this.#chosen;
  }

  #read(place: number): unknown {
    if (this.#readIn[place] === this.#run) return this.#known[place];
    const values = this.#valuesOf(place);
    const value = this.#choices.pick(values);
    this.#chosen *= values.length;
    this.#known[place] = value;
    this.#readIn[place] = this.#run;
    this.#order.push(place);
    return value;
  }

  #valuesOf(place: number): readonly unknown[] {
    const known = this.#values[place] ?? null;
    if (known !== null) return known;
    const values = this.#domains[place]?.(this.#node as Node) ?? [];
    this.#values[place] = values;
    return values;
  }
}
