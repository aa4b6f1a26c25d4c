import { maxSecondsOf } from '../../../lib/show/document/duration.ts'
import type { ShowDocument } from '../../../lib/show/document/show.ts'
import type { Draws } from './draws.ts'
import { randomNextLayout } from './layouts.ts'

type Cue = NonNullable<ShowDocument['cues']>[number]

/** Draws one to eight cues, of which some are due at once, and some together, and up to four markers. */
export function randomCues(draws: Draws, show: ShowDocument): Cue[] {
  const { recordings, broadcasts = [] } = show
  const duration = maxSecondsOf(show)
  const { oneOf, between, chance, times, maybe } = draws
  const composed = [
    ...recordings.filter(({ outputMode }) => outputMode !== 'individual').map(({ name }) => ({ recording: name })),
    ...broadcasts.map(({ name }) => ({ broadcast: name })),
  ]
  const cues = times(between(1, 8), (): Cue => {
    const at = chance(0.2) ? 0 : between(0, duration - 1)
    const signal = { type: 'cue', data: oneOf(['next', 'ß'.repeat(1_000)]) }
    if (composed.length === 0 || chance(0.5)) return { at, signal }
    return { at, ...oneOf(composed), layout: randomNextLayout(draws) }
  })
  if (recordings.length === 0) return cues
  const markers = times(between(0, 4), () => ({
    ...{ at: between(0, duration - 1), marker: oneOf(['Talk', 'Q & A <live>', 'ß'.repeat(100)]) },
    ...maybe(0.3, 'recording', () => oneOf(recordings).name),
  }))
  return [...cues, ...markers]
}
