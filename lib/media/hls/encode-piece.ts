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

/** Receives the bytes of a rendition's object in order, as TakeBytes does for cutPiece. */
export type TakeRenditionBytes = (rendition: string, bytes: Buffer) => Promise<void>

export interface EncodeOptions {
  readonly ffmpegPath: string
}

/**
 * Encodes a piece of a recording in smaller sizes, all from one decoding, as H.264 in the layout of cutPiece: the same
 * frames at the same times, and segments that begin with the same frames, so that a player can switch at any of them.
 * Leaves audio out. The same piece gives the same bytes with the same ffmpeg. Returns none for a piece without video or
 * without renditions.
 * @throws {@link MediaError} for a file that cutPiece refuses, for video that cannot be decoded, and when ffmpeg fails;
 *   errors of the source and of `take` pass through unchanged
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
    const { frameTiming } = await readFfmpegBuild(ffmpegPath)
    const ffmpeg = startFfmpeg(ffmpegPath, renditionArguments(renditions, { timescale, segmentStarts, frameTiming }), [
      ...(['pipe', 'ignore', 'pipe'] as const),
      ...renditions.map(() => 'pipe' as const),
    ])
    return run(ffmpeg, open, open.video, renditions, take)
  })
}

/** Runs ffmpeg with all outputs. The first failure is the reason; it kills ffmpeg and thereby ends the rest. */
async function run(
  ffmpeg: FfmpegProcess,
  open: OpenPiece,
  video: OpenTrack<VideoFacts>,
  renditions: readonly SizedRendition[],
  take: TakeRenditionBytes,
): Promise<EncodedRendition[]> {
  const { child, ended } = ffmpeg
  let reason: { readonly error: unknown } | undefined
  const orKill = <T>(work: Promise<T>) =>
    work.catch((error: unknown) => {
      reason ??= { error }
      child.kill('SIGKILL')
      return undefined
    })
  const outputs = renditions.map((rendition, index) => {
    const pipe = child.stdio[3 + index] as Readable
    return orKill(
      layOutRendition(
        pipe,
        rendition,
        video,
        open.passing((bytes: Buffer) => take(rendition.name, bytes)),
      ),
    )
  })
  const fed = orKill(feed(ffmpeg, open, video))
  const encoded = await Promise.all(outputs)
  await Promise.all([fed, orKill(ended)])
  if (reason) throw reason.error
  return encoded.map((rendition) => {
    if (!rendition) throw new MediaError('The video cannot be decoded: ffmpeg returned no frame of the piece.')
    return rendition
  })
}

/** Feeds ffmpeg. Its timeline includes the time before 0, so there is no edit list. */
async function feed({ child, ended }: FfmpegProcess, open: OpenPiece, { facts }: OpenTrack<VideoFacts>): Promise<void> {
  const stdin = child.stdin as Writable
  const write = async (bytes: Buffer) => {
    const failed = await new Promise<boolean>((resolve) => stdin.write(bytes, (error) => resolve(Boolean(error))))
    if (!failed) return
    await ended // rejects with the reason
    throw new MediaError('ffmpeg stopped reading the piece before its end.')
  }
  await write(writeInitSegment({ ...facts, lead: 0 }))
  await open.copy((_, bytes) => write(bytes))
  stdin.end()
}
