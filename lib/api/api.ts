import type { z } from 'zod'
import { judgement } from '../show/document/orders/judgement.ts'
import { rebuildOrder } from '../show/document/orders/rebuild.ts'
import { tokenOrder } from '../show/document/orders/token.ts'
import { show } from '../show/document/show.ts'
import type { Capability } from '../tasks/environment.ts'
import { answers } from './answers.ts'
import { captionRoutes } from './captions.ts'
import { clipRoutes } from './clips/clip-routes.ts'
import { controls } from './controls.ts'
import { historyRoutes } from './history/history-routes.ts'
import { invitationRoutes, joinRoutes } from './invitations.ts'
import type { ProblemType } from './problem-types.ts'
import { days, dryRun, nothing, permanence, recordingsPage, showsPage } from './queries.ts'
import type { Role } from './roles.ts'

/** Problem types that several routes share. */
const shared = {
  control: ['unknown-show', 'wrong-show-state', 'idempotency-key-reused', 'control-in-progress', 'limit-reached'],
  platform: ['platform-refused', 'platform-failed', 'platform-unreachable'],
  pause: ['change-refused', 'wrong-recording-state'],
  recording: ['unknown-recording', 'invalid-manifest'],
  withheld: ['unknown-recording', 'invalid-manifest', 'wrong-file'],
} as const satisfies Record<string, readonly ProblemType[]>

export interface RouteDefinition {
  readonly operation: string
  readonly summary: string
  /** The least role that may call it: each role includes those before it. */
  readonly role: 'anybody' | Role
  /** Other parameters are refused. @default no parameters */
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** A body that is not JSON. */
  readonly text?: { readonly mediaType: string; readonly description: string }
  /** Whether requests with one Idempotency-Key have their effect once. */
  readonly isKeyed?: true
  /** By status. */
  readonly answers: Readonly<Record<number, z.ZodType>>
  /** Another form of the answer, which callers ask for by Accept. */
  readonly alternative?: { readonly mediaType: string; readonly description: string }
  /** Problem types beside those of `problemsOf`. */
  readonly problems?: readonly ProblemType[]
}

const control = (name: keyof typeof controls, ...problems: readonly ProblemType[]) =>
  ({
    summary: controls[name].summary,
    role: 'operator',
    body: controls[name].body,
    isKeyed: true,
    answers: { 200: answers.control },
    problems: [...shared.control, ...shared.platform, ...problems],
  }) as const satisfies Omit<RouteDefinition, 'operation'>

/** The routes of Showrunner's HTTP API, with their purpose, parameters, answers and problems. */
export const apiRoutes = {
  'POST /shows': {
    operation: 'startShow',
    summary: 'Start a show, now or by a schedule.',
    role: 'operator',
    query: dryRun,
    body: show,
    isKeyed: true,
    answers: { 200: answers.valid, 202: answers.accepted },
    problems: ['invalid-show', 'invalid-secret', 'idempotency-key-reused'],
  },
  'GET /shows': {
    operation: 'listShows',
    summary: 'List shows, newest first. With a filter, a page may have few items or none, and a cursor.',
    role: 'viewer',
    query: showsPage,
    answers: { 200: answers.shows },
  },
  'GET /shows/{id}': {
    operation: 'readShow',
    summary: 'Read a show and, once it has ended, its result.',
    role: 'viewer',
    answers: { 200: answers.show },
    problems: ['unknown-show'],
  },
  'GET /shows/{id}/quality': {
    operation: 'readQuality',
    summary: 'Read the connection quality of a show’s participants.',
    role: 'viewer',
    answers: { 200: answers.quality },
    problems: ['unknown-show', 'no-quality-report'],
  },
  'GET /shows/{id}/streams': {
    operation: 'listStreams',
    summary: 'List the streams that are published in the session of a show now.',
    role: 'viewer',
    answers: { 200: answers.streams },
    problems: ['unknown-show', 'wrong-show-state', ...shared.platform],
  },
  ...historyRoutes,
  'PUT /shows/{id}': {
    operation: 'editShow',
    summary: 'Edit a scheduled show. Its id stays, and its schedule gets the new start.',
    role: 'operator',
    body: show,
    answers: { 200: answers.show },
    problems: ['unknown-show', 'wrong-show-state', 'invalid-show', 'invalid-secret'],
  },
  'PATCH /shows/{id}': {
    operation: 'changeShow',
    ...control('change', 'change-refused'),
    // 202: the rest is done after the show's next polls.
    answers: { 200: answers.control, 202: answers.control },
  },
  'DELETE /shows/{id}': {
    operation: 'unscheduleShow',
    summary: 'Unschedule a show.',
    role: 'operator',
    answers: { 200: answers.unscheduled },
    problems: ['unknown-show', 'wrong-show-state'],
  },
  'POST /shows/{id}/tokens': {
    operation: 'letIntoShow',
    summary: 'Create a client token for one participant of a show.',
    role: 'operator',
    body: tokenOrder,
    answers: { 200: answers.token },
    problems: ['unknown-show', 'show-not-open', 'wrong-show-state'],
  },
  ...invitationRoutes,
  ...joinRoutes,
  'POST /shows/{id}/stop': { operation: 'stopShow', ...control('stop') },
  'POST /shows/{id}/signals': { operation: 'sendSignal', ...control('signal') },
  'POST /shows/{id}/mute': { operation: 'muteStreams', ...control('mute') },
  'POST /shows/{id}/layout-classes': { operation: 'setLayoutClasses', ...control('layoutClasses') },
  'POST /shows/{id}/tones': { operation: 'playTones', ...control('tones') },
  'POST /shows/{id}/disconnect': { operation: 'disconnectFromShow', ...control('disconnect') },
  'POST /shows/{id}/dial-ins': { operation: 'addDialIn', ...control('dialIn', 'name-taken', 'invalid-secret') },
  'POST /shows/{id}/broadcasts': {
    operation: 'addBroadcast',
    ...control('broadcast', 'change-refused', 'name-taken', 'invalid-secret'),
  },
  'POST /shows/{id}/broadcasts/{name}/stop': {
    operation: 'stopBroadcast',
    ...control('stopBroadcast', 'change-refused'),
  },
  'POST /shows/{id}/recordings/{name}/pause': { operation: 'pauseRecording', ...control('pause', ...shared.pause) },
  'POST /shows/{id}/recordings/{name}/resume': { operation: 'resumeRecording', ...control('resume', ...shared.pause) },
  'POST /shows/{id}/markers': { operation: 'setMarker', ...control('marker', 'change-refused') },
  'GET /recordings': {
    operation: 'listRecordings',
    summary: 'List published recordings, newest first, or those that are deleted and can still be restored.',
    role: 'viewer',
    query: recordingsPage,
    answers: { 200: answers.recordings },
  },
  'GET /recordings/{archiveId}': {
    operation: 'readRecording',
    summary: 'Read a recording, with links to its files.',
    role: 'viewer',
    answers: { 200: answers.recording },
    problems: [...shared.recording, 'recording-deleted'],
  },
  'DELETE /recordings/{archiveId}': {
    operation: 'deleteRecording',
    summary:
      'Delete a recording. Its links stop working at once. It can be restored for some days, until all its files and the platform’s copy are deleted.',
    role: 'admin',
    query: permanence,
    answers: { 200: answers.deleted },
    problems: ['unknown-recording', 'recording-busy', ...shared.platform],
  },
  'POST /recordings/{archiveId}/accept': {
    operation: 'acceptFile',
    summary: 'Publish the withheld file instead of the published one.',
    role: 'operator',
    body: judgement,
    answers: { 202: answers.judged },
    problems: shared.withheld,
  },
  'POST /recordings/{archiveId}/reject': {
    operation: 'rejectFile',
    summary: 'Delete the withheld file, so that the published one is current again.',
    role: 'operator',
    body: judgement,
    answers: { 200: answers.judged },
    problems: [...shared.withheld, 'file-accepted', 'published-file-missing'],
  },
  'POST /recordings/{archiveId}/restore': {
    operation: 'restoreRecording',
    summary: 'Restore a recording that was deleted.',
    role: 'admin',
    answers: { 200: answers.restored },
    problems: ['unknown-recording', 'recording-busy', 'restore-expired'],
  },
  'POST /recordings/{archiveId}/revoke': {
    operation: 'revokeLinks',
    summary: 'Revoke every link to a recording’s watch page, and make a public recording private.',
    role: 'operator',
    body: nothing,
    answers: { 200: answers.revoked },
    problems: shared.recording,
  },
  'POST /recordings/{archiveId}/rebuild': {
    operation: 'rebuildRecording',
    summary: 'Publish a recording again.',
    role: 'operator',
    body: rebuildOrder,
    isKeyed: true,
    answers: { 202: answers.rebuilding },
    problems: ['unknown-recording', 'recording-busy', 'file-withheld'],
  },
  ...captionRoutes,
  ...clipRoutes,
  'GET /public/recordings/{archiveId}': {
    operation: 'readPublicRecording',
    summary: 'Read a public recording.',
    role: 'anybody',
    answers: { 200: answers.publicRecording },
    problems: shared.recording,
  },
  'GET /.well-known/jwks.json': {
    operation: 'readCallbackKeys',
    summary: 'Read the public keys that verify callbacks to event apps.',
    role: 'anybody',
    answers: { 200: answers.callbackKeys },
  },
  'GET /publishing': {
    operation: 'listPublishing',
    summary: 'List the archives that wait to be published, in their order.',
    role: 'viewer',
    answers: { 200: answers.publishing },
  },
  'GET /usage': {
    operation: 'readUsage',
    summary: 'Read the daily usage of the platform project.',
    role: 'viewer',
    query: days,
    answers: { 200: answers.usage },
  },
} as const satisfies Record<string, RouteDefinition>

export type RouteKey = keyof typeof apiRoutes
export type QueryOf<Key extends RouteKey> = (typeof apiRoutes)[Key] extends { query: infer Query extends z.ZodType }
  ? z.output<Query>
  : Record<string, never>

export function problemsOf(key: RouteKey): ProblemType[] {
  const { role, body, text, isKeyed, problems = [] }: RouteDefinition = apiRoutes[key]
  const has = (condition: unknown, ...types: readonly ProblemType[]) => (condition ? types : [])
  return [
    'invalid-query',
    ...has(role !== 'anybody', 'wrong-token', 'insufficient-role'),
    ...has(body, 'malformed-json', 'invalid-body', 'body-too-large', 'unsupported-media-type'),
    ...has(text, 'body-too-large', 'unsupported-media-type'),
    ...has(text || body === show, 'missing-body'),
    ...has(isKeyed, 'invalid-idempotency-key'),
    ...problems,
    'internal-error',
  ]
}

/** The route of requests that no other route matches. It needs no token, and answers only that there is no such route. */
export const UNMATCHED_ROUTE = '$default'

export const isPublicRoute = (key: string) => key in apiRoutes && apiRoutes[key as RouteKey].role === 'anybody'

/** Capabilities, timeout in seconds and memory in megabytes of the API's function. */
export const apiFunction = {
  capabilities: [
    ...['roles', 'platform', 'insights', 'usage', 'events'],
    ...[
      'showRecords',
      'showPosting',
      'showResults',
      'deliveryRecords',
      'showLists',
      'showSecrets',
      'showExecutions',
      'showRedrives',
      'executionHistories',
      'schedules',
      'callbackReach',
    ],
    ...[
      'publishedFiles',
      'publishQueue',
      'archiveVersions',
      'watchLinks',
      'watchOrigin',
      'joinLinks',
      'captions',
      'clips',
      'liveClips',
      'deletions',
      'deletionLists',
      'rebuilds',
      'callbackKeys',
    ],
  ] as const satisfies readonly Capability[],
  timeout: 29,
  memory: 512,
} as const satisfies { capabilities: readonly Capability[]; timeout: number; memory: number }
