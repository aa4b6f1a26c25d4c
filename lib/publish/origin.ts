import type { Archive } from '../platform/client/answers.ts'
import type { Services } from '../services.ts'
import { partOfTag } from '../show/document/fields/names.ts'
import { type PublishingOrder, publishingOf, publishingOrder } from '../show/document/publishing.ts'
import { carriedTag } from '../show/run/composed-resources.ts'
import { isGone, onError } from '../show/run/platform-errors.ts'
import { parseArchiveKey } from '../show/state/keys.ts'
import type { ShowRequest } from '../show/state/request.ts'
import { TaskInputError } from '../tasks/errors.ts'
import type { PartOfShow } from './manifest/manifest.ts'

/** The show of an archive, and the formats that are to be made of it. */
export interface Origin {
  /** Undefined when the platform does not know it. */
  readonly archive: Archive | undefined
  /** Undefined when no show started it. */
  readonly show: PartOfShow | undefined
  readonly request: ShowRequest | undefined
  /** The order of the recording. @default the order of a show without `publish` */
  readonly order: PublishingOrder
}

/** Finds the show of an archive by the tag that it was started with. */
export async function originOf(
  archiveId: string,
  { platform, records }: Pick<Services, 'platform' | 'records'>,
): Promise<Origin> {
  const client = await platform()
  const archive = await client.getArchive({ archiveId }).catch(onError(isGone, undefined))
  const part = partOfTag(archive && carriedTag(archive))
  const request = part && (await records.readRequest(part.showId))
  // Another app's tag may look like Showrunner's.
  const isOurs = request?.show.recordings.some(({ name }) => name === part?.name) ?? false
  if (!isOurs) return { archive, ...unknownOrigin }
  return {
    archive,
    show: part,
    request,
    order: request && part ? publishingOf(request.show, part.name) : unknownOrigin.order,
  }
}

/** The origin of an archive that no show started. */
export const unknownOrigin: Omit<Origin, 'archive'> = {
  show: undefined,
  request: undefined,
  order: publishingOrder.parse({}),
}

/** Returns the archive id in a key. @throws {@link TaskInputError} when it is not the key of an archive */
export function archiveIdIn(key: string): string {
  const { archiveId } = parseArchiveKey(key) ?? {}
  if (archiveId === undefined) throw new TaskInputError(`${key} is not the key of an archive.`)
  return archiveId
}
