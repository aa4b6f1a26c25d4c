import type { ShowSnapshot } from './follow.ts'

/** A show that has ended, as commands print it. A resource's `status` is the platform's. */
export interface Outcome {
  readonly showId: string
  readonly status: string
  readonly reason: string
  readonly sessionId: string | undefined
  readonly recordings: readonly {
    readonly name: string
    /** From 1: a long recording has several. */
    readonly part: number
    readonly tag: string
    readonly archiveId: string | undefined
    readonly status: string | undefined
    readonly key: string | undefined
    readonly size: number | undefined
    readonly duration: number | undefined
    /** Status of its manifest; null when there is none. */
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

/** What a part of a recording or broadcast is called where people read it. */
export const labelOf = ({ name, part }: { readonly name: string; readonly part: number }) =>
  part === 1 ? name : `${name} (part ${part})`

/**
 * Whether every step really succeeded: the show, also when somebody stopped it, its broadcasts, and the publishing of each
 * recording.
 */
export const isSuccess = ({ status, recordings, broadcasts }: Outcome) =>
  (status === 'succeeded' || status === 'stopped') &&
  recordings.every(({ published }) => published === 'complete') &&
  broadcasts.every(({ status }) => status === 'stopped')
