import type { Random } from '../scheduling/random.ts'
import { type Decide, type FaultKind, type InjectedFault, type NumberedCall, plausibleFaultsOf } from './fault.ts'

export interface RandomFaultsOptions {
  /** A stream that nothing else draws from. */
  readonly random: Random
  /** Share of calls that fail outside outages, 0 to 1. A burst counts as one. */
  readonly rate: number
  readonly outages?: readonly Outage[]
  /** Milliseconds since the epoch. */
  readonly beginning: number
  /** Upper bound of faults, so that a show can succeed. @default 200 */
  readonly maxFaults?: number
  /**
   * Seconds between two calls in which a task’s function is killed. Without them, a function with thousands of calls would
   * be killed in each attempt. @default 0
   */
  readonly secondsBetweenKills?: number
}

/** A time during which a target does not answer, answers with errors only, or is slow. */
export interface Outage {
  /** Seconds since the beginning. */
  readonly at: number
  readonly seconds: number
  /** `platform`, or the first word of an AWS operation: `s3`, `secretsmanager`, `AWSStepFunctions`; or a function: `lambda X`. */
  readonly of: string
  readonly kind: 'lost before' | '429' | '500' | 'throttled' | 'slow'
}

/** Relative frequency of each kind: transient faults are frequent, those that hint at a mistake are rare. */
const WEIGHTS: Readonly<Record<FaultKind, number>> = {
  'lost before': 6,
  'lost after': 10,
  delayed: 6,
  slow: 6,
  '400': 1,
  '403': 1,
  '404': 1,
  '409': 2,
  '429': 6,
  '500': 8,
  garbage: 2,
  'killed before': 2,
  'killed after': 4,
  throttled: 4,
  'crashed before': 2,
  'crashed after': 4,
  'timed out before': 2,
  'timed out after': 4,
  'out of memory': 1,
}
/** Seconds that a slow call takes at most: less than any client waits for. */
const SLOWEST = 8
/** Seconds of each call while a target is slow. */
const SLOW = 4
/** Upper bound of calls to one target that a burst strikes. */
const MAX_BURST = 5
const BURSTS = 0.2

/** Decides faults by a seed: single ones, bursts and outages. */
export function createRandomFaults(options: RandomFaultsOptions): Decide {
  const { random, rate, outages = [], beginning, maxFaults = 200, secondsBetweenKills = 0 } = options
  let left = maxFaults
  /** Time of each task’s last kill, in milliseconds since the epoch. */
  const killedAt = new Map<string, number>()
  const bursts = new Map<string, { fault: InjectedFault; left: number }>()

  const outageOf = ({ operation, now }: NumberedCall, target: string) =>
    outages.find(({ at, seconds, of }) => {
      const since = (now - beginning) / 1000 - at
      return since >= 0 && since < seconds && (of === target || of === operation)
    })

  return (call) => {
    const target = call.operation.split(' ')[0] ?? ''
    const outage = outageOf(call, target)
    if (outage) return outage.kind === 'slow' ? { kind: 'slow', seconds: SLOW } : { kind: outage.kind }
    if (left <= 0) return undefined
    const burst = bursts.get(target)
    if (burst && burst.left > 0 && plausibleFaultsOf(call).includes(burst.fault.kind)) {
      burst.left--
      left--
      return burst.fault
    }
    if (random.next() >= rate) return undefined
    left--
    const mayKill = call.now - (killedAt.get(call.caller) ?? Number.NEGATIVE_INFINITY) >= secondsBetweenKills * 1000
    const fault = draw(
      plausibleFaultsOf(call).filter((kind) => mayKill || !isKill(kind)),
      random,
    )
    if (isKill(fault.kind)) killedAt.set(call.caller, call.now)
    const isBurst = random.next() < BURSTS && !isKill(fault.kind)
    if (isBurst) bursts.set(target, { fault, left: 1 + random.below(MAX_BURST - 1) })
    return fault
  }
}

const isKill = (kind: FaultKind) => kind.startsWith('killed')

function draw(kinds: readonly FaultKind[], random: Random): InjectedFault {
  const tickets = kinds.flatMap((one) => Array<FaultKind>(WEIGHTS[one]).fill(one))
  const kind = tickets[random.below(tickets.length)] ?? '500'
  const seconds = 1 + random.below(60)
  const form = random.below(2) === 0 ? 'truncated' : 'mistyped'
  if (kind === '429') return seconds % 2 === 0 ? { kind, seconds: Math.min(seconds, 20) } : { kind }
  if (kind === 'delayed') return { kind, seconds }
  if (kind === 'slow') return { kind, seconds: 1 + (seconds % SLOWEST) }
  return kind === 'garbage' ? { kind, form } : { kind }
}

const OUT_OF = ['platform', 'platform', 's3', 's3', 'secretsmanager', 'AWSStepFunctions', 'AWSEvents', 'app'] as const
const OUT_BY = ['lost before', '429', '500', 'slow'] as const

/**
 * Draws outages of one second to ten minutes, each of one target.
 * @param within seconds from the beginning in which they start
 */
export function drawOutages(random: Random, { within, max }: { within: number; max: number }): Outage[] {
  return Array.from({ length: random.below(max + 1) }, () => ({
    at: Math.floor(random.next() * within),
    seconds: Math.ceil(600 ** random.next()),
    of: OUT_OF[random.below(OUT_OF.length)] ?? 'platform',
    kind: OUT_BY[random.below(OUT_BY.length)] ?? '500',
  }))
}
