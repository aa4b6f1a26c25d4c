import type { Format } from '../../../../lib/show/document/publishing.ts'
import { COMPOSITE, damageOf, type MediaFacts, sizeOf } from '../../environment/media/media-facts.ts'

/** The outcome that the documents allow for one requested format. */
export type Expected = 'made' | 'missing' | 'none' | 'optional'

/** Pixels of the shorter side from which a recording has a smaller size. */
const WITH_RENDITIONS = 720

/**
 * Returns the outcome of each requested format by the facts of a recording. A format that the recording cannot have is
 * `none`, and one that its damage prevents is `missing`. Chapters are optional here: `published-chapters.ts` judges them.
 */
export function expectedFormats(facts: MediaFacts, wanted: readonly Format[]): ReadonlyMap<Format, Expected> {
  return new Map(wanted.map((format) => [format, expectedOf(format, facts, wanted)]))
}

function expectedOf(format: Format, facts: MediaFacts, wanted: readonly Format[]): Expected {
  const { hasVideo, hasAudio, id } = facts
  const damage = damageOf(id)
  const picture = damage === 'picture' ? 'missing' : 'made'
  const isOtherCodec = hasVideo && damage === 'other video codec'
  switch (format) {
    case 'poster':
    case 'thumbnails':
      return hasVideo && !isOtherCodec ? picture : 'none'
    case 'renditions': {
      const { width, height } = sizeOf(facts)
      if (!hasVideo || isOtherCodec || damage === 'packets' || !wanted.includes('hls')) return 'none'
      return Math.min(width, height) >= WITH_RENDITIONS ? picture : 'optional'
    }
    case 'faststart':
      return 'made'
    case 'hls':
      return damage === 'packets' ? 'missing' : 'made'
    case 'audio':
      if (!hasAudio || damage === 'other audio codec') return 'none'
      return damage === 'audio' ? 'missing' : 'made'
    case 'chapters':
      return 'optional'
    case 'composite':
      return id === COMPOSITE ? 'made' : 'none'
  }
}
