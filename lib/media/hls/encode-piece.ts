import type { Readable, Writable } from 'node:stream'
import type { ByteSource } from '../byte-source.ts'
import { type FfmpegProcess, startFfmpeg } from '../ffmpeg/ffmpeg.ts'
import { readFfmpegBuild } from '../ffmpeg/ffmpeg-build.ts'
import { MediaError } from '../media-error.ts'
import { type EncodedRendition, layOutRendition } from './encoded-rendition.ts'
import { writeInitSegment } from './init-segment.ts'
import type { SizedRendition } from './ladder.ts'
import { type OpenPiece, type OpenTrack, withPiece } from './open-piece.ts'
import type { Span } from './packets/samples.ts'
import type { VideoFacts } from './packets/tracks.ts'
import { renditionArguments } from './rendition-arguments.ts'

export type { EncodedRendition }

/** Takes the bytes of a rendition's object in their order, as cutPiece's TakeBytes does. */
export type TakeRenditionBytes = (rendition: string, bytes: Buffer) => Promise<void>

export interface EncodeOptions {
  readonly ffmpegPath: string
}

/**
 * Encodes a piece of a recording in smaller sizes, all from one decoding, as H.264 in the same layout as cutPiece gives it: the
 * same frames at the same times, segments beginning with the same ones, so that a player switches where it wants. Audio is not
 * touched. The same piece gives the same bytes with the same ffmpeg. A piece without video, or no renditions, give none.
 * @throws MediaError for a file that cutPiece does not take, for video that cannot be decoded, and when ffmpeg fails; whatever
 *   the source or the taker rejects with, unchanged
 */
export function encodePiece(
  source: ByteSource,
  piece: Span,
  renditions: readonly SizedRendition[],
  take: TakeRenditionBytes,
  { ffmpegPath }: EncodeOptions,
): Promise<EncodedRendition[]> {
  return withPiece(source, piece, ['video'], async (open) => {
    if (!open.video || open.video.list.samples.length === 0 || renditions.length === 0) return []
    const { timescale, lead } = open.video.facts
    const segmentStarts = open.video.index.segments.map(({ start }) => Math.round(start * timescale) + lead)
    const pipes = renditions.map(() => 'pipe' as const)
    const { frameTiming } = await readFfmpegBuild(ffmpegPath)
    const ffmpeg = startFfmpeg(ffmpegPath, renditionArguments(renditions, { timescale, segmentStarts, frameTiming }), [
      ...(['pipe', 'ignore', 'pipe'] as const),
      ...pipes,
    ])
    return run(ffmpeg, open, open.video, renditions, take)
  })
}

/** The first of all that fails is the reason; then ffmpeg is ended, and with it the rest. */
async function run(
  ffmpeg: FfmpegProcess,
  open: OpenPiece,
  video: OpenTrack<VideoFacts>,
  renditions: readonly SizedRendition[],
  take: TakeRenditionBytes,
): Promise<EncodedRendition[]> {
  const { child, ended } = ffmpeg
  let reason: { readonly error: unknown } | undefined
  const orEnd = <T>(work: Promise<T>) =>
    work.catch((error: unknown) => {
      reason ??= { error }
      child.kill('SIGKILL')
      return undefined
    })
  const outputs = renditions.map((rendition, index) => {
    const pipe = child.stdio[3 + index] as Readable
    return orEnd(
      layOutRendition(
        pipe,
        rendition,
        video,
        open.passing((bytes: Buffer) => take(rendition.name, bytes)),
      ),
    )
  })
  const fed = orEnd(feed(ffmpeg, open, video))
  const encoded = await Promise.all(outputs)
  await Promise.all([fed, orEnd(ended)])
  if (reason) throw reason.error
  return encoded.map((rendition) => {
    if (!rendition) throw new MediaError('The video cannot be decoded: no frame of the piece came out of ffmpeg.')
    return rendition
  })
}

/** On ffmpeg's timeline is also what lies before the start: hence no edit list. */
async function feed({ child, ended }: FfmpegProcess, open: OpenPiece, { facts }: OpenTrack<VideoFacts>): Promise<void> {
  const stdin = child.stdin as Writable
  const write = async (bytes: Buffer) => {
    const failed = await new Promise<boolean>((resolve) => stdin.write(bytes, (error) => resolve(Boolean(error))))
    if (!failed) return
    await ended // tells why
    throw new MediaError('ffmpeg stopped reading the piece before its end.')
  }
  await write(writeInitSegment({ ...facts, lead: 0 }))
  await open.copy((_, bytes) => write(bytes))
  stdin.end()
}
