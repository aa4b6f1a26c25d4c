import type { LeftOut } from '../../platform/client/outcomes.ts'

interface UnreadPlace {
  readonly operation: string
  /** Path with `*` for indexes, such as `items.*.status`. */
  readonly path: string
  readonly problem: string
  readonly count: number
}

export type LeftOutValues = ReturnType<typeof createLeftOutValues>

/** Collects values that the client left out of answers, until a function logs them. */
export function createLeftOutValues() {
  const places = new Map<string, UnreadPlace>()
  return {
    note({ operation, values }: LeftOut) {
      for (const { path: exactPath, problem } of values) {
        const path = exactPath.replace(/(?<=^|\.)\d+(?=\.|$)/g, '*')
        const key = `${operation} ${path} ${problem}`
        places.set(key, { operation, path, problem, count: (places.get(key)?.count ?? 0) + 1 })
      }
    },
    /** Returns and clears what was noted, by place. */
    take() {
      const taken = [...places.values()]
      places.clear()
      return taken
    },
  }
}
