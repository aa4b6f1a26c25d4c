import type { Storage } from '../aws/storage/storage.ts'
import type { Clock } from '../clock.ts'
import { keys } from '../show/state/keys.ts'
import { type RateLimit, rateLimit } from '../show/state/rate-limit.ts'
import { StorageError } from '../tasks/errors.ts'

export interface RateLimiterOptions {
  /** Returns the bucket, which is used once the platform has throttled a call. */
  readonly storage: () => Pick<Storage, 'readDocument' | 'writeDocument'>
  readonly clock: Clock
  /** Returns a number from 0 to 1, like `Math.random`. */
  readonly random: () => number
  /** Returns the tokens per second of the settings. */
  readonly callsPerSecond: () => number
}

interface RatedCall {
  readonly isRead: boolean
  readonly until?: number | undefined
  readonly signal?: AbortSignal | undefined
}

interface Stored {
  readonly limit: RateLimit | undefined
  readonly etag: string | undefined
}

/** Milliseconds after a throttled call for which calls need a token. */
const LIMITED = 60_000
/** Milliseconds before the end of that time from which another throttled call extends it. */
const EXTENDED = 50_000
/** Milliseconds for which a call waits at most: a task of a minute makes several, and is repeated when it was too long. */
const MAX_WAIT = { change: 10_000, read: 5_000 } as const
/** Milliseconds of tokens that reads leave to calls that start or stop something. */
const LEFT_BY_READS = 500
/** Milliseconds for which tokens may be used. Those of a task that ends before are lost. */
const TOKENS_LAST = 5_000
/** Writes of the document in a second that S3 and its contenders achieve: each write takes the tokens of one interval. */
const WRITES_PER_SECOND = 20
/** Factor of the rate after a throttled call that had a token, and the milliseconds between two of those. */
const LOWER = 0.7
const LOWER_APART = 2_000
/** Factor of the rate in each second after that. */
const RISE = 1.05
/** Milliseconds for which the bucket is not asked after it has failed. */
const UNAVAILABLE = 30_000

/**
 * Creates the part of one function in the token bucket that all functions share. It costs nothing until the platform throttles
 * a call. Without the bucket of records, calls are not limited.
 */
export function createRateLimiter({ storage, clock, random, callsPerSecond }: RateLimiterOptions) {
  /** Milliseconds since the epoch, until which this function takes tokens. */
  let limitedUntil = 0
  let unavailableUntil = 0
  let tokens = { left: 0, from: 0 }
  let isExtending = false
  const turns = { change: Promise.resolve(), read: Promise.resolve() }

  const isLimited = () => clock.now() < limitedUntil
  const takeToken = () => {
    const isUsable = tokens.left > 0 && clock.now() < tokens.from + TOKENS_LAST
    if (isUsable) tokens.left--
    return isUsable
  }
  /** Returns what the storage answers; undefined if it fails, and then calls are not limited for a while. */
  const attempt = async <Result>(work: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof StorageError)) throw error
      limitedUntil = 0
      unavailableUntil = clock.now() + UNAVAILABLE
      return undefined
    }
  }
  const read = () =>
    attempt(async (): Promise<Stored> => {
      const stored = await storage().readDocument(keys.rateLimit)
      const limit = rateLimit.safeParse(stored?.value).data
      limitedUntil = limit ? Math.min(Date.parse(limit.until), clock.now() + LIMITED) : 0
      return { limit, etag: stored?.etag }
    })
  const write = (limit: RateLimit, etag: string | undefined) =>
    attempt(() => storage().writeDocument(keys.rateLimit, limit, etag))

  /** Takes the tokens of one interval, or leaves the limit if it is over. Returns false if that would take too long. */
  const takeTokens = async ({ isRead, signal }: RatedCall, latest: number): Promise<boolean> => {
    for (let failures = 0; ; ) {
      const stored = await read()
      const now = clock.now()
      const { limit, etag } = stored ?? {}
      if (!limit || !isLimited()) return true
      const rate = rateAt(limit, now, callsPerSecond())
      const from = Math.max(now, Math.min(Date.parse(limit.nextAt), now + LIMITED))
      const backlog = from - now
      let wait: number
      if (backlog > (isRead ? LEFT_BY_READS : latest - now)) wait = backlog - LEFT_BY_READS + random() * 1_000
      else {
        const left = Math.max(1, Math.ceil(rate / WRITES_PER_SECOND))
        const nextAt = new Date(from + (left / rate) * 1000).toISOString()
        const taken = await write({ ...limit, rate, changedAt: new Date(now).toISOString(), nextAt }, etag)
        if (taken) tokens = { left, from }
        if (taken !== false) return true
        wait = random() * Math.min(2_000, 100 * 2 ** failures++)
      }
      if (clock.now() + wait > latest) return false
      await clock.sleep(wait, signal)
    }
  }

  /** Waits for a token. Calls of the same kind in this function wait for one another. */
  const admitLimited = async (call: RatedCall): Promise<boolean> => {
    const kind = call.isRead ? 'read' : 'change'
    const latest = Math.min(clock.now() + MAX_WAIT[kind], call.until ?? Number.POSITIVE_INFINITY)
    const turn = turns[kind]
    const { promise, resolve } = Promise.withResolvers<void>()
    turns[kind] = promise
    try {
      await turn
      while (isLimited() && !takeToken()) if (!(await takeTokens(call, latest))) return false
      const wait = isLimited() ? tokens.from - clock.now() : 0
      if (wait > 0) await clock.sleep(wait, call.signal)
      return true
    } finally {
      resolve()
    }
  }

  return {
    /** Resolves with true as soon as a call may be sent, or with false if that takes longer than the call may wait. */
    admit: async (call: RatedCall): Promise<boolean> => !isLimited() || admitLimited(call),

    /** Notes that the platform throttled a call: limits the calls of all functions, or lowers a rate that is too high. */
    async noteThrottled(): Promise<void> {
      const wasLimited = isLimited()
      if (clock.now() < unavailableUntil || isExtending) return
      isExtending = true
      try {
        const stored = await read()
        const next = stored && limitAfter(stored.limit, { now: clock.now(), wasLimited, full: callsPerSecond() })
        if (!next || next === stored.limit) return
        if (await write(next, stored.etag)) limitedUntil = Date.parse(next.until)
        else await read() // another function was faster
      } finally {
        isExtending = false
      }
    },
  }
}

interface Throttling {
  readonly now: number
  /** True if the throttled call had a token. */
  readonly wasLimited: boolean
  /** Tokens per second of the settings. */
  readonly full: number
}

/** Returns the limit after a throttled call; the same object if it need not change. */
function limitAfter(limit: RateLimit | undefined, { now, wasLimited, full }: Throttling): RateLimit {
  const time = new Date(now).toISOString()
  const until = new Date(now + LIMITED).toISOString()
  if (!limit) return { version: 1, until, rate: full, changedAt: time, loweredAt: time, nextAt: time }
  const rate = rateAt(limit, now, full)
  const isTooHigh = wasLimited && now - Date.parse(limit.loweredAt) >= LOWER_APART
  if (isTooHigh) return { ...limit, until, rate: Math.max(1, rate * LOWER), changedAt: time, loweredAt: time }
  return Date.parse(limit.until) - now > EXTENDED ? limit : { ...limit, until, rate, changedAt: time }
}

/** Returns the tokens per second at a time: they rise again after they were lowered. */
const rateAt = ({ rate, changedAt }: RateLimit, now: number, full: number): number =>
  Math.min(full, rate * RISE ** (Math.max(0, now - Date.parse(changedAt)) / 1000))
