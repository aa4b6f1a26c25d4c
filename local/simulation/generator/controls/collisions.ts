import { limits } from '../../../../lib/platform/contract/limits.ts'
import { maxSecondsOf } from '../../../../lib/show/document/duration.ts'
import type { ShowDocument } from '../../../../lib/show/document/show.ts'
import type { Draws } from '../draws.ts'
import type { Control, PlannedControl } from './controls.ts'

/** Seconds before the limit of an archive at which its next part begins. */
const LEAD = 120

/** Draws up to two controls at the very second of a planned start or stop. A fifth of all shows have some. */
export function randomCollisions(draws: Draws, show: ShowDocument): PlannedControl[] {
  const { chance, between, oneOf, times } = draws
  if (chance(0.8)) return []
  return times(between(1, 2), (index) => {
    const posts = oneOf([1, 1, 2])
    return {
      ...{ at: oneOf(momentsOf(show)), after: 'live', key: `collision-${index}`, posts },
      together: posts > 1 && chance(0.5),
      control: collidingControl(draws, show, index),
    }
  })
}

/** Returns the seconds of live time at which parts of a show begin or end. */
function momentsOf(show: ShowDocument): number[] {
  const end = maxSecondsOf(show)
  const nextPart = limits.archiveDuration.value - LEAD
  const pauses = show.recordings.flatMap((recording) => recording.pauses ?? [])
  return [0, 0, ...pauses.flatMap(({ from, to }) => [from, to]), ...(nextPart < end ? [nextPart] : []), end]
}

/** Draws a control that starts or stops something. */
function collidingControl({ oneOf }: Draws, show: ShowDocument, index: number): Control {
  const { recordings, broadcasts = [] } = show
  const kinds: readonly (() => Control)[] = [
    () => ({ what: 'stop' }),
    () => ({ what: 'change', endsIn: 0 }),
    () => ({ what: 'broadcast', order: { name: `colliding-${index}`, hls: {} } }),
    () => ({ what: 'dialIn', order: { name: `colliding-${index}`, uri: 'sip:colliding@example.com' } }),
    ...(recordings.length > 0
      ? (['pause', 'resume'] as const).map((what) => () => ({ what, recording: oneOf(recordings).name }))
      : []),
    ...(broadcasts.length > 0 ? [() => ({ what: 'stopBroadcast' as const, broadcast: oneOf(broadcasts).name })] : []),
  ]
  return oneOf(kinds)()
}
