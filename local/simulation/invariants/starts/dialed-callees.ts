import type { Evidence } from '../evidence.ts'
import { faultsOf } from '../faults-of.ts'

/** Seconds for which a show is live after which each callee has been dialed. */
const DIALED = 120

/** Functions that dial, and note why they could not. */
const DIALING = /^(GoLive|StartDialIn|NoteFailure)$/

/** Checks that each dial-in of a show that was live was dialed, or that its show says why not, unless a fault has struck. */
export function dialedCallees({ shows, failedCalls }: Pick<Evidence, 'shows' | 'failedCalls'>): string[] {
  if (faultsOf(failedCalls, DIALING).length > 0) return []
  return shows.flatMap(({ showId, request, state }) => {
    const { liveAt, endedAt, stopAskedAt, dialIns = [] } = state ?? {}
    const end = Math.min(...[endedAt, stopAskedAt].map((at) => Date.parse(at ?? '') || Number.POSITIVE_INFINITY))
    if (liveAt === undefined || !(end - Date.parse(liveAt) >= DIALED * 1000)) return []
    return (request?.show.dialIns ?? [])
      .filter(({ name }) => {
        const entry = dialIns.find((one) => one.name === name)
        return entry?.status === undefined && entry?.askedAt === undefined && entry?.problem === undefined
      })
      .map(({ name }) => `the show ${showId.slice(0, 12)} did not dial ${name}`)
  })
}
