import { keys } from '../../../../lib/show/state/keys.ts'
import type { TraceEntry } from '../../trace.ts'

/** Milliseconds for which a function needs tokens after its own answer 429: the limit lasts a minute, or ends ten seconds earlier. */
const LIMITED = 45_000

/** Matches a call of the shared bucket of tokens. */
const BUCKET = new RegExp(`s3 (?:Get|Put)Object ${keys.rateLimit}\\b`)
/** Matches a call that a fault has struck, with its caller. */
const STRUCK = /fault: (\S+) -> /

/** A call of the platform that needed a token. */
export interface LimitedCall {
  readonly caller: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** What the trace has shown of a function. */
interface Seen {
  /** Its last answer 429. */
  readonly throttledAt?: number
  /** When it last read or wrote the bucket after that; undefined if the bucket failed, without which calls are not limited. */
  readonly knownAt?: number | undefined
}

/**
 * Lists the calls of functions that certainly needed tokens (docs/scale.md): a function takes part once it has met an answer 429. What it
 * sends at that moment may have been admitted before.
 */
export function limitedCallsIn(trace: readonly TraceEntry[]): LimitedCall[] {
  const functions = new Map<string, Seen>()
  return trace.flatMap(({ at, line, call, refused, fault }) => {
    const { caller = STRUCK.exec(line)?.[1] ?? '', name = line, status = 0 } = call ?? refused ?? {}
    const seen = functions.get(caller) ?? {}
    if (BUCKET.test(name)) {
      const hasFailed = fault !== undefined || status >= 300
      if (seen.throttledAt !== undefined) functions.set(caller, { ...seen, knownAt: hasFailed ? undefined : at })
      return []
    }
    if (!call && !refused) return []
    if (!name.startsWith('platform ')) return []
    if (status === 429) functions.set(caller, { ...seen, throttledAt: at })
    const { throttledAt = at, knownAt = at } = seen
    return knownAt < at && at < throttledAt + LIMITED ? [{ caller, at }] : []
  })
}
