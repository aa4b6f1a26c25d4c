import type { Readable } from 'node:stream'
import { feedFfmpeg, startFfmpeg } from '../ffmpeg/ffmpeg.ts'
import { MediaError } from '../media-error.ts'
import { requireRecordingLength } from '../recording-length.ts'
import type { TimeRange } from '../time-range.ts'
import { createWaveform, type Waveform } from './waveform.ts'

export interface MeasureAudioOptions {
  readonly ffmpegPath: string
  /** An audio-only file with its index in front, as `copyAudio` writes it. */
  readonly m4a: AsyncIterable<Uint8Array>
  readonly channels: number
  /** Seconds from the start of the recording to the end of its audio; the rest is not measured. */
  readonly duration: number
}

export interface AudioMeasures {
  /** Null where the audio is too quiet to measure. */
  readonly loudness: Loudness | null
  readonly waveform: Waveform
  /** Passages of at least 2 s below -50 dB, in order; the 500 longest if there are more. */
  readonly silences: readonly TimeRange[]
}

const SAMPLE_RATE = 48_000
/** Samples of each channel in 10 ms, the shortest unit measured. */
const BLOCK = SAMPLE_RATE / 100
/** Bytes: ffmpeg fills a gap in one allocation. Enough for twelve minutes of one channel, or six of two. */
const GAP_BYTES = String(2 ** 27)
/** Characters of standard error that are kept; the loudness summary is shorter. */
const LAST_WORDS = 4000

/**
 * Measures loudness, waveform and silences in one pass: ffmpeg decodes the audio once, measures its loudness and
 * outputs the samples. Memory does not grow with the duration. Gaps count as silence, so that times are those of the
 * recording.
 * @throws {@link MediaError} for audio of more than 24 h, with a gap of many minutes, or that cannot be decoded; errors
 *   of `m4a` pass through unchanged
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
  measured.catch(() => {}) // feedFfmpeg reports the failure
  await feedFfmpeg(ffmpeg, m4a)
  await measured
  const loudness = parseLoudness(words)
  if (blocks.count() === 0 || loudness === undefined) throw new MediaError('The audio cannot be decoded.')
  return { loudness, waveform: waveform.finish(), silences: silences.finish() }
}

/** `-copyts` keeps the time at which audio begins. `aresample` then fills it with silence, as it does gaps. */
function decoding(channels: number, duration: number): string[] {
  const graph = '[0:a]aresample=async=1:first_pts=0,asplit[a][b];[a]ebur128=peak=true:framelog=verbose[loudness]'
  const length = ['-t', duration.toFixed(3)]
  const samples = ['-ac', String(channels), '-ar', String(SAMPLE_RATE), '-f', 's16le', 'pipe:1']
  return [
    ...['-loglevel', 'level+info', '-nostats', '-max_alloc', GAP_BYTES, '-copyts', '-f', 'mp4', '-i', 'pipe:0'],
    ...['-filter_complex', graph],
    ...['-map', '[b]', ...length, ...samples, '-map', '[loudness]', ...length, '-f', 'null', '-'],
  ]
}

/** Extremes and power of 10 ms over all channels; samples have 16 bits. */
interface Block {
  readonly low: number
  readonly high: number
  readonly meanSquare: number
}

/** Divides the output of a pipe, in chunks of any length, into blocks. An incomplete last block is dropped. */
function createBlockReader(channels: number) {
  const bytes = Buffer.alloc(BLOCK * channels * 2)
  const samples = new Int16Array(bytes.buffer, bytes.byteOffset, BLOCK * channels)
  let filled = 0
  let count = 0
  return {
    count: () => count,
    read(chunk: Buffer, take: (block: Block) => void) {
      for (let at = 0; at < chunk.length; ) {
        const copied = chunk.copy(bytes, filled, at)
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

/** Loudness as EBU R128 defines it. */
interface Loudness {
  /** LUFS of the whole recording, without silent passages. */
  readonly integrated: number
  /** LU between quiet and loud passages (LRA). */
  readonly range: number
  /** dBTP: the highest value of the wave between samples; above 0 where it is clipped. */
  readonly truePeak: number
}

/** LUFS; the lowest value of the scale. ffmpeg reports it for audio that is too quiet to measure. */
const SILENCE_LUFS = -70

/** Parses the last summary of ffmpeg's `ebur128` filter; null for silence, undefined without a summary. */
export function parseLoudness(words: string): Loudness | null | undefined {
  const summary = words.slice(words.lastIndexOf('Integrated loudness:'))
  const figure = (pattern: RegExp) => Number((pattern.exec(summary)?.[1] ?? 'nan').replace('inf', 'Infinity'))
  const integrated = figure(/I:\s+(\S+) LUFS/)
  const range = figure(/LRA:\s+(\S+) LU/)
  const truePeak = figure(/Peak:\s+(\S+) dBFS/)
  if ([integrated, range, truePeak].some(Number.isNaN)) return undefined
  return integrated > SILENCE_LUFS ? { integrated, range, truePeak } : null
}

/** dB below full scale; quieter audio is silence: below the noise of a room, above that of an encoder. */
const QUIETEST_DB = -50
/** Seconds; shorter pauses are part of speech. */
const MIN_SILENCE = 2
/** Bounds the document that lists them; the longest are kept. */
export const MAX_SILENCES = 500

const QUIETEST_MEAN_SQUARE = (32_768 * 10 ** (QUIETEST_DB / 20)) ** 2

/** Creates a finder of silences in consecutive blocks of samples of `blockSeconds` each. */
export function createSilenceFinder(blockSeconds: number) {
  const found: TimeRange[] = []
  let blocks = 0
  let quietSince: number | undefined
  const close = () => {
    if (quietSince === undefined) return
    const silence = { start: toMilliseconds(quietSince * blockSeconds), end: toMilliseconds(blocks * blockSeconds) }
    if (silence.end - silence.start >= MIN_SILENCE) found.push(silence)
    quietSince = undefined
  }
  return {
    /** @param meanSquare mean of the squared 16-bit samples */
    add(meanSquare: number) {
      if (meanSquare >= QUIETEST_MEAN_SQUARE) close()
      else quietSince ??= blocks
      blocks += 1
    },
    /** Returns silences of at least 2 s, in order; the 500 longest if there are more. */
    finish(): TimeRange[] {
      close()
      const longest = found.toSorted((a, b) => b.end - b.start - (a.end - a.start)).slice(0, MAX_SILENCES)
      return longest.sort((a, b) => a.start - b.start)
    },
  }
}

const toMilliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000
