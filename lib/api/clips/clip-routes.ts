import { clipOrder, liveClipOrder } from '../../show/document/orders/clip.ts'
import { answers } from '../answers.ts'

const ofRecording = ['unknown-recording', 'invalid-manifest'] as const
const ofClip = [...ofRecording, 'unknown-clip'] as const

const ofShow = ['unknown-show', 'unknown-clip'] as const

/** The routes of clips of published recordings and of live shows. */
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
  'POST /shows/{id}/clips': {
    operation: 'createShowClip',
    summary: 'Create a clip of a live show.',
    role: 'operator',
    body: liveClipOrder,
    isKeyed: true,
    answers: { 202: answers.showClip },
    problems: ['unknown-show', 'wrong-show-state', 'broadcast-not-readable', 'idempotency-key-reused', 'limit-reached'],
  },
  'GET /shows/{id}/clips': {
    operation: 'listShowClips',
    summary: 'List the clips that were created while a show was live, the oldest first.',
    role: 'viewer',
    answers: { 200: answers.showClips },
    problems: ['unknown-show'],
  },
  'GET /shows/{id}/clips/{clipId}': {
    operation: 'readShowClip',
    summary: 'Read a clip of a live show, with links to it.',
    role: 'viewer',
    answers: { 200: answers.showClip },
    problems: ofShow,
  },
  'DELETE /shows/{id}/clips/{clipId}': {
    operation: 'deleteShowClip',
    summary: 'Delete a clip of a live show permanently.',
    role: 'operator',
    answers: { 200: answers.deletedShowClip },
    problems: [...ofShow, 'recording-busy'],
  },
} as const
