import type { Archive, Broadcast, Composer } from '../../../platform/client/answers.ts'
import type { PlatformClient } from '../../../platform/client/client.ts'
import { limits } from '../../../platform/contract/limits.ts'
import { partOfTag } from '../../document/fields/names.ts'
import { listedSince, NEEDED } from '../../plan/shared-observation.ts'
import { mayRecord } from '../../state/part-entries.ts'
import { type ListedKind, listedKinds, type SharedObservation } from '../../state/shared-observation.ts'
import { carriedTag } from '../composed-resources.ts'
import { isShown } from '../observation.ts'
import { observedBroadcast } from '../observed-entries.ts'

type Lists = Pick<SharedObservation, ListedKind>
type Item<Kind extends ListedKind> = NonNullable<Lists[Kind]>['items'][number]

export interface Listing {
  /** The lists that the listing show needs. */
  readonly kinds: readonly ListedKind[]
  /** The observation before. */
  readonly previous: SharedObservation | undefined
  readonly now: number
}

/** Pages that are asked for at once. */
const AT_ONCE = 8
const count = limits.listCountMax.value

/**
 * Lists what runs in the platform project: what the caller needs, and what a show has needed recently. The number of calls grows
 * with what runs, and not with the shows that read the lists.
 */
export async function listRunning(platform: PlatformClient, { kinds, previous, now }: Listing): Promise<Lists> {
  const neededAt = (kind: ListedKind) =>
    kinds.includes(kind) ? new Date(now).toISOString() : (previous?.[kind]?.neededAt ?? '')
  const list = async <Kind extends ListedKind>(kind: Kind) => ({
    [kind]: { neededAt: neededAt(kind), items: await lists[kind](platform, sinceOf(kind)) },
  })
  const sinceOf = (kind: ListedKind) => listedSince(previous, kind, now - oldest[kind] * 1000)
  const wanted = listedKinds.filter((kind) => now - (Date.parse(neededAt(kind)) || 0) < NEEDED)
  return Object.assign({}, ...(await Promise.all(wanted.map(list)))) as Lists
}

/** Seconds after their creation at which resources have surely ended. */
const oldest: Readonly<Record<ListedKind, number>> = {
  archives: limits.archiveAge.value,
  broadcasts: limits.broadcastDurationMax.value,
  composers: limits.composerDurationMax.value,
}

const lists: { readonly [Kind in ListedKind]: (platform: PlatformClient, since: number) => Promise<Item<Kind>[]> } = {
  archives: async (platform, since) =>
    (await listSince((page) => platform.listArchives(page), since)).filter(mayRecord).flatMap(listedArchiveOf),
  broadcasts: async (platform, since) =>
    (await listSince((page) => platform.listBroadcasts(page), since)).flatMap(listedBroadcastOf),
  composers: async (platform, since) =>
    (await listSince((page) => platform.listComposers(page), since)).filter(isShown).map(listedComposerOf),
}

interface Page<Found> {
  readonly count: number
  readonly items: readonly Found[]
  readonly skipped?: number
}

/** Returns what was created since a time, in ms since the epoch. Lists are newest first; a second page shows how many follow. */
async function listSince<Found extends { readonly id: string; readonly createdAt: number }>(
  list: (page: { count: number; offset: number }) => Promise<Page<Found>>,
  since: number,
): Promise<Found[]> {
  const pages = [await list({ count, offset: 0 })]
  for (;;) {
    const total = pages[0]?.count ?? 0
    const last = pages.at(-1)
    const isFull = last !== undefined && last.items.length + (last.skipped ?? 0) >= count
    const left = Math.ceil(total / count) - pages.length
    if (!isFull || left <= 0 || oldestIn(pages) < since) break
    const next = Math.min(left, AT_ONCE, pagesUntil(pages, since))
    const offsets = Array.from({ length: next }, (_, index) => (pages.length + index) * count)
    pages.push(...(await Promise.all(offsets.map((offset) => list({ count, offset })))))
  }
  const found = pages.flatMap(({ items }) => items).filter(({ createdAt }) => createdAt >= since)
  return [...new Map(found.map((one) => [one.id, one])).values()] // a new one shifts the others to later pages
}

type Created = readonly Page<{ readonly createdAt: number }>[]

const oldestIn = (pages: Created) =>
  pages.flatMap(({ items }) => items).reduce((least, { createdAt }) => Math.min(least, createdAt), Number.MAX_VALUE)

/** Estimates how many more pages there are until a time. */
function pagesUntil(pages: Created, since: number): number {
  const newest = pages[0]?.items[0]?.createdAt ?? since
  const span = (newest - oldestIn(pages)) / pages.length
  return span > 0 ? Math.max(1, Math.ceil((oldestIn(pages) - since) / span)) : 1
}

function listedArchiveOf(archive: Archive): Item<'archives'>[] {
  const { id, sessionId, createdAt, status, reason } = archive
  const tag = carriedTag(archive)
  return tag && partOfTag(tag) ? [{ id, sessionId, tag, createdAt, status, ...(reason && { reason }) }] : []
}

function listedBroadcastOf(broadcast: Broadcast): Item<'broadcasts'>[] {
  const { id, sessionId, createdAt, status, maxDuration } = broadcast
  const { hls, hlsStatus, rtmp = [] } = observedBroadcast(broadcast)
  const tag = carriedTag(broadcast)
  if (!tag || !partOfTag(tag)) return []
  return [
    {
      ...{ id, sessionId, tag, createdAt, status, rtmp },
      ...(maxDuration !== undefined && { maxDuration }),
      ...(hls && { hls }),
      ...(hlsStatus && { hlsStatus }),
    },
  ]
}

const listedComposerOf = ({ id, sessionId, createdAt, status, reason, streamId }: Composer): Item<'composers'> => ({
  ...{ id, sessionId, createdAt, status },
  ...(reason && { reason }),
  ...(streamId && { streamId }),
})
