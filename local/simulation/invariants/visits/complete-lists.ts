import type { Manifest } from '../../../../lib/publish/manifest/manifest.ts'
import type { ShowRequest } from '../../../../lib/show/state/request.ts'
import type { ShowState } from '../../../../lib/show/state/state.ts'
import type { Visit } from '../../visits/visitor.ts'
import type { Evidence } from '../evidence.ts'
import { deletedIn } from '../requests/edits-of.ts'
import { documentsIn } from './recorded-documents.ts'

/** A document as its list orders, filters and names it. */
interface Listed {
  readonly id: string
  readonly time: number
  readonly facts: Readonly<Record<string, unknown>>
  readonly filters: Readonly<Record<string, unknown>>
  readonly labels: Readonly<Record<string, string>>
  readonly texts: readonly string[]
  /** True for a recording whose deletion was interrupted. */
  readonly mayBeGone?: boolean
}

interface Answer {
  readonly items: readonly Readonly<Record<string, unknown>>[]
  readonly cursor?: string
}

const STATE = /^shows\/[^/]+\/state\.json$/
const REQUEST = /^shows\/[^/]+\/request\.json$/
const MANIFEST = /^recordings\/[^/]+\/manifest\.json$/

/**
 * Checks the lists of shows and of recordings that were read at rest, page by page: together the pages have every document that the
 * filters match, the newest first, and none twice. No page has more items than its limit.
 */
export function completeLists(evidence: Pick<Evidence, 'visits' | 'objects' | 'apiRequests' | 'trace'>): string[] {
  const { visits, objects } = evidence
  if (!visits.some(({ isAtRest }) => isAtRest)) return []
  const requests = new Map(documentsIn<ShowRequest>(objects, REQUEST).map((one) => [one.showId, one]))
  const labelsOf = (showId: string | undefined) => requests.get(showId ?? '')?.show.labels ?? {}
  const shows = documentsIn<ShowState>(objects, STATE).map((state) => ofShow(state, labelsOf(state.showId)))
  const deleted = deletedIn(evidence)
  const recordings = documentsIn<Manifest>(objects, MANIFEST).map((manifest) => ({
    ...ofRecording(manifest, labelsOf(manifest.show?.showId)),
    mayBeGone: [manifest.archiveId, ...(manifest.parts ?? [])].some((one) => deleted.has(one)),
  }))
  return [
    ...problemsOf('/shows', 'showId', shows, visits),
    ...problemsOf('/recordings', 'archiveId', recordings, visits),
  ]
}

const ofShow = ({ showId: id, name, status, acceptedAt, scheduleId }: ShowState, labels: Listed['labels']): Listed => ({
  ...{ id, time: Date.parse(acceptedAt), labels, texts: [] },
  facts: { name, status, acceptedAt, scheduleId },
  filters: { status, scheduleId },
})

const ofRecording = (
  { archiveId: id, createdAt, show, page, status, duration, access }: Manifest,
  labels: Listed['labels'],
): Listed => ({
  ...{ id, time: Date.parse(createdAt), labels, texts: [show?.name ?? '', page?.title ?? ''] },
  facts: { createdAt, status, duration, access },
  filters: { showId: show?.showId },
})

function problemsOf(path: string, id: string, all: readonly Listed[], visits: readonly Visit[]): string[] {
  const reads = visits.filter(
    ({ isAtRest, address, status }) => isAtRest && status === 200 && address.startsWith(`${path}?`),
  )
  const lists = Map.groupBy(reads, ({ address }) => withoutCursor(address))
  return [...lists].flatMap(([address, pages]) => {
    const query = new URLSearchParams(address.slice(path.length + 1))
    if (query.get('deleted') === 'true') return []
    const limit = Number(query.get('limit') ?? 50)
    const answers = onceThrough(pages).map(({ answer }) => JSON.parse(answer) as Answer)
    const isWhole = answers.at(-1)?.cursor === undefined
    const items = answers.flatMap((one) => one.items)
    const shown = items.map((one) => String(one[id]))
    const matching = all
      .filter((one) => matches(one, query) && (!one.mayBeGone || shown.includes(one.id)))
      .toSorted(newestFirst)
    const expected = isWhole ? matching : matching.slice(0, shown.length)
    return [
      ...(answers.some((one) => one.items.length > limit) ? [`${address} has a page of more than ${limit} items`] : []),
      ...(expected.map((one) => one.id).join() === shown.join()
        ? []
        : [
            `${address} lists ${shown.join(', ') || 'nothing'} instead of ${expected.map((one) => one.id).join(', ') || 'nothing'}`,
          ]),
      ...items.flatMap((item) =>
        wrongFacts(
          all.find((one) => one.id === item[id]),
          item,
          address,
        ),
      ),
    ]
  })
}

const withoutCursor = (address: string) => address.replace(/&cursor=[^&]+/, '')

/** Returns the pages of the first reading of a list. */
function onceThrough(pages: readonly Visit[]): readonly Visit[] {
  const again = pages.findIndex(({ address }, index) => index > 0 && !address.includes('&cursor='))
  return again < 0 ? pages : pages.slice(0, again)
}

const newestFirst = (one: Listed, other: Listed) => other.time - one.time || (one.id < other.id ? -1 : 1)

function matches({ filters, labels, texts, time }: Listed, query: URLSearchParams): boolean {
  const [from, to, label, name] = ['from', 'to', 'label', 'name'].map((key) => query.get(key))
  const [key = '', ...value] = (label ?? '').split('=')
  return (
    ['status', 'scheduleId', 'showId'].every((one) => !query.has(one) || filters[one] === query.get(one)) &&
    (!from || time >= Date.parse(from)) &&
    (!to || time <= Date.parse(to)) &&
    (!label || labels[key] === value.join('=')) &&
    (!name || texts.some((text) => text.toLowerCase().includes(name.toLowerCase())))
  )
}

const wrongFacts = (known: Listed | undefined, item: Answer['items'][number], address: string) =>
  Object.entries(known?.facts ?? {}).flatMap(([key, value]) =>
    item[key] === value ? [] : [`${address} shows the ${key} ${item[key]} of ${known?.id} instead of ${value}`],
  )
