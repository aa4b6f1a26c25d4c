import { z } from 'zod'
import { archiveStatuses } from '../../platform/contract/archives.ts'
import { orOther } from '../../platform/contract/open-values.ts'
import { broadcastState, dialInState, recordingState, sceneState } from './resources.ts'
import { showState, terminalStatuses } from './state.ts'

/** The outcome of one part of a recording. */
const recordingResult = recordingState.extend({
  /** Bytes. */
  size: z.int().optional(),
  /** Seconds. */
  duration: z.int().optional(),
  /** Lower-case hexadecimal; absent if the platform reports none. */
  sha256: z.string().optional(),
  /** Seconds that this part and the one before have in common. */
  overlap: z.number().optional(),
  /** Why there is no file; absent if the file is in the bucket. */
  lost: z.string().optional(),
})
export type RecordingResult = z.output<typeof recordingResult>

/** An archive that the platform started automatically (archive mode `always`) and that ends with its session. */
const automaticArchive = z.object({
  archiveId: z.string(),
  createdAt: z.iso.datetime(),
  status: orOther(archiveStatuses),
  reason: z.string().optional(),
  size: z.int(),
  duration: z.int(),
})

/** An archive with the tag of a part that has another archive: its start arrived late, and it was stopped. */
const strayArchive = automaticArchive.extend({ tag: z.string() })

/** `shows/<id>/result.json`: the outcome of a show; written once. */
export const showResult = z.object({
  version: z.literal(1),
  showId: z.string(),
  name: z.string(),
  /** The app's labels from the request. */
  labels: z.record(z.string(), z.string()),
  /**
   * `stopped` if a stop was requested and no recording is lost; `cancelled` if no participant connected in time, so that nothing
   * was recorded and nothing is lost; `degraded` if no recording is lost, but an output of a broadcast was off the air.
   */
  status: z.enum(terminalStatuses),
  /** One sentence or more. */
  reason: z.string(),
  ...showState.pick({
    sessionId: true,
    acceptedAt: true,
    acceptedBy: true,
    startedAt: true,
    liveAt: true,
    plannedEndAt: true,
    openEnd: true,
    endedAt: true,
    timeline: true,
  }).shape,
  reportedAt: z.iso.datetime(),
  recordings: z.array(recordingResult),
  broadcasts: z.array(broadcastState.omit({ order: true })),
  scenes: z.array(sceneState),
  dialIns: z.array(dialInState.omit({ order: true })),
  automaticArchives: z.array(automaticArchive),
  /** Absent if there are none. */
  strays: z.array(strayArchive).optional(),
})
export type ShowResult = z.output<typeof showResult>
