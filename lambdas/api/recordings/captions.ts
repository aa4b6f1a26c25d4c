import { createHash } from 'node:crypto'
import {
  captionsOf,
  carryCaptions,
  languageOfKey,
  parseCaptions,
  parseCaptionsLanguage,
} from '../../../lib/publish/carry-captions.ts'
import { MAX_CAPTIONS, MAX_CAPTIONS_BYTES, type Manifest } from '../../../lib/publish/manifest/manifest.ts'
import { publishFile } from '../../../lib/publish/published-files.ts'
import type { Services } from '../../../lib/services.ts'
import { keys } from '../../../lib/show/state/keys.ts'
import { ApiProblem } from '../../http/problem.ts'
import {
  type ApiEvent,
  archiveIdOf,
  noRecording,
  ok,
  type Routes,
  refuseOtherType,
  textOf,
} from '../../http/request.ts'

type Files = Manifest['files']

/** The routes of captions. The page and the playlists have a change from the next request on. */
export const captionRoutes = {
  async 'PUT /recordings/{archiveId}/captions/{language}'(event, services) {
    const { archiveId, language } = askedOf(event)
    const content = orRefused(parseCaptions(bodyOf(event)))
    const edition = createHash('sha256').update(content).digest('hex').slice(0, 12)
    const key = keys.published(archiveId, 'captions', edition, `${language}.vtt`)
    return changeCaptions(services, archiveId, async (captions, { duration, keepDays = null }) => {
      if (duration === null)
        throw new ApiProblem('recording-not-playable', 'The recording cannot be played, so it cannot have captions.')
      const others = captions.filter((file) => languageOfKey(file) !== language)
      if (others.length >= MAX_CAPTIONS)
        throw new ApiProblem(
          'limit-reached',
          `The recording has captions in ${others.length} languages. Delete some first.`,
        )
      const contentType = 'text/vtt; charset=utf-8'
      const file = await publishFile(services.storage, { role: 'captions', key, content, contentType, keepDays })
      return [...others, file].sort((one, other) => (languageOfKey(one) < languageOfKey(other) ? -1 : 1))
    })
  },

  async 'DELETE /recordings/{archiveId}/captions/{language}'(event, services) {
    const { archiveId, language } = askedOf(event)
    return changeCaptions(services, archiveId, async (captions) => {
      const others = captions.filter((file) => languageOfKey(file) !== language)
      if (others.length === captions.length)
        throw new ApiProblem('unknown-captions', `The recording has no captions in ${language}.`)
      return others
    })
  },
} satisfies Partial<Routes>

/** Returns the recording and the language that the path names, the language in its canonical form. */
const askedOf = (event: ApiEvent) => ({
  archiveId: archiveIdOf(event),
  language: orRefused(parseCaptionsLanguage(event.pathParameters?.language ?? '')),
})

function orRefused(parsed: ReturnType<typeof parseCaptionsLanguage>): string {
  if ('problem' in parsed) throw new ApiProblem('invalid-captions', parsed.problem)
  return parsed.value
}

async function changeCaptions(
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
  return ok({ archiveId, captions: captionsOf(changed).map(languageOfKey) })
}

function bodyOf(event: ApiEvent): string {
  const text = textOf(event)
  if (!text) throw new ApiProblem('missing-body', 'The request has no body. Send the captions as WebVTT (text/vtt).')
  refuseOtherType(event, 'text/vtt')
  const bytes = Buffer.byteLength(text)
  if (bytes > MAX_CAPTIONS_BYTES)
    throw new ApiProblem(
      'body-too-large',
      `The captions have ${bytes} bytes. At most ${MAX_CAPTIONS_BYTES} are accepted.`,
    )
  return text
}
