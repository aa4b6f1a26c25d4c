import { describe, expect, it, vi } from 'vitest'
import { createFlightSender } from '../../../../../../local/sandbox/sip/media/dtls/flights.ts'
import { recordOf } from './record-of.ts'

const numbersOf = (datagram: Buffer) =>
  Array.from({ length: datagram.length / 65 }, (_, index) => datagram.readUIntBE(65 * index + 5, 6))

describe('createFlightSender', () => {
  it('sends a flight in few datagrams, and again with new numbers unless they are authenticated', async () => {
    const sent: Buffer[] = []
    const { send, repeat } = createFlightSender((datagram) => sent.push(datagram))
    for (let number = 0; number < 20; number++) send(recordOf(number, 11))
    send(recordOf(3, 20, { epoch: 1 }))
    await Promise.resolve()
    expect(sent.map(numbersOf)).toEqual([Array.from({ length: 18 }, (_, number) => number), [18, 19, 3]])
    repeat() // too early
    expect(sent).toHaveLength(2)
    vi.useFakeTimers({ now: Date.now() + 1_000, toFake: ['Date'] })
    repeat()
    vi.useRealTimers()
    expect(sent.slice(2).map(numbersOf)).toEqual([Array.from({ length: 18 }, (_, number) => number + 20), [38, 39, 3]])
  })
})
