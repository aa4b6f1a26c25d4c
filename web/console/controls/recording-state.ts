import { moment } from '../../format.ts'
import type { Recording } from '../answers.ts'

/** Names what a revocation of links does to a recording. */
export const revocation = (access: Recording['access'] | undefined) =>
  access === 'public'
    ? {
        action: 'Make private',
        text: 'Its public page stops working. Only new links open it. This cannot be undone here.',
      }
    : { action: 'Revoke links', text: 'Every link to its watch page stops working. The console has a new one.' }

/** Returns the languages of captions, by the names of their files: `pt-BR` of `…/pt-BR.vtt`. */
export const captionLanguages = (files: readonly Pick<Recording['files'][number], 'role' | 'key'>[]): string[] =>
  files.filter(({ role }) => role === 'captions').map(({ key }) => key.replace(/^.*\/|\.vtt$/g, ''))

/** Describes a deletion. @param restorableUntil absent after a permanent one */
export const deletionResult = (restorableUntil: string | undefined, now: number, timeZone?: string): string =>
  restorableUntil === undefined
    ? 'The recording is deleted.'
    : `The recording is deleted. It can be restored until ${moment(restorableUntil, now, timeZone)}.`

/**
 * Returns the recordings of the list, with those that were deleted on this page in their former places, so that they can be
 * restored there.
 */
export function withDeleted<Item extends Pick<Recording, 'archiveId'>>(
  listed: readonly Item[],
  before: readonly Item[],
  deleted: ReadonlySet<string>,
): Item[] {
  const all = [...listed]
  for (const [index, one] of before.entries())
    if (deleted.has(one.archiveId) && !listed.some(({ archiveId }) => archiveId === one.archiveId))
      all.splice(index, 0, one)
  return all
}
