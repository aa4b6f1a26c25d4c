import type { WebSocket } from 'ws'
import { type Clock, realClock, type Timer } from '../../../lib/clock.ts'

export type Heartbeat = ReturnType<typeof createHeartbeat>

/** Milliseconds between two pings. A client that has not answered one by the next is gone. */
const INTERVAL = 10_000
/** Milliseconds by the wall clock, so that a stepped one does not outrun the network. */
const MAX_WAIT = 1_000

/** Detects a socket whose other end is gone. */
export function createHeartbeat(clock: Clock, socket: WebSocket, onDead: () => void) {
  let timer: Timer
  let awaited: { readonly promise: Promise<void>; settle(): void } | undefined

  function awaitNext(): void {
    timer = clock.at(clock.now() + INTERVAL, () => {
      if (awaited) return onDead()
      awaited = awaitPong()
      socket.ping()
      awaitNext()
    })
  }
  function settle(): void {
    awaited?.settle()
    awaited = undefined
  }

  socket.on('pong', settle)
  awaitNext()
  return {
    /** Resolves when the awaited pong has arrived, or after a second of the wall clock; undefined when none is awaited. */
    get awaitedPong() {
      return awaited?.promise
    },
    stop() {
      timer.cancel()
      settle()
    },
  }
}

function awaitPong() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timeout = realClock.at(realClock.now() + MAX_WAIT, resolve)
  return {
    promise,
    settle() {
      timeout.cancel()
      resolve()
    },
  }
}
