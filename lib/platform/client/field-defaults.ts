import type { z } from 'zod'
import { archive } from '../contract/archives.ts'
import { broadcast, hlsState, rtmpOutput } from '../contract/broadcasts.ts'
import { archiveCallback, connection } from '../contract/callbacks.ts'
import { call } from '../contract/calls.ts'
import { composer } from '../contract/composers.ts'
import { chosenStream } from '../contract/layouts.ts'
import { project } from '../contract/projects.ts'
import { createdSession } from '../contract/sessions.ts'
import { stream } from '../contract/streams.ts'

type FieldDefault = (holder: Readonly<Record<string, unknown>>) => unknown

const empty = () => ''
const zero = () => 0
const yes = () => true
const no = () => false
const sameAsCreatedAt: FieldDefault = ({ createdAt }) => Number(createdAt)

/**
 * Defaults of required fields that an answer may lack and that no caller needs. Each is the documented empty value, or the
 * default of the operation.
 */
const fieldDefaults = new Map<z.ZodType, FieldDefault>([
  [createdSession.shape.project_id, empty],
  [createdSession.shape.create_dt, empty],
  [createdSession.shape.media_server_url, empty],
  [stream.shape.name, empty],
  [stream.shape.videoType, () => 'custom'], // neither a camera nor a screen
  [stream.shape.layoutClassList, () => []],
  [archive.shape.duration, zero],
  [archive.shape.hasAudio, yes],
  [archive.shape.hasVideo, yes],
  [archive.shape.outputMode, () => 'composed'],
  [archive.shape.reason, empty],
  [archive.shape.size, zero],
  [archiveCallback.shape.updatedAt, sameAsCreatedAt],
  [broadcast.shape.projectId, empty],
  [broadcast.shape.updatedAt, sameAsCreatedAt],
  [rtmpOutput.shape.serverUrl, empty],
  [rtmpOutput.shape.streamName, empty],
  [hlsState.shape.dvr, no],
  [hlsState.shape.lowLatency, no],
  [chosenStream.shape.hasAudio, yes],
  [chosenStream.shape.hasVideo, yes],
  [call.shape.streamId, empty],
  [composer.shape.projectId, empty],
  [composer.shape.updatedAt, sameAsCreatedAt],
  [composer.shape.resolution, () => '1280x720'],
  [project.shape.name, empty],
  [connection.shape.createdAt, zero],
])

/** Returns the function that computes the default of a field; undefined if the field has none. */
export const defaultOf = (field: z.ZodType): FieldDefault | undefined => fieldDefaults.get(field)
