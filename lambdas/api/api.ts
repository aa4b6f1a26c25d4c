import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { apiRoutes, type RouteKey } from '../../lib/api/api.ts'
import { createServices, type Services } from '../../lib/services.ts'
import { withPlatformUntil } from '../../lib/show/controls/request-deadline.ts'
import type { Environment } from '../../lib/tasks/environment.ts'
import { httpHandler } from '../http/http.ts'
import { type ApiEvent, type Asked, readQuery } from '../http/request.ts'
import { type Log, toConsole, toStandardOutput } from '../middleware/log.ts'
import type { Write } from '../middleware/written-logger.ts'
import { refuseUnlessAdmitted } from './controls/admission.ts'
import { patchShow } from './controls/patch-show.ts'
import { postBroadcast } from './controls/post-broadcast.ts'
import { postDialIn } from './controls/post-dial-in.ts'
import { postDisconnect } from './controls/post-disconnect.ts'
import { postLayoutClasses } from './controls/post-layout-classes.ts'
import { postMute } from './controls/post-mute.ts'
import { postSignal } from './controls/post-signal.ts'
import { postStop } from './controls/post-stop.ts'
import { postTones } from './controls/post-tones.ts'
import { getCallbackKeys } from './get-callback-keys.ts'
import { getUsage } from './get-usage.ts'
import { deleteCaptions } from './recordings/delete-captions.ts'
import { removeRecording } from './recordings/delete-recording.ts'
import { getPublicRecording } from './recordings/get-public-recording.ts'
import { getRecording } from './recordings/get-recording.ts'
import { getRecordings } from './recordings/get-recordings.ts'
import { postAccept, postReject } from './recordings/judge-file.ts'
import { postRebuild } from './recordings/post-rebuild.ts'
import { postRestore } from './recordings/post-restore.ts'
import { postRevoke } from './recordings/post-revoke.ts'
import { putCaptions } from './recordings/put-captions.ts'
import { deleteShow } from './shows/delete-show.ts'
import { getQuality } from './shows/get-quality.ts'
import { getShow } from './shows/get-show.ts'
import { getShows } from './shows/get-shows.ts'
import { postShow } from './shows/post-show.ts'
import { postToken } from './shows/post-token.ts'

type Answers<Key extends RouteKey> = (
  event: ApiEvent,
  services: Services,
  asked: Asked<Key>,
) => Promise<APIGatewayProxyStructuredResultV2>

const routes: { readonly [Key in RouteKey]: Answers<Key> } = {
  'POST /shows': postShow,
  'GET /shows': getShows,
  'GET /shows/{id}': getShow,
  'GET /shows/{id}/quality': getQuality,
  'PATCH /shows/{id}': patchShow,
  'DELETE /shows/{id}': deleteShow,
  'POST /shows/{id}/tokens': postToken,
  'POST /shows/{id}/stop': postStop,
  'POST /shows/{id}/signals': postSignal,
  'POST /shows/{id}/mute': postMute,
  'POST /shows/{id}/layout-classes': postLayoutClasses,
  'POST /shows/{id}/tones': postTones,
  'POST /shows/{id}/disconnect': postDisconnect,
  'POST /shows/{id}/dial-ins': postDialIn,
  'POST /shows/{id}/broadcasts': postBroadcast,
  'GET /recordings': getRecordings,
  'GET /recordings/{archiveId}': getRecording,
  'DELETE /recordings/{archiveId}': removeRecording,
  'POST /recordings/{archiveId}/accept': postAccept,
  'POST /recordings/{archiveId}/reject': postReject,
  'POST /recordings/{archiveId}/restore': postRestore,
  'POST /recordings/{archiveId}/revoke': postRevoke,
  'POST /recordings/{archiveId}/rebuild': postRebuild,
  'PUT /recordings/{archiveId}/captions/{language}': putCaptions,
  'DELETE /recordings/{archiveId}/captions/{language}': deleteCaptions,
  'GET /public/recordings/{archiveId}': getPublicRecording,
  'GET /.well-known/jwks.json': getCallbackKeys,
  'GET /usage': getUsage,
}

/** Creates the HTTP API: one function, one file for each route. */
const createApi = (services: Services, write: Write = toConsole) =>
  httpHandler<ApiEvent>({
    name: 'api',
    services,
    write,
    routes: Object.fromEntries((Object.keys(apiRoutes) as RouteKey[]).map((key) => [key, routeOn(services, key)])),
  })

/**
 * Milliseconds that platform calls may take in one request. API Gateway gives up after 30 s; the rest is for the records, so
 * that every caller gets an answer.
 */
const PLATFORM_MS = 20_000

function routeOn(services: Services, key: RouteKey) {
  const { role, query } = apiRoutes[key]
  const answer = routes[key] as Answers<never>
  return async (event: ApiEvent, log: Log) => {
    refuseUnlessAdmitted(event, key, role, services)
    const limited = withPlatformUntil(services, services.clock.now() + PLATFORM_MS)
    return answer(event, limited, { query: readQuery(event, query), log } as never)
  }
}

export const handler = Object.assign(createApi(createServices(process.env as Environment), toStandardOutput), {
  on: createApi,
})
