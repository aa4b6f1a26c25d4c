import type { WatchedRecordingLink, WatchedShow } from '../../../lib/api/watched-show.ts'
import type { Show } from '../../../lib/show/document/show.ts'
import { isTerminal, type ShowState } from '../../../lib/show/state/state.ts'
import type { ShownRecording } from './show-recordings.ts'

/** The changing part of a watched show. */
export type ShowProgress = Pick<WatchedShow, 'phase' | 'startsAt' | 'live' | 'recordings' | 'isPublishing'>

/** Returns the phase of a show. It is over for viewers once its broadcasts have stopped, although files are still uploaded. */
export function phaseOf(state: ShowState | undefined): WatchedShow['phase'] {
  if (!state || ['scheduled', 'starting', 'waiting'].includes(state.status)) return 'before'
  if (isTerminal(state.status)) return 'after'
  return state.status === 'ending' && !runningBroadcast(state) ? 'after' : 'live'
}

/** Returns the part that runs of the first broadcast that browsers can play. */
export function liveOf(state: ShowState, { broadcasts }: Pick<Show, 'broadcasts'>): WatchedShow['live'] {
  const current = runningBroadcast(state)
  if (!current?.hls) return null
  const order = current.order ?? broadcasts.find(({ name }) => name === current.name)
  return { playlist: current.hls, dvr: order?.hls?.dvr ?? false, lowLatency: order?.hls?.lowLatency ?? false }
}

function runningBroadcast({ broadcasts }: ShowState) {
  const running = broadcasts.filter(({ hls, problem, status }) => hls && !problem && status !== 'stopped')
  return running.findLast(({ name }) => name === running[0]?.name)
}

/** Returns links to the recordings that are published. */
export const linksTo = (recordings: readonly ShownRecording[], startedAt: string | null): WatchedRecordingLink[] =>
  recordings.flatMap(({ name, path }) => (path === undefined ? [] : { name, path, startedAt }))
