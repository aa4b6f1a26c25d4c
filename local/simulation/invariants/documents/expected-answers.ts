/** Returns where a value differs from an expected one: objects may have more fields, and null stands for none. */
export function differencesOf(value: unknown, expected: unknown, place: string): string[] {
  if (expected === null || typeof expected !== 'object')
    return (value ?? null) === expected
      ? []
      : [`${place} is ${JSON.stringify(value)} instead of ${JSON.stringify(expected)}`]
  if (typeof value !== 'object' || value === null) return [`${place} is missing`]
  if (Array.isArray(expected) && (value as unknown[]).length < expected.length) return [`${place} has fewer entries`]
  if (Object.keys(expected).length === 0 && Object.keys(value).length > 0 && Array.isArray(expected))
    return [`${place} has entries`]
  return Object.entries(expected).flatMap(([field, wanted]) =>
    differencesOf((value as Readonly<Record<string, unknown>>)[field], wanted, `${place}.${field}`),
  )
}
