import { tasks } from '../../lib/tasks/tasks.ts'
import type { Recording } from './recording.ts'
import type { Figures, Measured, Stage } from './stage.ts'

/** A stretch of a recording that one function takes. */
export interface Piece {
  readonly index: number
  readonly start: number
  readonly end: number
}

/** What the first state of the publish machine finds. */
export interface Plan {
  readonly facts: object
  readonly pieces: readonly Piece[]
}

export const ARCHIVE_ID = '00000000-0000-4000-8000-000000000000'

/** What the states after the first one are given. */
export const sourceOf = ({ key, etag }: Recording) => ({
  bucket: 'showrunner-bench',
  key,
  etag,
  archiveId: ARCHIVE_ID,
  keepDays: null,
})

export interface Ready {
  readonly figures: Figures
  /** Seconds that it took to write the playlists, after all pieces. */
  readonly playlists: number
}

/** How many pieces are cut at once: the laptop has no machine for each. */
const CUTTERS = 2

/**
 * What the publish machine does until a recording can be watched, side by side as it does: faststart copy, poster, HLS. The
 * manifest, which takes a call or two, is left out here and where ffmpeg does the same.
 */
export async function makeReady(stage: Stage, recording: Recording): Promise<Ready> {
  let playlists = 0
  const { result: plan, ...planned } = await stage.work<Plan>('inspectAndPlan', recording)
  const source = sourceOf(recording)
  const cutters = Array.from({ length: CUTTERS }, () => 'cut-piece')
  const made = await stage.together(
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
        const since = performance.now()
        await invoke(2, { ...source, facts, pieces: pieces.length, editions: { hls: edition, renditions: null } })
        playlists = (performance.now() - since) / 1000
      }
      await Promise.all([invoke(0, source), invoke(1, source), hls()])
    },
  )
  return { figures: sum([planned, made]), playlists }
}

/** One after the other. */
export function sum(all: readonly Figures[]): Figures {
  const total = (key: keyof Figures) => all.reduce((so, figures) => so + figures[key], 0)
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

/** Gigabyte-seconds that Lambda charges for what a task took here. */
export const gigabyteSeconds = (task: keyof typeof tasks, { seconds }: Measured): number => {
  const { memory = 256 } = tasks[task] as { memory?: number }
  return (seconds * memory) / 1_024
}
