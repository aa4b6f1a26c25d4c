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

/** Pending timers of the real clock: their times, by the function that sets them again. */
const armed = new Map<() => void, number>()

export const realClock: Clock = createClock(
  () => Date.now(), // `setAhead` replaces it
  (time, act) => {
    let handle: NodeJS.Timeout
    const fire = () => {
      armed.delete(arm)
      act()
    }
    const arm = () => {
      clearTimeout(handle)
      const left = time - Date.now()
      handle = left > MAX_TIMEOUT_MS ? setTimeout(arm, MAX_TIMEOUT_MS) : setTimeout(fire, Math.max(0, left))
    }
    const cancel = () => {
      armed.delete(arm)
      clearTimeout(handle)
    }
    armed.set(arm, time)
    arm()
    return { cancel }
  },
)

const MachineDate = Date
let ahead = 0

/** Returns the milliseconds by which `Date` and the real clock are ahead of the machine in this thread. */
export const getAhead = (): number => ahead

/**
 * Sets `Date` and the real clock of this thread ahead of the machine, as a machine whose clock is set. They keep running. Timers
 * of the real clock that are due at the new time fire as soon as possible, in their order. Other timers are not affected.
 * @param ms 0 for the time of the machine
 */
export function setAhead(ms: number): void {
  ahead = ms
  globalThis.Date = ms === 0 ? MachineDate : AheadDate
  for (const [arm] of [...armed].sort(([, one], [, other]) => one - other)) arm()
}

/** Calls `act` once the clock has run for `ms` milliseconds. Unlike that of `at`, the time is not shortened by `setAhead`. */
export function startTimeout(clock: Clock, ms: number, act: () => void): Timer {
  const end = clock.now() - ahead + ms
  const check = () => {
    const left = end - (clock.now() - ahead)
    if (left > 0) timer = clock.at(clock.now() + left, check)
    else act()
  }
  let timer = clock.at(clock.now() + ms, check)
  return { cancel: () => timer.cancel() }
}

const nowAhead = () => MachineDate.now() + ahead

const AheadDate = /* @__PURE__ */ new Proxy(MachineDate, {
  construct: (date, args, target) => Reflect.construct(date, args.length === 0 ? [nowAhead()] : args, target),
  get: (date, name, receiver) => (name === 'now' ? nowAhead : Reflect.get(date, name, receiver)),
})

/**
 * Makes a clock that only moves when stepped.
 * @param start milliseconds since the epoch
 * @param settle awaited before each jump of `advance`, so that work set off by one timer ends before the next fires;
 *   by default one turn of the event loop, which drains every promise that waits for nothing outside
 */
export function createSteppedClock(start: number, settle: () => Promise<unknown> = turn): SteppedClock {
  let now = start
  const timers = createTimers()
  const clock = createClock(
    () => now,
    // Whole milliseconds, as the real clock's.
    (time, act) => timers.add(Math.max(Math.ceil(time), now), act),
  )

  return {
    ...clock,
    nextDue: () => timers.first()?.time,
    step() {
      const timer = timers.first()
      if (!timer) return false
      const { time, act } = timer
      timer.cancel()
      now = time
      act?.()
      return true
    },
    async advance(ms) {
      const end = now + ms
      for (;;) {
        await settle()
        const due = timers.first()?.time
        if (due === undefined || due > end) break
        this.step()
      }
      now = end
    },
  }
}

interface PendingTimer extends Timer {
  readonly time: number
  readonly order: number
  /** Absent once it is cancelled. */
  act: (() => void) | undefined
}

/** Creates a binary heap of timers, the earliest first, and of one time in their order. Many shows set many timers. */
function createTimers() {
  let heap: PendingTimer[] = []
  let order = 0
  let cancelled = 0

  const isBefore = (a: PendingTimer, b: PendingTimer) => a.time < b.time || (a.time === b.time && a.order < b.order)
  const at = (index: number) => heap[index] as PendingTimer
  const push = (timer: PendingTimer) => {
    let index = heap.length
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!isBefore(timer, at(parent))) break
      heap[index] = at(parent)
      index = parent
    }
    heap[index] = timer
  }
  const removeFirst = () => {
    const last = heap.pop() as PendingTimer
    const { length } = heap
    if (length === 0) return
    let index = 0
    for (let child = 1; child < length; child = 2 * index + 1) {
      if (child + 1 < length && isBefore(at(child + 1), at(child))) child++
      if (!isBefore(at(child), last)) break
      heap[index] = at(child)
      index = child
    }
    heap[index] = last
  }
  /** Cancelled timers stay until they are first, or most are cancelled. */
  const compact = () => {
    const pending = heap.filter(({ act }) => act)
    heap = []
    cancelled = 0
    for (const timer of pending) push(timer)
  }
  return {
    add(time: number, act: () => void): Timer {
      const timer: PendingTimer = {
        time,
        order: order++,
        act,
        cancel() {
          if (!timer.act) return
          timer.act = undefined
          if (++cancelled > 1_000 && cancelled > heap.length / 2) compact()
        },
      }
      push(timer)
      return timer
    },
    first(): PendingTimer | undefined {
      for (let first = heap[0]; first; first = heap[0]) {
        if (first.act) return first
        removeFirst()
        cancelled--
      }
      return undefined
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
