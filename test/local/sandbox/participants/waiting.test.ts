import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import type { WebSocket } from 'ws'
import { openSandbox } from '../open-sandbox.ts'

/** A socket that has sent all its messages at once. */
class EagerSocket extends EventEmitter {
  readonly OPEN = 1
  readonly readyState = 1
  readonly bufferedAmount = 0
  isPaused = false
  paused = 0
  readonly answers: unknown[] = []
  pause() {
    if (!this.isPaused) this.paused++
    this.isPaused = true
  }
  resume() {
    this.isPaused = false
  }
  send(text: string) {
    this.answers.push(JSON.parse(text))
  }
  ping() {}
  close() {
    this.emit('close', 1000)
  }
  terminate() {
    this.close()
  }
}

it('the socket of a participant with too many waiting requests is paused until they are handled', async () => {
  const { sandbox, createSession, join } = openSandbox()
  const sessionId = await createSession()
  const { token } = await join(sessionId)
  const socket = new EagerSocket()
  sandbox.participants.accept(sessionId, socket as unknown as WebSocket)
  socket.emit('message', JSON.stringify({ type: 'join', token }), false)
  let sent = 1
  for (; !socket.isPaused && sent < 1_000; sent++)
    socket.emit('message', JSON.stringify({ type: 'signal', signal: { data: '' }, to: 'nobody', request: sent }), false)
  expect([socket.isPaused, sent]).toEqual([true, 64])
  await expect.poll(() => socket.answers.length).toBe(64)
  expect([socket.isPaused, socket.paused]).toEqual([false, 1])
})
