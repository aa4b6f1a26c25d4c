import type { ParticipantIds } from '../../environment/participants.ts'
import type { Change, Control } from './controls.ts'

export interface RequestContext {
  readonly showId: string
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Returns a participant’s ids; undefined before the first join. */
  find(participant: string): ParticipantIds | undefined
  /** Returns the id of the connection of a dial-in, by the last answer that shows it; undefined before it is connected. */
  connectionOfDialIn(name: string): string | undefined
  /** Returns the id of the clip that a request created; undefined if it created none. */
  clipOf(key: string): string | undefined
}

/** A request to Showrunner's API. */
export interface ControlRequest {
  readonly method: 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: object
}

export function toRequest(
  control: Control,
  { showId, now, find, clipOf, connectionOfDialIn }: RequestContext,
): ControlRequest {
  const path = `/shows/${showId}`
  const streamOf = (participant: string) => find(participant)?.streamId ?? UNKNOWN_ID
  const connectionOf = (participant: string) => find(participant)?.connectionId ?? UNKNOWN_ID
  switch (control.what) {
    case 'stop':
      return { method: 'POST', path: `${path}/stop` }
    case 'unschedule':
      return { method: 'DELETE', path }
    case 'change':
      return { method: 'PATCH', path, body: changeOf(control, now, streamOf) }
    case 'signal': {
      const connectionId = control.participant === undefined ? undefined : connectionOf(control.participant)
      return { method: 'POST', path: `${path}/signals`, body: { ...control.signal, connectionId } }
    }
    case 'mute': {
      if ('participant' in control)
        return { method: 'POST', path: `${path}/mute`, body: { streamId: streamOf(control.participant) } }
      const excludedStreamIds = control.except === undefined ? undefined : [streamOf(control.except)]
      return { method: 'POST', path: `${path}/mute`, body: { active: control.active, excludedStreamIds } }
    }
    case 'layoutClasses': {
      const streams = [{ streamId: streamOf(control.participant), layoutClasses: control.layoutClasses }]
      return { method: 'POST', path: `${path}/layout-classes`, body: { streams } }
    }
    case 'tones': {
      const connectionId = control.participant === undefined ? undefined : connectionOf(control.participant)
      return { method: 'POST', path: `${path}/tones`, body: { digits: control.digits, connectionId } }
    }
    case 'disconnect': {
      const connectionId =
        'dialIn' in control ? (connectionOfDialIn(control.dialIn) ?? UNKNOWN_ID) : connectionOf(control.participant)
      return { method: 'POST', path: `${path}/disconnect`, body: { connectionId } }
    }
    case 'dialIn':
      return { method: 'POST', path: `${path}/dial-ins`, body: control.order }
    case 'marker':
      return { method: 'POST', path: `${path}/markers`, body: { label: control.label, at: control.seconds } }
    case 'clip': {
      const { what: _, ...order } = control
      return { method: 'POST', path: `${path}/clips`, body: order }
    }
    case 'deleteClip':
      return { method: 'DELETE', path: `${path}/clips/${clipOf(control.of) ?? UNKNOWN_CLIP}` }
    case 'replace':
      return { method: 'PUT', path, body: control.show }
    case 'pause':
    case 'resume':
      return { method: 'POST', path: `${path}/recordings/${control.recording}/${control.what}`, body: {} }
    case 'stopBroadcast':
      return { method: 'POST', path: `${path}/broadcasts/${control.broadcast}/stop`, body: {} }
    case 'broadcast':
      return { method: 'POST', path: `${path}/broadcasts`, body: control.order }
  }
}

/** An id of the platform’s format that identifies nothing. */
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'
const UNKNOWN_CLIP = '0'.repeat(16)

function changeOf(
  { what: _, endsIn, streams, ...change }: Change,
  now: number,
  streamOf: (participant: string) => string,
) {
  return {
    ...change,
    ...(endsIn !== undefined && { endsAt: new Date(now + endsIn * 1000).toISOString() }),
    ...(streams && {
      streams: streams.map((one) => {
        if ('remove' in one) {
          const { remove, ...composed } = one
          return { ...composed, removeStream: streamOf(remove) }
        }
        const { add, ...taken } = one
        return { ...taken, addStream: streamOf(add) }
      }),
    }),
  }
}
