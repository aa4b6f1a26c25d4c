import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { showPath } from '../../../lib/api/watch-routes.ts'
import type { Services } from '../../../lib/services.ts'
import { watchOriginOf } from '../../http/watch-origin.ts'
import { pageAnswer } from '../page-answer.ts'
import { refusalPage } from '../refusal-page.ts'
import { admitToShow } from './admit-to-show.ts'

type Serving = Pick<Services, 'records' | 'watchLinks' | 'storage' | 'variable'>

/** `GET /watch/show/{id}`: returns the page of a show, whose address stays the same before, during and after it. */
export const getShowPage = (event: APIGatewayProxyEventV2, services: Serving) => serveShow(event, services, false)

/** `GET /watch/show/{id}/embed`: returns the page with nothing but the player, for frames. */
export const getShowEmbed = (event: APIGatewayProxyEventV2, services: Serving) => serveShow(event, services, true)

async function serveShow(event: APIGatewayProxyEventV2, services: Serving, isEmbed: boolean) {
  try {
    const { request, credentials } = await admitToShow(event, services)
    const { showId, show } = request
    const { title = show.name, description, cover } = show.page
    const origin = watchOriginOf(event, services)
    const content = {
      titles: [title],
      description,
      preview: credentials ? undefined : { address: origin + showPath(showId), image: cover },
      note: 'Live shows need JavaScript.',
      isEmbed,
      embed: origin + showPath(showId, credentials, { isEmbed: true }),
    }
    return await pageAnswer(content, { pictures: cover === undefined ? [] : [cover], isLive: true }, services)
  } catch (error) {
    return refusalPage(error, services.variable('FRAME_ANCESTORS'))
  }
}
