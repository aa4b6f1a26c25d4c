/** Maximum number of answers that are kept. */
const MAX_ANSWERS = 10_000

/** Answers of queries until a record changes that may match: clients poll far more often than records change. */
export type QueryAnswers<R> = ReturnType<typeof createQueryAnswers<R>>

/**
 * Creates the answers of one table. They are grouped by the text in one indexed field of their query, or by none, so that a
 * change of one session’s records leaves the answers about all others.
 */
export function createQueryAnswers<R>(indexed: readonly (keyof R & string)[]) {
  type Values = { readonly [Key in keyof R]?: unknown }
  const groups = new Map<string, Map<string, unknown>>()
  let size = 0

  const nameOf = (field: string, value: unknown) => `${field} ${value}`
  const groupOf = (match: Values): string => {
    const field = indexed.find((name) => typeof match[name] === 'string')
    return field === undefined ? '' : nameOf(field, match[field])
  }
  return {
    /** Returns the answer of a query, which is read unless it is known. @param query distinguishes queries of one match */
    remember<Answer>(match: Values, query: readonly unknown[], read: () => Answer): Answer {
      const name = groupOf(match)
      const key = JSON.stringify([...query, match])
      const known = groups.get(name)
      if (known?.has(key)) return known.get(key) as Answer
      if (size >= MAX_ANSWERS) {
        groups.clear()
        size = 0
      }
      const answer = read()
      const group = groups.get(name) ?? new Map<string, unknown>()
      groups.set(name, group.set(key, answer))
      size++
      return answer
    },
    /** Forgets the answers to which a record may belong. Call it with the record before and after a change. */
    forget(record: Values): void {
      for (const name of ['', ...indexed.map((field) => nameOf(field, record[field]))]) {
        size -= groups.get(name)?.size ?? 0
        groups.delete(name)
      }
    },
  }
}
