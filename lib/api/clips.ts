import { clipOrder } from '../show/document/orders/clip.ts'
import { answers } from './answers.ts'

const ofRecording = ['unknown-recording', 'invalid-manifest'] as const
const ofClip = [...ofRecording, 'unknown-clip'] as const

/** The routes of clips of published recordings. */
export const clipRoutes = {
  'POST /recordings/{archiveId}/clips': {
    operation: 'createClip',
    summary: 'Create a clip of a published recording.',
    role: 'operator',
    body: clipOrder,
    isKeyed: true,
    answers: { 202: answers.clip },
    problems: [...ofRecording, 'recording-not-playable', 'idempotency-key-reused', 'limit-reached'],
  },
  'GET /recordings/{archiveId}/clips': {
    operation: 'listClips',
    summary: 'List the clips of a recording, the oldest first.',
    role: 'viewer',
    answers: { 200: answers.clips },
    problems: ofRecording,
  },
  'GET /recordings/{archiveId}/clips/{clipId}': {
    operation: 'readClip',
    summary: 'Read a clip, with links to it.',
    role: 'viewer',
    answers: { 200: answers.clip },
    problems: ofClip,
  },
  'DELETE /recordings/{archiveId}/clips/{clipId}': {
    operation: 'deleteClip',
    summary: 'Delete a clip permanently. The recording stays.',
    role: 'operator',
    answers: { 200: answers.deletedClip },
    problems: [...ofClip, 'recording-busy'],
  },
} as const
