import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import type { WatchRoute } from '../../lib/api/watch-routes.ts'
import { createServices, type Services } from '../../lib/services.ts'
import type { Environment } from '../../lib/tasks/environment.ts'
import { httpHandler } from '../http/http.ts'
import { toConsole, toStandardOutput } from '../middleware/log.ts'
import type { WriteLine } from '../middleware/written-logger.ts'
import { getAsset } from './get-asset.ts'
import { getEmbed, getPage } from './get-page.ts'
import { getPlaylist } from './get-playlist.ts'
import { getPoster } from './get-poster.ts'
import { getRecording } from './get-recording.ts'
import { redirectPastFront } from './redirect-past-front.ts'
import { getShowEmbed, getShowPage } from './show/get-show-page.ts'
import { getShowState } from './show/get-show-state.ts'

type Answer = (event: APIGatewayProxyEventV2, services: Services) => Promise<APIGatewayProxyStructuredResultV2>

const routes: Readonly<Record<WatchRoute, Answer>> = {
  'GET /watch/show/{id}': getShowPage,
  'GET /watch/show/{id}/embed': getShowEmbed,
  'GET /watch/show/{id}/state': getShowState,
  'GET /watch/{archiveId}': getPage,
  'GET /watch/{archiveId}/embed': getEmbed,
  'GET /watch/{archiveId}/poster': getPoster,
  'GET /watch/{archiveId}/recording': getRecording,
  'GET /watch/{archiveId}/playlist': getPlaylist,
  'GET /watch/{archiveId}/clips/{clipId}': getPage,
  'GET /watch/{archiveId}/clips/{clipId}/embed': getEmbed,
  'GET /watch/{archiveId}/clips/{clipId}/recording': getRecording,
  'GET /watch/{archiveId}/clips/{clipId}/playlist': getPlaylist,
  'GET /assets/{file}': getAsset,
}

/** Serves the watch page of every recording to anyone who has a link. */
const createWatch = (services: Services, write: WriteLine = toConsole) =>
  httpHandler<APIGatewayProxyEventV2>({
    name: 'watch',
    services,
    write,
    routes: Object.fromEntries(
      Object.entries(routes).map(([key, answer]) => [
        key,
        async (event: APIGatewayProxyEventV2) =>
          (await redirectPastFront(key as WatchRoute, event, services)) ?? answer(event, services),
      ]),
    ),
  })

export const handler = Object.assign(createWatch(createServices(process.env as Environment), toStandardOutput), {
  on: createWatch,
})
