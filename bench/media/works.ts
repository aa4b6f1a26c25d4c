import { join } from 'node:path'
import { createSteppedClock, realClock } from '../../lib/clock.ts'
import { runFfmpeg } from '../../lib/media/ffmpeg/ffmpeg.ts'
import { createMedia, type MediaEngine } from '../../local/sandbox/media/create-media.ts'
import type { ArchiveSpec, Publication } from '../../local/sandbox/media/media.ts'
import { median } from '../figures.ts'
import { memoryOfAll } from '../publish/memory.ts'
import { cpuSeconds } from './cpu.ts'
import { countLateFrames } from './late-frames.ts'
import { FRAME, xstackArguments } from './xstack.ts'

export interface MediaSurroundings {
  readonly ffmpegPath: string
  readonly directory: string
}

/** A start at half a second, so that no flash is cut. */
const START = Date.UTC(2026, 0, 1, 12, 0, 0, 500)

/** The measured works, each run in a separate process. */
export const works = {
  /** Records each participant separately. Returns the files. */
  async recordSources({ count, seconds }: { count: number; seconds: number }, around: MediaSurroundings) {
    const { clock, media } = await openStepped(around)
    const ids = Array.from({ length: count }, (_, index) => `source-${index}`)
    for (const id of ids) {
      media.publish(participant(id, id))
      const recorder = await media.startArchive(archive(id, id))
      await clock.advance(seconds * 1000)
      await recorder.finish()
    }
    await media.close()
    return { paths: ids.map((id) => join(around.directory, `${id}.mp4`)) }
  },

  /** Draws generated participants, or files, into one frame. Returns seconds of processor time. */
  compose: ({ paths, seconds }: { paths: readonly (string | null)[]; seconds: number }, around: MediaSurroundings) =>
    cpuOf(async () => {
      const { clock, media } = await openStepped(around)
      for (const [index, path] of paths.entries()) {
        const source = path === null ? ({ type: 'pattern' } as const) : await media.openFile(path)
        media.publish(participant('session', `stream-${index}`, source))
      }
      const resolution = `${FRAME.width}x${FRAME.height}`
      const recorder = await media.startArchive({ ...archive('composed', 'session'), resolution })
      await clock.advance(seconds * 1000)
      await recorder.finish()
      await media.close()
    }),

  xstack: (
    { paths, seconds }: { paths: readonly string[]; seconds: number },
    { ffmpegPath, directory }: MediaSurroundings,
  ) => cpuOf(() => runFfmpeg(ffmpegPath, xstackArguments(paths, seconds, join(directory, 'stacked.mp4')))),

  /** Records sessions in real time, and counts late frames. */
  async live(
    { sessions, participants, seconds }: { sessions: number; participants: number; seconds: number },
    around: MediaSurroundings,
  ) {
    let late = 0
    const { cpu } = await cpuOf(async () => {
      const media = await createMedia({ ...around, clock: realClock })
      const recorders = []
      for (let session = 0; session < sessions; session++) {
        for (let index = 0; index < participants; index++)
          media.publish(participant(`s${session}`, `s${session}-${index}`))
        recorders.push(await media.startArchive(archive(`live-${session}`, `s${session}`)))
      }
      late = await countLateFrames(media, seconds)
      await Promise.all(recorders.map((recorder) => recorder.finish()))
      await media.close()
    })
    return { late, cores: cpu / seconds }
  },

  /** Records as fast as possible. Returns the memory at start, middle and end, in bytes. */
  async record({ minutes }: { minutes: number }, around: MediaSurroundings) {
    const { clock, media } = await openStepped(around)
    media.publish(participant('session', 'stream'))
    const recorder = await media.startArchive(archive('long', 'session'))
    const memory: number[] = []
    for (let minute = 0; minute < minutes; minute++) {
      await clock.advance(60_000)
      await media.caughtUp()
      globalThis.gc?.()
      memory.push(memoryOfAll(process.pid))
    }
    const { seconds } = await recorder.finish()
    await media.close()
    const tenth = Math.ceil(minutes / 10)
    const middle = Math.floor((minutes - tenth) / 2)
    const parts = [memory.slice(0, tenth), memory.slice(middle, middle + tenth), memory.slice(-tenth)]
    return { seconds, memory: parts.map(median) }
  },
} as const

async function openStepped({ ffmpegPath, directory }: MediaSurroundings) {
  let media: MediaEngine | undefined
  const clock = createSteppedClock(START, async () => media?.caughtUp()) // otherwise a whole hour would wait to be drawn
  media = await createMedia({ ffmpegPath, clock, directory })
  return { clock, media }
}

async function cpuOf(act: () => Promise<unknown>): Promise<{ cpu: number }> {
  const before = cpuSeconds()
  await act()
  return { cpu: cpuSeconds() - before }
}

const participant = (
  sessionId: string,
  streamId: string,
  source: Publication['source'] = { type: 'pattern' },
): Publication => ({
  ...{ sessionId, streamId, name: streamId, source, hasAudio: true, hasVideo: true },
  ...{ videoType: 'camera', layoutClasses: [] },
})

const archive = (id: string, sessionId: string): ArchiveSpec => ({
  ...{ id, sessionId, resolution: '640x480', hasAudio: true, hasVideo: true },
  layout: { type: 'bestFit' },
})
