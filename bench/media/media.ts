import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bench, createBench, type Measurement, measurement } from '../bench.ts'
import { findTools } from '../publish/tools.ts'
import { startSubprocess } from '../subprocess.ts'
import type { Done, Given, MediaWork } from './work-process.ts'
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
export const createMediaBench = (lengths: Lengths = standard): Bench =>
  createBench(
    'cost of the sandbox’s media, compared with Debian’s ffmpeg xstack; records four hours, which takes some minutes',
    async (onStep, signal) => {
      const { ffmpegPath } = await findTools()
      await using folder = await mkdtempDisposable(join(tmpdir(), 'showrunner-bench-'))
      const work: Worker = async (name, given) => {
        const file = new URL('./work-process.ts', import.meta.url)
        await using process = await startSubprocess(file, { ffmpegPath, directory: folder.path }, signal)
        return await process.ask<Done<typeof name>>({ work: name, given })
      }
      return [
        ...(await compare(work, lengths.composed, onStep)),
        ...(await keepUp(work, lengths.live, onStep)),
        ...(await record(work, lengths.minutes, onStep)),
      ]
    },
  )

type Worker = <Name extends MediaWork>(work: Name, given: Given<Name>) => Promise<Done<Name>>
type OnStep = (words: string) => void

/** Measures the cores needed to draw in real time: processor time by recorded time. */
async function compare(work: Worker, seconds: number, onStep: OnStep): Promise<Measurement[]> {
  onStep(`recording ${SOURCES} participants, one by one`)
  const { paths } = await work('recordSources', { count: SOURCES, seconds: seconds + SPARE_SECONDS })
  onStep('drawing all of them into one frame: generated, from their files, and by ffmpeg')
  const generated = await work('compose', { paths: paths.map(() => null), seconds })
  const fromFiles = await work('compose', { paths, seconds })
  const stacked = await work('xstack', { paths, seconds })
  const cores = (what: string, cpu: number) =>
    measurement(`${SOURCES} ${what}`, 'cores', cpu / seconds, stacked.cpu / seconds, { atMost: 1 })
  return [
    cores('files into 1280x720, to ffmpeg xstack', fromFiles.cpu),
    cores('generated into 1280x720, to xstack of them as files', generated.cpu),
  ]
}

async function keepUp(work: Worker, seconds: number, onStep: OnStep): Promise<Measurement[]> {
  onStep(`recording ${SESSIONS} sessions in real time for ${seconds} s`)
  const { late, cores } = await work('live', { sessions: SESSIONS, participants: PARTICIPANTS, seconds })
  const live = `${SESSIONS} sessions with a 640x480 archive each in real time`
  return [
    measurement(`${live}: late frames`, 'frames', late, null, { atMost: 0, of: 'value' }),
    measurement(`${live}: of two cores`, 'cores', cores, 2, { atMost: 1 }),
  ]
}

async function record(work: Worker, minutes: number, onStep: OnStep): Promise<Measurement[]> {
  onStep(`recording ${minutes} minutes as fast as the machine can`)
  const { memory } = await work('record', { minutes })
  const [start = null, middle = null, end = null] = memory.map((bytes) => bytes / 1e6)
  const grown = (when: string, value: number | null) =>
    measurement(`memory ${when} of ${minutes} minutes, to at the start`, 'MB', value, start, { atMost: MAX_GROWTH })
  return [grown('in the middle', middle), grown('at the end', end)]
}
