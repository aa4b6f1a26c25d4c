import type { Manifest } from '../../publish/manifest/manifest.ts'
import type { BroadcastState, RecordingState } from '../../show/state/resources.ts'
import type { ShowResult } from '../../show/state/result.ts'
import type { ShowState } from '../../show/state/state.ts'
import type { ShowUsage } from '../../show/state/usage.ts'

/** Minutes on the platform. */
export interface CountedMinutes {
  /** Of all recordings together. */
  readonly recordings: number
  /** Of all broadcasts together. */
  readonly broadcasts: number
  /** Of all participants together; absent while Insights have not reported them. */
  readonly participants?: number
}

interface Records {
  readonly state: ShowState
  readonly result: ShowResult | undefined
  readonly usage: ShowUsage | undefined
  readonly manifests: readonly Pick<Manifest, 'archiveId' | 'duration'>[]
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Counts the minutes of a show on the platform until now, from its records. */
export function countMinutes({ state, result, usage, manifests, now }: Records): CountedMinutes {
  const end = state.endedAt === undefined ? now : Date.parse(state.endedAt)
  const secondsSince = (from: string | undefined, to = end) =>
    from === undefined ? 0 : Math.max(0, (to - Date.parse(from)) / 1000)
  const recorded = ({ tag, archiveId, createdAt, stoppedAt }: RecordingState) =>
    result?.recordings.find((one) => one.tag === tag)?.duration ??
    manifests.find((one) => one.archiveId === archiveId)?.duration ??
    secondsSince(createdAt, millis(stoppedAt))
  const broadcast = ({ name, part, createdAt, stopAskedAt }: BroadcastState) => {
    const next = state.broadcasts.find((one) => one.name === name && one.part === part + 1)
    return secondsSince(createdAt, millis(next?.createdAt ?? stopAskedAt))
  }
  const { meetings } = usage ?? {}
  return {
    recordings: minutesOf(state.recordings.map(recorded)),
    broadcasts: minutesOf(state.broadcasts.map(broadcast)),
    ...(meetings && { participants: sumOf(meetings.map(({ participantMinutes }) => participantMinutes)) }),
  }
}

const millis = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time))

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0)

const minutesOf = (seconds: readonly number[]) => sumOf(seconds) / 60
