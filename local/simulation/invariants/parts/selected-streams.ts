import type { Evidence } from '../evidence.ts'
import { partRunsOf } from './part-runs.ts'
import { watchFaultsIn } from './watch-faults.ts'

const DONE = 200
/** Seconds before a start in which a selection may still change. */
const CHANGING = 60
/** Seconds after a start within which its streams are selected. */
const WITHIN = 120
/** Seconds before a start in which a fault may prevent a selection. */
const EXCUSED = 600
const LEAVES = /^platform leaveSession$/
const SELECTS = /^platform changeArchiveStreams$/

/** Checks that the next part of a recording with selected streams begins with those of the part before it. */
export function selectedStreams({
  shows,
  apiRequests,
  statusChanges,
  trace,
  failedCalls,
}: Pick<Evidence, 'shows' | 'apiRequests' | 'statusChanges' | 'trace' | 'failedCalls'>): string[] {
  const left = trace.filter(({ call }) => LEAVES.test(call?.name ?? '')).map(({ at }) => at)
  const faults = watchFaultsIn({ trace, failedCalls })
  return shows.flatMap(({ showId, request }) => {
    const runs = partRunsOf(showId, 'archive', statusChanges)
    const manual = (request?.show.recordings ?? []).filter(({ streamMode }) => streamMode === 'manual')
    return manual.flatMap(({ name }) => {
      const own = runs.filter((run) => run.name === name)
      const changes = changesOf(showId, name, apiRequests)
      return own.flatMap(({ id, part, from }) => {
        const before = own.find((run) => run.part === part - 1)
        if (!before || before.to <= from) return [] // the platform forgets the streams of an archive that has ended
        const latest = changes.filter(({ answeredAt }) => answeredAt < from)
        const isOnlyAdded = latest.length > 0 && latest.every(({ isDone, adds }) => isDone && adds)
        const first = Math.min(...latest.map(({ askedAt }) => askedAt))
        const isChanging = changes.some(
          ({ askedAt, answeredAt }) => answeredAt >= from - CHANGING * 1000 && askedAt <= from + WITHIN * 1000,
        )
        if (!isOnlyAdded || first < before.from || isChanging) return []
        const isUntil = (at: number) => at <= from + WITHIN * 1000
        if (left.some((at) => at >= first && isUntil(at))) return []
        if (faults.some((at) => at >= from - EXCUSED * 1000 && isUntil(at))) return []
        const isSelected = trace.some(
          ({ call, at }) =>
            call &&
            SELECTS.test(call.name) &&
            call.path?.includes(id) &&
            at >= from - CHANGING * 1000 &&
            at <= from + WITHIN * 1000,
        )
        return isSelected ? [] : [`part ${part} of ${name} began without the streams that were selected before`]
      })
    })
  })
}

/** Returns the requests that change the streams of a recording. */
const changesOf = (showId: string, recording: string, requests: Evidence['apiRequests']) =>
  requests.flatMap(({ method, path, body, status, askedAt, answeredAt }) => {
    if (method !== 'PATCH' || path !== `/shows/${showId}` || body === '') return []
    const { streams = [] } = JSON.parse(body) as { readonly streams?: readonly StreamChange[] }
    const own = streams.filter((one) => one.recording === recording)
    return own.length === 0
      ? []
      : [{ askedAt, answeredAt, isDone: status === DONE, adds: own.every(({ addStream }) => addStream !== undefined) }]
  })

interface StreamChange {
  readonly recording?: string
  readonly addStream?: string
}
