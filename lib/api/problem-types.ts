import { clipProblems } from './clips/clip-problems.ts'
import { historyProblems } from './history/history-problems.ts'

export interface ProblemDefinition {
  readonly status: number
  /** The same for every problem of the type. @default the words of its name */
  readonly title?: string
  /** Why it is answered, in one sentence. */
  readonly meaning: string
  /** What the caller or the operator does next. */
  readonly action: string
}

/** The problem types of Showrunner's HTTP API (RFC 9457), by name. Names are stable: clients compare them. */
export const problemTypes = {
  'invalid-query': {
    status: 400,
    meaning: 'The query has a parameter that is unknown, missing or out of its range.',
    action: 'Correct each entry of `problems`.',
  },
  'missing-body': {
    status: 400,
    meaning: 'The request needs a body and has none.',
    action: 'Send the body that the route describes.',
  },
  'malformed-json': {
    status: 400,
    title: 'Malformed JSON',
    meaning: 'The body cannot be parsed as JSON.',
    action: 'Correct the syntax at the place that `detail` names.',
  },
  'invalid-body': {
    status: 400,
    meaning: 'The body does not match the schema of the route.',
    action: 'Correct each entry of `problems`.',
  },
  'body-too-large': {
    status: 413,
    meaning: 'The body has more bytes than the route accepts.',
    action: 'Send at most as many bytes as `detail` states.',
  },
  'invalid-idempotency-key': {
    status: 400,
    title: 'Invalid Idempotency-Key',
    meaning: 'The header Idempotency-Key is empty or longer than 255 characters.',
    action: 'Send a key of 1 to 255 characters.',
  },
  'idempotency-key-reused': {
    status: 409,
    title: 'Idempotency-Key reused',
    meaning: 'The same Idempotency-Key was sent with another request.',
    action: 'Send a new key with each new request, and the same key only to repeat one.',
  },
  'unknown-route': {
    status: 404,
    meaning: 'No route has this method and path.',
    action: 'Compare the request with `docs/showrunner-api.json`.',
  },
  'method-not-allowed': {
    status: 405,
    meaning: 'The path exists, and has no route with this method.',
    action: 'Use a method that the header Allow names.',
  },
  'unsupported-media-type': {
    status: 415,
    meaning: 'The body has another Content-Type than the route accepts.',
    action: 'Send the Content-Type that `detail` names.',
  },
  'wrong-token': {
    status: 403,
    title: 'Wrong kind of token',
    meaning: 'The token is an ID token, or has no subject.',
    action: 'Send an access token with a claim `sub`.',
  },
  'insufficient-role': {
    status: 403,
    meaning: 'The token does not grant the role that the request requires.',
    action: 'Ask the issuer for a token whose claim contains one of the values that `detail` names.',
  },
  'invalid-show': {
    status: 400,
    meaning: 'The show document is not valid, or the show cannot take place as described.',
    action: 'Correct each entry of `problems`. `POST /shows?dryRun=true` checks a document without starting it.',
  },
  'unknown-show': {
    status: 404,
    meaning: 'No show has this id.',
    action: 'List shows with `GET /shows`.',
  },
  'no-quality-report': {
    status: 404,
    meaning: 'The show exists and has no quality report.',
    action: 'Follow `detail`: the report may be written later, or Insights may not be configured.',
  },
  ...historyProblems,
  'wrong-show-state': {
    status: 409,
    title: 'Wrong state of the show',
    meaning: 'The status of the show does not allow the request.',
    action: 'Read the show, and repeat the request in a status that `detail` names.',
  },
  ...clipProblems,
  'wrong-recording-state': {
    status: 409,
    title: 'Wrong state of the recording',
    meaning: 'The recording is paused already, is not paused, or does not run.',
    action: 'Read the show: `pauses` and the parts of the recording have its state.',
  },
  'invalid-invitation': {
    status: 403,
    meaning: 'The invitation is incomplete, was changed, or is of another deployment.',
    action: 'Open the full link, or ask the host of the show for another invitation.',
  },
  'invitation-expired': {
    status: 403,
    meaning: 'The invitation has expired.',
    action: 'Ask the host of the show for another invitation.',
  },
  'invitation-revoked': {
    status: 403,
    meaning: 'The invitations to the show were revoked.',
    action: 'Ask the host of the show for another invitation.',
  },
  'show-not-open': {
    status: 409,
    meaning: 'The show has no session yet. `startsAt` is its planned start, if that is known.',
    action: 'Repeat the request after the seconds of the header Retry-After.',
  },
  'show-over': {
    status: 410,
    meaning: 'The show is over, so it admits no participants.',
    action: 'None: the show does not begin again.',
  },
  'change-refused': {
    status: 409,
    meaning: 'The show document or a limit of the platform does not allow the change.',
    action: 'Correct each entry of `problems`.',
  },
  'name-taken': {
    status: 409,
    meaning: 'The show has another broadcast or dial-in of this name.',
    action: 'Choose another name.',
  },
  'invalid-secret': {
    status: 409,
    meaning:
      'A secret that the show, broadcast or dial-in refers to does not exist, has another form, or is not bound to its destination.',
    action: 'Correct the secret in Secrets Manager, and repeat the request. `problems` lists the secrets of a show.',
  },
  'control-in-progress': {
    status: 409,
    meaning: 'An earlier request with the same Idempotency-Key is still being carried out.',
    action: 'Repeat the request with the same key after the seconds that `detail` states.',
  },
  'limit-reached': {
    status: 409,
    meaning: 'The show or the recording has as many entries of this kind as Showrunner allows.',
    action: 'Remove entries where the API allows that. Otherwise continue in another show.',
  },
  'unknown-recording': {
    status: 404,
    meaning: 'No published recording has this archive id, or it is not public.',
    action: 'List recordings with `GET /recordings`.',
  },
  'recording-deleted': {
    status: 404,
    meaning: 'The recording was deleted and can still be restored.',
    action: 'Restore it with `POST /recordings/{archiveId}/restore` until the time that `detail` states.',
  },
  'recording-busy': {
    status: 409,
    meaning: 'The recording is being recorded, uploaded, published, restored or deleted.',
    action: 'Repeat the request when that is done.',
  },
  'restore-expired': {
    status: 409,
    title: 'Restoration expired',
    meaning: 'The time in which the recording could be restored is over.',
    action: 'None: its files are deleted.',
  },
  'file-withheld': {
    status: 409,
    meaning: 'A file that would replace the published one waits for a decision.',
    action: 'Accept or reject it first.',
  },
  'wrong-file': {
    status: 409,
    meaning: 'The ETag of the request is not that of the withheld file.',
    action: 'Read the recording again, and send the ETag of the file that is withheld now.',
  },
  'file-accepted': {
    status: 409,
    meaning: 'The file to reject is published or was accepted.',
    action: 'Delete the recording instead.',
  },
  'published-file-missing': {
    status: 409,
    meaning: 'No version of the published file is left, so it cannot take its place again.',
    action: 'Accept the withheld file, or delete the recording.',
  },
  'invalid-captions': {
    status: 400,
    meaning: 'The captions are not valid WebVTT, or the language is not a supported tag.',
    action: 'Correct what `detail` names.',
  },
  'unknown-captions': {
    status: 404,
    meaning: 'The recording has no captions in this language.',
    action: 'Read the recording: its files list the captions.',
  },
  'recording-not-playable': {
    status: 409,
    meaning: 'The recording has no duration, so captions have nothing to refer to.',
    action: 'Rebuild the recording first.',
  },
  'invalid-link': {
    status: 400,
    meaning: 'The query of a link to a watch page is incomplete or was changed.',
    action: 'Open the full link.',
  },
  'link-required': {
    status: 403,
    meaning: 'The recording is not public, and the request has no signed link to it.',
    action: 'Ask the publisher of the recording for a link.',
  },
  'link-expired': {
    status: 403,
    meaning: 'The link to the watch page has expired.',
    action: 'Ask the publisher of the recording for a new link.',
  },
  'link-revoked': {
    status: 403,
    meaning: 'The links to the recording were revoked.',
    action: 'Ask the publisher of the recording for a new link.',
  },
  'wrong-origin': {
    status: 403,
    meaning: 'The request did not pass through the distribution in front of the watch pages.',
    action: 'Open the link again: it leads to the address of the distribution.',
  },
  'unknown-file': {
    status: 404,
    meaning: 'The watch page or the recording has no such file.',
    action: 'Load the page again.',
  },
  'gzip-required': {
    status: 406,
    meaning: 'The playlist is too long to be sent uncompressed.',
    action: 'Send the header `accept-encoding: gzip`.',
  },
  'unregistered-callback': {
    status: 404,
    meaning: 'No callback of this kind is registered.',
    action: 'Register the callback as docs/deploy.md describes, with its own secret.',
  },
  'untrusted-callback': {
    status: 401,
    meaning: 'The signature of a callback is missing, wrong, too old or for another body.',
    action: 'Compare the secret of the callback at the platform with that of the deployment.',
  },
  'unknown-callback': {
    status: 422,
    meaning: 'This version of Showrunner does not know the event.',
    action: 'None: the platform does not repeat it.',
  },

  'platform-refused': {
    status: 409,
    meaning: 'The video platform refused an operation that the request needs.',
    action: 'Correct what `detail` names.',
  },
  'platform-failed': {
    status: 502,
    meaning: 'The video platform failed.',
    action: 'Repeat the request later, with the same Idempotency-Key.',
  },
  'platform-unreachable': {
    status: 504,
    meaning: 'The video platform did not answer in time.',
    action: 'Repeat the request later, with the same Idempotency-Key.',
  },
  'invalid-manifest': {
    status: 500,
    meaning: 'The manifest of the recording names files that are not its own, so none of them is linked.',
    action: 'Rebuild the recording, and find out who changed its manifest.',
  },
  'internal-error': {
    status: 500,
    meaning: 'Showrunner failed.',
    action: 'Ask the operator to search the log for the request id that `detail` states.',
  },
} as const satisfies Record<string, ProblemDefinition>

export type ProblemType = keyof typeof problemTypes
