import { createHash } from 'node:crypto'

/** Damage of a recording: of its index, its picture, its audio or its packets. Video and audio of other codecs can be copied only. */
const mediaDamages = ['index', 'picture', 'audio', 'packets', 'other video codec', 'other audio codec'] as const
export type MediaDamage = (typeof mediaDamages)[number]

/** The facts that the bytes of an archive state, instead of media. */
export interface MediaFacts {
  /** Id of the archive, or `COMPOSITE`. */
  readonly id: string
  readonly seconds: number
  /** Bytes of the whole file. */
  readonly size: number
  /** Width and height such as `1280x720`. */
  readonly resolution: string
  readonly hasAudio: boolean
  readonly hasVideo: boolean
}

/** Share of each damage. */
const DAMAGED = 1 / 16

/** The id in the facts of a composite, which Showrunner made of an archive. */
export const COMPOSITE = 'composite'

/** Returns the damage of an archive, which follows from its id. A composite has none. */
export function damageOf(archiveId: string): MediaDamage | undefined {
  if (archiveId === COMPOSITE) return undefined
  const share = createHash('sha256').update(archiveId).digest().readUInt16BE() / 2 ** 16
  return mediaDamages[Math.floor(share / DAMAGED)]
}

/** Returns true for an archive whose video or audio has a codec that can be copied only. */
export const hasOtherCodec = (archiveId: string): boolean => /^other /.test(damageOf(archiveId) ?? '')

/** A passage of a recording that is black, silent, or both, in seconds. */
export interface Gap {
  readonly start: number
  readonly end: number
  readonly isBlack: boolean
  readonly isSilent: boolean
}

/** Seconds of a recording up to which it has no gaps. */
const WITHOUT_GAPS = 600

/** Returns the passages of a recording that divide it into chapters, in order: one that is silent, one that is black, and one that is both. */
export function gapsOf({ seconds, hasVideo, hasAudio }: Pick<MediaFacts, 'seconds' | 'hasVideo' | 'hasAudio'>): Gap[] {
  if (seconds <= WITHOUT_GAPS) return []
  const gap = (share: number, length: number, kind: Pick<Gap, 'isBlack' | 'isSilent'>) => {
    const start = Math.floor(seconds * share)
    return { start, end: start + length, ...kind }
  }
  return [
    gap(1 / 4, 6, { isBlack: false, isSilent: hasAudio }),
    gap(1 / 2, 3, { isBlack: hasVideo, isSilent: false }),
    gap(3 / 4, 1.5, { isBlack: hasVideo, isSilent: hasAudio }),
  ]
}

/** Bytes at the start of a file that hold its facts. */
export const FACTS_BYTES = 512

/** Reads the facts at the start of a file; undefined for another file. */
export function factsIn(head: string): MediaFacts | undefined {
  const line = head.split('\n', 2)[1] ?? ''
  return line.startsWith('{') ? (JSON.parse(line) as MediaFacts) : undefined
}

/** Returns the size of the picture in pixels. */
export function sizeOf({ resolution }: Pick<MediaFacts, 'resolution'>): {
  readonly width: number
  readonly height: number
} {
  const [width = 0, height = 0] = resolution.split('x').map(Number)
  return { width, height }
}
