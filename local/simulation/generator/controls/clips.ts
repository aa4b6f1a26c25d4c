import { maxSecondsOf } from '../../../../lib/show/document/duration.ts'
import type { ShowDocument } from '../../../../lib/show/document/show.ts'
import type { Chaos } from '../../chaos/chaos.ts'
import type { Draws } from '../draws.ts'
import type { PlannedControl } from './controls.ts'

/** Draws up to three requests for a clip of the last seconds. Half of all shows with a broadcast by HLS have some. */
export function randomClips(
  { chance, between, logUniform, oneOf, times }: Draws,
  show: ShowDocument,
): PlannedControl[] {
  const { broadcasts = [] } = show
  if (broadcasts.every(({ hls }) => hls === undefined) || chance(0.5)) return []
  return times(between(1, 3), (index) => {
    const posts = oneOf([1, 1, 2])
    return {
      ...{ at: between(1, maxSecondsOf(show)), after: 'live', key: `clip-${index}`, posts },
      together: posts > 1 && chance(0.5),
      control: { what: 'clip', name: `Clip ${index}`, last: logUniform(1, 3_600) },
    }
  })
}

/** Seconds from a clip to the failure of the first recording: a clip that waits is queued by then. */
const QUEUED = 5

/** A show with an early clip. It waits for a recording if the playlists of its broadcast cannot be read then. */
export interface WaitingClip {
  readonly show: ShowDocument
  readonly control: PlannedControl
  /** Failures of all its recordings; empty for a clip that is cut. */
  readonly failures: NonNullable<Chaos['failures']>
}

/**
 * Draws a clip early in a show that publishes HLS, and often the loss of all recordings, for one of which it may wait. Half of all shows with a
 * recording and a broadcast by HLS have it.
 */
export function randomWaitingClip({ chance, between, times }: Draws, show: ShowDocument): WaitingClip | undefined {
  const { broadcasts = [], recordings } = show
  const isPossible = recordings.length > 0 && broadcasts.some(({ hls }) => hls !== undefined)
  if (!isPossible || chance(0.5)) return undefined
  const at = between(30, Math.min(maxSecondsOf(show) - QUEUED, 240))
  const fails = chance(0.6)
  return {
    show: { ...show, publish: { ...show.publish, formats: ['hls', 'composite'] } },
    control: {
      ...{ at, after: 'live', key: 'waiting-clip', posts: 1, together: false },
      control: { what: 'clip', name: 'A clip that waits', last: between(1, 20) },
    },
    failures: fails ? times(recordings.length, (index) => ({ at: at + QUEUED + index, of: 'archive' })) : [],
  }
}
