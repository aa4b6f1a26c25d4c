import { z } from 'zod'
import { archiveStatuses } from '../platform/contract/archives.ts'
import { composerStatuses } from '../platform/contract/composers.ts'
import { orOther } from '../platform/contract/open-values.ts'
import { idPattern } from '../show/document/fields/names.ts'
import { broadcastState } from '../show/state/resources.ts'
import { stateError } from './state-errors.ts'
import type { Task } from './task.ts'

const showId = z.string().regex(idPattern)

const startedRecording = z.object({
  name: z.string(),
  /** From 1. */
  part: z.int(),
  tag: z.string(),
  archiveId: z.string(),
  createdAt: z.iso.datetime(),
  status: orOther(archiveStatuses),
})

/** The platform's answer without stream keys. */
const startedBroadcast = broadcastState
  .omit({ problem: true, order: true })
  .required({ broadcastId: true, createdAt: true, status: true })

const failedStart = z.object({ name: z.string(), error: stateError })

export const openingTasks = {
  startShow: {
    summary: 'Start the show of a schedule, once for each due time.',
    input: z.object({ scheduleId: z.string().regex(idPattern), scheduledAt: z.string() }),
    output: z.object({ showId: z.string(), outcome: z.enum(['started', 'started before', 'unscheduled']) }),
    timeout: 60,
    capabilities: ['showRecords', 'showAcceptance', 'showExecutions'],
  },
  acceptShow: {
    summary: 'Validate and record the show, or read the one that the API recorded.',
    input: z.object({
      executionName: z.string(),
      startedAt: z.iso.datetime(),
      /**
       * The execution's own input: `{ showId }` of a recorded show, `{ show }` when started directly, or
       * `{ showId, closing: true }` when the sweep stops what an interrupted execution has left behind.
       */
      request: z.union([
        z.object({ showId, closing: z.boolean().default(false) }),
        z.object({ show: z.unknown(), closing: z.literal(false).default(false) }),
      ]),
    }),
    /** Only names: the rest of the show stays in the bucket, so that payloads stay small. */
    output: z.object({
      showId: z.string(),
      closing: z.boolean(),
      /** Seconds until the next try, while a secret that every show needs is being rotated; 0 to start now. */
      waitSeconds: z.int(),
      /** Session of a show that is being closed, if it has one. */
      sessionId: z.string().nullable(),
      scenes: z.array(z.string()),
      dialIns: z.array(z.string()),
      recordings: z.array(z.string()),
      broadcasts: z.array(z.string()),
    }),
    timeout: 30,
    capabilities: ['showRecords', 'showAcceptance', 'rotationLock'],
  },
  openSession: {
    summary: 'Create a routed session, or adopt the one the show names.',
    input: z.object({ showId: z.string() }),
    output: z.object({ sessionId: z.string() }),
    timeout: 60,
    capabilities: ['platform', 'showRecords', 'events'],
  },
  setUploadTarget: {
    summary: 'Point the platform project’s upload at the bucket, keeping files that cannot be uploaded.',
    input: z.object({ showId: z.string() }),
    output: z.object({ bucket: z.string(), fallback: z.literal('opentok') }),
    timeout: 60,
    capabilities: ['platform', 'uploadKey', 'showProgress'],
  },
  startScene: {
    summary: 'Start a composer for one web page, or adopt the composer that shows it already.',
    input: z.object({ showId: z.string(), sessionId: z.string(), name: z.string() }),
    output: z.object({ name: z.string(), composerId: z.string(), status: orOther(composerStatuses) }),
    timeout: 60,
    capabilities: ['platform', 'showRecords'],
  },
  startDialIn: {
    summary: 'Call one telephone into the session, once: a call whose answer was lost is not repeated.',
    input: z.object({ showId: z.string(), sessionId: z.string(), name: z.string() }),
    output: z.object({ name: z.string(), outcome: z.enum(['dialed', 'unknown']) }),
    timeout: 60,
    capabilities: ['platform', 'showRecords', 'showSecrets'],
  },
  noteFailure: {
    summary: 'Record why a scene or a dial-in could not be started. The show continues without it.',
    input: z.object({
      showId: z.string(),
      kind: z.enum(['scene', 'dialIn']),
      name: z.string(),
      error: stateError,
    }),
    output: z.object({ name: z.string() }),
    timeout: 30,
    capabilities: ['showProgress'],
  },
  checkAudience: {
    summary: 'Check whether a participant is connected that the show did not start itself.',
    input: z.object({
      showId: z.string(),
      sessionId: z.string(),
      startedAt: z.iso.datetime(),
    }),
    output: z.object({
      audience: z.enum(['present', 'absent', 'never came', 'not awaited any more']),
      /** Why waiting has ended, as a message. */
      reason: z.string().optional(),
      /** Frequent at first, then every 15 s; never after the end of waiting. */
      nextPollAt: z.iso.datetime(),
    }),
    timeout: 60,
    capabilities: ['platform', 'showRecords', 'showSecrets'],
  },
  startRecording: {
    summary: 'Start the first part of one recording, or adopt the archive that already carries its tag.',
    input: z.object({ showId: z.string(), sessionId: z.string(), name: z.string() }),
    output: startedRecording,
    timeout: 60,
    capabilities: ['platform', 'showRequests', 'showStates'],
  },
  startBroadcast: {
    summary: 'Start the first part of one broadcast, or adopt the running one that already carries its tag.',
    input: z.object({ showId: z.string(), sessionId: z.string(), name: z.string() }),
    output: startedBroadcast,
    timeout: 60,
    capabilities: ['platform', 'showRequests', 'showStates', 'showSecrets'],
  },
  goLive: {
    summary: 'Record what was started and what failed, set the planned end, and notify participants and owner.',
    input: z.object({
      showId: z.string(),
      sessionId: z.string(),
      recordings: z.array(z.union([startedRecording, failedStart])),
      broadcasts: z.array(z.union([startedBroadcast, failedStart])),
    }),
    output: z.object({ live: z.boolean(), plannedEndAt: z.iso.datetime().optional() }),
    timeout: 60,
    capabilities: ['platform', 'showRecords', 'events'],
  },
} as const satisfies Record<string, Task>
