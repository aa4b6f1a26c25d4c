import { parseLanguage } from '../../../lib/media/captions/language.ts'
import { MediaError } from '../../../lib/media/media-error.ts'
import { captionsOf, carryCaptions, languageOf } from '../../../lib/publish/carry-captions.ts'
import type { Manifest } from '../../../lib/publish/manifest/manifest.ts'
import type { Services } from '../../../lib/services.ts'
import { ApiProblem } from '../../http/problem.ts'
import { type ApiEvent, ok } from '../../http/request.ts'
import { archiveIdOf, noRecording } from './recording.ts'

type Files = Manifest['files']

/** What the path names; the language in its one form. */
export function askedOf(event: ApiEvent) {
  const archiveId = archiveIdOf(event)
  return { archiveId, language: orRefused(() => parseLanguage(event.pathParameters?.language ?? '')) }
}

/** What is wrong with captions is told to who sent them. */
export function orRefused<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (error instanceof MediaError) throw new ApiProblem(400, error.message)
    throw error
  }
}

/**
 * Replaces the captions of a recording, in its manifest and in its playlists at once.
 * @throws ApiProblem 404 when it is not published
 */
export async function changeCaptions(
  { records, storage }: Services,
  archiveId: string,
  change: (captions: Files, manifest: Manifest) => Promise<Files>,
) {
  const changed = await records.changeManifest(
    archiveId,
    async (earlier) => {
      if (!earlier) throw noRecording(archiveId)
      const captions = await change(captionsOf(earlier), earlier)
      const others = earlier.files.filter(({ role }) => role !== 'captions')
      return carryCaptions({ ...earlier, files: [...others, ...captions] }, storage)
    },
    async () => true, // what is deleted meanwhile has no manifest that could be changed
  )
  return ok({ archiveId, captions: captionsOf(changed).map(languageOf) })
}
