import type { ArchiveStatus } from './archives.ts'
import type { BroadcastStatus, HlsStatus, RtmpStatus } from './broadcasts.ts'
import type { CallState } from './calls.ts'
import type { ComposerStatus } from './composers.ts'
import type { ProjectStatus } from './projects.ts'

/** One legal change of a resource's status. `from` is null at its creation, and `on` names the trigger. */
export interface Transition<Status extends string = string> {
  readonly from: Status | null
  readonly to: Status
  readonly on: string
}

const archive = [
  { from: null, to: 'started', on: 'startArchive; automatically in archiveMode always, also after 4 h recorded' },
  { from: 'started', to: 'paused', on: 'the last stream ended' },
  { from: 'paused', to: 'started', on: 'publishing resumes' },
  { from: 'started', to: 'stopped', on: 'stopArchive, 4 h recorded, or the session ended' },
  { from: 'paused', to: 'stopped', on: 'stopArchive, 60 min idle, 12 h in all, or the session ended' },
  { from: 'started', to: 'failed', on: 'the recording failed' },
  { from: 'paused', to: 'failed', on: 'the recording failed' },
  { from: 'stopped', to: 'uploaded', on: 'the upload target accepted the file' },
  { from: 'stopped', to: 'available', on: 'no upload target, or the upload failed and the fallback keeps the file' },
  { from: 'stopped', to: 'failed', on: 'the file is damaged, or the upload failed without a fallback' },
  { from: 'available', to: 'expired', on: '72 h passed' },
  { from: 'available', to: 'deleted', on: 'deleteArchive' },
  { from: 'uploaded', to: 'deleted', on: 'deleteArchive' },
] as const satisfies readonly Transition<ArchiveStatus>[]

const broadcast = [
  { from: null, to: 'started', on: 'startBroadcast' },
  { from: 'started', to: 'stopped', on: 'stopBroadcast, maxDuration, or 60 s after the last client left' },
  { from: 'started', to: 'failed', on: 'disruption' },
] as const satisfies readonly Transition<BroadcastStatus>[]

/** One RTMP output. Its outcome does not affect the broadcast. */
const rtmpOutput = [
  { from: null, to: 'connecting', on: 'startBroadcast' },
  { from: 'connecting', to: 'live', on: 'the server accepted the connection, and there is a stream' },
  { from: 'live', to: 'connecting', on: 'the last stream ended, or the connection is being renewed' },
  { from: 'connecting', to: 'offline', on: 'the server cannot be reached, or refused the handshake' },
  { from: 'live', to: 'offline', on: 'the server cannot be reached any more' },
  { from: 'connecting', to: 'error', on: 'the platform failed' },
  { from: 'live', to: 'error', on: 'the platform failed' },
] as const satisfies readonly Transition<RtmpStatus>[]

/** `broadcastUrls.hlsStatus`. */
const hlsOutput = [
  { from: null, to: 'connecting', on: 'startBroadcast' },
  { from: 'connecting', to: 'ready', on: 'the output is set up' },
  { from: 'ready', to: 'live', on: 'the playlist has its first segment' },
  { from: 'connecting', to: 'ended', on: 'the broadcast stopped' },
  { from: 'ready', to: 'ended', on: 'the broadcast stopped' },
  { from: 'live', to: 'ended', on: 'the broadcast stopped' },
  { from: 'connecting', to: 'error', on: 'the platform failed' },
  { from: 'ready', to: 'error', on: 'the platform failed' },
  { from: 'live', to: 'error', on: 'the platform failed' },
] as const satisfies readonly Transition<HlsStatus>[]

/** A stop that is requested while it is starting takes effect once it has started. */
const composer = [
  { from: null, to: 'starting', on: 'startComposer' },
  { from: 'starting', to: 'started', on: 'the page was reached and its stream published' },
  { from: 'starting', to: 'failed', on: 'the page cannot be reached, or the platform failed' },
  { from: 'started', to: 'failed', on: 'the page or the platform failed' },
  { from: 'started', to: 'stopped', on: 'stopComposer, or maxDuration' },
] as const satisfies readonly Transition<ComposerStatus>[]

/** Each change sends `callUpdated`. The first is preceded by `callCreated`, and HANGUP is followed by `callDestroyed`. */
const call = [
  { from: null, to: 'DIALING', on: 'dial' },
  { from: 'DIALING', to: 'RINGING', on: 'the callee rings' },
  { from: 'DIALING', to: 'ACTIVE', on: 'the callee answers without ringing' },
  { from: 'RINGING', to: 'ACTIVE', on: 'the callee answers' },
  { from: 'ACTIVE', to: 'ON_HOLD', on: 'the callee holds the call' },
  { from: 'ON_HOLD', to: 'ACTIVE', on: 'the callee resumes the call' },
  { from: 'DIALING', to: 'HANGUP', on: 'the callee cannot be reached or refuses, or forceDisconnect' },
  { from: 'RINGING', to: 'HANGUP', on: 'the callee refuses or does not answer, or forceDisconnect' },
  { from: 'ACTIVE', to: 'HANGUP', on: 'the callee hangs up, 5 min without media, 6 h in all, or forceDisconnect' },
  { from: 'ON_HOLD', to: 'HANGUP', on: 'the callee hangs up, 5 min without media, 6 h in all, or forceDisconnect' },
] as const satisfies readonly Transition<CallState>[]

const project = [
  { from: null, to: 'ACTIVE', on: 'createProject' },
  { from: 'ACTIVE', to: 'SUSPENDED', on: 'setProjectStatus' },
  { from: 'SUSPENDED', to: 'ACTIVE', on: 'setProjectStatus' },
] as const satisfies readonly Transition<ProjectStatus>[]

/** The legal status changes of each resource. The sandbox makes no others. */
export const lifecycles = { archive, broadcast, rtmpOutput, hlsOutput, composer, call, project } as const

export type Lifecycle = keyof typeof lifecycles
export type StatusOf<Name extends Lifecycle> = (typeof lifecycles)[Name][number]['to']

/** Returns true if the table lists the change. */
export function isLegal<Name extends Lifecycle>(name: Name, from: StatusOf<Name> | null, to: StatusOf<Name>): boolean {
  const transitions: readonly Transition[] = lifecycles[name]
  return transitions.some((transition) => transition.from === from && transition.to === to)
}
