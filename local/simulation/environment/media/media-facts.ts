import { createHash } from 'node:crypto'

/** Damage of a recording: of its index, its picture, its audio or its packets. Other codecs can be copied only. */
const mediaDamages = ['index', 'picture', 'audio', 'packets', 'other codec'] as const
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
