import fc from 'fast-check'

/** Returns the example with one of its fields, at any depth, replaced, removed or added. */
export function mutated(example: unknown): fc.Arbitrary<unknown> {
  if (typeof example !== 'object' || example === null) return fc.jsonValue()
  return fc
    .constantFrom(...Object.keys(example), 'added')
    .chain((field) =>
      fc
        .oneof(mutated((example as Record<string, unknown>)[field]), fc.jsonValue(), fc.constant(undefined))
        .map((value) =>
          Array.isArray(example)
            ? example.map((item, at) => (String(at) === field ? value : item))
            : { ...example, [field]: value },
        ),
    )
}
