import { createHash } from 'node:crypto'
import { languageOf } from '../../../lib/publish/carry-captions.ts'
import { MAX_CAPTIONS, MAX_CAPTIONS_BYTES } from '../../../lib/publish/manifest/caption-limits.ts'
import { parseCaptions } from '../../../lib/publish/parse-captions.ts'
import { publishFile } from '../../../lib/publish/published-files.ts'
import type { Services } from '../../../lib/services.ts'
import { keys } from '../../../lib/show/state/keys.ts'
import { ApiProblem } from '../../http/problem.ts'
import { type ApiEvent, textOf } from '../../http/request.ts'
import { askedOf, changeCaptions, orRefused } from './captions.ts'

/** `PUT /recordings/{archiveId}/captions/{language}`: stores WebVTT captions, which the page and the playlists have from the next request on. */
export async function putCaptions(event: ApiEvent, services: Services) {
  const { archiveId, language } = askedOf(event)
  const content = orRefused(parseCaptions(bodyOf(event)))
  const edition = createHash('sha256').update(content).digest('hex').slice(0, 12)
  const key = keys.published(archiveId, 'captions', edition, `${language}.vtt`)
  return changeCaptions(services, archiveId, async (captions, { duration, keepDays = null }) => {
    if (duration === null)
      throw new ApiProblem('recording-not-playable', 'The recording cannot be played, so it cannot have captions.')
    const others = captions.filter((file) => languageOf(file) !== language)
    if (others.length >= MAX_CAPTIONS)
      throw new ApiProblem(
        'limit-reached',
        `The recording has captions in ${others.length} languages. Delete some first.`,
      )
    const contentType = 'text/vtt; charset=utf-8'
    const file = await publishFile(services.storage, { role: 'captions', key, content, contentType, keepDays })
    return [...others, file].sort((one, other) => (languageOf(one) < languageOf(other) ? -1 : 1))
  })
}

function bodyOf(event: ApiEvent): string {
  const text = textOf(event)
  if (!text) throw new ApiProblem('missing-body', 'The request has no body. Send the captions as WebVTT (text/vtt).')
  const bytes = Buffer.byteLength(text)
  if (bytes > MAX_CAPTIONS_BYTES)
    throw new ApiProblem(
      'body-too-large',
      `The captions have ${bytes} bytes. At most ${MAX_CAPTIONS_BYTES} are accepted.`,
    )
  return text
}
