import { type DocumentNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql'
import { InsightsRefusal } from '../http/insights-refusal.ts'

/** Limits that protect the sandbox from expensive queries; all are far above real queries. */
export const bounds = {
  /** Levels of fields. The schema has 15, the introspection query of tools 14. */
  depth: 20,
  /** Fields of the query, counted in every use of a fragment. */
  fields: 500,
  /** Lexical tokens of the query. */
  tokens: 4_000,
  /** Objects in the lists of the answer. */
  objects: 25_000,
  /** Computations over the whole history: usage, sessions and summaries. */
  computations: 10,
} as const

interface Extent {
  readonly depth: number
  readonly fields: number
}

/**
 * Checks the depth and size of a valid query before it is run.
 * @throws {@link InsightsRefusal} 1004 for a query that is too deep or too large
 */
export function checkExtent(document: DocumentNode): void {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const node of document.definitions)
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node)
  const known = new Map<string, Extent>() // so that fragments of fragments are measured once each

  const measure = ({ selections }: SelectionSetNode): Extent => {
    const extents = selections.map((node): Extent => {
      if (node.kind === Kind.INLINE_FRAGMENT) return measure(node.selectionSet)
      if (node.kind === Kind.FRAGMENT_SPREAD) return measureFragment(node.name.value)
      const below = node.selectionSet ? measure(node.selectionSet) : { depth: 0, fields: 0 }
      return { depth: below.depth + 1, fields: below.fields + 1 }
    })
    return {
      depth: Math.max(0, ...extents.map(({ depth }) => depth)),
      fields: extents.reduce((sum, { fields }) => sum + fields, 0),
    }
  }
  const measureFragment = (name: string): Extent => {
    const fragment = fragments.get(name)
    const extent = known.get(name) ?? (fragment ? measure(fragment.selectionSet) : { depth: 0, fields: 0 })
    known.set(name, extent)
    return extent
  }

  for (const node of document.definitions) {
    if (node.kind !== Kind.OPERATION_DEFINITION) continue
    const { depth, fields } = measure(node.selectionSet)
    if (depth > bounds.depth) throw new InsightsRefusal(1004, `the query is more than ${bounds.depth} fields deep`)
    if (fields > bounds.fields) throw new InsightsRefusal(1004, `the query asks for more than ${bounds.fields} fields`)
  }
}

/**
 * Creates a counter of what a query costs.
 * @throws {@link InsightsRefusal} 1004 from the counter, once the bound is exceeded
 */
export function createBudget(what: 'objects' | 'computations'): (count: number) => void {
  let spent = 0
  return (count) => {
    spent += count
    if (spent > bounds[what])
      throw new InsightsRefusal(1004, `the query asks for more than ${bounds[what]} ${what}; ask for less at a time`)
  }
}
