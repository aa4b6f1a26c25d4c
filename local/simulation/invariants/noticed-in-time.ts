import { isTagOf } from '../../../lib/show/document/fields/names.ts'
import type { Seen } from '../environment/resources.ts'
import { BEGINNING } from '../world.ts'
import type { Evidence, ShowEvidence } from './evidence.ts'

/** Seconds within which an end that nobody planned is noticed, a planned one comes, and a stop that is asked for acts. */
const UNEXPECTED = 60
const PLANNED = 10
const STOP = 5
/** Seconds before something in which what goes wrong may delay that it is noticed: retries, and outages of ten minutes. */
const EXCUSED = 900
const FAULT = / fault: /
/** What goes wrong with the show itself is what has to be noticed; events are no more than hints. */
const TO_BE_NOTICED = / fault: (the .+ breaks|everybody leaves|the event .+ comes (twice|late)|lists lag behind by .+)$/

const ENDED: ReadonlySet<string> = new Set(['stopped', 'uploaded', 'available', 'failed', 'expired', 'deleted'])

interface Live extends ShowEvidence {
  readonly liveAt: number
  readonly endedAt: number
  /** Changes of its archives and broadcasts, in order. */
  readonly changes: readonly Seen[]
}

/** Issue 4's latencies, where nothing went wrong on the way: they hold by the platform's own clock. */
export function detectedInTime({ shows, seen, trace }: Evidence): string[] {
  const faults = trace
    .filter((line) => FAULT.test(line) && !TO_BE_NOTICED.test(line))
    .map((line) => BEGINNING + Number.parseFloat(line) * 1000)
  const isExcused = (from: number, to: number) => faults.some((at) => at >= from - EXCUSED * 1000 && at <= to)
  const live = shows.flatMap((show): Live[] => {
    const { liveAt, endedAt } = show.state ?? {}
    const changes = seen.filter(
      ({ kind, tag }) => (kind === 'archive' || kind === 'broadcast') && isTagOf(show.showId, tag),
    )
    return liveAt && endedAt ? [{ ...show, liveAt: Date.parse(liveAt), endedAt: Date.parse(endedAt), changes }] : []
  })
  return live.flatMap((show) =>
    [...breaks(show), ...earlyEnds(show), ...plannedEnds(show), ...stops(show)]
      .filter(({ from, to, within }) => to - from > within * 1000 && !isExcused(from, from + within * 1000))
      .map(({ words, from, to }) => `${words} after ${(to - from) / 1000} s`),
  )
}

/** Something that happened, and when something was done about it; milliseconds. */
interface Delay {
  readonly words: string
  readonly from: number
  readonly to: number
  /** Seconds. */
  readonly within: number
}

/** Parts that failed while the show was live; the last ones may be noticed by what comes after its end. */
function breaks({ state, liveAt, endedAt, changes }: Live): Delay[] {
  const failed = changes.filter(({ status, at }) => status === 'failed' && at >= liveAt && at < endedAt)
  return failed.flatMap(({ kind, id, tag, at }) => {
    const what = kind === 'archive' ? 'recording.failed' : 'broadcast.failed'
    const parts = [...(state?.recordings ?? []), ...(state?.broadcasts ?? [])]
    const part = parts.find(
      (one) => ('archiveId' in one ? one.archiveId : 'broadcastId' in one && one.broadcastId) === id,
    )
    if (!part) return [] // another one of its tag, which the first invariant is about
    const noticed = state?.timeline.find(
      (one) => one.what === what && one.name === part.name && one.part === part.part && !one.id,
    )
    const to = noticed ? Date.parse(noticed.at) : Number.POSITIVE_INFINITY
    return [{ words: `it was noticed that the ${kind} ${tag} had failed`, from: at, to, within: UNEXPECTED }]
  })
}

/** Nothing runs any more: the show is over. One whose parts broke waits a while for what can go on. */
function earlyEnds({ showId, liveAt, endedAt, changes }: Live): Delay[] {
  const before = changes.filter(({ at }) => at <= endedAt)
  if (before.length === 0 || before.some(({ status }) => status === 'failed')) return []
  const latest = new Map(before.map((one) => [one.id, one]))
  if ([...latest.values()].some(({ status }) => !ENDED.has(status))) return []
  const ends = before.filter(({ status }) => status === 'stopped').map(({ at }) => at)
  const from = Math.max(liveAt, ...ends)
  return [{ words: `${title(showId)}, of which nothing ran any more, ended`, from, to: endedAt, within: UNEXPECTED }]
}

function plannedEnds({ showId, state, endedAt }: Live): Delay[] {
  const from = Date.parse(state?.plannedEndAt ?? '')
  const asked = lastChange(state)
  return [{ words: `${title(showId)} ended`, from: Math.max(from, asked), to: endedAt, within: PLANNED }]
}

/** An end that has just been moved is noticed by the next look. */
const lastChange = (state: ShowEvidence['state']) =>
  Math.max(
    0,
    ...(state?.timeline ?? []).filter(({ what }) => what === 'control.duration').map(({ at }) => Date.parse(at)),
  ) +
  (UNEXPECTED - PLANNED) * 1000

/** What ran when a stop was asked for, and when it ended. */
function stops({ state, changes }: Live): Delay[] {
  if (!state?.stopAskedAt) return []
  const from = Date.parse(state.stopAskedAt)
  const ran = new Map<string, Seen>()
  for (const one of changes) if (one.at < from) ran.set(one.id, one)
  const running = [...ran.values()].filter(({ status }) => !ENDED.has(status))
  return running.map(({ id, kind, tag }) => {
    const end = changes.find((one) => one.id === id && one.at >= from && ENDED.has(one.status))
    const words = `the ${kind} ${tag} was stopped on request`
    return { words, from, to: end?.at ?? Number.POSITIVE_INFINITY, within: STOP }
  })
}

const title = (showId: string) => `the show ${showId.slice(0, 12)}`
