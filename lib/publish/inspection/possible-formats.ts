import type { ByteSource } from '../../media/byte-source.ts'
import { renditionsBelow } from '../../media/hls/ladder.ts'
import { planPieces } from '../../media/hls/pieces.ts'
import { MediaError } from '../../media/media-error.ts'
import type { Format } from '../../show/document/publishing.ts'
import type { TaskOutput } from '../../tasks/tasks.ts'
import type { Facts } from './facts.ts'

type Inspected = TaskOutput<'inspectRecording'>

/** The wanted formats that can be made of a file, and the pieces that it is divided into. */
export interface Possible extends Pick<Inspected, 'formats' | 'pieces'> {
  /** Why formats cannot be made: one sentence each. */
  readonly problems: string[]
}

/** Formats that need video. */
const pictures: readonly Format[] = ['poster', 'renditions', 'thumbnails']
const inPlaylists: readonly Format[] = ['hls', 'renditions']

/**
 * Returns the formats that a file allows. A file that does not fit HLS gets every other format.
 * @throws errors of the source unchanged
 */
export async function possibleOf(
  source: ByteSource,
  { video, audio }: Facts,
  wanted: readonly Format[],
  ladder: Inspected['ladder'],
): Promise<Possible> {
  const leftOut = new Set<Format>(video ? ['composite'] : ['composite', ...pictures])
  if (video && renditionsBelow(video, ladder).length === 0) leftOut.add('renditions')
  const problems: string[] = []
  if (video && video.codec !== 'h264') {
    for (const format of [...pictures, 'chapters'] as const) leftOut.add(format)
    problems.push(`Its video is ${video.codec}: pictures, chapters and renditions are made of h264 only.`)
  }
  if (audio && audio.codec !== 'aac') {
    for (const format of ['audio', 'chapters'] as const) leftOut.add(format)
    problems.push(`Its audio is ${audio.codec}: the audio file, waveform and chapters are made of aac only.`)
  }
  const plan = wanted.includes('hls') ? await planPieces(source).catch(reportMedia(problems)) : undefined
  if (!plan) for (const format of inPlaylists) leftOut.add(format)
  return { formats: wanted.filter((format) => !leftOut.has(format)), pieces: plan ? [...plan.pieces] : [], problems }
}

const reportMedia = (problems: string[]) => (error: unknown) => {
  if (!(error instanceof MediaError)) throw error
  problems.push(error.message)
  return undefined
}
