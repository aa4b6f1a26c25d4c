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
      return { name, part, tag, archiveId, status, key, size, duration, published: state, ...(problem && { problem }) }
    }),
    broadcasts: broadcasts.map(({ name, part, broadcastId, status, hls }) => ({
      name,
      part,
      broadcastId,
      status,
      hls,
    })),
  }
}

/** Names a part of a recording or broadcast. The first part has the name of the whole. */
export const labelOf = ({ name = '', part = 1 }: { name?: string | undefined; part?: number | undefined }): string =>
  part === 1 ? name : `${name} (part ${part})`

/** Returns true if the show, its broadcasts and the publishing of every recording succeeded. A stopped show counts as well. */
export const isSuccess = ({ status, recordings, broadcasts }: Outcome) =>
  (status === 'succeeded' || status === 'stopped') &&
  recordings.every(({ published }) => published === 'complete') &&
  broadcasts.every(({ status }) => status === 'stopped')
