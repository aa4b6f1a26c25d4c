import { limits } from '../../../platform/contract/limits.ts'
import { maxSecondsOf } from '../../document/duration.ts'
import { recordedStretches } from '../../document/fields/pauses.ts'
import type { RecordingOrder } from '../../document/recording.ts'
import type { Show } from '../../document/show.ts'
import type { StartOrder } from '../../document/starts/start.ts'
import { nextStart } from '../next-start.ts'
import type { CostItem } from './cost-items.ts'
import { prices } from './prices.ts'
import { costOf } from './show-cost.ts'
import { stepsOf } from './show-steps.ts'

/** The steps of a show, its recordings and its cost. */
export interface Forecast {
  readonly steps: readonly { readonly step: string; readonly details: string }[]
  /** The next start of a scheduled show, in RFC 3339. */
  readonly nextStart?: string
  /** Seconds that each recording lasts at most, and its least number of parts. */
  readonly recordings: readonly { readonly name: string; readonly seconds: number; readonly parts: number }[]
  readonly cost: {
    readonly region: string
    readonly asOf: string
    readonly usd: number
    readonly items: readonly CostItem[]
    readonly storage: CostItem
    /** Of one viewer who watches every recording once. */
    readonly viewers: CostItem
  }
}

interface ForecastOptions {
  /** Milliseconds since the epoch, after which the show starts next. */
  readonly now: number
  /** Puts a recurring start into words. */
  describeStart(start: StartOrder): string
}

/** Computes what a show will do and cost, from its document alone. */
export function forecastOf(show: Show, { now, describeStart }: ForecastOptions): Forecast {
  const next = show.start && nextStart(show.start, now)
  const { region, asOf } = prices
  return {
    steps: stepsOf(show, describeStart).map(([step, details]) => ({ step, details })),
    ...(next !== undefined && { nextStart: new Date(next).toISOString() }),
    recordings: show.recordings.map((recording) => recordedBy(recording, maxSecondsOf(show))),
    cost: { region, asOf, ...costOf(show, 1) },
  }
}

function recordedBy(recording: RecordingOrder, duration: number): Forecast['recordings'][number] {
  const stretches = recordedStretches(recording, duration)
  const partsIn = (seconds: number) => Math.ceil(seconds / limits.archiveDuration.value)
  return {
    name: recording.name,
    seconds: stretches.reduce((sum, seconds) => sum + seconds, 0),
    parts: stretches.reduce((sum, seconds) => sum + partsIn(seconds), 0),
  }
}
