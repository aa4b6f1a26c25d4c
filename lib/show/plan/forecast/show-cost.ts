import { limits } from '../../../platform/contract/limits.ts'
import { maxSecondsOf } from '../../document/duration.ts'
import { recordedStretches } from '../../document/fields/pauses.ts'
import type { RecordingOrder } from '../../document/recording.ts'
import type { Show } from '../../document/show.ts'
import { type CostItem, functionsItem, inGigabytes, itemOf, storageItem, sumOf, transitionsItem } from './cost-items.ts'
import { gigabytes, INVOCATION_GIGABYTE_SECONDS, pieces, prices, publishing, running } from './prices.ts'

export interface ShowCost {
  /** What running and publishing the show costs. */
  readonly items: readonly CostItem[]
  /** Sum of the items. */
  readonly usd: number
  /** Storage of its recordings for a month. */
  readonly storage: CostItem
  /** Sending the recordings to viewers. */
  readonly viewers: CostItem
}

type CostedShow = Pick<Show, 'duration' | 'maxDuration' | 'recordings' | 'publish'>

const HOUR = 3_600

/**
 * Computes what a show costs on AWS, by list prices; at most, if its end is open. The platform's charges are not included.
 * @param viewers people who each watch every recording once, from start to end
 */
export function costOf(show: CostedShow, viewers: number): ShowCost {
  const hours = maxSecondsOf(show) / HOUR
  const run = amountsOf(hours)
  const published = show.recordings.map((recording) => publishedAmounts(recording, show, hours))
  const sum = (key: keyof PublishedAmounts) => published.reduce((total, amounts) => total + amounts[key], 0)
  const items = [
    transitionsItem(run.transitions + sum('transitions')),
    functionsItem('running', {
      invocations: run.invocations,
      gigabyteSeconds: run.invocations * INVOCATION_GIGABYTE_SECONDS,
    }),
    functionsItem('renditions', {
      invocations: sum('encoded'),
      gigabyteSeconds: sum('encoded') * pieces.gigabyteSeconds,
    }),
    functionsItem('publishing', { invocations: sum('invocations'), gigabyteSeconds: sum('gigabyteSeconds') }),
    itemOf('S3, writes and lists', run.writes + sum('writes'), 'requests', prices.write),
    itemOf('S3, reads', run.reads + sum('reads'), 'requests', prices.read),
    itemOf('HTTP API', run.apiRequests, 'requests', prices.apiRequest),
    itemOf('EventBridge and Scheduler', run.events, 'events', prices.event),
    { item: 'Logs', amount: `${run.logMegabytes.toFixed(1)} MB`, usd: (run.logMegabytes / 1_000) * prices.logGigabyte },
    itemOf('X-Ray', run.traces, 'traces', prices.trace),
  ]
  const stored = sum('gigabytes')
  const watched = show.recordings.filter(isWatched).map((recording) => sumOf(recordedHours(recording, hours)))
  const sent = viewers * sumOf(watched) * gigabytes.archive
  return {
    items,
    usd: sumOf(items.map(({ usd }) => usd)),
    storage: storageItem(stored),
    viewers: { item: 'Viewers', amount: inGigabytes(sent), usd: sent * prices.sentGigabyte },
  }
}

/** Only composed recordings with a picture have a size that the figures hold for; audio hardly counts. */
const isWatched = ({ outputMode, hasVideo }: Pick<RecordingOrder, 'outputMode' | 'hasVideo'>) =>
  outputMode === 'composed' && hasVideo

const amountsOf = (hours: number) => {
  const entries = Object.entries(running).map(([name, { base, perHour }]) => [name, base + perHour * hours])
  return Object.fromEntries(entries) as Record<keyof typeof running, number>
}

/** Returns the hours before, between and after the pauses of a recording. */
const recordedHours = (recording: Pick<RecordingOrder, 'pauses'>, hours: number) =>
  recordedStretches(recording, hours * HOUR).map((seconds) => seconds / HOUR)

interface PublishedAmounts {
  readonly transitions: number
  readonly encoded: number
  readonly invocations: number
  readonly gigabyteSeconds: number
  readonly writes: number
  readonly reads: number
  readonly gigabytes: number
}

/** Amounts of publishing one recording, with all its parts. */
function publishedAmounts(recording: RecordingOrder, { publish }: CostedShow, ofShow: number): PublishedAmounts {
  const partHours = limits.archiveDuration.value / HOUR
  const stretches = recordedHours(recording, ofShow)
  const hours = sumOf(stretches)
  const parts = sumOf(stretches.map((stretch) => Math.max(1, Math.ceil(stretch / partHours))))
  const laterHours = hours - Math.min(stretches[0] ?? 0, partHours)
  const isComposed = isWatched(recording)
  const encoded = isComposed && publish.formats.includes('renditions') ? Math.ceil(hours * pieces.perHour) : 0
  const per = ({ part, piece, joinedPart }: (typeof publishing)['transitions' | 'invocations']) =>
    parts * part + encoded * piece + (parts - 1) * joinedPart
  const each = ({ hour, laterHour }: { readonly hour: number; readonly laterHour: number }) =>
    isComposed ? hours * hour + laterHours * laterHour : 0
  return {
    transitions: per(publishing.transitions),
    encoded,
    invocations: per(publishing.invocations),
    gigabyteSeconds: each(publishing.gigabyteSeconds),
    writes: each(publishing.writes),
    reads: each(publishing.reads),
    gigabytes: storedGigabytes(recording, publish.formats, hours, laterHours),
  }
}

function storedGigabytes(
  recording: RecordingOrder,
  formats: Show['publish']['formats'],
  hours: number,
  laterHours: number,
): number {
  const sizes: Readonly<Record<string, number>> = gigabytes.formats
  if (!recording.hasVideo) return 2 * hours * gigabytes.formats.audio
  if (!isWatched(recording)) return hours * gigabytes.archive
  const made = formats.reduce((total, format) => total + (sizes[format] ?? 0), 0)
  const is1080p = recording.resolution === '1920x1080' || recording.resolution === '1080x1920'
  const larger = is1080p && formats.includes('renditions') ? gigabytes.rendition720p : 0
  const joined = formats.includes('hls') ? laterHours * gigabytes.joined : 0
  return hours * (gigabytes.archive + made + larger) + joined
}
