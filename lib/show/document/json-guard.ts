import { type Problem, pathOf } from './problems.ts'

/** Lists and objects within each other: twice what any document has. */
const MAX_DEPTH = 16

/**
 * What is wrong with a document before anything is known of its fields: it is nested too deeply to be walked through, or has
 * a field that objects cannot hold, which would be passed over.
 */
export function findMalformation(document: unknown, path: readonly PropertyKey[] = []): Problem | undefined {
  if (typeof document !== 'object' || document === null) return undefined
  if (path.length >= MAX_DEPTH)
    return { path: pathOf(path.slice(0, 1)), message: `is nested more than ${MAX_DEPTH} levels deep` }
  const fields: Iterable<[PropertyKey, unknown]> = Array.isArray(document)
    ? document.entries()
    : Object.entries(document)
  for (const [name, value] of fields) {
    const place = [...path, name]
    const problem =
      name === '__proto__'
        ? { path: pathOf(place), message: 'is a name that no field may have' }
        : findMalformation(value, place)
    if (problem) return problem
  }
  return undefined
}
