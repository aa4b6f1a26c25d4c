import { languageOf } from '../../../lib/publish/carry-captions.ts'
import type { Services } from '../../../lib/services.ts'
import { ApiProblem } from '../../http/problem.ts'
import type { ApiEvent } from '../../http/request.ts'
import { askedOf, changeCaptions } from './captions.ts'

/** `DELETE /recordings/{archiveId}/captions/{language}`: takes them out of the page and of the playlists. */
export async function deleteCaptions(event: ApiEvent, services: Services) {
  const { archiveId, language } = askedOf(event)
  return changeCaptions(services, archiveId, async (captions) => {
    const others = captions.filter((file) => languageOf(file) !== language)
    if (others.length === captions.length) throw new ApiProblem(404, `The recording has no captions in ${language}.`)
    return others
  })
}
