/** Time as the rest of the code sees it: real in production, stepped in tests and in the simulation. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Calls `act` once when the clock reaches `time` (milliseconds since the epoch; in the past means as soon as possible). */
  at(time: number, act: () => void): Timer
}

export interface Timer {
  cancel(): void
}

/** A clock that moves only by its methods. */
export interface SteppedClock extends Clock {
  /** When the next timer is due, or undefined when none is set. */
  nextDue(): number | undefined
  /** Jumps to the next timer's time and fires that one timer; false when there is none. */
  step(): boolean
  /** Moves `ms` milliseconds on, firing what falls due in order and letting its consequences settle before each jump. */
  advance(ms: number): Promise<void>
}

/** Returns true for a clock that moves only when it is stepped. */
export const isStepped = (clock: Clock): clock is SteppedClock => 'advance' in clock

/** `setTimeout` fires at once for anything longer than this (Node's documented limit), so longer waits are cut into pieces. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

export const realClock: Clock = createClock(Date.now, (time, act) => {
  let handle: NodeJS.Timeout
  const arm = () => {
    const left = time - Date.now()
    handle = left > MAX_TIMEOUT_MS ? setTimeout(arm, MAX_TIMEOUT_MS) : setTimeout(act, Math.max(0, left))
  }
  arm()
  return { cancel: () => clearTimeout(handle) }
})

/**
 * Makes a clock that only moves when stepped.
 * @param start milliseconds since the epoch
 * @param settle awaited before each jump of `advance`, so that work set off by one timer ends before the next fires;
 *   by default one turn of the event loop, which drains every promise that waits for nothing outside
 */
export function createSteppedClock(start: number, settle: () => Promise<unknown> = turn): SteppedClock {
  interface Entry extends Timer {
    readonly time: number
    readonly order: number
    act(): void
  }
  let now = start
  let order = 0
  let entries: Entry[] = []

  const first = () => entries.reduce<Entry | undefined>((a, b) => (a && !isBefore(b, a) ? a : b), undefined)
  const isBefore = (a: Entry, b: Entry) => a.time < b.time || (a.time === b.time && a.order < b.order)
  const clock = createClock(
    () => now,
    (time, act) => {
      const entry: Entry = {
        time: Math.max(Math.ceil(time), now), // whole milliseconds, as the real clock's
        order: order++,
        act,
        cancel: () => {
          entries = entries.filter((other) => other !== entry)
        },
      }
      entries.push(entry)
      return entry
    },
  )

  return {
    ...clock,
    nextDue: () => first()?.time,
    step() {
      const entry = first()
      if (!entry) return false
      entry.cancel()
      now = entry.time
      entry.act()
      return true
    },
    async advance(ms) {
      const end = now + ms
      for (;;) {
        await settle()
        const due = first()?.time
        if (due === undefined || due > end) break
        this.step()
      }
      now = end
    },
  }
}

function createClock(now: () => number, at: Clock['at']): Clock {
  return {
    now,
    at,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const timer = at(now() + ms, () => {
          signal?.removeEventListener('abort', abort)
          resolve()
        })
        const abort = () => {
          timer.cancel()
          reject(signal?.reason)
        }
        signal?.addEventListener('abort', abort, { once: true })
      }),
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))
