import type { CallState } from '../../../lib/platform/contract/calls.ts'
import { limits } from '../../../lib/platform/contract/limits.ts'
import type { Announce } from '../callbacks/announcements.ts'
import type { SandboxParts } from '../parts.ts'
import type { CallPlace } from '../sip/media/session/session-audio.ts'
import type { CallRecord, SessionRecord, StreamRecord } from '../state/records.ts'
import { type CallEnding, type CalleeStep, callEndingOf, calleeOf, withoutPassword } from './callees.ts'
import type { Dtmf } from './dtmf.ts'
import type { PhoneInvite, Phones } from './phones.ts'

/**
 * SIP calls from the dial to the end. The callee is a phone (phones.ts), or it follows a script (callees.ts) or acts
 * through the control interface.
 */
export type Calls = ReturnType<typeof createCalls>

/** Parameters of a dial. */
export type Invite = PhoneInvite & Pick<CallRecord, 'observeForceMute'>

/** Identity of the callee in the session, from the client token. */
export interface CallParticipant {
  readonly data?: string | undefined
  readonly layoutClasses: readonly string[]
}

const STATE_AFTER = { ring: 'RINGING', answer: 'ACTIVE', hold: 'ON_HOLD', resume: 'ACTIVE' } as const
const STATES_BEFORE = {
  ring: ['DIALING'],
  answer: ['DIALING', 'RINGING'],
  hold: ['ACTIVE'],
  resume: ['ON_HOLD'],
} as const satisfies Record<keyof typeof STATE_AFTER, readonly CallState[]>

export function createCalls(
  parts: Pick<SandboxParts, 'store' | 'clock' | 'ids' | 'timers' | 'transitions' | 'presence'> & {
    dtmf: Dtmf
    phones: Phones
    announce: Announce
  },
) {
  const { store, clock, timers, ids, transitions, presence, dtmf, phones, announce } = parts
  /** Returns the calls of a session or connection that have not ended. */
  const running = (match: { sessionId?: string; connectionId?: string }) =>
    store.calls.find({ ...match, status: ['DIALING', 'RINGING', 'ACTIVE', 'ON_HOLD'] })
  /** Returns the call as it is now, unless it has ended. */
  const current = (id: string) => {
    const call = store.calls.get(id)
    return call && call.status !== 'HANGUP' ? call : undefined
  }
  const sendsMedia = ({ id, status, uri, authenticates }: CallRecord) =>
    status === 'ACTIVE' && (phones.isSending(id) ?? !calleeOf(uri, authenticates).isSilent)
  const endIn = (id: string, purpose: string, seconds: number, code: Parameters<typeof callEndingOf>[0]) =>
    timers.set(id, purpose, clock.now() + seconds * 1000, () => end(id, callEndingOf(code)))
  const awaitMedia = (id: string) => endIn(id, 'silence', limits.callSilence.value, 704)

  const described = ({ id, projectId, sessionId, connectionId, createdAt }: CallRecord) => ({
    projectId,
    sessionId,
    timestamp: clock.now(),
    call: { id, connectionId, createdAt },
  })
  const announceState = (call: CallRecord) =>
    announce('call', { ...described(call), event: 'callUpdated', state: call.status })

  /** Connects and publishes at once, whether or not the callee answers later. */
  function dial({ id: sessionId, projectId }: SessionRecord, invite: Invite, participant: CallParticipant): CallRecord {
    const { auth, ...parameters } = invite
    const phone = phones.reaches(invite.uri) ? openPhone(sessionId, invite.video) : undefined
    const connection = presence.connect(sessionId, participant.data)
    const kinds = { videoType: 'camera', hasAudio: true, hasVideo: invite.video, silent: true } as const
    const { layoutClasses } = participant
    const stream = presence.publish(connection, { name: '', layoutClasses, ...phone?.published, ...kinds })
    const call = transitions.calls.begin({
      ...parameters,
      authenticates: auth !== undefined,
      uri: withoutPassword(invite.uri),
      id: ids.uuid(),
      projectId,
      sessionId,
      connectionId: connection.id,
      streamId: stream.id,
      createdAt: clock.now(),
      heard: [],
      pressed: '',
    })
    announce('call', { ...described(call), event: 'callCreated' })
    announceState(call)
    if (stream.muted) announceForcedMute(call)
    awaitMedia(call.id)
    endIn(call.id, 'duration', limits.callDuration.value, 705)
    if (phone) dialPhone(call, invite, stream, phone.place)
    else follow(call.id, calleeOf(call.uri, call.authenticates).steps)
    return call
  }

  function openPhone(sessionId: string, hasVideo: boolean) {
    const id = ids.uuid()
    const place = phones.open(sessionId, id, hasVideo)
    return { place, published: { id, source: place.source } }
  }

  function dialPhone({ id }: CallRecord, invite: Invite, stream: StreamRecord, place: CallPlace): void {
    phones.dial(id, invite, stream, place, {
      onAction: (does) => void act(id, does),
      onMedia: () => refreshMedia(id),
      onVideo: (hasVideo) => void (current(id) && presence.change(stream.id, { hasVideo })),
      onDigit: (digit) => dtmf.press(id, digit),
      onEnded: (ending) => end(id, ending),
    })
  }

  /** Publishes the audio of a phone that begins to send, and waits for that of one that has stopped. */
  function refreshMedia(id: string): void {
    const call = current(id)
    if (call?.status !== 'ACTIVE') return
    presence.change(call.streamId, { silent: !sendsMedia(call) })
    if (sendsMedia(call)) timers.cancel(id, 'silence')
    else awaitMedia(id)
  }

  /** Follows the rest of a script, and skips actions that the call's state no longer allows. */
  function follow(id: string, [step, ...rest]: readonly CalleeStep[]): void {
    if (!step) return
    timers.set(id, 'script', clock.now() + step.after * 1000, () => {
      if (step.does === 'press') dtmf.press(id, step.keys)
      else if (step.does === 'end') end(id, step.ending)
      else if (step.does === 'refuse') refuse(id, step.ending)
      else act(id, step.does)
      follow(id, rest)
    })
  }

  /** Acts as the callee. Returns false if the call's state does not allow the action. */
  function act(id: string, does: keyof typeof STATE_AFTER): boolean {
    const call = current(id)
    const before: readonly CallState[] = STATES_BEFORE[does]
    if (!call || !before.includes(call.status)) return false
    const moved = transitions.calls.move(id, STATE_AFTER[does])
    presence.change(moved.streamId, { silent: !sendsMedia(moved) })
    if (sendsMedia(moved)) timers.cancel(id, 'silence')
    else if (sendsMedia(call)) awaitMedia(id)
    announceState(moved)
    return true
  }

  function refuse(id: string, ending: CallEnding): void {
    const call = current(id)
    if (call?.status === 'DIALING' || call?.status === 'RINGING') end(id, ending)
  }

  function end(id: string, ending: CallEnding): void {
    if (!current(id)) return
    timers.cancelAll(id)
    const ended = transitions.calls.move(id, 'HANGUP', { ending })
    phones.hangUp(id) // after the move: the phone's side reports its own end at once
    announceState(ended)
    const connection = store.connections.get(ended.connectionId)
    if (connection) presence.disconnect(connection, ending.code === 703 ? 'networkDisconnected' : undefined)
    const { code: reason_code, message: reason_message } = ending
    announce('call', { ...described(ended), event: 'callDestroyed', reason_code, reason_message })
  }

  function announceForcedMute(call: CallRecord): void {
    if (!call.observeForceMute) return
    announce('call', { ...described(call), event: 'muteForced' })
    dtmf.announceForcedMute(call.id)
  }

  presence.listen({
    onJoined({ id, sessionId }) {
      for (const call of running({ sessionId })) if (call.connectionId !== id) timers.cancel(call.id, 'alone')
    },
    onLeft({ id, sessionId }) {
      for (const call of running({ connectionId: id })) end(call.id, callEndingOf(700))
      if (store.connections.count({ sessionId }) > 1) return
      for (const call of running({ sessionId })) endIn(call.id, 'alone', limits.callSilence.value, 706)
    },
    onForceMuted({ id: streamId, connectionId }) {
      for (const call of running({ connectionId })) if (call.streamId === streamId) announceForcedMute(call)
    },
  })

  /** Ends the calls of an earlier process as disconnected. */
  function recover(): void {
    for (const { id } of running({})) end(id, callEndingOf(703))
  }

  return { dial, running, act, end, recover }
}
