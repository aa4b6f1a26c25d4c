import { captionsOf, carryCaptions, languageOf } from '../../../lib/publish/carry-captions.ts'
import type { Manifest } from '../../../lib/publish/manifest/manifest.ts'
import { parseCaptionsLanguage } from '../../../lib/publish/parse-captions.ts'
import type { Services } from '../../../lib/services.ts'
import { ApiProblem } from '../../http/problem.ts'
import { type ApiEvent, ok } from '../../http/request.ts'
import { archiveIdOf, noRecording } from './recording.ts'

type Files = Manifest['files']

/** Returns the recording and the language that the path names, the language in its canonical form. */
export function askedOf(event: ApiEvent) {
  const archiveId = archiveIdOf(event)
  return { archiveId, language: orRefused(parseCaptionsLanguage(event.pathParameters?.language ?? '')) }
}

/** Returns a parsed value. @throws {@link ApiProblem} 400 when it could not be parsed */
export function orRefused(parsed: ReturnType<typeof parseCaptionsLanguage>): string {
  if ('problem' in parsed) throw new ApiProblem('invalid-captions', parsed.problem)
  return parsed.value
}

/**
 * Replaces the captions of a recording in its manifest and its playlists.
 * @throws {@link ApiProblem} 404 when it is not published
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
    async () => true, // a deleted recording has no manifest to change
  )
  return ok({ archiveId, captions: captionsOf(changed).map(languageOf) })
}
