import type { Archive } from '../platform/client/answers.ts'
import type { Services } from '../services.ts'
import { partOfTag } from '../show/document/fields/names.ts'
import { type PublishingOrder, publishingOrder } from '../show/document/publishing.ts'
import { tagOfArchive } from '../show/run/composed-resources.ts'
import { isGone, onError } from '../show/run/platform-errors.ts'
import type { ShowRequest } from '../show/state/request.ts'
import type { PartOfShow } from './manifest/manifest.ts'

/** Where an archive comes from, and what is to be made of it. */
export interface Origin {
  /** Undefined when the platform does not know it. */
  readonly archive: Archive | undefined
  /** Undefined when no show started it. */
  readonly show: PartOfShow | undefined
  readonly request: ShowRequest | undefined
  /** The show's, or else what a show gets that asks for nothing. */
  readonly order: PublishingOrder
}

/** Finds the show of an archive by the tag that it was started with. */
export async function originOf(
  archiveId: string,
  { platform, records }: Pick<Services, 'platform' | 'records'>,
): Promise<Origin> {
  const client = await platform()
  const archive = await client.getArchive({ archiveId }).catch(onError(isGone, undefined))
  const part = partOfTag(archive && tagOfArchive(archive))
  const request = part && (await records.readRequest(part.showId))
  // A tag that only looks like ours is another app's.
  const isOurs = request?.show.recordings.some(({ name }) => name === part?.name) ?? false
  if (!isOurs) return { archive, ...unknownOrigin }
  return { archive, show: part, request, order: request?.show.publish ?? unknownOrigin.order }
}

/** Of an archive of which nothing is known. */
export const unknownOrigin: Omit<Origin, 'archive'> = {
  show: undefined,
  request: undefined,
  order: publishingOrder.parse({}),
}
