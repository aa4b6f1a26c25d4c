import { canonicalPath } from './aliases.ts'
import { type OperationName, operations } from './operations.ts'

/** An operation that has the method and the path of a request. */
export interface FoundOperation {
  readonly name: OperationName
  /** Values of the placeholders in its path. */
  readonly path: Readonly<Record<string, string>>
}

interface Candidate {
  readonly name: OperationName
  /** Segments of its path, of which those in braces are placeholders. */
  readonly segments: readonly string[]
  readonly placeholders: number
}

/** Operations of the REST interface by method and number of segments, those with the fewest placeholders first. */
const candidates = Map.groupBy(
  (Object.entries(operations) as [OperationName, { method: string; path: string; base?: string }][])
    .filter(([, { base }]) => base !== 'insights')
    .map(([name, { method, path }]) => ({
      name,
      method,
      segments: path.split('/'),
      placeholders: path.split('{').length,
    }))
    .sort((one, other) => one.placeholders - other.placeholders),
  ({ method, segments }) => `${method} ${segments.length}`,
) as ReadonlyMap<string, readonly Candidate[]>

/** Finds the operation of a request to the REST interface by its method and normalized URL; undefined if there is none. */
export function findOperation(method: string, url: string): FoundOperation | undefined {
  const given = canonicalPath(PATH.exec(url)?.[1] ?? '/').split('/')
  const found = candidates
    .get(`${method} ${given.length}`)
    ?.find(({ segments }) =>
      segments.every((segment, at) => (isPlaceholder(segment) ? given[at] : segment === given[at])),
    )
  if (!found) return undefined
  const path: Record<string, string> = {}
  for (const [at, segment] of found.segments.entries())
    if (isPlaceholder(segment)) path[segment.slice(1, -1)] = decode(given[at] ?? '')
  return { name: found.name, path }
}

const PATH = /^[^/]+\/\/[^/?#]*([^?#]*)/

const isPlaceholder = (segment: string) => segment.startsWith('{')

/** Decodes a segment, or returns one that is not encoded correctly as it is. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
