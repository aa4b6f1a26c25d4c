import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../lib/clock.ts'
import { measureLateness } from './lateness.ts'

/** A meter of threads whose waits the test sets, in ms. */
function openMeter() {
  const clock = createSteppedClock(1_000_000)
  const waited = new Map<string, number>()
  const meter = measureLateness(1, { clock, waits: () => new Map(waited) })
  const advance = async (ms: number, waits: Record<string, number> = {}) => {
    for (const [thread, more] of Object.entries(waits)) waited.set(thread, (waited.get(thread) ?? 0) + more)
    await clock.advance(ms)
  }
  return { clock, meter, waited, advance, start: clock.now() }
}

describe('measureLateness', () => {
  it('adds up what all threads waited, those that start later too', async () => {
    const { meter, advance, start } = openMeter()
    await advance(100, { a: 10, b: 20 })
    await advance(100, { a: 5, c: 7 })
    expect(meter.between(start)).toBe(42)
  })

  it('counts no tick for more than it lasted', async () => {
    const { meter, advance, start } = openMeter()
    await advance(100, { a: 90, b: 90 })
    await advance(100)
    expect(meter.between(start)).toBe(100)
  })

  it('counts only what was between two times', async () => {
    const { meter, advance, start } = openMeter()
    await advance(100, { a: 30 })
    await advance(100, { a: 60 })
    await advance(100, { a: 80 })
    expect(meter.between(start + 100, start + 200)).toBe(60)
    expect(meter.between(start + 180, start + 210)).toBe(30)
  })

  it('keeps what a thread waited before it ended', async () => {
    const { meter, advance, waited, start } = openMeter()
    await advance(100, { a: 30 })
    waited.clear()
    await advance(100)
    expect(meter.between(start)).toBe(30)
  })

  it('counts its own late ticks', () => {
    let now = 0
    let act = () => {}
    const at = (_due: number, next: () => void) => {
      act = next
      return { cancel: () => {} }
    }
    const meter = measureLateness(1, { clock: { now: () => now, at, sleep: async () => {} }, waits: () => new Map() })
    now = 350
    act()
    expect(meter.between(0)).toBe(250)
  })

  it('counts nothing after it was stopped', async () => {
    const { clock, meter } = openMeter()
    meter.stop()
    expect(clock.nextDue()).toBeUndefined()
  })
})
