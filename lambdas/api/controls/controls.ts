import type { Clock } from '../../../lib/clock.ts'
import { isAlreadyEnded, isUncertain } from '../../../lib/show/run/platform-errors.ts'
import { withEntry } from '../../../lib/show/run/resource-entries.ts'
import { stopNow } from '../../../lib/show/run/stop/stop-now.ts'
import { isTerminal } from '../../../lib/show/state/state.ts'
import type { Routes } from '../../http/request.ts'
import { postBroadcast, postDialIn } from './added-orders.ts'
import { controlRoute } from './control.ts'
import { patchShow } from './patch-show.ts'
import { postPause, postResume } from './pause-recording.ts'
import { postMarker } from './post-marker.ts'
import { postBroadcastStop } from './stop-broadcast.ts'

/** Milliseconds for the platform: with two writes of the state, a stop is answered within 5 s. */
const MAX_STOP_MS = 4_000

export const controlRoutes = {
  'PATCH /shows/{id}': patchShow,
  'POST /shows/{id}/broadcasts': postBroadcast,
  'POST /shows/{id}/broadcasts/{name}/stop': postBroadcastStop,
  'POST /shows/{id}/dial-ins': postDialIn,
  'POST /shows/{id}/markers': postMarker,
  'POST /shows/{id}/recordings/{name}/pause': postPause,
  'POST /shows/{id}/recordings/{name}/resume': postResume,

  /** Prevents starts and stops what runs; the machine stops the rest. A show that is ending or over stays as it is. */
  'POST /shows/{id}/stop': controlRoute('stop', {
    isPointless: ({ endedAt, status }) => endedAt !== undefined || isTerminal(status),
    prepare: (state, _body, { now }) => ({ ...state, stopAskedAt: state.stopAskedAt ?? new Date(now).toISOString() }),
    async carryOut(show, _body, services) {
      const deadline = startDeadline(services.clock)
      const detail = await stopNow(services, show, deadline.signal)
      deadline.cancel()
      return { happened: [{ what: 'control.stop', detail }] }
    },
  }),

  /** The platform cannot recognize a repeated signal: a repeated request may send it twice. */
  'POST /shows/{id}/signals': controlRoute('signal', {
    async carryOut({ sessionId }, { connectionId, type, data }, services) {
      const platform = await services.platform()
      if (connectionId) await platform.signalConnection({ sessionId, connectionId, type, data })
      else await platform.signalSession({ sessionId, type, data })
      const detail = `A signal of type ${type} was sent to ${connectionId ?? 'all participants'}.`
      return { happened: [{ what: 'control.signal', detail }] }
    },
  }),

  /** Mutes one stream, or all but some, including later ones. A repeated request changes nothing. */
  'POST /shows/{id}/mute': controlRoute('mute', {
    async carryOut({ sessionId }, { streamId, active, excludedStreamIds }, services) {
      const platform = await services.platform()
      if (streamId) await platform.muteStream({ sessionId, streamId })
      else if (active !== undefined)
        await platform.muteSession({ sessionId, active, ...(excludedStreamIds && { excludedStreamIds }) })
      const streams = excludedStreamIds?.length ? `Every stream except ${excludedStreamIds.length}` : 'Every stream'
      const ofAll = active ? `${streams} was muted, and new ones will be.` : 'New streams are no longer muted.'
      const detail = streamId ? `The stream ${streamId} was muted.` : ofAll
      return { happened: [{ what: 'control.mute', detail }] }
    },
  }),

  /** A repeated request changes nothing. */
  'POST /shows/{id}/layout-classes': controlRoute('layoutClasses', {
    async carryOut({ sessionId }, { streams }, services) {
      const platform = await services.platform()
      const items = streams.map(({ streamId, layoutClasses }) => ({ id: streamId, layoutClassList: layoutClasses }))
      await platform.setStreamLayoutClasses({ sessionId, items })
      const changes = streams.map(
        ({ streamId, layoutClasses }) => `The stream ${streamId} has ${layoutClasses.join(', ') || 'no layout class'}.`,
      )
      return { happened: [{ what: 'control.layoutClasses', detail: changes.join(' ') }] }
    },
  }),

  /** When the platform's answer is lost, that is reported, and the same key does not repeat the tones. */
  'POST /shows/{id}/tones': controlRoute('tones', {
    async carryOut({ sessionId }, { digits, connectionId }, services) {
      const platform = await services.platform()
      const play = connectionId
        ? platform.playDtmfToConnection({ sessionId, connectionId, digits })
        : platform.playDtmfToSession({ sessionId, digits })
      const wasAnswered = await falseIf(isUncertain, play)
      const target = connectionId ?? 'every client'
      const detail = wasAnswered
        ? `Tones were played to ${target}.`
        : `The platform’s answer was lost, so it is unknown whether tones were played to ${target}. They are not repeated.`
      return { happened: [{ what: 'control.tones', detail }] }
    },
  }),

  /** Disconnects one participant or dial-in. One that has left already is not an error. */
  'POST /shows/{id}/disconnect': controlRoute('disconnect', {
    async carryOut({ sessionId, dialIns }, { connectionId }, services) {
      const platform = await services.platform()
      const wasThere = await falseIf(isAlreadyEnded, platform.forceDisconnect({ sessionId, connectionId }))
      const call = dialIns.find((one) => one.connectionId === connectionId)
      const detail = `The connection ${connectionId} ${wasThere ? 'was closed' : 'had left already'}.`
      return {
        happened: [
          { what: 'control.disconnect', detail },
          ...(call ? [{ what: 'dialIn.ended', name: call.name } as const] : []),
        ],
        ...(call && {
          change: (state) => ({
            ...state,
            dialIns: withEntry(state.dialIns, call.name, (entry) => ({ ...entry, status: 'ended' as const })),
          }),
        }),
      }
    },
  }),
} satisfies Partial<Routes>

function startDeadline(clock: Clock) {
  const controller = new AbortController()
  const { cancel } = clock.at(clock.now() + MAX_STOP_MS, () =>
    controller.abort(new Error('The time for a stop is up.')),
  )
  return { signal: controller.signal, cancel }
}

/** Returns true for an operation that succeeds, and false for one that fails with such an error. */
const falseIf = (isExpected: (error: unknown) => boolean, operation: Promise<unknown>): Promise<boolean> =>
  operation.then(
    () => true,
    (error: unknown) => {
      if (isExpected(error)) return false
      throw error
    },
  )
