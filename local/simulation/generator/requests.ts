import type { Whereabouts } from '../environment/guests.ts'
import type { Change, Control } from './controls.ts'

export interface Asking {
  readonly showId: string
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Undefined for a guest who has never been there. */
  find(guest: string): Whereabouts | undefined
}

/** A request to Showrunner's API. */
export interface ControlRequest {
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: object
}

/** A control as the API is asked for it. */
export function requestOf(control: Control, { showId, now, find }: Asking): ControlRequest {
  const path = `/shows/${showId}`
  const streamOf = (guest: string) => find(guest)?.streamId ?? NOBODY
  const connectionOf = (guest: string) => find(guest)?.connectionId ?? NOBODY
  switch (control.what) {
    case 'stop':
      return { method: 'POST', path: `${path}/stop` }
    case 'unschedule':
      return { method: 'DELETE', path }
    case 'change':
      return { method: 'PATCH', path, body: changeOf(control, now, streamOf) }
    case 'signal': {
      const connectionId = control.guest === undefined ? undefined : connectionOf(control.guest)
      return { method: 'POST', path: `${path}/signals`, body: { ...control.signal, connectionId } }
    }
    case 'mute': {
      if ('guest' in control)
        return { method: 'POST', path: `${path}/mute`, body: { streamId: streamOf(control.guest) } }
      const excludedStreamIds = control.except === undefined ? undefined : [streamOf(control.except)]
      return { method: 'POST', path: `${path}/mute`, body: { active: control.active, excludedStreamIds } }
    }
    case 'layoutClasses': {
      const streams = [{ streamId: streamOf(control.guest), layoutClasses: control.layoutClasses }]
      return { method: 'POST', path: `${path}/layout-classes`, body: { streams } }
    }
    case 'tones': {
      const connectionId = control.guest === undefined ? undefined : connectionOf(control.guest)
      return { method: 'POST', path: `${path}/tones`, body: { digits: control.digits, connectionId } }
    }
    case 'disconnect':
      return { method: 'POST', path: `${path}/disconnect`, body: { connectionId: connectionOf(control.guest) } }
    case 'dialIn':
      return { method: 'POST', path: `${path}/dial-ins`, body: control.order }
    case 'broadcast':
      return { method: 'POST', path: `${path}/broadcasts`, body: control.order }
  }
}

/** An id of the platform's form, of nothing that there is. */
const NOBODY = '00000000-0000-4000-8000-000000000000'

function changeOf({ what: _, endsIn, streams, ...change }: Change, now: number, streamOf: (guest: string) => string) {
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
