import { z } from 'zod'
import { limits } from '../../platform/contract/limits.ts'
import { announcements } from './announcements.ts'
import { type BroadcastOrder, broadcastOrder, longestBroadcast } from './broadcast.ts'
import { dialInOrder } from './dial-in.ts'
import { always, distinct } from './fields/order-names.ts'
import { isInborn, notBlank, printable } from './fields/texts.ts'
import { plainUrl } from './fields/urls.ts'
import { findMalformation } from './json-guard.ts'
import { messageOf, type Problem, problemsIn } from './problems.ts'
import { publishingOrder } from './publishing.ts'
import { type RecordingOrder, recordingOrder } from './recording.ts'
import { sceneOrder } from './scene.ts'
import { secretReference } from './secret-reference.ts'
import { startOrder } from './start.ts'

/** Seven days. */
export const MAX_SHOW_SECONDS = 604_800
/** A request has to fit into an execution's input, which may have 256 KiB. */
const MAX_BYTES = 200_000
/** Bytes of a body that may hold one, with the white space that people add. */
export const MAX_SHOW_BODY = 2 * MAX_BYTES

const session = z
  .strictObject({
    id: z
      .string()
      .regex(/^[!-~]{1,200}$/, 'must be 1 to 200 characters of ASCII without spaces')
      .optional()
      .describe('An existing routed session to use, by the id that the platform gave it: up to 200 characters.'),
    location: z
      .union([z.ipv4(), z.ipv6()], { error: 'must be an IP address' })
      .optional()
      .describe('An IP address (v4 or v6) near the participants, for a new session.'),
    archiveMode: z
      .enum(['manual', 'always'])
      .optional()
      .describe(
        'For a new session; manual unless told. With always the platform records it by itself as well, until everybody has left: such archives are named in the result, and nobody can stop them.',
      ),
  })
  .superRefine(({ id, ...forNewOnes }, context) => {
    for (const field of ['location', 'archiveMode'] as const)
      if (id !== undefined && forNewOnes[field] !== undefined)
        context.addIssue({ code: 'custom', path: [field], message: 'is only for a new session' })
  }, always)

const callback = z.strictObject({
  url: plainUrl(/^https?$/, 'must be an https URL, or on a laptop an http one').describe(
    'Where each event of the show is posted, signed; on AWS https and a public address; up to 2048 characters. It is stored and shown as it is, its query too: no secrets in it.',
  ),
  secret: secretReference
    .optional()
    .describe(
      'Of at least 32 characters, with the URL among its destinations: signs the token of Authorization (HS256) in place of the deployment’s secret.',
    ),
})

const labels = z
  .record(
    z
      .string()
      .regex(/^[0-9A-Za-z][0-9A-Za-z_.:/-]{0,63}$/, 'must be 1 to 64 letters, digits or _.:/-')
      .refine((name) => !isInborn(name), { message: 'must not be constructor or prototype' }),
    z
      .string()
      .max(256)
      .refine(...printable)
      .describe('One line of up to 256 characters; may be empty.'),
  )
  .refine((labels) => Object.keys(labels).length <= 20, { message: 'must have at most 20 entries' })

/** The show document, version 1. Times are seconds; fields are named as the platform names them where it has one. */
export const show = z
  .strictObject({
    version: z.literal(1).describe('Of this form of document.'),
    name: z
      .string()
      .min(1)
      .max(limits.archiveName.value)
      .refine(...notBlank)
      .refine(...printable)
      .describe('Shown to people: one line.'),
    duration: z
      .int()
      .min(1)
      .max(MAX_SHOW_SECONDS)
      .describe('Seconds of live time, counted from the first archive or broadcast; up to seven days.'),
    start: startOrder.optional().describe('When it starts; at once unless told.'),
    session: session.default({}).describe('Where it takes place: a new session unless told.'),
    scenes: z
      .array(sceneOrder)
      .max(10)
      .superRefine(distinct('name'), always)
      .superRefine(distinct('url'), always)
      .default([])
      .describe('Web pages that take part, up to 10.'),
    dialIns: z
      .array(dialInOrder)
      .max(10)
      .superRefine(distinct('name'), always)
      .default([])
      .describe('Telephones that are called, up to 10.'),
    recordings: z
      .array(recordingOrder)
      .max(50)
      .superRefine(distinct('name'), always)
      .describe('Up to 50; empty for a show that is only broadcast.'),
    broadcasts: z
      .array(broadcastOrder)
      .max(5)
      .superRefine(distinct('name'), always)
      .default([])
      .describe('Live streams to viewers, up to 5.'),
    announcements: announcements.default({}).describe('What participants are told of the recordings.'),
    audienceWait: z.int().min(1).max(86_400).default(900).describe('Seconds to wait for somebody to connect.'),
    uploadWait: z.int().min(1).max(86_400).default(3_600).describe('Seconds to wait for the files after the end.'),
    publish: publishingOrder.prefault({}).describe('What is made of the recordings, and who may see it.'),
    callback: callback.optional().describe('Who is told of it, beside the event bus.'),
    labels: labels
      .default({})
      .describe(
        'The app’s own words, up to 20, each of up to 256 characters: they come back in the result and in every event.',
      ),
  })
  .superRefine(({ duration, recordings, broadcasts }, context) => {
    if (isEmpty(recordings) && (broadcasts === undefined || isEmpty(broadcasts)))
      context.addIssue({
        code: 'custom',
        path: ['recordings'],
        message: 'must have an entry where there is no broadcast',
      })
    if (typeof duration !== 'number') return
    for (const [index, order] of entriesOf<RecordingOrder>(recordings))
      if (order?.parts === false && duration > limits.archiveDuration.value)
        context.addIssue({
          code: 'custom',
          path: ['recordings', index, 'parts'],
          message: `must be true in a show of ${duration} s: an archive ends after ${limits.archiveDuration.value} s`,
        })
    for (const [index, order] of entriesOf<BroadcastOrder>(broadcasts))
      if (order && order.parts !== true && duration > longestBroadcast(order))
        context.addIssue({
          code: 'custom',
          path: ['broadcasts', index, 'parts'],
          message: `must be true in a show of ${duration} s: this broadcast ends after ${longestBroadcast(order)} s`,
        })
  }, always)

const isEmpty = (list: unknown) => Array.isArray(list) && list.length === 0
const entriesOf = <Item>(list: readonly Item[]) => (Array.isArray(list) ? [...list.entries()] : [])

export type Show = z.output<typeof show>
export type ShowDocument = z.input<typeof show>

/** A show with its defaults filled in, or everything that is wrong with the document. */
export function parseShow(document: unknown): { show: Show } | { problems: Problem[] } {
  const deformed = findMalformation(document)
  if (deformed) return { problems: [deformed] }
  const bytes = Buffer.byteLength(JSON.stringify(document) ?? '')
  if (bytes > MAX_BYTES)
    return { problems: [{ path: '', message: `has ${bytes} bytes: at most ${MAX_BYTES} are taken` }] }
  const parsed = show.safeParse(document, { error: messageOf })
  if (parsed.success) return { show: parsed.data }
  return { problems: problemsIn(parsed.error.issues) }
}
