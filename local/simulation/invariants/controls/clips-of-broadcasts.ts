import type { ClipRecord } from '../../../../lib/publish/manifest/clip.ts'
import { publishingOf } from '../../../../lib/show/document/publishing.ts'
import { isFragmented } from '../../environment/media/live-segments.ts'
import type { Evidence } from '../evidence.ts'
import { partRunsOf } from '../parts/part-runs.ts'

const CLIPS = /^\/shows\/([^/]+)\/clips$/
/** Difference of seconds that rounding explains. */
const ROUNDING = 0.01
/** Seconds that every broadcast keeps, but for the segment that it is writing. */
const KEPT = 50
/** Seconds around the start of a recording or a broadcast from which on clips can be cut: clocks differ. */
const NEAR = 12
/** Seconds by which a clip may end before its request: a segment, the repetition of the request, and clocks that differ. */
const BEHIND = 45
/** Seconds before a clip in which a fault may keep its broadcast from being read. */
const READING = 60
/** Seconds after which a broadcast has segments. */
const FILLED = 20

/** Matches the key of the record of a clip. */
const RECORD = /^recordings\/[^/]+\/clips\/[^/]+\/clip\.json$/

interface Order {
  readonly last?: number
  readonly from?: number | string
  readonly to?: number | string
}

interface Answer {
  readonly from: number
  readonly to: number
}

/**
 * Checks the clips of live shows. Seconds that are ordered are kept, but for the end of what is kept. A clip of the last seconds
 * lasts as long as was ordered, unless what it is cut of begins later, and ends shortly before its first request. So does one
 * that waits for its recording, which no clip does while its broadcast can be read.
 */
export function clipsOfBroadcasts(
  seen: Pick<Evidence, 'apiRequests' | 'shows' | 'statusChanges' | 'objects' | 'trace'>,
): string[] {
  return [...clipsOfOtherTimes(seen), ...clipsThatWait(seen), ...clipsInVain(seen)]
}

const clipsIn = (objects: Evidence['objects']): ClipRecord[] =>
  [...objects].flatMap(([key, { text }]) => (RECORD.test(key) ? [JSON.parse(text) as ClipRecord] : []))

/** Finds clips that wait for a recording without HLS by its order. */
function clipsInVain({
  objects,
  shows,
  statusChanges,
}: Pick<Evidence, 'objects' | 'shows' | 'statusChanges'>): string[] {
  return clipsIn(objects).flatMap(({ clipId, queued, archiveId }) => {
    const { show } = shows.find(({ showId }) => showId === queued?.showId)?.request ?? {}
    const [, name = ''] = statusChanges.find(({ id }) => id === archiveId)?.tag?.split('/') ?? []
    if (!show || !name) return []
    const { formats } = publishingOf(show, name)
    const isComposed = show.recordings.find((one) => one.name === name)?.outputMode === 'individual'
    const hasHls = formats.includes('hls') && (!isComposed || formats.includes('composite'))
    return hasHls ? [] : [`the clip ${clipId} waits for the recording ${name}, which is published without HLS`]
  })
}

function clipsThatWait({
  objects,
  statusChanges,
  trace,
}: Pick<Evidence, 'objects' | 'statusChanges' | 'trace'>): string[] {
  const faults = trace.filter(({ fault }) => fault !== undefined).map(({ at }) => at)
  return clipsIn(objects).flatMap(({ clipId, queued, createdAt }) => {
    if (!queued) return []
    const at = Date.parse(createdAt)
    if (faults.some((one) => one >= at - READING * 1000 && one <= at)) return []
    const begun = partRunsOf(queued.showId, 'broadcast', statusChanges).filter(
      ({ name, from }) => name === queued.broadcast && from <= at,
    )
    const [only] = begun.length === 1 ? begun : []
    const isReadable = only && isFragmented(only.id) && only.from + FILLED * 1000 <= at && at < only.to
    return isReadable
      ? [`the clip ${clipId} waits for its recording, although the broadcast ${only.name} can be read`]
      : []
  })
}

function clipsOfOtherTimes({
  apiRequests,
  shows,
  statusChanges,
}: Pick<Evidence, 'apiRequests' | 'shows' | 'statusChanges'>): string[] {
  const accepted = apiRequests.filter(
    ({ method, path, status }) => method === 'POST' && CLIPS.test(path) && status === 202,
  )
  return accepted.flatMap(({ path, key, body, answer, answeredAt }) => {
    const [, showId = ''] = CLIPS.exec(path) ?? []
    const { last, ...ordered } = JSON.parse(body) as Order
    const { from, to } = JSON.parse(answer) as Answer
    const { liveAt = '', markers = [] } = shows.find((show) => show.showId === showId)?.state ?? {}
    const began = Date.parse(liveAt)
    if (ordered.from === LAST_MARKER) {
      const marked = markedBefore(path.replace(/clips$/, 'markers'), answeredAt, { apiRequests, markers })
      if (marked !== undefined && Math.abs(from - (marked - began) / 1000) > ROUNDING)
        return [describe(showId)(`begins at ${from} s, and not at its last marker`)]
    }
    if (last === undefined || Number.isNaN(began)) return problemsOfTimes(ordered, { from, to }, showId)
    const runs = (['archive', 'broadcast'] as const).flatMap((kind) => partRunsOf(showId, kind, statusChanges))
    const starts = [0, ...runs.map((run) => (run.from - began) / 1000)]
    const isShortened = to - from >= KEPT || starts.some((start) => Math.abs(from - start) <= NEAR)
    const first = Math.min(
      ...apiRequests.filter((one) => one.path === path && one.key === key).map((one) => one.askedAt),
    )
    const seconds = Math.round((to - from) * 1000) / 1000
    return [
      ...(seconds > last + ROUNDING ? [`lasts ${seconds} s, and not ${last} s`] : []),
      ...(seconds < last - ROUNDING && !isShortened ? [`lasts ${seconds} s, although ${last} s are kept`] : []),
      ...((first - began) / 1000 - to > BEHIND ? ['ends long before it was requested'] : []),
      ...(to - (answeredAt - began) / 1000 > NEAR ? ['ends after it was requested'] : []),
    ].map(describe(showId))
  })
}

/** The time of the latest marker. */
const LAST_MARKER = 'last marker'

interface Marked {
  readonly apiRequests: Evidence['apiRequests']
  readonly markers: readonly { readonly title: string; readonly at: string }[]
}

/**
 * Returns the latest time of the markers that were requested before a time, in milliseconds since the epoch; undefined if one was
 * requested at about that time.
 */
function markedBefore(path: string, time: number, { apiRequests, markers }: Marked): number | undefined {
  const requests = apiRequests.filter((one) => one.method === 'POST' && one.path === path && one.status === 200)
  if (requests.some(({ askedAt }) => Math.abs(askedAt - time) <= NEAR * 1000)) return undefined
  const labels = requests.filter(({ answeredAt }) => answeredAt < time).map(({ body }) => JSON.parse(body).label)
  const times = markers.filter(({ title }) => labels.includes(title)).map(({ at }) => Date.parse(at))
  return times.length > 0 ? Math.max(...times) : undefined
}

/** Compares the times of a clip with those that were ordered in seconds. */
function problemsOfTimes(ordered: Order, { from, to }: Answer, showId: string): string[] {
  const differs = typeof ordered.from === 'number' && Math.abs(from - ordered.from) > ROUNDING
  const isLater = typeof ordered.to === 'number' && to > ordered.to + ROUNDING
  const isEarlier = typeof ordered.to === 'number' && to < ordered.to - NEAR
  return [
    ...(differs ? [`begins at ${from} s, and not at ${ordered.from} s`] : []),
    ...(isLater || isEarlier ? [`ends at ${to} s, and not at ${ordered.to} s`] : []),
  ].map(describe(showId))
}

const describe = (showId: string) => (problem: string) => `a clip of the show ${showId.slice(0, 12)} ${problem}`
