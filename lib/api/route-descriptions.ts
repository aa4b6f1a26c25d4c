import type { RouteKey } from './api.ts'
import { type ControlName, controls } from './controls.ts'
import { historyDescriptions } from './history/history-routes.ts'

const statusesOf = (name: ControlName) =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(controls[name].during)

/** Returns the sentence about the statuses in which a control is carried out. */
const needs = (name: ControlName) => `The show must be ${statusesOf(name)}.`

/** Descriptions of the routes: facts beyond their summaries. */
export const routeDescriptions: Readonly<Record<RouteKey, string>> = {
  'POST /shows':
    'The answer follows once the show is recorded, and its execution continues without the caller. Poll the show with the id of the answer, or name a callback in the document. With `dryRun=true` nothing is started, and the answer has a forecast: steps, parts, next start and cost.',
  'GET /shows': 'An item has only the name, the status and the times of a show. Read the show for everything else.',
  'GET /shows/{id}':
    'Callers that poll send the ETag of the last answer as If-None-Match, and get 304 while nothing has changed.',
  'GET /shows/{id}/streams':
    'Every request asks the platform. Streams of scenes and dial-ins have their names. Other controls take the ids.',
  ...historyDescriptions,
  'GET /shows/{id}/quality':
    'The report is written up to an hour and five minutes after the end of the show. It needs the advanced add-on of Insights.',
  'PUT /shows/{id}':
    'The document replaces the earlier one as a whole, so send every field. A show that has begun is changed with PATCH.',
  'PATCH /shows/{id}': `Everything is checked before the first change. A request that takes too long is answered 202 and continues while the show runs. ${needs('change')}`,
  'DELETE /shows/{id}':
    'Shows that a recurring show has started continue. A show that has started is stopped with `POST /shows/{id}/stop`.',
  'POST /shows/{id}/tokens':
    'A client of the video platform connects with the answer. The token can be used several times until it expires, after an hour by default.',
  'POST /shows/{id}/invitations':
    'An invitation to a recurring show leads to each of its occurrences. Its content is signed and not encrypted. It is not stored, so it cannot be listed.',
  'DELETE /shows/{id}/invitations': 'Invitations that are created afterwards work.',
  'POST /public/join':
    'Before the show has a session the answer is 409 with Retry-After, and after its end 410. An invitation can be exchanged several times.',
  'POST /shows/{id}/stop': `Archives and broadcasts are stopped on the platform at once. Files are uploaded and published as after a planned end. ${needs('stop')}`,
  'POST /shows/{id}/signals': `The platform cannot recognize a repeated signal, so send an Idempotency-Key. ${needs('signal')}`,
  'POST /shows/{id}/mute': `A participant who was muted can unmute. ${needs('mute')}`,
  'POST /shows/{id}/layout-classes': `Streams that are not named keep their classes. ${needs('layoutClasses')}`,
  'POST /shows/{id}/tones': `Clients that do not support DTMF ignore them. If the platform’s answer is lost, the timeline reports that, and the tones are not repeated. ${needs('tones')}`,
  'POST /shows/{id}/disconnect': `A connection that has left already is not an error. ${needs('disconnect')}`,
  'POST /shows/{id}/dial-ins': `It is dialed once. If the platform’s answer is lost, its status is \`unknown\`, and it is not dialed again. ${needs('dialIn')}`,
  'POST /shows/{id}/broadcasts': `It ends with the show. A stream key is a reference to a secret, which is checked first. ${needs('broadcast')}`,
  'POST /shows/{id}/broadcasts/{name}/stop': `Its part is stopped at once, and no other part is started. The show continues. A stopped broadcast cannot be resumed: add another one. ${needs('stopBroadcast')}`,
  'POST /shows/{id}/recordings/{name}/pause': `Its part is stopped at once. Nothing is recorded until the recording resumes, by a request or at the end of a planned pause. The parts are published as one recording. ${needs('pause')}`,
  'POST /shows/{id}/recordings/{name}/resume': `The next part is started at once, also before the end of a planned pause. Without a connected client it starts once one is back within five minutes. ${needs('resume')}`,
  'POST /shows/{id}/markers': `Every recording that holds the time has a chapter with this title. ${needs('marker')}`,
  'GET /recordings': 'Each item has links to its files. They expire after an hour at most.',
  'GET /recordings/{archiveId}': 'Links to files expire after an hour at most. Read the recording again for new ones.',
  'DELETE /recordings/{archiveId}': 'With `permanently=true` all versions of its files are deleted at once.',
  'POST /recordings/{archiveId}/accept':
    'The ETag names the file that was examined, so that a newer file is not accepted instead. Clips of the former file are kept, and its captions are not.',
  'POST /recordings/{archiveId}/reject':
    'The ETag names the file that was examined, so that a newer file is not deleted instead.',
  'POST /recordings/{archiveId}/restore':
    'The list of deleted recordings says until when each can be restored, as `restorableUntil`.',
  'POST /recordings/{archiveId}/revoke': 'Links that are created afterwards work. Read the recording for one.',
  'POST /recordings/{archiveId}/rebuild':
    'Formats that are not named stay as they are, but renditions are made again with hls. The publish machine works after the answer.',
  'PUT /recordings/{archiveId}/captions/{language}':
    'The captions appear on the watch page and in the playlists. Those of other languages stay.',
  'DELETE /recordings/{archiveId}/captions/{language}': 'Captions of other languages stay.',
  'POST /recordings/{archiveId}/clips':
    'The answer has a link that plays the clip by HLS at once, from the segments around it. An MP4 follows, cut at the exact frames; the owner is then notified of `clip.published`.',
  'GET /recordings/{archiveId}/clips': 'Links to MP4s expire after an hour at most. Read the clip again for new ones.',
  'GET /recordings/{archiveId}/clips/{clipId}': 'Its status is `cutting` until the MP4 is published.',
  'POST /shows/{id}/clips':
    'The answer has a link that plays the clip by HLS at once, from the segments that the broadcast keeps: with `dvr` all, otherwise the newest 30 s. An MP4 follows, cut at the exact frames; the owner is then notified of `clip.published`. If no playlist of the broadcast can be read, the clip is `queued` without links until a recording of the show is published. The show must be live.',
  'GET /shows/{id}/clips': 'Clips of its recordings are not in the list.',
  'GET /shows/{id}/clips/{clipId}':
    'Its status is `cutting` until the MP4 is published, which stays when the broadcast is over.',
  'DELETE /shows/{id}/clips/{clipId}': 'Its links stop working at once. A repeated request is answered 404.',
  'DELETE /recordings/{archiveId}/clips/{clipId}':
    'Its links stop working at once. A repeated request is answered 404.',
  'GET /public/recordings/{archiveId}':
    'It needs no token. A recording that is not public is answered like one that does not exist.',
  'GET /.well-known/jwks.json':
    'It needs no token. The answer is a JSON Web Key Set (RFC 7517), in which a callback names its key by `kid`.',
  'GET /publishing':
    'Archives that cannot be watched yet are first, and short ones before long ones. Those that are published now are not in the list.',
  'GET /usage': 'Insights report a day up to two days later, so the latest days may be missing.',
}
