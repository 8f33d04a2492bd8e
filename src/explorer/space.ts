// A finite space of nodes: flat records whose fields have listed values. A node is also a number, so that
// half a million of them fit into an array; a value that is not listed has left the space, which is an error.

export type Value = string | number | boolean | null;

export type Fields<Node> = { readonly [Name in keyof Node & string]: readonly Node[Name][] };

export class LeftTheSpace extends Error {}

export class Space<Node extends Readonly<Record<keyof Node, Value>>> {
  readonly size: number;
  readonly #fields: readonly Field[];

  constructor(fields: Fields<Node>) {
    let stride = 1;
    this.#fields = Object.entries<readonly Value[]>(fields).map(([name, values]) => {
      const field = { name, values, stride, places: new Map(values.map((value, place) => [value, place])) };
      stride *= values.length;
      return field;
    });
    this.size = stride;
  }

  valuesOf(name: keyof Node & string): readonly Value[] {
    return this.#fields.find((field) => field.name === name)?.values ?? [];
  }

  indexOf(node: Node): number {
    let index = 0;
    for (const { name, places, stride } of this.#fields) {
      const value = (node as Readonly<Record<string, Value>>)[name] as Value;
      const place = places.get(value);
      if (place === undefined) throw new LeftTheSpace(`${name} became ${JSON.stringify(value)}`);
      index += place * stride;
    }
    return index;
  }

  nodeAt(index: number): Node {
    const node: Record<string, Value | undefined> = {};
    for (const { name, values, stride } of this.#fields)
      node[name] = values[Math.floor(index / stride) % values.length];
    return node as Node;
  }

  /** Every node that differs in one of the named fields. */
  edits(
    index: number,
    names: readonly string[],
    each: (to: number, name: string, value: Value) => void,
  ): void {
    for (const { name, values, stride } of this.#fields) {
      if (!names.includes(name)) continue;
      const place = Math.floor(index / stride) % values.length;
      for (let other = 0; other < values.length; other++)
        if (other !== place) each(index + (other - place) * stride, name, values[other] as Value);
    }
  }
}

type Field = {
  name: string;
  values: readonly Value[];
  stride: number;
  places: ReadonlyMap<Value, number>;
};
