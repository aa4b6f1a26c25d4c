import { InsightsRefusal } from '../http/insights-refusal.ts'
import type { ClientDetails } from '../state/spans.ts'
import { type Interval, intervalsOf } from './intervals.ts'
import { minutesOf, type SessionActivity, type Subscription } from './session-activity.ts'
import { type Period, within } from './windows.ts'

/** Dimensions by which usage is filtered and grouped: the names of the arguments, and the schema's GroupBy. */
export const dimensions = {
  sdkType: 'SDK_TYPE',
  sdkVersion: 'SDK_VERSION',
  country: 'COUNTRY',
  region: 'REGION',
  browser: 'BROWSER',
  browserVersion: 'BROWSER_VERSION',
} as const satisfies Record<keyof ClientDetails, string>

type Dimension = keyof typeof dimensions
export const dimensionNames = Object.keys(dimensions) as Dimension[]

export type Filters = { readonly [D in Dimension]?: readonly string[] | null }

export interface UsageQuestion {
  readonly range: Period
  readonly interval: Interval
  readonly filters: Filters
  readonly groupBy: readonly Dimension[]
}

export interface Metric extends ClientDetails {
  readonly intervalStart: number
  readonly intervalEnd: number
  /** Minutes by field; throws {@link InsightsRefusal} 1004 for a field that lacks the requested dimensions. */
  readonly usage: Readonly<Record<UsageField, () => number>>
}

/** A period of usage, with the field that it counts for. */
interface Use extends Period {
  readonly field: UsageField
  readonly client: ClientDetails
}

type UsageField = keyof typeof usesOf

const unknownClient: ClientDetails = {}
const isSmall = (resolution: string | undefined) => resolution === '640x480' || resolution === '480x640'
const composed = ({ archives }: SessionActivity, isSd: boolean) =>
  archives.filter(({ outputMode, resolution }) => outputMode === 'composed' && isSmall(resolution) === isSd)
const broadcast = ({ broadcasts }: SessionActivity, isSd: boolean) =>
  broadcasts.filter(({ resolution }) => isSmall(resolution) === isSd)

/** Periods that count for each field. An individual archive counts for each stream that it records. */
const usesOf = {
  streamedPublishedMinutes: ({ streams, connections }: SessionActivity) => {
    const clients = new Map(connections.map(({ subject, client }) => [subject, client]))
    return streams.map((stream) => ({ ...stream, client: clients.get(stream.connectionId) }))
  },
  streamedSubscribedMinutes: ({ subscriptions }: SessionActivity): readonly Subscription[] => subscriptions,
  participantMinutes: ({ connections }: SessionActivity) => connections,
  individualArchiveMinutes: ({ archives, streams }: SessionActivity) =>
    archives
      .filter(({ outputMode }) => outputMode === 'individual')
      .flatMap(({ chosen, ...archive }) =>
        streams
          .filter(({ subject }) => chosen?.has(subject) ?? true)
          .flatMap((stream) => within(stream, archive) ?? []),
      ),
  sdArchiveComposedMinutes: (activity: SessionActivity) => composed(activity, true),
  hdArchiveComposedMinutes: (activity: SessionActivity) => composed(activity, false),
  sdBroadcastComposedMinutes: (activity: SessionActivity) => broadcast(activity, true),
  hdBroadcastComposedMinutes: (activity: SessionActivity) => broadcast(activity, false),
  hlsMinutes: ({ broadcasts }: SessionActivity) => broadcasts.filter(({ hls }) => hls),
  sipUserMinutes: ({ connections, callers }: SessionActivity) =>
    connections.filter(({ subject }) => callers.has(subject)),
} as const

const fields = Object.keys(usesOf) as UsageField[]
/** Fields that belong to one client's SDK, region and browser. All fields can be grouped by country. */
const streamed: readonly UsageField[] = ['streamedPublishedMinutes', 'streamedSubscribedMinutes']

/** Measures the usage of each group in each interval with any usage, oldest first. An empty filter matches everything. */
export function measureUsage(activities: readonly SessionActivity[], question: UsageQuestion): Metric[] {
  const { range, interval, filters, groupBy } = question
  const narrow = dimensionNames.filter(
    (name) => name !== 'country' && (filters[name]?.length || groupBy.includes(name)),
  )
  const counted = narrow.length > 0 ? streamed : fields
  const uses = activities
    .flatMap((activity) => counted.flatMap((field) => readUses(activity, field)))
    .filter(({ client }) => dimensionNames.every((name) => passes(client[name], filters[name])))

  return intervalsOf(range, interval).flatMap(({ start, end }) => {
    const groups = Map.groupBy(
      uses.flatMap((use) => {
        const part = within(use, { start, end })
        return part ? [{ ...use, ...part }] : []
      }),
      ({ client }) => JSON.stringify(groupBy.map((name) => client[name] ?? null)),
    )
    return [...groups.values()].map((group): Metric => {
      const minutes = (field: UsageField) => minutesOf(group.filter((use) => use.field === field))
      const measureField = (field: UsageField) => () => {
        if (counted.includes(field)) return minutes(field)
        throw new InsightsRefusal(1004, `${field} cannot be grouped or filtered by ${narrow.join(' and ')}`)
      }
      return {
        ...Object.fromEntries(groupBy.map((name) => [name, group[0]?.client[name]])),
        intervalStart: start,
        intervalEnd: end,
        usage: Object.fromEntries(fields.map((field) => [field, measureField(field)])) as Metric['usage'],
      }
    })
  })
}

function readUses(activity: SessionActivity, field: UsageField): Use[] {
  const found: readonly (Period & { readonly client?: ClientDetails | undefined })[] = usesOf[field](activity)
  return found.map(({ start, end, client = unknownClient }) => ({ field, start, end, client }))
}

function passes(value: string | undefined, wanted: readonly string[] | null | undefined): boolean {
  return !wanted?.length || wanted.some((one) => one.toLowerCase() === value?.toLowerCase())
}
