import { z } from 'zod'
import { causes, commonErrors } from './errors.ts'
import { limits, quantity } from './limits.ts'
import type { Operation } from './operation.ts'

/** The states of a call in the callback `callUpdated`. */
export const callStates = ['DIALING', 'RINGING', 'ON_HOLD', 'ACTIVE', 'HANGUP'] as const
export type CallState = (typeof callStates)[number]

/** Reasons of ended calls that are not SIP response codes. */
export const callEndings = {
  700: 'Normal Clearing',
  703: 'Unexpected Clearing',
  704: 'Media Timeout',
  705: 'Max Duration',
  706: 'Max Inactive',
} as const

export const call = z
  .looseObject({ id: z.string(), connectionId: z.string(), streamId: z.string() })
  .meta({ id: 'Call', description: 'A SIP endpoint that takes part in a session.' })

export type Call = z.infer<typeof call>

/** Excludes line breaks and other control characters, which would inject headers into the INVITE. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are refused
const printable = /^[^\u0000-\u001f\u007f-\u009f]*$/

/** A custom header of the INVITE. */
export const headerName = /^X-[\w!#$%&'*+.^`|~-]+$/

const sip = z.object({
  uri: z
    .string()
    .regex(/^[Ss][Ii][Pp][Ss]?:[!-~]+$/, 'must be a SIP URI such as sip:user@example.com')
    .refine((uri) => !/;transport=(?!(udp|tcp|tls)(;|\?|$))/i.test(uri), {
      message: 'must have the transport udp, tcp or tls, if any',
    })
    .describe('SIP URI; its transport is udp (the default), tcp or tls, which encrypts the signaling only.'),
  from: z
    .string()
    .regex(/^[!-?A-~]+@[!-?A-~]+$/, 'must have the form from@domain')
    .optional()
    .describe('Caller as from@domain; a numeric from is displayed as the caller’s number.'),
  headers: z
    .record(z.string(), z.string().regex(printable, 'must not contain control characters'))
    .refine((headers) => Object.keys(headers).every((name) => headerName.test(name)), {
      message: 'must have names that begin with X-',
    })
    .meta({ propertyNames: { type: 'string', pattern: headerName.source } })
    .optional()
    .describe('Custom headers of the INVITE.'),
  auth: z
    .object({ username: z.string(), password: z.string() })
    .optional()
    .describe('Credentials for digest authentication.'),
  secure: z.boolean().default(false).describe('Encrypts the media.'),
  video: z
    .boolean()
    .default(false)
    .describe(`Sends one picture composed of at most ${limits.callVideoStreams.value} streams.`),
  observeForceMute: z
    .boolean()
    .default(false)
    .describe('Lets the callee mute itself with *6 and hear that it is muted.'),
})

const dialBody = z.object({
  sessionId: z.string().min(1),
  token: z.string().min(1).describe('Client token of the called participant; may carry connection data.'),
  sip,
})

const dtmfBody = z.object({
  digits: z
    .string()
    .regex(/^[0-9*#p]+$/, 'must consist of 0-9, *, # and p')
    .describe(`0-9, * and #; p waits ${limits.dtmfPause.value} seconds.`),
})

const sessionId = '2_MX4xMDAwMDF-fjE3OTUxMjM0NTY3ODl-ZXhhbXBsZX4'

const example = {
  id: 'b0a5a8c7-dc38-459f-a48d-a7f2008da853',
  connectionId: 'e9f8c166-6c67-440d-994a-04fb6dfed007',
  streamId: '482bce73-f882-40fd-8ca5-cb74ff416036',
} as const satisfies Call

export const callOperations = {
  dial: {
    id: 'E18',
    summary: 'Dials a SIP endpoint. Its connection joins the session before the call is answered.',
    limits: [
      `A call ends after ${quantity(limits.callDuration)}, or after ${quantity(limits.callSilence)} without media.`,
    ],
    method: 'POST',
    path: '/v2/project/{apiKey}/dial',
    body: dialBody,
    repeatable: false, // it would ring twice
    success: { status: 200, response: call },
    errors: {
      ...commonErrors,
      400: 'Invalid session id, client token, SIP URI or from, or a custom header that does not begin with X-.',
      404: causes.noSession,
      409: 'The session is not routed.',
    },
    example: {
      request: {
        sessionId,
        token: '<client token>',
        sip: {
          uri: 'sip:stage@sip.example.com;transport=tls',
          from: '15551234567@example.com',
          headers: { 'X-Show': 'keynote' },
          auth: { username: 'stage', password: '<password>' },
          secure: true,
        },
      },
      response: example,
    },
  },
  playDtmfToSession: {
    id: 'E19',
    summary: 'Plays DTMF tones to every client of a session. Clients without DTMF ignore them.',
    method: 'POST',
    path: '/v2/project/{apiKey}/session/{sessionId}/play-dtmf',
    body: dtmfBody,
    repeatable: false, // the tones would be heard twice
    success: { status: 200 },
    errors: { ...commonErrors, 400: 'Invalid session id, JSON or digits.', 404: causes.noSession },
    example: { request: { sessionId, digits: '1713p*#' } },
  },
  playDtmfToConnection: {
    id: 'E20',
    summary: 'Plays DTMF tones to one client of a session, such as a SIP endpoint.',
    method: 'POST',
    path: '/v2/project/{apiKey}/session/{sessionId}/connection/{connectionId}/play-dtmf',
    body: dtmfBody,
    repeatable: false, // the tones would be heard twice
    success: { status: 200 },
    errors: { ...commonErrors, 400: 'Invalid session id, JSON or digits.', 404: causes.noConnection },
    example: { request: { sessionId, connectionId: example.connectionId, digits: '1713p*#' } },
  },
} as const satisfies Record<string, Operation>
