import type { OwnerEvent } from '../../../../lib/events/owner-events.ts'
import type { Evidence, ShowEvidence } from '../evidence.ts'

type SeenEvent = Omit<OwnerEvent, 'id'> & { readonly id?: string }

/** Events that a show, or a part of one, has once. */
const ONCE: ReadonlySet<string> = new Set(['session.opened', 'recording.started', 'broadcast.live', 'show.ended'])

/** Matches events of the parts of recordings. Strays are published, too. */
const OF_PART = /^recording\.(?!published)/

/** Events of a show that is live. */
const LIVE: ReadonlySet<string> = new Set(['recording.started', 'broadcast.live'])

/** Events that may be from before their session: that it is opened may arrive twice, with the time of each attempt. */
const UNORDERED: ReadonlySet<string> = new Set(['secret.invalid', 'session.opened'])

/**
 * Checks the events of each show by docs/callbacks.md: an event keeps its id however often it arrives, callbacks repeat
 * what is on the bus, events carry the labels and the archives of their parts, and the first and the last agree with the result.
 */
export function eventsOfShows(evidence: Pick<Evidence, 'shows' | 'events' | 'callbacks'>): string[] {
  const onBus = evidence.events.map(({ detail }) => detail as SeenEvent)
  const received = evidence.callbacks.map(({ body }) => JSON.parse(body) as SeenEvent)
  return evidence.shows.flatMap((show) => {
    const isOwn = (event: SeenEvent) => event.showId === show.showId
    const [bus, inbox] = [onBus.filter(isOwn), received.filter(isOwn)]
    const about = (problem: string) => `the show ${show.showId.slice(0, 12)} ${problem}`
    return [
      ...severalIds([...bus, ...inbox]),
      ...strangers(bus, inbox),
      ...otherArchives(show, bus),
      ...contents(show, [...bus, ...inbox]),
    ].map(about)
  })
}

/** Returns the words that identify what an event reports. Of most kinds, the time distinguishes two of the same words. */
const factOf = ({ event, name, part, output, archiveId, clipId, status, at }: SeenEvent) =>
  [event, name, part, output, ...(ONCE.has(event) ? [] : [archiveId, clipId, status, at])]
    .filter((word) => word !== undefined)
    .join(' ')

function severalIds(events: readonly SeenEvent[]): string[] {
  return [...Map.groupBy(events, factOf)].flatMap(([fact, same]) => {
    const reasons = Map.groupBy(same, ({ event, reason }) => (ONCE.has(event) ? '' : reason))
    const most = Math.max(...[...reasons.values()].map((one) => new Set(one.map(({ id }) => id)).size))
    return most > 1 ? [`has ${most} ids for one event: ${fact}`] : []
  })
}

function strangers(bus: readonly SeenEvent[], inbox: readonly SeenEvent[]): string[] {
  const known = new Set(bus.map(({ id }) => id))
  const unknown = new Set(inbox.filter(({ id }) => !known.has(id)).map(({ event, id }) => `${event} (${id})`))
  return [...unknown].map((one) => `posted an event that is not on the bus: ${one}`)
}

/** Finds events of a part with the archive of another part, or of a stray. */
function otherArchives({ state }: ShowEvidence, events: readonly SeenEvent[]): string[] {
  return events.flatMap(({ event, name, part, archiveId }) => {
    const own = state?.recordings.find((one) => one.name === name && one.part === part)?.archiveId
    const isOther = OF_PART.test(event) && archiveId !== undefined && own !== undefined && archiveId !== own
    return isOther ? [`has an event ${event} of part ${part} of ${name} with the archive of another one`] : []
  })
}

function contents({ request, result }: ShowEvidence, events: readonly SeenEvent[]): string[] {
  const labels = JSON.stringify(sorted(request?.show.labels ?? {}))
  const opened = events.find(({ event }) => event === 'session.opened')?.at
  const problems = events.flatMap((one) => {
    const { event, at, stage, status } = one
    const isBefore = opened !== undefined && at < opened && !UNORDERED.has(event)
    return [
      ...(JSON.stringify(sorted(one.labels ?? {})) === labels ? [] : [`has an event without its labels: ${event}`]),
      ...(stage ? [] : [`has an event without the stage: ${event}`]),
      ...(isBefore ? [`has an event from before its session: ${event}`] : []),
      ...(event === 'show.ended' && result && status !== result.status
        ? [`ended as ${status} by an event, and as ${result.status} by its result`]
        : []),
    ]
  })
  // A show that failed before it was live stops what it started, and ends without another event.
  const wasLive = result?.status !== 'failed' || events.some(({ event }) => LIVE.has(event))
  const missing = (wasLive ? (result?.recordings ?? []) : [])
    .filter(({ archiveId }) => archiveId !== undefined)
    .filter(
      ({ name, part }) =>
        !events.some((one) => one.event === 'recording.started' && one.name === name && one.part === part),
    )
    .map(({ name, part }) => `has no event for the start of part ${part} of ${name}`)
  return [...new Set([...problems, ...missing])]
}

const sorted = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1))
