import { type Problem, pathOf } from './problems.ts'

/** Levels of nested lists and objects: twice what any valid document has. */
const MAX_DEPTH = 16

/** Returns the problem of a document that is nested too deeply, or has a field `__proto__`, which parsing would ignore. */
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
        ? { path: pathOf(place), message: 'is not a valid field name' }
        : findMalformation(value, place)
    if (problem) return problem
  }
  return undefined
}
