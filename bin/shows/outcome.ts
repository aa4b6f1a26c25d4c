import type { ShowSnapshot } from './poll-show.ts'

/** A show that has ended, as commands print it. The `status` of a resource is the one that the platform reported. */
export interface Outcome {
  readonly showId: string
  readonly status: string
  readonly reason: string
  readonly sessionId: string | undefined
  readonly recordings: readonly {
    readonly name: string
    /** From 1. A long recording has several parts. */
    readonly part: number
    readonly tag: string
    readonly archiveId: string | undefined
    readonly status: string | undefined
    readonly key: string | undefined
    readonly size: number | undefined
    readonly duration: number | undefined
    /** Status of the manifest; null if there is none. */
    readonly published: string | null
    readonly problem?: string
  }[]
  readonly broadcasts: readonly {
    readonly name: string
    readonly part: number
    readonly broadcastId: string | undefined
    readonly status: string | undefined
    readonly hls: string | undefined
  }[]
}

/** Returns the outcome of a show from its last snapshot. */
export function outcomeOf({ show, published }: ShowSnapshot): Outcome {
  const { showId, status, sessionId, result } = show
  return {
    showId,
    status,
    reason: result?.reason ?? '',
    sessionId,
    recordings: (result?.recordings ?? []).map(({ name, part, tag, archiveId, status, key, size, duration, lost }) => {
      const recording = published.find((one) => one.archiveId === archiveId)
      const problem = lost ?? recording?.message
      const state = recording?.status ?? null
      return { name, part, tag, archiveId, status, key, size, duration, published: state, ...(problem && { problem }) }
    }),
    broadcasts: (result?.broadcasts ?? []).map(({ name, part, broadcastId, status, hls }) => ({
      name,
      part,
      broadcastId,
      status,
      hls,
    })),
  }
}

/** Names a part of a recording or broadcast. The first part has the name of the whole. */
export const labelOf = ({ name = '', part = 1 }: { readonly name?: string; readonly part?: number }): string =>
  part === 1 ? name : `${name} (part ${part})`

/** Returns true if the show, its broadcasts and the publishing of every recording succeeded. A stopped show counts as well. */
export const isSuccess = ({ status, recordings, broadcasts }: Outcome) =>
  (status === 'succeeded' || status === 'stopped') &&
  recordings.every(({ published }) => published === 'complete') &&
  broadcasts.every(({ status }) => status === 'stopped')
