import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { withPlatformUntil } from '../lib/services/deadlines.ts'
import { createServices, type Services } from '../lib/services/services.ts'
import { apiRoutes, type RouteKey } from '../lib/workflow/api.ts'
import type { Environment } from '../lib/workflow/environment.ts'
import { refuseUnlessAdmitted } from './api/admission.ts'
import { deleteCaptions } from './api/delete-captions.ts'
import { removeRecording } from './api/delete-recording.ts'
import { deleteShow } from './api/delete-show.ts'
import { getCallbackKeys } from './api/get-callback-keys.ts'
import { getPublicRecording } from './api/get-public-recording.ts'
import { getQuality } from './api/get-quality.ts'
import { getRecording } from './api/get-recording.ts'
import { getRecordings } from './api/get-recordings.ts'
import { getShow } from './api/get-show.ts'
import { getShows } from './api/get-shows.ts'
import { getUsage } from './api/get-usage.ts'
import { postAccept, postReject } from './api/judge-file.ts'
import { patchShow } from './api/patch-show.ts'
import { postBroadcast } from './api/post-broadcast.ts'
import { postDialIn } from './api/post-dial-in.ts'
import { postDisconnect } from './api/post-disconnect.ts'
import { postLayoutClasses } from './api/post-layout-classes.ts'
import { postMute } from './api/post-mute.ts'
import { postRebuild } from './api/post-rebuild.ts'
import { postRestore } from './api/post-restore.ts'
import { postRevoke } from './api/post-revoke.ts'
import { postShow } from './api/post-show.ts'
import { postSignal } from './api/post-signal.ts'
import { postStop } from './api/post-stop.ts'
import { postToken } from './api/post-token.ts'
import { postTones } from './api/post-tones.ts'
import { putCaptions } from './api/put-captions.ts'
import { type ApiEvent, type Asked, readQuery } from './api/request.ts'
import { httpHandler } from './middleware/http.ts'
import { type Log, toConsole, toStandardOutput } from './middleware/log.ts'
import type { Write } from './middleware/written-logger.ts'

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

/** The HTTP API on these services: one function, one route a file. */
const createApi = (services: Services, write: Write = toConsole) =>
  httpHandler<ApiEvent>({
    name: 'api',
    services,
    write,
    routes: Object.fromEntries((Object.keys(apiRoutes) as RouteKey[]).map((key) => [key, routeOn(services, key)])),
  })

/**
 * Milliseconds of a request that calls of the platform may take in all. API Gateway gives up after 30 s; what remains is for the
 * records before and after them, so that a caller is always told what came of it.
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
