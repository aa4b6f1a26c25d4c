import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { startTicker } from '../../../../../../local/sandbox/sip/media/session/ticker.ts'

it('makes up for late ticks once the process has read what arrived meanwhile', async () => {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  onTestFinished(() => void socket.close())
  await once(socket, 'listening')
  socket.connect(socket.address().port, '127.0.0.1')
  await once(socket, 'connect')
  const happened: (string | number)[] = []
  socket.on('message', () => happened.push('packet'))
  onTestFinished(startTicker((at) => happened.push(at)))
  await expect.poll(() => happened.length).toBeGreaterThan(0)

  socket.send('late')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 90) // keeps the process from reading
  happened.length = 0
  await expect.poll(() => happened.length).toBeGreaterThan(4)
  const [first, ...ticks] = happened.slice(0, 5)
  expect(first).toBe('packet')
  expect(ticks).toEqual(ticks.map((_, index) => Number(ticks[0]) + 20 * index))
})
