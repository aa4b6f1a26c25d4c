import type { Evidence } from '../evidence.ts'
import { type Layout, layoutChangesIn, wordsOf } from '../requests/layout-changes.ts'

type Seen = Pick<Evidence, 'shows' | 'statusChanges' | 'layouts' | 'apiRequests' | 'trace'>

interface BroadcastOrder {
  readonly name: string
  readonly layout?: Layout | undefined
}

/**
 * Checks that the platform draws what a show orders: its first part has the layout of the document, a later part that of the
 * part before it, and every other layout is one of a cue or of a change that was asked for.
 */
export function orderedLayouts({ shows, statusChanges, layouts, apiRequests, trace }: Seen): string[] {
  const drawn = Map.groupBy(layouts, ({ id }) => id)
  const begun = new Map(statusChanges.map((change) => [change.id, change]))
  return [...drawn].flatMap(([id, own]) => {
    const { kind = 'archive', tag, name = '' } = begun.get(id) ?? {}
    const [showId = '', resource = '', part = ''] = (tag ?? name).split('/')
    const document = shows.find((show) => show.showId === showId)?.request?.show
    if (!document) return []
    const orders = [
      ...(kind === 'archive' ? document.recordings : (document.broadcasts ?? [])),
      ...(kind === 'archive' ? [] : addedIn(apiRequests, showId)),
    ].filter((order) => order.name === resource)
    const initial = new Set(orders.map(({ layout }) => wordsOf(layout)))
    const changes = [...(document.cues ?? []), ...layoutChangesIn(apiRequests, showId)].filter((change) =>
      kind === 'archive' ? change.recording === resource : change.broadcast === resource,
    )
    const allowed = initial.union(new Set(changes.map(({ layout }) => wordsOf(layout))))
    const what = `${kind === 'archive' ? 'the recording' : 'the broadcast'} ${resource}, part ${part},`
    const [first] = own
    const wrong = own.filter(({ layout }) => !allowed.has(wordsOf(layout)))
    const isOther = part === '1' && first && !initial.has(wordsOf(first.layout))
    const before = [...begun.values()].find(
      (one) => one.kind === kind && one.tag === `${showId}/${resource}/${Number(part) - 1}`,
    )
    const kept = keptLayout(drawn.get(before?.id ?? ''), first?.at, trace)
    const isChanged = changes.some(({ layout }) => first && wordsOf(layout) === wordsOf(first.layout)) // perhaps in a pause
    const isForgotten = first && kept && !isChanged && wordsOf(first.layout) !== wordsOf(kept)
    return [
      ...wrong.map(({ layout }) => `${what} is drawn with a layout that was not ordered: ${wordsOf(layout)}`),
      ...(isOther
        ? [`${what} begins with the layout ${wordsOf(first.layout)}, and not with ${[...initial].join(' or ')}`]
        : []),
      ...(isForgotten ? [`${what} begins without the layout of the part before: ${wordsOf(kept)}`] : []),
    ]
  })
}

/** Milliseconds before a start in which a layout may change that its order does not have yet. */
const CHANGING = 60_000

/** Milliseconds by which a request may arrive late. Its change has failed for its caller then. */
const MAX_DELAY = 60_000
const LATE = /platform set\w+Layout delayed$/

/**
 * Returns the layout of a part with which the next one begins; undefined if it has just changed, if a request that arrived late changed
 * it, or if there is no such part.
 */
function keptLayout(drawn: Seen['layouts'] = [], start = 0, trace: Seen['trace'] = []): Layout | undefined {
  const last = drawn.filter(({ at }) => at <= start).at(-1)
  if (!last || last.at >= start - CHANGING) return undefined
  const isLate = trace.some(({ at, line }) => at <= last.at && at >= last.at - MAX_DELAY && LATE.test(line))
  return isLate ? undefined : last.layout
}

/** Returns the broadcasts that were asked for during a show, also those that were not answered. */
const addedIn = (requests: Seen['apiRequests'], showId: string): readonly BroadcastOrder[] =>
  requests
    .filter(({ method, path, body }) => method === 'POST' && path === `/shows/${showId}/broadcasts` && body !== '')
    .map(({ body }) => JSON.parse(body) as BroadcastOrder)
