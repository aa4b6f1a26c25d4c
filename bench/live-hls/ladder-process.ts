import { setTimeout as sleep } from 'node:timers/promises'
import { realClock } from '../../lib/clock.ts'
import type { LiveTimeline } from '../../lib/media/hls/live/live-timeline.ts'
import { createMedia } from '../../local/sandbox/media/create-media.ts'
import { quantile } from '../figures.ts'
import { cpuSeconds } from '../media/cpu.ts'
import { countLateFrames } from '../media/late-frames.ts'
import { givenByParent, serveParent } from '../subprocess.ts'

/** Options of the process. */
export interface LadderOptions {
  readonly ffmpegPath: string
  /** Empty folder. */
  readonly directory: string
}

/** Asks for a broadcast of 1280x720 and 640x360 in real time. */
export interface LadderQuestion {
  readonly seconds: number
}

export interface LadderAnswer {
  /** Frames that were drawn after the next one was due, from the first part of each rendition on. */
  readonly late: number
  /** Seconds from the end of the newest part of the slowest rendition to the clock, which 95 % of the readings do not exceed. */
  readonly behind: number
  /** Cores that the engine and its ffmpeg used. */
  readonly cores: number
}

const READ_INTERVAL = 50 // ms

const { ffmpegPath, directory } = givenByParent<LadderOptions>()

serveParent({}, async ({ seconds }: LadderQuestion): Promise<LadderAnswer> => {
  const before = cpuSeconds()
  const media = await createMedia({ ffmpegPath, directory, clock: realClock, ladder: [360] })
  media.publish({
    ...{ sessionId: 'session', streamId: 'stream', name: 'Ada', source: { type: 'pattern' }, layoutClasses: [] },
    ...{ hasAudio: true, hasVideo: true, videoType: 'camera' },
  })
  const broadcaster = await media.startBroadcast({
    ...{ id: 'ladder', sessionId: 'session', resolution: '1280x720', layout: { type: 'bestFit' } },
    hls: { dvr: false, lowLatency: true },
  })
  const timelines = [...(broadcaster.timelines?.values() ?? [])]
  while (timelines.some((timeline) => endOf(timeline) === undefined)) await sleep(READ_INTERVAL) // ffmpeg starts
  const readings: number[] = []
  const reading = new AbortController()
  const read = async () => {
    while (!reading.signal.aborted) {
      readings.push(Math.max(...timelines.map((timeline) => Date.now() - (endOf(timeline) ?? 0))) / 1000)
      await sleep(READ_INTERVAL)
    }
  }
  const readers = read()
  const late = await countLateFrames(media, seconds)
  reading.abort()
  await readers
  await broadcaster.stop()
  await media.close()
  return { late, behind: quantile(readings, 0.95), cores: (cpuSeconds() - before) / seconds }
})

/** Returns when the newest part of a rendition ends, in milliseconds since the epoch; undefined before its first one. */
function endOf({ current, segments }: Pick<LiveTimeline, 'current' | 'segments'>): number | undefined {
  const newest = current.at(-1) ?? segments.at(-1)
  return newest && newest.start + 1000 * newest.duration
}
