import { isTagOf, partOfTag } from '../../../lib/show/document/fields/names.ts'
import type { TimedStatusChange } from '../environment/watch-resources.ts'
import type { Evidence, ShowEvidence } from './evidence.ts'
import { faultsOf } from './faults-of.ts'
import { endedStatuses } from './parts/part-runs.ts'
import { pausesOf } from './parts/pauses-of.ts'
import { deniedBroadcastsIn, interruptions, latestAfter } from './parts/watch-faults.ts'

/** Seconds until an unexpected end is detected, a planned one has stopped everything, a requested stop acts, and a cue is carried out. */
const UNEXPECTED = 60
const PLANNED = 10
const STOP = 5
const CUE = 60
/** Seconds before and after a pause in which participants may be away. */
const RETURN = 300
/** Seconds for which a fault may delay a detection: retries, and outages of ten minutes. */
const EXCUSED = 900

/** Functions and executions that start, watch and stop a show, start it again, or carry out what callers ask. */
const ACTING =
  /^(Api|CheckAudience|Start(Recording|Broadcast)|GoLive|WatchShow|RollOver|StopShow|SweepShows|execution .+)$/

interface Live extends ShowEvidence {
  readonly liveAt: number
  readonly endedAt: number
  /** Status changes of its archives and broadcasts, in order. */
  readonly changes: readonly TimedStatusChange[]
}

/** Checks that failures, ends and stops are detected in time, by the platform’s clock, unless a fault interfered. */
export function detectedInTime({ shows, statusChanges, trace, failedCalls }: Evidence): string[] {
  const faults = [
    ...trace.filter(({ fault }) => interruptions.has(fault ?? '')).map(({ at }) => at),
    ...faultsOf(failedCalls, ACTING).map(({ at }) => at),
  ]
  const denied = deniedBroadcastsIn(trace)
  const live = shows.flatMap((show): Live[] => {
    const { liveAt, endedAt } = show.state ?? {}
    const changes = statusChanges.filter(
      ({ kind, id, tag }) =>
        (kind === 'archive' || kind === 'broadcast') && isTagOf(show.showId, tag) && !denied.has(id),
    )
    return liveAt && endedAt ? [{ ...show, liveAt: Date.parse(liveAt), endedAt: Date.parse(endedAt), changes }] : []
  })
  return live.flatMap((show) =>
    [breaks, earlyEnds, plannedEnds, requestedEnds, endings, stops, broadcastStops, cues]
      .flatMap((delaysOf) => delaysOf(show))
      .filter(({ from, to, within }) => to > latestAfter(faults, { from, due: from + within * 1000, seconds: EXCUSED }))
      .map(({ words, from, to }) => `${words} after ${(to - from) / 1000} s`),
  )
}

/** Milliseconds at which something happened and was acted upon. */
interface Delay {
  readonly words: string
  readonly from: number
  readonly to: number
  readonly within: number
}

/** Returns the failures of parts while the show was live. Those of the last parts may be detected after its end. */
function breaks({ state, liveAt, endedAt, changes }: Live): Delay[] {
  const failed = changes.filter(({ status, at }) => status === 'failed' && at >= liveAt && at < endedAt)
  return failed.flatMap(({ kind, id, tag, at }) => {
    const what = kind === 'archive' ? 'recording.failed' : 'broadcast.failed'
    const parts = [...(state?.recordings ?? []), ...(state?.broadcasts ?? [])]
    const part = parts.find(
      (one) => ('archiveId' in one ? one.archiveId : 'broadcastId' in one && one.broadcastId) === id,
    )
    if (!part) return [] // another archive of the same tag, which "one archive per part" finds
    const noticed = state?.timeline.find(
      (one) => one.what === what && one.name === part.name && one.part === part.part && !one.id,
    )
    const to = noticed ? Date.parse(noticed.at) : Number.POSITIVE_INFINITY
    return [{ words: `it was noticed that the ${kind} ${tag} had failed`, from: at, to, within: UNEXPECTED }]
  })
}

/**
 * Returns the end of a show of which nothing ran any more. A show whose parts failed waits for what can continue, one with a
 * paused recording for the participants who come back, and one whose only broadcasts were stopped for others.
 */
function earlyEnds({ showId, request, state, liveAt, endedAt, changes }: Live): Delay[] {
  const before = changes.filter(({ at }) => at <= endedAt)
  if (before.length === 0 || before.some(({ status }) => status === 'failed')) return []
  if (state?.recordings.length === 0 && state.broadcasts.some(({ stopAskedAt }) => stopAskedAt)) return []
  const latest = new Map(before.map((one) => [one.id, one]))
  if ([...latest.values()].some(({ status }) => !endedStatuses.has(status))) return []
  const ends = before.filter(({ status }) => status === 'stopped').map(({ at }) => at)
  const ended = Math.max(liveAt, ...ends)
  const pauses = (request?.show.recordings ?? []).flatMap((order) => (state ? pausesOf(order, state) : []))
  const awaited = pauses
    .filter(({ from, to }) => from <= ended + (RETURN + UNEXPECTED) * 1000 && to > ended)
    .map(({ to }) => to + RETURN * 1000)
  const from = Math.max(ended, ...awaited)
  return [{ words: `${title(showId)}, of which nothing ran any more, ended`, from, to: endedAt, within: UNEXPECTED }]
}

function plannedEnds({ showId, state, endedAt }: Live): Delay[] {
  const from = Date.parse(state?.plannedEndAt ?? '')
  const asked = lastChange(state)
  return [{ words: `${title(showId)} ended`, from: Math.max(from, asked), to: endedAt, within: PLANNED }]
}

/** Returns the end of a show that was asked to stop: its next poll notices the request, if the request itself did not end it. */
function requestedEnds({ showId, state, liveAt, endedAt }: Live): Delay[] {
  if (!state?.stopAskedAt) return []
  const from = Math.max(liveAt, Date.parse(state.stopAskedAt))
  return [{ words: `${title(showId)} ended on request`, from, to: endedAt, within: UNEXPECTED }]
}

/** Returns the time by which the next poll detects the last change of the duration. */
const lastChange = (state: ShowEvidence['state']) =>
  Math.max(
    0,
    ...(state?.timeline ?? []).filter(({ what }) => what === 'control.duration').map(({ at }) => Date.parse(at)),
  ) +
  (UNEXPECTED - PLANNED) * 1000

/** Returns the ends of everything that ran when the show ended. */
const endings = ({ endedAt, changes }: Live): Delay[] =>
  endsOf(changes, endedAt).map(({ what, to }) => ({
    ...{ words: `${what} was stopped with its show`, from: endedAt, to, within: PLANNED },
  }))

/** Returns the ends of everything that ran when a stop was requested. */
function stops({ state, changes }: Live): Delay[] {
  if (!state?.stopAskedAt) return []
  const from = Date.parse(state.stopAskedAt)
  return endsOf(changes, from).map(({ what, to }) => ({
    ...{ words: `${what} was stopped on request`, from, to, within: STOP },
  }))
}

/** Returns when everything ended that ran at a time; never, if it runs on. */
function endsOf(changes: Live['changes'], from: number): { readonly what: string; readonly to: number }[] {
  const ran = new Map<string, TimedStatusChange>()
  for (const one of changes) if (one.at < from) ran.set(one.id, one)
  const running = [...ran.values()].filter(({ status }) => !endedStatuses.has(status))
  return running.map(({ id, kind, tag }) => {
    const end = changes.find((one) => one.id === id && one.at >= from && endedStatuses.has(one.status))
    return { what: `the ${kind} ${tag}`, to: end?.at ?? Number.POSITIVE_INFINITY }
  })
}

/** Returns the ends of broadcasts that were asked to stop while their show continued, also of a part that started meanwhile. */
function broadcastStops({ state, changes, endedAt }: Live): Delay[] {
  const asked = new Map(state?.broadcasts.map(({ name, stopAskedAt }) => [name, stopAskedAt]))
  const starts = changes.filter(({ kind, status, at }) => kind === 'broadcast' && status === 'started' && at < endedAt)
  return starts.flatMap((start): Delay[] => {
    const stopAskedAt = asked.get(partOfTag(start.tag)?.name ?? '')
    if (stopAskedAt === undefined) return []
    const end = changes.find((one) => one.id === start.id && one.at >= start.at && endedStatuses.has(one.status))
    const from = Math.max(Date.parse(stopAskedAt), start.at)
    const to = end?.at ?? endedAt
    return [{ words: `the broadcast ${start.tag} was stopped on request`, from, to, within: UNEXPECTED }]
  })
}

/** Returns the cues that were due a while before the end, without markers, which nothing carries out. Each is noted once, when it was carried out or failed. */
function cues({ request, state, liveAt, endedAt }: Live): Delay[] {
  return (request?.show.cues ?? []).flatMap(({ at, marker }, index): Delay[] => {
    const from = liveAt + at * 1000
    if (marker !== undefined || from > endedAt - CUE * 1000) return []
    const id = `cue-${index + 1}`
    const noted = state?.timeline.find((entry) => entry.what.startsWith('cue.') && entry.id === id)
    const words = `${id} was ${noted ? 'carried out' : 'not carried out until its show ended'}`
    return [{ words, from, to: noted ? Date.parse(noted.at) : endedAt, within: CUE }]
  })
}

const title = (showId: string) => `the show ${showId.slice(0, 12)}`
