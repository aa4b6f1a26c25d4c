import type { Format } from '../../../../lib/show/document/publishing.ts'
import type { ClipMaker } from './clip-maker.ts'

/** Formats of a composed archive with video and audio. Its chapters are left out: no file of the corpus has any. */
export const EVERY_FORMAT = [
  'poster',
  'faststart',
  'hls',
  'renditions',
  'thumbnails',
  'audio',
] as const satisfies readonly Format[]

/** A file as it may arrive, and the outcome of its publish. */
export interface ArrivingFile {
  readonly name: string
  /** Mode of its archive. @default `composed` */
  readonly mode?: 'individual'
  readonly make: (maker: ClipMaker) => Promise<Uint8Array>
  readonly expect: {
    readonly status: 'complete' | 'failed'
    /** Message of the manifest, except that the platform does not know the archive. @default no other message */
    readonly message?: RegExp
    /** Formats that are published, and no others. @default every format, if the publish is complete */
    readonly formats?: readonly (typeof EVERY_FORMAT)[number][]
  }
}
