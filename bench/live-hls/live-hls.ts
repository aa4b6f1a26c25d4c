import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { findFfmpeg } from '../../lib/media/ffmpeg/find-ffmpeg.ts'
import { writeLivePlaylist } from '../../lib/media/hls/live/live-playlist.ts'
import { createLiveTimeline, LIVE_SEGMENT_SECONDS } from '../../lib/media/hls/live/live-timeline.ts'
import { findChromium } from '../../local/sandbox/composers/chromium/find-chromium.ts'
import { type Bench, createBench, measurement } from '../bench.ts'
import { startSubprocess } from '../subprocess.ts'
import { measureClips } from './measure-clips.ts'
import { measureLatency, measureMirrored } from './measure-latency.ts'
import type { PackageAnswer, PackageOptions, PackageQuestion } from './package-process.ts'

/** Amounts of each measurement, in seconds. */
export interface LiveHlsAmounts {
  /** Time for which a page is read. */
  readonly watched: number
  /** Length of the media that is encoded and packaged. */
  readonly packaged: number
  /** Length of a clip. */
  readonly clipped: number
}

const standard: LiveHlsAmounts = { watched: 300, packaged: 120, clipped: 60 }

const HOURS = 4

/** Measures live HLS: the latency in a browser, the processor time of packaging, and the bytes of a reload. */
export const createLiveHlsBench = ({ watched, packaged, clipped }: LiveHlsAmounts = standard): Bench =>
  createBench('live HLS: glass to glass in Chromium, packaging, reloads', async (onStep, signal) => {
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
    onStep(`cutting clips of ${clipped} s out of a live show`)
    const clips = await measureClips(clipped, signal)
    const reload = reloadBytes()
    const atMost = (bound: number) => ({ atMost: bound, of: 'value' }) as const
    return [
      ...latencies.flatMap(({ player, p50, p95, firstFrame }) => [
        measurement(`glass to glass with ${player}, p50`, 'ms', p50, null),
        measurement(`glass to glass with ${player}, p95`, 'ms', p95, null, atMost(2_000)),
        measurement(`opening a page with ${player} to its first frame`, 's', firstFrame, null),
      ]),
      measurement(`glass to glass from a bucket with ${mirrored.player}, p50`, 'ms', mirrored.p50, null),
      measurement(`glass to glass from a bucket with ${mirrored.player}, p95`, 'ms', mirrored.p95, null),
      measurement(`${packaged} s of 720p, to ffmpeg’s segments of 6 s`, 'CPU s', cpu.sandbox, cpu.ffmpeg, {
        atMost: 1.2,
      }),
      measurement(
        `reload with DVR after ${HOURS} h, to the whole`,
        'bytes',
        reload.delta,
        reload.whole,
        atMost(10_000),
      ),
      measurement(
        `a clip of ${clipped} s of a live show, to its first frame`,
        'ms',
        clips.firstFrame,
        null,
        atMost(300),
      ),
      measurement(`a clip of ${clipped} s of a live show, to its MP4`, 'ms', clips.mp4, null, atMost(2_000)),
    ]
  })

async function measurePackaging(seconds: number, signal: AbortSignal) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'showrunner-bench-'))
  const options: PackageOptions = { ffmpegPath: await findFfmpeg(), directory: folder.path }
  await using program = await startSubprocess(new URL('./package-process.ts', import.meta.url), options, signal)
  const measure = async (by: PackageQuestion['by']) =>
    (await program.ask<PackageAnswer>({ by, seconds } satisfies PackageQuestion)).cpu
  await measure('sandbox') // compiles
  return { ffmpeg: await measure('ffmpeg'), sandbox: await measure('sandbox') }
}

/** Returns the compressed bytes of a playlist with DVR, whole and as a delta update. */
function reloadBytes() {
  const segments = Array.from({ length: (HOURS * 3600) / LIVE_SEGMENT_SECONDS }, (_, index) => ({
    ...{ file: 'media-0.m4s', offset: 0, size: 0, duration: LIVE_SEGMENT_SECONDS },
    start: Date.UTC(2026, 0, 1) + 1000 * LIVE_SEGMENT_SECONDS * index,
  }))
  const timeline = createLiveTimeline(segments)
  const bytes = (skip: boolean) =>
    gzipSync(writeLivePlaylist(timeline, { kind: 'event', lowLatency: false, skip })).length
  return { whole: bytes(false), delta: bytes(true) }
}
