import type { Archive } from '../lib/platform/contract/archives.ts'
import { archiveOf, fateOf, isUnderWay } from '../lib/services/fates.ts'
import { complete, observe } from '../lib/services/observation.ts'
import type { Services } from '../lib/services/services.ts'
import type { RecordingResult, RecordingState } from '../lib/workflow/documents.ts'
import { TaskInputError } from '../lib/workflow/errors.ts'
import { secondsUntilNextLook } from '../lib/workflow/looks.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { noted } from '../lib/workflow/timeline.ts'
import { taskHandler } from './middleware/task.ts'

/** Of the time waited: after ten minutes a look every 30 s, in a day about 175 looks. */
const SHARE = 1 / 20

export async function checkUploads(
  { showId, sessionId, uploadWait }: TaskInput<'checkUploads'>,
  { platform, records, storage, clock }: Services,
): Promise<TaskOutput<'checkUploads'>> {
  const client = await platform()
  const state = await records.readState(showId)
  if (!state) throw new TaskInputError(`The show ${showId} has no state.`)
  const { archives } = await complete(client, await observe(client, showId, sessionId), state)

  const awaited = archives.filter(isUnderWay).length
  const waited = (clock.now() - Date.parse(state.endedAt ?? state.acceptedAt)) / 1000
  if (awaited > 0) {
    const arrived = archives.filter(({ status }) => status === 'uploaded').length
    const over = waited >= uploadWait
    const waitSeconds = secondsUntilNextLook(waited, SHARE)
    return { over, arrived, awaited, waitSeconds, stranded: over ? strandedAmong(state.recordings, archives) : [] }
  }
  // Only now is the bucket asked, so that waiting costs the same however many recordings there are.
  const fates = await Promise.all(state.recordings.map((one) => fateOf(one, archiveOf(one, archives), storage)))
  const stranded = strandedAmong(state.recordings, archives)
  const outcomes = fates
    .filter(({ name, lost }) => !lost || !stranded.some((one) => one.name === name)) // those are still to be rescued
    .map(({ name, lost }) => ({ what: lost ? 'recording.failed' : 'recording.arrived', name }) as const)
  await records.updateState(showId, (latest) => ({
    ...latest,
    recordings: latest.recordings.map((one, index) => ({ ...one, ...statusOf(fates[index]) })),
    timeline: noted(latest.timeline, clock.now(), ...outcomes),
  }))
  return { over: true, arrived: fates.filter(({ lost }) => !lost).length, awaited: 0, waitSeconds: 0, stranded }
}

/** The recordings whose upload failed and whose file the platform keeps. */
const strandedAmong = (recordings: readonly RecordingState[], archives: readonly Archive[]) =>
  recordings.flatMap((recording) => {
    const archive = archiveOf(recording, archives)
    return archive?.status === 'available' ? { name: recording.name, archiveId: archive.id } : []
  })

const statusOf = (fate: RecordingResult | undefined) => fate?.status && { status: fate.status }

export const handler = taskHandler('checkUploads', checkUploads)
