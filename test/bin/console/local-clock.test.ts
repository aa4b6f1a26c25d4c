import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { openLocalClock } from '../../../bin/console/local-clock.ts'
import { getAhead, setAhead } from '../../../lib/clock.ts'

afterEach(() => setAhead(0))

describe('openLocalClock', () => {
  it('keeps in its directory by how much it was moved', async () => {
    await using directory = await mkdtempDisposable(join(tmpdir(), 'showrunner-clock-'))
    const clock = await openLocalClock(directory.path)
    expect(getAhead()).toBe(0)
    await clock.moveForward(60_000)
    await clock.moveForward(30_000)
    setAhead(0)
    await openLocalClock(directory.path)
    expect(getAhead()).toBe(90_000)
  })
})
