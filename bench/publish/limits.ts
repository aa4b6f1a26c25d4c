import { ladder } from '../../lib/tasks/rendition.ts'
import { tasks } from '../../lib/tasks/tasks.ts'
import type { Measurement } from '../bench.ts'
import { type Plan, sourceOf } from './ready.ts'
import type { Recording } from './recording.ts'
import type { Figures, Stage } from './stage.ts'

/** Functions that are measured against their own limits alone, as files under `lambdas/`. */
export const LIMITED = ['hash-source', 'copy-audio', 'measure-audio', 'find-chapters', 'encode-piece']

/** Seconds of the longest recording that has to be published. */
const MAX = 12 * 3600

type Limited = 'hashSource' | 'copyAudio' | 'measureAudio' | 'findChapters' | 'encodePiece' | 'makeThumbnails'

/**
 * What functions that take a recording as a whole, and the dearest of those that take a piece, need of the time and the memory
 * that they may have. The former have kept to their time if the longest recording, which takes them as much longer, would.
 */
export async function measureLimits(stage: Stage, recording: Recording, plan: Plan): Promise<Measurement[]> {
  const source = sourceOf(recording)
  const { archiveId, etag, keepDays } = source
  const facts = plan.facts as { readonly duration: number; readonly video: { width: number; height: number } }
  const share = recording.seconds / MAX
  const minutes = recording.seconds / 60

  const hashed = await stage.invoke('hash-source', source)
  const thumbnails = await stage.invoke('make-thumbnails', source)
  const copied = await stage.invoke<{ files: { key: string }[] }>('copy-audio', source)
  const audio = copied.result.files[0]?.key
  const measured = await stage.invoke<{ silences: object[] }>('measure-audio', { archiveId, etag, keepDays, audio })
  const { silences } = measured.result
  const chapters = await stage.invoke('find-chapters', { ...source, duration: facts.duration, silences })
  const piece = plan.pieces[0]
  const encoded = await stage.invoke('encode-piece', {
    ...source,
    piece,
    picture: facts.video,
    ladder: ladder.parse(undefined),
  })
  return [
    ...rowsOf('hashSource', `${minutes} minutes`, hashed, share),
    ...rowsOf('makeThumbnails', `${minutes} minutes`, thumbnails, share),
    ...rowsOf('copyAudio', `${minutes} minutes`, copied, share),
    ...rowsOf('measureAudio', `${minutes} minutes`, measured, share),
    ...rowsOf('findChapters', `${minutes} minutes`, chapters, share),
    ...rowsOf('encodePiece', 'a piece', encoded, 1),
  ]
}

function rowsOf(task: Limited, of: string, { seconds, memory }: Figures, share: number): Measurement[] {
  const limits: { readonly timeout: number; readonly memory?: number } = tasks[task]
  const work = `${task} of ${of}, to its own limit`
  return [
    { work: `${work}: wall time`, unit: 's', value: seconds, baseline: limits.timeout, goal: { atMost: share } },
    {
      work: `${work}: peak memory`,
      unit: 'MB',
      value: memory / 1e6,
      baseline: limits.memory ?? 256,
      goal: { atMost: 1 },
    },
  ]
}
