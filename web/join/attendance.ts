import type { ConnectionInfo, StreamInfo } from '../session/protocol.ts'
import { type Admission, type Api, ApiError } from './api.ts'
import { type Ending, isVisitOver, type ShowInfo } from './labels.ts'
import { announcementsOf, emptyRoom, HAND, type Room, type Signal, withPeople, withSignal } from './room.ts'

/** The state of a session, as far as it decides over the visit. */
export interface VisitState {
  readonly status: 'connecting' | 'connected' | 'reconnecting' | 'left'
  /** Why it is not connected. */
  readonly problem?: string | undefined
  /** `forceDisconnected` if a moderator has removed the participant. */
  readonly reason?: string | undefined
  /** Id of the own connection; another one after a reconnection. */
  readonly connectionId?: string | undefined
  readonly connections: readonly ConnectionInfo[]
  readonly streams: readonly StreamInfo[]
}

/** A session that the participant has joined. It reconnects automatically. */
export interface JoinedVisit {
  signal(signal: { type?: string; data: string }, to?: string): Promise<void>
  leave(): void
}

/** The way of a participant from the lobby to the end of the visit. */
export interface Attendance {
  readonly phase: 'lobby' | 'waiting' | 'joining' | 'joined' | 'reconnecting' | 'ended'
  readonly show?: ShowInfo
  readonly room: Room
  /** Present once the visit has ended. */
  readonly ending?: Ending
  /** A message: why the visit was refused, or why the show cannot be read now. */
  readonly reason?: string
}

interface Parts<State extends VisitState> {
  readonly api: Api
  /** Joins a session. `renew` creates a token for each reconnection. */
  readonly connect: (
    admission: Admission,
    renew: () => Promise<string>,
    handlers: { readonly onChange: (state: State) => void; readonly onSignal: (signal: Signal) => void },
  ) => JoinedVisit
  /** Resolves after milliseconds. */
  readonly wait: (ms: number) => Promise<unknown>
  readonly now: () => number
  readonly onChange: (attendance: Attendance) => void
  /** Receives each state of the session. */
  readonly onVisit: (state: State) => void
  /** Receives what a screen reader announces. */
  readonly onAnnouncement: (text: string) => void
}

/** Milliseconds between polls of the show: in the lobby and while waiting, and during the visit. */
const WAITING_MS = 2_000
const JOINED_MS = 4_000

const hasStatus = (error: unknown, ...statuses: number[]) =>
  error instanceof ApiError && statuses.includes(error.status)
const isFinal = (error: unknown) => hasStatus(error, 400, 401, 403, 404, 410)

/** Follows the show, joins its session when that is open, and leaves when the show is over. */
export function createAttendance<State extends VisitState>(parts: Parts<State>) {
  const { api, connect, wait, now, onChange, onVisit, onAnnouncement } = parts
  let state: Attendance = { phase: 'lobby', room: emptyRoom('') }
  let visit: JoinedVisit | undefined
  /** Counts the joins by the participant, so that the loops of a former one end. */
  let joins = 0
  const update = (changes: Partial<Attendance>) => {
    state = { ...state, ...changes }
    onChange(state)
  }
  /** Reads the phase again after a wait, in which it may have changed. */
  const phase = (): Attendance['phase'] => state.phase
  const end = (ending: Ending, reason?: string) => {
    if (phase() === 'ended') return
    if (phase() === 'waiting') api.stopWaiting()
    update({ phase: 'ended', ending, ...(reason && { reason }) })
    visit?.leave()
    visit = undefined
  }

  /** Reads the show. Without an answer the former one stays, and the reason is shown. */
  async function refresh(read: () => Promise<ShowInfo | undefined>): Promise<void> {
    try {
      const show = await read()
      const { reason: _, show: __, ...others } = state
      state = { ...others, ...(show && { show }) }
      onChange(state)
    } catch (error) {
      if (isFinal(error)) end('refused', (error as Error).message)
      else update({ reason: (error as Error).message })
    }
  }

  /** Ends the visit with its show. A link without a show, and an invitation to a series, lead to another one by then. */
  async function followShow({ showId }: ShowInfo): Promise<void> {
    const mine = joins
    const read = async () => {
      try {
        return await api.show(showId)
      } catch (error) {
        if (hasStatus(error, 410)) end('over')
        else if (!hasStatus(error, 403)) throw error // 403: revoked or expired, which removes no participant
        return state.show
      }
    }
    while (mine === joins && phase() !== 'ended') {
      await wait(JOINED_MS)
      if (mine !== joins || phase() === 'ended') return
      await refresh(read)
      if (state.show && (state.show.showId !== showId || isVisitOver(state.show))) end('over')
    }
  }

  function changeRoom(room: Room): void {
    const { room: before } = state
    update({ room })
    const isSameVisit = before.ownId === room.ownId && before.ownId !== ''
    if (isSameVisit) for (const text of announcementsOf(before, room)) onAnnouncement(text)
    if (!before.hands.includes(before.ownId)) return
    // A raised hand is a signal, which clients that join later have not received.
    const raise = (to?: string) => void visit?.signal({ type: HAND, data: 'up' }, to).catch(() => {})
    if (!isSameVisit) raise()
    else for (const { id } of room.connections) if (!before.connections.some((one) => one.id === id)) raise(id)
  }

  function follow(next: State): void {
    if (phase() === 'ended') return
    if (next.status === 'left') {
      if (next.reason === 'forceDisconnected') end('removed')
      else end('refused', next.problem)
      return
    }
    onVisit(next)
    if (next.status === 'connected') {
      const wasLost = phase() === 'reconnecting'
      if (phase() !== 'joined') update({ phase: 'joined' })
      changeRoom(withPeople(state.room, next))
      if (wasLost) onAnnouncement('You are connected again.')
    } else if (phase() === 'joined') {
      update({ phase: 'reconnecting' })
      onAnnouncement('The connection is lost. You will join again automatically.')
    } else if (next.problem) update({ reason: next.problem })
  }

  /** @throws Error when the participant cannot be admitted now */
  async function enter({ showId }: ShowInfo): Promise<void> {
    const { ownName } = state.room
    const admission = await api.admit(showId, ownName)
    if (phase() === 'ended') return
    let token: string | undefined = admission.token
    const renew = async () => {
      const current = token ?? (await api.admit(showId, ownName)).token
      token = undefined
      return current
    }
    const onSignal = (signal: Signal) => {
      if (phase() === 'joined') changeRoom(withSignal(state.room, signal, now()))
    }
    visit = connect(admission, renew, { onChange: follow, onSignal })
  }

  return {
    async followInLobby(): Promise<void> {
      while (phase() === 'lobby') {
        await refresh(() => api.show())
        await wait(WAITING_MS)
      }
    },
    /** Waits for the show if it has not started, and joins it. */
    async join(name: string): Promise<void> {
      if (phase() !== 'lobby' && phase() !== 'ended') return
      joins += 1
      const { show } = state
      state = { phase: 'waiting', room: emptyRoom(name), ...(show && { show }) }
      onChange(state)
      while (phase() === 'waiting') {
        await refresh(() => api.wait(name))
        if (phase() !== 'waiting') return
        const { show } = state
        if (show && isVisitOver(show)) return end('over')
        if (show?.isOpen) {
          update({ phase: 'joining' })
          try {
            await enter(show)
            return await followShow(show)
          } catch (error) {
            if (isFinal(error)) return end('refused', (error as Error).message)
            if (phase() === 'joining') update({ phase: 'waiting', reason: (error as Error).message })
          }
        }
        await wait(WAITING_MS)
      }
    },
    /** Sends a signal to everyone. */
    async signal(type: string, data: string): Promise<void> {
      if (!visit || phase() !== 'joined') throw new Error('You are not connected. Try again in a moment.')
      await visit.signal({ type, data })
    },
    leave: () => end('left'),
    /** Notes that the page is closed. */
    close() {
      if (phase() === 'waiting') api.stopWaiting()
      visit?.leave()
    },
  }
}
