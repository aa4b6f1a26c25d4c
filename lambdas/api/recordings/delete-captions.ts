import { languageOf } from '../../../lib/publish/carry-captions.ts'
import type { Services } from '../../../lib/services.ts'
import { ApiProblem } from '../../http/problem.ts'
import type { ApiEvent } from '../../http/request.ts'
import { askedOf, changeCaptions } from './captions.ts'

/** `DELETE /recordings/{archiveId}/captions/{language}`: removes them from the page and the playlists. */
export async function deleteCaptions(event: ApiEvent, services: Services) {
  const { archiveId, language } = askedOf(event)
  return changeCaptions(services, archiveId, async (captions) => {
    const others = captions.filter((file) => languageOf(file) !== language)
    if (others.length === captions.length)
      throw new ApiProblem('unknown-captions', `The recording has no captions in ${language}.`)
    return others
  })
}
