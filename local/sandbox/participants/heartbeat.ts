import type { WebSocket } from 'ws'
import { type Clock, realClock, type Timer } from '../../../lib/clock.ts'

/** Finds out whether there is still somebody at the other end of a socket. */
export interface Heartbeat {
  /** Resolves when the sign of life that is awaited has come, or has not come for a second of the wall clock. */
  readonly owed: Promise<void> | undefined
  stop(): void
}

/** Milliseconds between two pings; who has not answered one by the next is dead. */
const INTERVAL = 10_000
/** Milliseconds by the wall clock, so that a stepped one does not outrun the network. */
const MAX_WAIT = 1_000

export function createHeartbeat(clock: Clock, socket: WebSocket, onDead: () => void): Heartbeat {
  let timer: Timer
  let owed: { readonly promise: Promise<void>; settle(): void } | undefined

  function awaitNext(): void {
    timer = clock.at(clock.now() + INTERVAL, () => {
      if (owed) return onDead()
      owed = createDebt()
      socket.ping()
      awaitNext()
    })
  }
  function settle(): void {
    owed?.settle()
    owed = undefined
  }

  socket.on('pong', settle)
  awaitNext()
  return {
    get owed() {
      return owed?.promise
    },
    stop() {
      timer.cancel()
      settle()
    },
  }
}

function createDebt() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const patience = realClock.at(realClock.now() + MAX_WAIT, resolve)
  return {
    promise,
    settle() {
      patience.cancel()
      resolve()
    },
  }
}
