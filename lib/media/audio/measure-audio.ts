import type { Readable } from 'node:stream'
import { feedFfmpeg, startFfmpeg } from '../ffmpeg/ffmpeg.ts'
import { MediaError } from '../media-error.ts'
import { requireRecordingLength } from '../recording-length.ts'
import type { TimeRange } from '../time-range.ts'
import { type Loudness, parseLoudness } from './loudness.ts'
import { createSilenceFinder } from './silences.ts'
import { createWaveform, type Waveform } from './waveform.ts'

export interface MeasureAudioOptions {
  readonly ffmpegPath: string
  /** An audio-only file with its index in front, as `copyAudio` makes it. */
  readonly m4a: AsyncIterable<Uint8Array>
  readonly channels: number
  /** Seconds, from the start of the recording to the end of its audio; what comes after is not measured. */
  readonly duration: number
}

export interface AudioMeasures {
  /** Null where nothing is loud enough to be measured. */
  readonly loudness: Loudness | null
  readonly waveform: Waveform
  /** Of at least 2 s and below -50 dB, in order; of more than 500 the longest. */
  readonly silences: readonly TimeRange[]
}

const SAMPLE_RATE = 48_000
/** Samples of each channel in 10 ms, the shortest that is judged. */
const BLOCK = SAMPLE_RATE / 100
/** ffmpeg fills a gap at once, in memory: this is enough for twelve minutes of one channel, or six of two. */
const GAP_BYTES = String(2 ** 27)
/** The summary of the loudness is shorter. */
const LAST_WORDS = 4000

/**
 * Measures loudness, waveform and silences in one pass: ffmpeg decodes the audio once, measures its loudness and hands on the
 * samples. Memory is flat in the length of the audio. Gaps count as silence, so that times are those of the recording.
 * @throws MediaError for audio of more than 24 h or with a gap of many minutes, and when it cannot be decoded; whatever `m4a` throws, unchanged
 */
export async function measureAudio({
  ffmpegPath,
  m4a,
  channels,
  duration,
}: MeasureAudioOptions): Promise<AudioMeasures> {
  requireRecordingLength('The audio', duration)
  const heard = Math.min(channels, 2)
  const ffmpeg = startFfmpeg(ffmpegPath, decoding(heard, duration), ['pipe', 'pipe', 'pipe'])
  let words = ''
  ffmpeg.child.stderr?.on('data', (text: string) => {
    words = (words + text).slice(-LAST_WORDS)
  })
  const blocks = createBlockReader(heard)
  const waveform = createWaveform({ seconds: duration, sampleRate: SAMPLE_RATE, blockSamples: BLOCK })
  const silences = createSilenceFinder(BLOCK / SAMPLE_RATE)
  const measured = (async () => {
    for await (const bytes of ffmpeg.child.stdout as Readable) {
      blocks.read(bytes, ({ low, high, meanSquare }) => {
        waveform.add(low, high)
        silences.add(meanSquare)
      })
    }
  })()
  measured.catch(() => {}) // ffmpeg that was killed
  await feedFfmpeg(ffmpeg, m4a)
  await measured
  const loudness = parseLoudness(words)
  if (blocks.count() === 0 || loudness === undefined) throw new MediaError('The audio cannot be decoded.')
  return { loudness, waveform: waveform.finish(), silences: silences.finish() }
}

/** `-copyts` keeps the time at which audio begins, which `aresample` then fills with silence, as it does with gaps. */
function decoding(channels: number, duration: number): string[] {
  const graph = '[0:a]aresample=async=1:first_pts=0,asplit[a][b];[a]ebur128=peak=true:framelog=verbose[loudness]'
  const length = ['-t', duration.toFixed(3)]
  const samples = ['-ac', String(channels), '-ar', String(SAMPLE_RATE), '-f', 's16le', 'pipe:1']
  return [
    ...[
      '-loglevel',
      'level+info',
      '-nostats',
      '-max_alloc',
      GAP_BYTES,
      '-copyts',
      '-f',
      'mp4',
      '-i',
      'pipe:0',
      '-filter_complex',
      graph,
    ],
    ...['-map', '[b]', ...length, ...samples, '-map', '[loudness]', ...length, '-f', 'null', '-'],
  ]
}

/** What is known of 10 ms, over all channels; samples have 16 bits. */
interface Block {
  readonly low: number
  readonly high: number
  readonly meanSquare: number
}

/** Cuts what comes through a pipe, in pieces of any length, into blocks; what is left at the end is no block. */
function createBlockReader(channels: number) {
  const bytes = Buffer.alloc(BLOCK * channels * 2)
  const samples = new Int16Array(bytes.buffer, bytes.byteOffset, BLOCK * channels)
  let filled = 0
  let count = 0
  return {
    count: () => count,
    read(piece: Buffer, take: (block: Block) => void) {
      for (let at = 0; at < piece.length; ) {
        const copied = piece.copy(bytes, filled, at)
        at += copied
        filled += copied
        if (filled < bytes.length) return
        filled = 0
        count += 1
        take(survey(samples))
      }
    },
  }
}

function survey(samples: Int16Array): Block {
  let low = 0
  let high = 0
  let squares = 0
  for (let n = 0; n < samples.length; n++) {
    const sample = samples[n] as number
    if (sample < low) low = sample
    else if (sample > high) high = sample
    squares += sample * sample
  }
  return { low, high, meanSquare: squares / samples.length }
}
