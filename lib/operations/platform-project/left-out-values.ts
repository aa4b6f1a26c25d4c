import type { LeftOut } from '../../platform/client/outcomes.ts'

/** A place in the platform's answers at which values could not be read. */
interface UnreadPlace {
  readonly operation: string
  /** With `*` for indexes, such as `items.*.status`. */
  readonly path: string
  readonly problem: string
  readonly count: number
}

/** Collects what the client left out of answers, until a function logs it. */
export interface LeftOutValues {
  note(leftOut: LeftOut): void
  /** Returns what was noted since the last call, by place. */
  take(): UnreadPlace[]
}

export function createLeftOutValues(): LeftOutValues {
  const places = new Map<string, UnreadPlace>()
  return {
    note({ operation, values }) {
      for (const { path: exactPath, problem } of values) {
        const path = exactPath.replace(/(?<=^|\.)\d+(?=\.|$)/g, '*')
        const key = `${operation} ${path} ${problem}`
        places.set(key, { operation, path, problem, count: (places.get(key)?.count ?? 0) + 1 })
      }
    },
    take() {
      const taken = [...places.values()]
      places.clear()
      return taken
    },
  }
}
