import { limits } from '../../../lib/platform/contract/limits.ts'
import { accesses, formats, keepDays } from '../../../lib/show/document/publishing.ts'
import type { ShowDocument } from '../../../lib/show/document/show.ts'
import type { Draws } from './draws.ts'
import { randomComposition, randomStreamMode } from './layouts.ts'
import { randomNames } from './names.ts'

type Recording = ShowDocument['recordings'][number]

/** Draws one to six recordings. One show in 25 has up to fifty. */
export function randomRecordings(draws: Draws, duration: number): Recording[] {
  const count = draws.chance(0.04) ? draws.between(7, 50) : draws.between(1, 6)
  return randomNames(draws, count).map((name) => ({ name, ...randomRecording(draws, duration) }))
}

function randomRecording(draws: Draws, duration: number): Omit<Recording, 'name'> {
  const { chance, maybe, oneOf } = draws
  const individual = chance(0.2)
  const mayEnd = duration <= limits.archiveDuration.value
  return {
    ...(individual ? { outputMode: 'individual' } : maybe(0.3, 'outputMode', () => 'composed' as const)),
    ...(individual ? randomStreamMode(draws) : randomComposition(draws)),
    ...oneOf([
      {},
      {},
      { hasAudio: true },
      { hasVideo: true },
      { hasAudio: true, hasVideo: false },
      { hasAudio: false },
    ]),
    ...maybe(0.4, 'parts', () => !mayEnd || chance(0.5)),
    ...maybe(0.3, 'publish', () => randomRecordingPublishing(draws)),
  }
}

/** Orders composites of half of the individual recordings. */
export const withComposites = (draws: Draws, show: ShowDocument): ShowDocument => ({
  ...show,
  recordings: show.recordings.map((recording) =>
    recording.outputMode === 'individual' && draws.chance(0.5)
      ? { ...recording, publish: { ...recording.publish, formats: draws.oneOf([['composite'], [...formats]]) } }
      : recording,
  ),
})

const randomRecordingPublishing = ({ maybe, oneOf }: Draws): NonNullable<Recording['publish']> => ({
  ...maybe(0.5, 'formats', () => oneOf([[], ['poster'], [...formats]])),
  ...maybe(0.5, 'access', () => oneOf(accesses)),
  ...maybe(0.8, 'keepDays', () => oneOf([...keepDays, null])),
})
