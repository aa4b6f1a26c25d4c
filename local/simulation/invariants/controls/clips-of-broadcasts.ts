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

interface Answer {
  readonly from: number
  readonly to: number
}

/**
 * Checks the times of the clips of live shows. A clip of the last seconds lasts as long as was ordered, unless what it is cut of begins
 * later, and ends shortly before its first request. So does one that waits for its recording.
 */
export function clipsOfBroadcasts({
  apiRequests,
  shows,
  statusChanges,
}: Pick<Evidence, 'apiRequests' | 'shows' | 'statusChanges'>): string[] {
  const accepted = apiRequests.filter(
    ({ method, path, status }) => method === 'POST' && CLIPS.test(path) && status === 202,
  )
  return accepted.flatMap(({ path, key, body, answer, answeredAt }) => {
    const [, showId = ''] = CLIPS.exec(path) ?? []
    const { last } = JSON.parse(body) as { readonly last?: number }
    const began = Date.parse(shows.find((show) => show.showId === showId)?.state?.liveAt ?? '')
    if (last === undefined || Number.isNaN(began)) return []
    const { from, to } = JSON.parse(answer) as Answer
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
    ].map((problem) => `a clip of the show ${showId.slice(0, 12)} ${problem}`)
  })
}
