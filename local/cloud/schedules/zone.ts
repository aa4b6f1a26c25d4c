const DAY_MS = 86_400_000

/**
 * Creates the clocks of a time zone. Local times are milliseconds since the epoch, as if they were UTC.
 * @throws Error for a name that is not in the IANA database
 */
export function createZone(name: string) {
  const format = formatOf(name)
  const toWall = (instant: number) => {
    const parts = format.formatToParts(instant).map(({ type, value }) => [type, Number(value)] as const)
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = Object.fromEntries(parts)
    return Date.UTC(year, month - 1, day, hour, minute, second) + (((instant % 1000) + 1000) % 1000)
  }
  const offset = (instant: number) => toWall(instant) - instant
  return {
    toWall,
    /** Returns the first instant with this local time; undefined for one that is skipped in spring. */
    toInstant(wall: number): number | undefined {
      // Clocks change at most once in two days, so one of the two offsets around it is right.
      const candidates = [wall - offset(wall - DAY_MS), wall - offset(wall + DAY_MS)]
      return candidates.sort((a, b) => a - b).find((instant) => toWall(instant) === wall)
    },
  }
}

function formatOf(name: string): Intl.DateTimeFormat {
  const numbers = { year: 'numeric', month: 'numeric', day: 'numeric' } as const
  const times = { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const
  try {
    // Intl also accepts offsets, which are not names of the database.
    if (/^[A-Za-z]/.test(name)) return new Intl.DateTimeFormat('en-US', { timeZone: name, ...numbers, ...times })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  throw new Error(`${name} is not a time zone of the IANA database.`)
}
