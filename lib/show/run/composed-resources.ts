import type { Archive, Broadcast } from '../../platform/client/answers.ts'
import type { PlatformCallOptions } from '../../platform/client/calls.ts'
import type { PlatformClient } from '../../platform/client/client.ts'
import { limits } from '../../platform/contract/limits.ts'
import type { LayoutChange } from '../document/orders/changes.ts'
import { mayBeLive, mayRecord } from '../state/part-entries.ts'
import type { ShowState } from '../state/state.ts'
import { isGone, isNotYet, type Meaning } from './platform-errors.ts'

type StartOf<Name extends 'startArchive' | 'startBroadcast'> = Parameters<PlatformClient[Name]>[0]
type ArchiveOrder = Omit<StartOf<'startArchive'>, 'sessionId' | 'multiArchiveTag' | 'name'>
type BroadcastOrder = Omit<StartOf<'startBroadcast'>, 'sessionId' | 'multiBroadcastTag'>

/** A change of the streams of a resource with stream mode `manual`. */
export type StreamsBody =
  | { readonly addStream: string; readonly hasAudio: boolean; readonly hasVideo: boolean }
  | { readonly removeStream: string }

/** The operations that archives and broadcasts have in common: both compose the streams of a session. */
export interface ComposedResource<Found, Order> {
  /** Starts a resource that carries a tag. */
  start(sessionId: string, tag: string, order: Order, options: { adopt(): Promise<Found | undefined> }): Promise<Found>
  /** Lists all pages. The platform lists archives in every status, but only running broadcasts. */
  list(sessionId: string, options?: Pick<PlatformCallOptions, 'signal'>): AsyncIterable<Found>
  /** Returns the newest page, which holds everything that runs. */
  listNewest(sessionId: string): Promise<readonly Found[]>
  get(id: string): Promise<Found>
  stop(id: string, options?: Pick<PlatformCallOptions, 'signal'>): Promise<Found>
  setLayout(id: string, layout: LayoutChange['layout']): Promise<unknown>
  changeStreams(id: string, body: StreamsBody): Promise<unknown>
  /** Returns true also for a status that the contract does not list. */
  readonly mayRun: (seen: { readonly status?: string | undefined; readonly reason?: unknown }) => boolean
  /** Matches the answer of `get` to an id that does not exist any more. */
  readonly isUnknown: Meaning
}

export interface ComposedResources {
  readonly recordings: ComposedResource<Archive, ArchiveOrder>
  readonly broadcasts: ComposedResource<Broadcast, BroadcastOrder>
}

/** Returns the tag that an archive or a broadcast carries. Some deployments omit tags of archives from lists: their name repeats it. */
export const carriedTag = (
  found: { [Name in 'multiArchiveTag' | 'multiBroadcastTag' | 'name']?: string | null | undefined },
) => found.multiArchiveTag ?? found.multiBroadcastTag ?? found.name ?? undefined

/** Returns every part in a state with its kind and the id of its archive or broadcast. */
export const partsIn = ({ recordings, broadcasts }: Pick<ShowState, 'recordings' | 'broadcasts'>) => [
  ...recordings.map(({ archiveId: id, ...part }) => ({ kind: 'recordings' as const, id, ...part })),
  ...broadcasts.map(({ broadcastId: id, ...part }) => ({ kind: 'broadcasts' as const, id, ...part })),
]

const count = limits.listCountMax.value

/** Returns archives and broadcasts under the names that a show document has for them. */
export const composedResources = (platform: PlatformClient): ComposedResources => ({
  recordings: {
    start: (sessionId, tag, order, options) =>
      platform.startArchive({ ...order, sessionId, name: tag, multiArchiveTag: tag }, options),
    list: (sessionId, options) => platform.each.listArchives({ sessionId, count }, options),
    listNewest: async (sessionId) => (await platform.listArchives({ sessionId, count })).items,
    get: (archiveId) => platform.getArchive({ archiveId }),
    stop: (archiveId, options) => platform.stopArchive({ archiveId }, options),
    setLayout: (archiveId, layout) => platform.setArchiveLayout({ archiveId, ...layout }),
    changeStreams: (archiveId, body) => platform.changeArchiveStreams({ archiveId, ...body }),
    mayRun: mayRecord,
    isUnknown: isGone,
  },
  broadcasts: {
    start: (sessionId, tag, order, options) =>
      platform.startBroadcast({ ...order, sessionId, multiBroadcastTag: tag }, options),
    list: (sessionId, options) => platform.each.listBroadcasts({ sessionId, count }, options),
    listNewest: async (sessionId) => (await platform.listBroadcasts({ sessionId, count })).items,
    get: (broadcastId) => platform.getBroadcast({ broadcastId }),
    stop: (broadcastId, options) => platform.stopBroadcast({ broadcastId }, options),
    setLayout: (broadcastId, layout) => platform.setBroadcastLayout({ broadcastId, ...layout }),
    changeStreams: (broadcastId, body) => platform.changeBroadcastStreams({ broadcastId, ...body }),
    mayRun: mayBeLive,
    isUnknown: isNotYet,
  },
})

/** Finds the resource of a session that carries a tag: there is at most one. */
export async function findTagged<Found extends object>(
  resource: Pick<ComposedResource<Found, never>, 'list'>,
  sessionId: string,
  tag: string,
): Promise<Found | undefined> {
  for await (const found of resource.list(sessionId)) if (carriedTag(found) === tag) return found
  return undefined
}
