import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bench, Measurement } from '../bench.ts'
import { findTools } from '../publish/tools.ts'
import { startSubprocess } from '../subprocess.ts'
import type { Done, Given, Work } from './work-process.ts'
import { SOURCES } from './xstack.ts'

/** Durations of the measurements. */
export interface Lengths {
  /** Seconds that are drawn with many sources. */
  readonly composed: number
  /** Seconds in real time. */
  readonly live: number
  /** Minutes of the recording whose memory is watched. */
  readonly minutes: number
}

const standard: Lengths = { composed: 30, live: 60, minutes: 240 }
const SESSIONS = 4
const PARTICIPANTS = 4
/** Bound of the memory at the middle and end, relative to the start. */
const MAX_GROWTH = 1.1
/** Seconds by which files are longer than what is drawn: xstack does not loop, so none of the others may. */
const SPARE_SECONDS = 4

/**
 * Measures the sandbox’s video and audio: their cost compared with ffmpeg, whether they keep up, and whether memory
 * stays flat.
 */
export const createMediaBench = (lengths: Lengths = standard): Bench => ({
  summary:
    'cost of the sandbox’s media, compared with Debian’s ffmpeg xstack; records four hours, which takes some minutes',
  async run(onStep, signal) {
    const { ffmpegPath } = await findTools()
    const directory = await mkdtemp(join(tmpdir(), 'showrunner-bench-'))
    try {
      const work: Worker = async (name, given) => {
        const process = await startSubprocess(
          new URL('./work-process.ts', import.meta.url),
          { ffmpegPath, directory },
          signal,
        )
        try {
          const done = await process.ask<Done<typeof name> | { failure: string }>({ work: name, given })
          if ('failure' in done) throw new Error(`The bench could not measure ${name}: ${done.failure}`)
          return done
        } finally {
          await process.close()
        }
      }
      return [
        ...(await compare(work, lengths.composed, onStep)),
        ...(await keepUp(work, lengths.live, onStep)),
        ...(await record(work, lengths.minutes, onStep)),
      ]
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  },
})

type Worker = <Name extends Work>(work: Name, given: Given<Name>) => Promise<Done<Name>>
type OnStep = (words: string) => void

/** Measures the cores needed to draw in real time: processor time by recorded time. */
async function compare(work: Worker, seconds: number, onStep: OnStep): Promise<Measurement[]> {
  onStep(`recording ${SOURCES} participants, one by one`)
  const { paths } = await work('recordSources', { count: SOURCES, seconds: seconds + SPARE_SECONDS })
  onStep('drawing all of them into one frame: generated, from their files, and by ffmpeg')
  const generated = await work('compose', { paths: paths.map(() => null), seconds })
  const fromFiles = await work('compose', { paths, seconds })
  const stacked = await work('xstack', { paths, seconds })
  const goal = { atMost: 1 }
  const figures = { unit: 'cores', baseline: stacked.cpu / seconds, goal }
  return [
    { ...figures, work: `${SOURCES} files into 1280x720, to ffmpeg xstack`, value: fromFiles.cpu / seconds },
    {
      ...figures,
      work: `${SOURCES} generated into 1280x720, to xstack of them as files`,
      value: generated.cpu / seconds,
    },
  ]
}

async function keepUp(work: Worker, seconds: number, onStep: OnStep): Promise<Measurement[]> {
  onStep(`recording ${SESSIONS} sessions in real time for ${seconds} s`)
  const { late, cores } = await work('live', { sessions: SESSIONS, participants: PARTICIPANTS, seconds })
  const live = `${SESSIONS} sessions with a 640x480 archive each in real time`
  return [
    { work: `${live}: late frames`, unit: 'frames', value: late, baseline: null, goal: { atMost: 0, of: 'value' } },
    { work: `${live}: of two cores`, unit: 'cores', value: cores, baseline: 2, goal: { atMost: 1 } },
  ]
}

async function record(work: Worker, minutes: number, onStep: OnStep): Promise<Measurement[]> {
  onStep(`recording ${minutes} minutes as fast as the machine can`)
  const { memory } = await work('record', { minutes })
  const [start = null, middle = null, end = null] = memory.map((bytes) => bytes / 1e6)
  const figures = { unit: 'MB', baseline: start, goal: { atMost: MAX_GROWTH } }
  return [
    { ...figures, work: `memory in the middle of ${minutes} minutes, to at the start`, value: middle },
    { ...figures, work: `memory at the end of ${minutes} minutes, to at the start`, value: end },
  ]
}
