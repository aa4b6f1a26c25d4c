import { z } from 'zod'
import { headerName } from '../../platform/contract/calls.ts'
import { limits } from '../../platform/contract/limits.ts'
import { never } from '../../platform/contract/schema-rules.ts'
import { layoutClasses } from './fields/layout-classes.ts'
import { orderName } from './fields/order-names.ts'
import { oneLine } from './fields/texts.ts'
import { secretReference } from './secret-reference.ts'

const MAX_DIGITS = 100

/** DTMF digits that the platform plays. */
export const toneDigits = z
  .string()
  .max(MAX_DIGITS)
  .regex(/^[0-9*#p]+$/, 'must consist of 0-9, *, # and p')
  .describe(`0-9, * and #, up to ${MAX_DIGITS}; p waits ${limits.dtmfPause.value} s.`)

/** One entry of `dialIns`: a telephone or a conference system that is called into the session. */
export const dialInOrder = z.strictObject({
  name: orderName,
  uri: z
    .string()
    .max(2_048)
    .regex(/^[Ss][Ii][Pp][Ss]?:[!-~]+$/, 'must be a SIP URI such as sip:user@example.com')
    .refine((uri) => !/^sips?:[^@]*:[^@]*@/i.test(uri), { message: 'must not carry a password: give it as auth' })
    .meta(never({ pattern: '^[Ss][Ii][Pp][Ss]?:[^@]*:[^@]*@' }))
    .describe('The SIP URI to call; its parameter transport is udp, tcp or tls.'),
  from: z
    .string()
    .max(320)
    .regex(/^[!-?A-~]+@[!-?A-~]+$/, 'must have the form from@domain')
    .optional()
    .describe('Caller id; telephones show a number before the @.'),
  headers: z
    .record(
      z.string().regex(headerName, 'must begin with X-'),
      z.union([oneLine(1_024), secretReference], { error: 'must be a text or { secret }' }),
    )
    .default({})
    .describe('Headers of the INVITE; a confidential value is given as a reference.'),
  auth: z
    .strictObject({
      username: oneLine(255).min(1).describe('User name for the SIP server.'),
      password: secretReference,
    })
    .optional()
    .describe('For digest authentication.'),
  secure: z.boolean().default(false).describe('Whether the media is encrypted.'),
  video: z.boolean().default(false).describe('Whether the callee receives the video of the session.'),
  observeForceMute: z.boolean().default(false).describe('Whether callees can mute themselves with *6.'),
  layoutClasses: layoutClasses.default([]).describe('Initial layout classes of its stream, up to 10.'),
  tones: z
    .union([toneDigits, secretReference], { error: 'must be digits (0-9, *, #, p) or { secret }' })
    .optional()
    .describe(
      'Tones that are played once when the callee has answered, such as the PIN of a conference; p waits half a second. Needs the platform’s SIP callbacks (docs/deploy.md), which report the answer.',
    ),
})

export type DialInOrder = z.output<typeof dialInOrder>
