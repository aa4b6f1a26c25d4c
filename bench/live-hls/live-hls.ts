import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { findFfmpeg } from '../../lib/media/ffmpeg/find-ffmpeg.ts'
import { writeLivePlaylist } from '../../lib/media/hls/live/live-playlist.ts'
import { createLiveTimeline, LIVE_SEGMENT_SECONDS } from '../../lib/media/hls/live/live-timeline.ts'
import { findChromium } from '../../local/sandbox/composers/chromium/find-chromium.ts'
import { type Bench, createBench, type Measurement, measurement } from '../bench.ts'
import { startSubprocess } from '../subprocess.ts'
import type { HoursAnswer } from './hours-process.ts'
import type { LadderAnswer, LadderOptions, LadderQuestion } from './ladder-process.ts'
import { type ClipTimes, measureClips } from './measure-clips.ts'
import { measureHours } from './measure-hours.ts'
import { type GlassToGlass, measureLatency, measureMirrored } from './measure-latency.ts'
import type { PackageAnswer, PackageOptions, PackageQuestion } from './package-process.ts'

/** Amounts of each measurement, in seconds unless the name says another unit. */
export interface LiveHlsAmounts {
  /** Time for which a page is read. */
  readonly watched: number
  /** Length of the media that is encoded and packaged. */
  readonly packaged: number
  /** Length of a broadcast with a ladder. */
  readonly laddered: number
  /** Length of the broadcasts whose memory is measured. */
  readonly hours: number
  /** Length of a clip. */
  readonly clipped: number
}

const standard: LiveHlsAmounts = { watched: 300, packaged: 120, laddered: 120, hours: 12, clipped: 60 }

/** Hours after which a reload is measured. */
const HOURS = 4
/** Latency in milliseconds that 95 % of the readings may have. */
const MAX_LATENCY = 2_000

const atMost = (bound: number) => ({ atMost: bound, of: 'value' }) as const

/** Measures live HLS: the latency in a browser, the costs of packaging, and clips. */
export const createLiveHlsBench = (amounts: LiveHlsAmounts = standard): Bench =>
  createBench('live HLS: glass to glass in Chromium, packaging, reloads, clips', async (onStep, signal) => {
    const { watched, packaged, laddered, hours, clipped } = amounts
    const chromium = await findChromium()
    if (!chromium) throw new Error('This bench needs Chromium: install it, or set CHROME_PATH to it.')
    const measuring = { executablePath: chromium, seconds: watched, signal }
    onStep(
      `watching a broadcast with low latency by three players, ${watched} s each, beside the console and a recording`,
    )
    const latencies = await measureLatency(measuring)
    onStep(`watching a broadcast that is mirrored in a bucket, ${watched} s`)
    const mirrored = await measureMirrored(measuring)
    onStep(`packaging ${packaged} s of 720p`)
    const cpu = await measurePackaging(packaged, signal)
    onStep(`broadcasting 720p and 360p for ${laddered} s`)
    const ladder = await measureLadder(laddered, signal)
    onStep(`packaging broadcasts of ${hours} h`)
    const whole = await measureHours({ dvr: true, hours }, signal)
    const window = await measureHours({ dvr: false, hours }, signal)
    onStep(`cutting clips of ${clipped} s out of a live show`)
    const clips = await measureClips(clipped, signal)
    return [
      ...latencies.flatMap((one) => latencyOf(`glass to glass with ${one.player}`, one, atMost(MAX_LATENCY))),
      ...latencyOf(`glass to glass from a bucket with ${mirrored.player}`, mirrored),
      measurement(`${packaged} s of 720p, to ffmpeg’s segments of 6 s`, 'CPU s', cpu.sandbox, cpu.ffmpeg, {
        atMost: 1.2,
      }),
      measurement('720p and 360p in real time, late frames', 'frames', ladder.late, null, atMost(0)),
      measurement('720p and 360p in real time, newest part behind the clock, p95', 's', ladder.behind, null),
      measurement('720p and 360p in real time, of two cores', 'cores', ladder.cores, 2, { atMost: 1 }),
      ...memoryOf(`a broadcast of ${hours} h with DVR`, whole),
      ...memoryOf(`a broadcast of ${hours} h`, window, { atMost: 1.1 }),
      reloadBytes(),
      ...clipsOf(`the first clip of ${clipped} s after a start`, clips.first),
      ...clipsOf(`a clip of ${clipped} s of a live show`, clips.later),
    ]
  })

const latencyOf = (work: string, { p50, p95, firstFrame }: GlassToGlass, goal?: Measurement['goal']): Measurement[] => [
  measurement(`${work}, p50`, 'ms', p50, null),
  measurement(`${work}, p95`, 'ms', p95, null, goal),
  measurement(`${work}, opening the page to its first frame`, 's', firstFrame, null),
]

/** Compares memory at the end with memory after an hour. */
function memoryOf(work: string, { held, resident }: HoursAnswer, goal?: Measurement['goal']): Measurement[] {
  const inMegabytes = (bytes: number | undefined) => (bytes === undefined ? null : bytes / 1e6)
  const compared = (what: string, values: readonly number[], bound?: Measurement['goal']) =>
    measurement(`${work}, ${what}, to after 1 h`, 'MB', inMegabytes(values.at(-1)), inMegabytes(values[0]), bound)
  return [compared('what the packager holds', held, goal), compared('memory of its process', resident)]
}

const clipsOf = (work: string, { firstFrame, mp4 }: ClipTimes): Measurement[] => [
  measurement(`${work}, to its first frame`, 'ms', firstFrame, null, atMost(300)),
  measurement(`${work}, to its MP4`, 'ms', mp4, null, atMost(2_000)),
]

async function measurePackaging(seconds: number, signal: AbortSignal) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'showrunner-bench-'))
  const options: PackageOptions = { ffmpegPath: await findFfmpeg(), directory: folder.path }
  await using program = await startSubprocess(new URL('./package-process.ts', import.meta.url), options, signal)
  const measure = async (by: PackageQuestion['by']) =>
    (await program.ask<PackageAnswer>({ by, seconds } satisfies PackageQuestion)).cpu
  await measure('sandbox') // compiles
  return { ffmpeg: await measure('ffmpeg'), sandbox: await measure('sandbox') }
}

async function measureLadder(seconds: number, signal: AbortSignal): Promise<LadderAnswer> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'showrunner-bench-'))
  const options: LadderOptions = { ffmpegPath: await findFfmpeg(), directory: folder.path }
  await using program = await startSubprocess(new URL('./ladder-process.ts', import.meta.url), options, signal)
  return await program.ask<LadderAnswer>({ seconds } satisfies LadderQuestion)
}

/** Compares the compressed bytes of a playlist with DVR, as a delta update and whole. */
function reloadBytes(): Measurement {
  const segments = Array.from({ length: (HOURS * 3600) / LIVE_SEGMENT_SECONDS }, (_, index) => ({
    ...{ file: 'media-0.m4s', offset: 0, size: 0, duration: LIVE_SEGMENT_SECONDS },
    start: Date.UTC(2026, 0, 1) + 1000 * LIVE_SEGMENT_SECONDS * index,
  }))
  const timeline = createLiveTimeline(segments)
  const bytes = (skip: boolean) =>
    gzipSync(writeLivePlaylist(timeline, { kind: 'event', lowLatency: false, skip })).length
  const work = `reload with DVR after ${HOURS} h, to the whole`
  return measurement(work, 'bytes', bytes(true), bytes(false), atMost(10_000))
}
