import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getAhead, setAhead } from '../../lib/clock.ts'

/**
 * The time of `npm start`, which a user may move forward. The directory keeps it, because its records are in that time. It is ahead of the
 * machine and not stepped: functions run in other processes, and media is made in real time.
 */
export interface LocalClock {
  /** Moves the time of this process and its functions forward. @param ms milliseconds */
  moveForward(ms: number): Promise<void>
}

/** Opens the time of a directory: as far ahead of the machine as it was moved before, and not at all by default. */
export async function openLocalClock(directory: string): Promise<LocalClock> {
  const path = join(directory, 'clock.json')
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text !== undefined) setAhead((JSON.parse(text) as Kept).ahead)
  return {
    async moveForward(ms) {
      const ahead = getAhead() + ms
      await writeFile(path, JSON.stringify({ ahead } satisfies Kept))
      setAhead(ahead)
    },
  }
}

interface Kept {
  /** Milliseconds. */
  readonly ahead: number
}
