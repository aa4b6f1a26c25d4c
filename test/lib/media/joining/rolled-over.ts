import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runFfmpeg } from '../../../../lib/media/ffmpeg/ffmpeg.ts'
import { paletteIdentityOf } from '../../../../local/sandbox/media/pattern/palette.ts'
import { createPattern, PATTERN } from '../../../../local/sandbox/media/pattern/pattern.ts'
import { SAMPLES_PER_FRAME } from '../../../../local/sandbox/media/timebase.ts'
import { aac, type Clips } from '../clips.ts'

/** Frames a second. */
const RATE = 30
/** First second of the pattern: a whole one, so that it flashes and beeps at 0. */
const FIRST = 1_795_000_000 * RATE

/** A stretch of one pattern, in frames from its beginning. */
export interface Stretch {
  readonly name: string
  readonly from: number
  readonly until: number
  /** Size of its picture; by default that of the others. */
  readonly encoding?: readonly string[]
}

/** Records stretches of one generated picture and audio, as recorders do that begin and end at different times; gives paths. */
export async function recordStretches(clips: Clips, stretches: readonly Stretch[], encoding: readonly string[]) {
  const last = Math.max(...stretches.map(({ until }) => until))
  const pattern = createPattern('Ada', paletteIdentityOf(0))
  const audio = Buffer.alloc(last * SAMPLES_PER_FRAME * 2)
  async function* pictures() {
    for (let frame = 0; frame < last; frame++) {
      pattern.show(FIRST + frame)
      const samples = pattern.audio
      if (samples)
        Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength).copy(audio, frame * SAMPLES_PER_FRAME * 2)
      yield pattern.picture.data
    }
  }
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${PATTERN.width}x${PATTERN.height}`, '-r', String(RATE)]
  const whole = join(clips.directory, 'pattern.avi')
  const small = ['-vf', 'scale=320:240', '-c:v', 'mpeg4', '-q:v', '2', '-g', '1', '-threads', '1']
  await runFfmpeg(clips.ffmpegPath, [...raw, '-i', 'pipe:0', ...small, whole], pictures())
  const heard = join(clips.directory, 'pattern.pcm')
  await writeFile(heard, audio)
  const inputs = ['-i', whole, '-f', 's16le', '-ar', '48000', '-ac', '1', '-i', heard]
  const outputs = stretches.flatMap(({ name, from, until, encoding: own = encoding }) => [
    ...['-map', '0:v', '-map', '1:a', '-threads', '1'],
    ...['-vf', `trim=start_frame=${from}:end_frame=${until},setpts=PTS-STARTPTS`],
    ...[
      '-af',
      `atrim=start_sample=${from * SAMPLES_PER_FRAME}:end_sample=${until * SAMPLES_PER_FRAME},asetpts=PTS-STARTPTS`,
    ],
    ...['-r', String(RATE)], // ffmpeg 7.0 forgets it at setpts, and takes 25
    ...own,
    ...aac,
    join(clips.directory, name),
  ])
  await runFfmpeg(clips.ffmpegPath, [...inputs, ...outputs])
  return stretches.map(({ name }) => join(clips.directory, name))
}
