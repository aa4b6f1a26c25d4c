import { FRAMES_PER_SECOND } from '../../../../lib/media/composite/plan-composite.ts'
import { MediaError } from '../../../../lib/media/media-error.ts'
import type { ServiceDependencies } from '../../../../lib/services.ts'
import { COMPOSITE, type MediaFacts } from './media-facts.ts'

type MediaFunctions = NonNullable<ServiceDependencies['media']>

/** Makes short texts of the streams of an individual archive, and an MP4 that states its facts. */
export const simulatedComposites: Pick<MediaFunctions, 'encodeCompositePiece' | 'mixAudio' | 'assembleComposite'> = {
  async *encodeCompositePiece(_archive, { pictures }, { start, end }) {
    yield Buffer.from(`${pictures.length} pictures from frame ${start} to ${end}\n`)
  },
  async *mixAudio(_archive, { voices }) {
    yield Buffer.from(`${voices.length} voices\n`)
  },
  async *assembleComposite(pieces, audio, { width, height, frames }) {
    if (pieces.length === 0) throw new MediaError('A composite without pieces has nothing to show.')
    const files = audio ? [...pieces, audio] : pieces
    const texts = await Promise.all(files.map((file) => file.read(0, file.size)))
    const size = 0 // it is never cut off
    const facts: MediaFacts = {
      ...{ id: COMPOSITE, seconds: frames / FRAMES_PER_SECOND, size, resolution: `${width}x${height}` },
      ...{ hasVideo: true, hasAudio: audio !== null },
    }
    yield Buffer.from(`composite\n${JSON.stringify(facts)}\n`)
    yield* texts
  },
}
