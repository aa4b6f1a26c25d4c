import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { FilePathSource, Input, type InputTrack, MATROSKA, MP4, QTFF, WEBM } from 'mediabunny'
import { runFfmpeg } from '../../../../lib/media/ffmpeg/ffmpeg.ts'
import { MediaError } from '../../../../lib/media/media-error.ts'
import { FRAMES_PER_SECOND } from '../timebase.ts'
import { fileTracksOf, probingArguments, type Track } from './arguments.ts'
import type { SourceFile } from './source-file.ts'

const MAX = { width: 1280, height: 720 }
/** Minimum length: each pass starts processes, so that a very short file would do nothing else. */
const MIN_FRAMES = FRAMES_PER_SECOND

/**
 * Inspects an mp4 or webm, and decodes the first frame of each track.
 * @throws {@link MediaError} for a file that cannot be a source
 */
export async function openSourceFile(ffmpegPath: string, path: string): Promise<SourceFile> {
  const file = await readFacts(resolve(path))
  if (!file.hasAudio && !file.hasVideo) throw new MediaError('The file has neither video nor audio.')
  if (file.frames < MIN_FRAMES)
    throw new MediaError('The file is shorter than a second: use a longer one; it is played in a loop.')
  const tracks = fileTracksOf(file)
  if (await canDecode(ffmpegPath, file, tracks)) return file
  for (const track of tracks) {
    if (!(await canDecode(ffmpegPath, file, [track])))
      throw new MediaError(`The ${track} of the file cannot be decoded by ffmpeg: use another file or codec.`)
  }
  return file
}

async function readFacts(path: string): Promise<SourceFile> {
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
  if (!isFile) throw new MediaError('The file does not exist on the machine of the sandbox: check its path.')
  const input = new Input({ formats: [MP4, QTFF, WEBM, MATROSKA], source: new FilePathSource(path) })
  try {
    const format = await input.getFormat()
    const [video, audio] = await Promise.all([input.getPrimaryVideoTrack(), input.getPrimaryAudioTrack()])
    const size = video ? fit(await video.getDisplayWidth(), await video.getDisplayHeight()) : { width: 2, height: 2 }
    return {
      ...{ type: 'file', path, ...size, hasAudio: audio !== null, hasVideo: video !== null },
      format: format === MP4 || format === QTFF ? 'mov' : 'matroska',
      frames: await countFrames(video, audio),
      ...(video && { videoCodec: nameOf(await video.getCodec()) }),
      ...(audio && { audioCodec: nameOf(await audio.getCodec()) }),
    }
  } catch (cause) {
    throw new MediaError('The file is not a readable mp4 or webm.', { cause })
  } finally {
    input.dispose()
  }
}

/** Returns the name of a codec in Insights. */
const nameOf = (codec: string | null) => (codec === 'avc' ? 'H264' : codec?.toUpperCase())

/** Rounds audio down: less than a frame is the encoder's padding, and must not delay the next pass. */
async function countFrames(video: InputTrack | null, audio: InputTrack | null): Promise<number> {
  const begins = await Promise.all([video, audio].map((track) => track?.getFirstTimestamp() ?? Infinity))
  const [videoEnd = 0, audioEnd = 0] = await Promise.all([video, audio].map((track) => track?.computeDuration() ?? 0))
  const start = Math.max(0, Math.min(...begins)) // ffmpeg counts from the start of the file
  const framesUntil = (end: number) => Number(((end - start) * FRAMES_PER_SECOND).toFixed(3))
  return Math.max(Math.ceil(framesUntil(videoEnd)), Math.floor(framesUntil(audioEnd)))
}

function fit(width: number, height: number) {
  const scale = Math.min(1, MAX.width / width, MAX.height / height)
  const even = (length: number) => Math.max(2, 2 * Math.round((length * scale) / 2))
  return { width: even(width), height: even(height) }
}

async function canDecode(ffmpegPath: string, file: SourceFile, tracks: readonly Track[]): Promise<boolean> {
  try {
    const lines = (await runFfmpeg(ffmpegPath, probingArguments(file, tracks))).toString()
    return lines.split('\n').filter((line) => line && !line.startsWith('#')).length === tracks.length
  } catch (error) {
    if (error instanceof MediaError) return false
    throw error
  }
}
