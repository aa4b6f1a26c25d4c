import { DEFAULT_MEMORY } from '../../lib/tasks/task.ts'
import { tasks } from '../../lib/tasks/tasks.ts'
import { timed } from '../figures.ts'
import type { MeasuredWork, PublishHarness, WorkFigures } from './harness.ts'
import type { BenchRecording } from './recording.ts'

/** A time range of a recording that one function processes. */
export interface PlannedPiece {
  readonly index: number
  readonly start: number
  readonly end: number
}

/** The output of the first state of the publish machine. */
export interface PublishPlan {
  readonly facts: object
  readonly pieces: readonly PlannedPiece[]
}

export const ARCHIVE_ID = '00000000-0000-4000-8000-000000000000'

/** Returns the input of the following states. */
export const benchSourceOf = ({ key, etag }: BenchRecording) => ({
  bucket: 'showrunner-bench',
  key,
  etag,
  archiveId: ARCHIVE_ID,
  keepDays: null,
})

export interface Ready {
  readonly figures: WorkFigures
  /** Seconds of writing the playlists, after all pieces. */
  readonly playlists: number
}

/** Number of pieces cut at once: there is no machine for each. */
const CUTTERS = 2

/**
 * Runs the ready step as the publish machine does, in parallel: faststart copy, poster, HLS. The manifest, a call or
 * two, is omitted here and for ffmpeg.
 */
export async function makeReady(harness: PublishHarness, recording: BenchRecording): Promise<Ready> {
  let playlists = 0
  const { result: plan, ...planned } = await harness.work<PublishPlan>('inspectAndPlan', recording)
  const source = benchSourceOf(recording)
  const cutters = Array.from({ length: CUTTERS }, () => 'cut-piece')
  const made = await harness.together(
    ['make-faststart', 'make-poster', 'write-playlists', ...cutters],
    async (invoke) => {
      const queue = [...plan.pieces]
      const editions: string[] = []
      const cut = async (cutter: number) => {
        for (let piece = queue.shift(); piece; piece = queue.shift()) {
          const { edition } = await invoke<{ edition: string }>(3 + cutter, { ...source, piece })
          editions.push(edition)
        }
      }
      const hls = async () => {
        await Promise.all(cutters.map((_, cutter) => cut(cutter)))
        const [edition] = editions
        const { facts, pieces } = plan
        const order = { ...source, facts, pieces: pieces.length, editions: { hls: edition, renditions: null } }
        playlists = (await timed(() => invoke(2, order))).seconds
      }
      await Promise.all([invoke(0, source), invoke(1, source), hls()])
    },
  )
  return { figures: sum([planned, made]), playlists }
}

/** Sums the figures of works that run in sequence. */
export function sum(all: readonly WorkFigures[]): WorkFigures {
  const total = (key: keyof WorkFigures) => all.reduce((so, figures) => so + figures[key], 0)
  return {
    seconds: total('seconds'),
    read: total('read'),
    written: total('written'),
    reads: total('reads'),
    writes: total('writes'),
    copying: total('copying'),
    memory: Math.max(...all.map(({ memory }) => memory)),
  }
}

/** Returns the gigabyte-seconds that Lambda would charge. */
export const gigabyteSeconds = (task: keyof typeof tasks, { seconds }: MeasuredWork): number => {
  const { memory = DEFAULT_MEMORY } = tasks[task] as { memory?: number }
  return (seconds * memory) / 1_024
}
