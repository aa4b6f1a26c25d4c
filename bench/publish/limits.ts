import { ladder } from '../../lib/tasks/rendition.ts'
import { DEFAULT_MEMORY } from '../../lib/tasks/task.ts'
import { tasks } from '../../lib/tasks/tasks.ts'
import { type Measurement, measurement } from '../bench.ts'
import type { PublishHarness, WorkFigures } from './harness.ts'
import { benchSourceOf, type PublishPlan } from './ready-step.ts'
import type { BenchRecording } from './recording.ts'

/** Functions that are compared with their own limits only, as files under `lambdas/`. */
export const LIMITED = ['hash-source', 'copy-audio', 'measure-audio', 'find-chapters', 'encode-piece']

/** Seconds of the longest recording that has to be published. */
const MAX = 12 * 3600

type Limited = 'hashSource' | 'copyAudio' | 'measureAudio' | 'findChapters' | 'encodePiece' | 'makeThumbnails'

/**
 * Compares the functions that process a whole recording, and the most expensive one for a piece, with their timeout and
 * memory. The former meet their goal if the longest recording would, which takes proportionally longer.
 */
export async function measureLimits(
  harness: PublishHarness,
  recording: BenchRecording,
  plan: PublishPlan,
): Promise<Measurement[]> {
  const source = benchSourceOf(recording)
  const { archiveId, etag, keepDays } = source
  const facts = plan.facts as { readonly duration: number; readonly video: { width: number; height: number } }
  const share = recording.seconds / MAX
  const minutes = recording.seconds / 60

  const hashed = await harness.invoke('hash-source', source)
  const thumbnails = await harness.invoke('make-thumbnails', source)
  const copied = await harness.invoke<{ files: { key: string }[] }>('copy-audio', source)
  const audio = copied.result.files[0]?.key
  const measured = await harness.invoke<{ silences: object[] }>('measure-audio', { archiveId, etag, keepDays, audio })
  const { silences } = measured.result
  const found = { duration: facts.duration, silences, markers: [] }
  const chapters = await harness.invoke('find-chapters', { ...source, ...found })
  const order = { piece: plan.pieces[0], picture: facts.video, ladder: ladder.parse(undefined) }
  const encoded = await harness.invoke('encode-piece', { ...source, ...order })
  return [
    ...rowsOf('hashSource', `${minutes} minutes`, hashed, share),
    ...rowsOf('makeThumbnails', `${minutes} minutes`, thumbnails, share),
    ...rowsOf('copyAudio', `${minutes} minutes`, copied, share),
    ...rowsOf('measureAudio', `${minutes} minutes`, measured, share),
    ...rowsOf('findChapters', `${minutes} minutes`, chapters, share),
    ...rowsOf('encodePiece', 'a piece', encoded, 1),
  ]
}

function rowsOf(task: Limited, of: string, { seconds, memory }: WorkFigures, share: number): Measurement[] {
  const limits: { readonly timeout: number; readonly memory?: number } = tasks[task]
  const work = `${task} of ${of}, to its own limit`
  return [
    measurement(`${work}: wall time`, 's', seconds, limits.timeout, { atMost: share }),
    measurement(`${work}: peak memory`, 'MB', memory / 1e6, limits.memory ?? DEFAULT_MEMORY, { atMost: 1 }),
  ]
}
