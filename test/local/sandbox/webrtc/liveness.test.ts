import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import { createLiveness } from '../../../../local/sandbox/webrtc/liveness.ts'

function open() {
  const clock = createSteppedClock(0)
  const lostAt: number[] = []
  const liveness = createLiveness(clock, () => lostAt.push(clock.now()))
  return { clock, lostAt, liveness }
}

describe('createLiveness', () => {
  it('reports a peer that has not connected within 10 s, although packets arrived', async () => {
    const { clock, lostAt, liveness } = open()
    await clock.advance(9_000)
    liveness.touch()
    await clock.advance(60_000)
    expect(lostAt).toEqual([10_000])
  })

  it('reports a connected peer 20 s after the last packet', async () => {
    const { clock, lostAt, liveness } = open()
    await clock.advance(5_000)
    liveness.connected()
    for (let second = 0; second < 60; second++) {
      await clock.advance(1_000)
      liveness.touch()
    }
    await clock.advance(60_000)
    expect(lostAt).toEqual([85_000])
  })

  it('reports nothing after it is stopped', async () => {
    const { clock, lostAt, liveness } = open()
    liveness.stop()
    await clock.advance(60_000)
    expect(lostAt).toEqual([])
    expect(clock.nextDue()).toBeUndefined()
  })
})
