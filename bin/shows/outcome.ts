import type { ShowSnapshot } from './poll-show.ts'

/** A show that has ended, as commands print it. */
export type Outcome = ReturnType<typeof outcomeOf>

/** Returns the outcome of a show from its last snapshot. The `status` of a resource is the one that the platform reported. */
export function outcomeOf({ show, published }: ShowSnapshot) {
  const { showId, status, sessionId, result } = show
  const recordings = result?.recordings ?? []
  const broadcasts = result?.broadcasts ?? []
  return {
    showId,
    status,
    reason: result?.reason ?? '',
    sessionId,
    recordings: recordings.map(({ name, part, tag, archiveId, status, key, size, duration, lost }) => {
      const recording = published.find((one) => one.archiveId === archiveId)
      const problem = lost ?? recording?.message
      const state = recording?.status ?? null
      const isPlayable = state === 'ready' || state === 'complete'
      const watch = isPlayable && recording?.watch ? { watch: recording.watch.url } : {}
      const facts = { name, part, tag, archiveId, status, key, size, duration }
      return { ...facts, published: state, ...watch, ...(problem && { problem }) }
    }),
    broadcasts: broadcasts.map(({ name, part, broadcastId, status, hls, rtmp = [] }) => ({
      name,
      part,
      broadcastId,
      status,
      hls,
      rtmp: rtmp.map(({ id, status }) => ({ id, status })),
    })),
  }
}

/** Names a part of a recording or broadcast. The first part has the name of the whole. */
export const labelOf = ({ name = '', part = 1 }: { name?: string | undefined; part?: number | undefined }): string =>
  part === 1 ? name : `${name} (part ${part})`

/** The success of a show and the sentence that states it, for the exit code and the last line of a command. */
export interface Verdict {
  readonly isSuccess: boolean
  readonly sentence: string
}

/**
 * Judges a show. It succeeded if its status says so, or it was stopped, and every file and broadcast is in order. A recording
 * that is `ready` can be watched, so it counts as published. An RTMP output may still be connecting when a short show ends.
 */
export function verdictOf({ status, recordings, broadcasts }: Outcome): Verdict {
  const stored = recordings.filter(({ key }) => key !== undefined)
  const unpublished = stored.filter(({ published }) => published === null || published === 'failed')
  const unfinished = stored.filter(({ published }) => published === 'ready')
  const unsent = broadcasts.filter((one) => one.status !== undefined && one.status !== 'stopped')
  const offAir = broadcasts.filter(({ rtmp }) => rtmp.some((output) => output.status === 'connecting'))
  const how = phrases.get(status) ?? `The show is ${status}`
  if (status !== 'succeeded' && status !== 'stopped') return failure(`${how}.`)
  if (unpublished.length > 0) return failure(`Not published: ${labels(unpublished)}.`)
  if (unsent.length > 0) return failure(`Not broadcast to the end: ${labels(unsent)}.`)
  if (offAir.length > 0) return failure(`${how}, but it ended before every output was on the air: ${labels(offAir)}.`)
  if (stored.length === 0) return success(`${how}.`)
  if (unfinished.length > 0) return success(`${how}. Playable, with some files missing: ${labels(unfinished)}.`)
  return success(`${how}, and every recording is published.`)
}

/** Beginnings of sentences about a show, by its status. */
const phrases: ReadonlyMap<string, string> = new Map([
  ['succeeded', 'The show succeeded'],
  ['stopped', 'The show was stopped'],
  ['failed', 'The show failed'],
  ['degraded', 'Every recording is there, but an output of a broadcast was off the air'],
  ['cancelled', 'The show was cancelled, and nothing is lost'],
])

const labels = (parts: readonly Parameters<typeof labelOf>[0][]) => parts.map(labelOf).join(', ')
const success = (sentence: string): Verdict => ({ isSuccess: true, sentence: `✔ ${sentence}` })
const failure = (sentence: string): Verdict => ({ isSuccess: false, sentence: `✖ ${sentence}` })
