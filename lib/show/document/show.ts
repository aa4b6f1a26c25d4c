import { z } from 'zod'
import { resolution } from '../../platform/contract/layouts.ts'
import { limits } from '../../platform/contract/limits.ts'
import { all, has, never, when } from '../../platform/contract/schema-rules.ts'
import { announcements } from './announcements.ts'
import { type BroadcastOrder, broadcastOrder, longestBroadcast } from './broadcast.ts'
import { type CueOrder, cueOrder, MAX_CUES, problemOfCue } from './cue.ts'
import { dialInOrder } from './dial-in.ts'
import { durationFields, maxSecondsOf, misplacedFields, openEndOf } from './duration.ts'
import { layoutClasses } from './fields/layout-classes.ts'
import { always, distinct, orderName } from './fields/order-names.ts'
import { problemsOfPauses } from './fields/pauses.ts'
import { isInborn, notBlank, oneLine, PRINTABLE, printable, visible } from './fields/texts.ts'
import { plainUrl } from './fields/urls.ts'
import { findMalformation } from './json-guard.ts'
import { pageOrder } from './page.ts'
import { withResolution } from './picture.ts'
import { messageOf, type Problem, problemsIn } from './problems.ts'
import { publishingOrder } from './publishing.ts'
import { type RecordingOrder, recordingOrder } from './recording.ts'
import { secretReference } from './secret-reference.ts'
import { startOrder } from './starts/start.ts'

/** One entry of `scenes`: a web page that takes part, rendered by the platform's Experience Composer. */
const sceneOrder = z.strictObject({
  name: orderName.describe('Unique within its list; also the name of the stream.'),
  url: plainUrl(/^https?$/, 'must be the URL of a web page')
    .min(limits.composerUrlMin.value)
    .max(limits.composerUrlMax.value)
    .describe(
      'URL of a public page, each only once because a lost scene is found by it. It is stored and shown unchanged with its query: no secrets in it.',
    ),
  resolution: resolution.default('1280x720').describe('Width x height in pixels.'),
  maxDuration: z
    .int()
    .min(limits.composerDurationMin.value)
    .max(limits.composerDurationMax.value)
    .default(limits.composerDurationDefault.value)
    .describe('Seconds after which the scene ends, although the show continues.'),
  layoutClasses: layoutClasses.default([]).describe('Initial layout classes of its stream, up to 10.'),
})

/** Bytes. A request has to fit into an execution's input of at most 256 KiB. */
const MAX_BYTES = 200_000
/** Bytes of a request body, which may contain white space. */
export const MAX_SHOW_BODY = 2 * MAX_BYTES

const session = z
  .strictObject({
    id: z
      .string()
      .regex(/^[!-~]{1,200}$/, 'must be 1 to 200 characters of ASCII without spaces')
      .optional()
      .describe('Id of an existing routed session of the platform: up to 200 characters.'),
    location: z
      .union([z.ipv4(), z.ipv6()], { error: 'must be an IP address' })
      .optional()
      .describe('An IP address (v4 or v6) near the participants, for a new session.'),
    archiveMode: z
      .enum(['manual', 'always'])
      .optional()
      .describe(
        'For a new session; manual by default. With always the platform also records the session automatically until the last participant leaves. Such archives are named in the result, and cannot be stopped.',
      ),
  })
  .superRefine(({ id, ...forNewOnes }, context) => {
    for (const field of ['location', 'archiveMode'] as const)
      if (id !== undefined && forNewOnes[field] !== undefined)
        context.addIssue({ code: 'custom', path: [field], message: 'is only for a new session' })
  }, always)
  .meta(never(has({ id: {}, location: {} }), has({ id: {}, archiveMode: {} })))

const callback = z.strictObject({
  url: plainUrl(/^https?$/, 'must be an https URL, or locally an http one').describe(
    'URL that each event of the show is posted to, signed; on AWS https and a public address; up to 2048 characters. It is stored and shown unchanged with its query: no secrets in it.',
  ),
  secret: secretReference
    .optional()
    .describe(
      'A secret of at least 32 characters that signs the token of Authorization (HS256) in place of the deployment’s secret. The URL must be among its destinations.',
    ),
})

const labels = z
  .record(
    z
      .string()
      .regex(/^[0-9A-Za-z][0-9A-Za-z_.:/-]{0,63}$/, 'must be 1 to 64 letters, digits or _.:/-')
      .refine((name) => !isInborn(name), { message: 'must not be constructor or prototype' })
      .meta(never({ enum: ['constructor', 'prototype'] })),
    oneLine(256).describe('One line of up to 256 characters; may be empty.'),
  )
  .refine((labels) => Object.keys(labels).length <= 20, { message: 'must have at most 20 entries' })
  .meta({ maxProperties: 20 })

const empty = { maxItems: 0 }
const every = (rule: object) => ({ items: rule })

const paused = { pauses: { minItems: 1 } }

/** Shows with a planned end. */
const planned = has({ duration: { type: 'integer' } })

/** Shows that can last longer. The default of maxDuration is the longest broadcast. */
const longerThan = (seconds: number) => ({
  anyOf: [
    has({ duration: { type: 'integer', exclusiveMinimum: seconds } }),
    has({ duration: { type: 'null' }, maxDuration: { exclusiveMinimum: seconds } }),
    ...(seconds < limits.broadcastDurationMax.value
      ? [{ ...has({ duration: { type: 'null' } }), ...never(has({ maxDuration: {} })) }]
      : []),
  ],
})

/** Rules about several fields of a show in JSON Schema. It cannot compare numbers, or find names in another list. */
const showRules = all(
  when(has({ recordings: empty }), has({ broadcasts: { minItems: 1 } })),
  when(has({ recordings: empty, cues: {} }), has({ cues: every(never(has({ marker: {} }))) })),
  {
    properties: {
      recordings: every(
        never(has({ ...paused, parts: { const: false } }), has({ ...paused, streamMode: { const: 'manual' } })),
      ),
    },
  },
  when(planned, never(has({ maxDuration: {} }), has({ emptyWait: {} }))),
  when(
    longerThan(limits.archiveDuration.value),
    has({ recordings: every({ properties: { parts: { const: true } } }) }),
  ),
  when(longerThan(limits.broadcastDurationMax.value), {
    properties: { broadcasts: every(has({ parts: { const: true } })) },
  }),
)

/** The show document, versions 1 and 1.1. Durations are in seconds. Fields that the platform has too have its names. */
export const show = z
  .strictObject({
    $schema: z.string().max(2_048).optional().describe('URL of this schema, for editors; not read.'),
    version: z
      .literal([1, 1.1])
      .describe('Version of the document format. They differ in defaults only: resolution is 640x480 with 1.'),
    name: z
      .string()
      .min(1)
      .max(limits.archiveName.value)
      .refine(...notBlank)
      .refine(...printable)
      .meta({ pattern: PRINTABLE, ...visible })
      .describe('Title for people: one line.'),
    ...durationFields,
    start: startOrder.optional().describe('When the show starts; at once by default.'),
    session: session.default({}).describe('Session of the show: a new one by default.'),
    scenes: z
      .array(sceneOrder)
      .max(10)
      .superRefine(distinct('name'), always)
      .superRefine(distinct('url'), always)
      .default([])
      .describe('Web pages that join the session, up to 10.'),
    dialIns: z
      .array(dialInOrder)
      .max(10)
      .superRefine(distinct('name'), always)
      .default([])
      .describe('SIP calls into the session, up to 10.'),
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
    cues: z
      .array(cueOrder)
      .max(MAX_CUES)
      .default([])
      .describe(
        `Signals, layouts and markers of chapters at planned times of the show, up to ${MAX_CUES}. Each signal and layout is carried out once, also while parts change; a signal may arrive twice if the platform’s answer is lost.`,
      ),
    announcements: announcements.default({}).describe('Signals to participants about the recordings.'),
    audienceWait: z
      .int()
      .min(1)
      .max(86_400)
      .default(900)
      .describe(
        'Seconds to wait for a participant to connect. A show with a single start time starts up to a fifteenth of it later, at most a minute, so that shows of the same time do not start at once.',
      ),
    uploadWait: z.int().min(1).max(86_400).default(3_600).describe('Seconds to wait for the files after the end.'),
    publish: publishingOrder.prefault({}).describe('What is made of the recordings, and who may watch them.'),
    page: pageOrder.default({}).describe('How the watch page presents the recordings.'),
    callback: callback.optional().describe('URL that is notified, beside the event bus.'),
    labels: labels
      .default({})
      .describe(
        'Labels of the app, up to 20 with up to 256 characters each, which are repeated in the result and in every event.',
      ),
  })
  .superRefine(({ recordings, broadcasts, cues, ...end }, context) => {
    const refuse = (message: string, ...path: PropertyKey[]) => context.addIssue({ code: 'custom', path, message })
    if (isEmpty(recordings) && (broadcasts === undefined || isEmpty(broadcasts)))
      refuse('must have an entry if there is no broadcast', 'recordings')
    if (end.duration === undefined) return
    for (const field of misplacedFields(end))
      refuse('is only for a show with an open end, which has duration null', field)
    const duration = maxSecondsOf(end)
    if (typeof duration !== 'number') return
    if (Array.isArray(recordings) && Array.isArray(broadcasts))
      for (const [index, cue] of entriesOf<CueOrder>(cues)) {
        const problem = cue && problemOfCue(cue, { duration, recordings, broadcasts })
        if (problem) refuse(problem.message, 'cues', index, problem.field)
      }
    const tooLong = (what: string, seconds: number) =>
      `must be true in a show of ${duration} s: the platform stops ${what} after ${seconds} s`
    for (const [index, order] of entriesOf<RecordingOrder>(recordings))
      if (order?.parts === false && duration > limits.archiveDuration.value)
        refuse(tooLong('an archive', limits.archiveDuration.value), 'recordings', index, 'parts')
    for (const [index, order] of entriesOf<RecordingOrder>(recordings))
      for (const { place, message } of order ? problemsOfPauses(order, duration) : [])
        refuse(message, 'recordings', index, ...place)
    for (const [index, order] of entriesOf<BroadcastOrder>(broadcasts))
      if (order && order.parts !== true && duration > longestBroadcast(order))
        refuse(tooLong('this broadcast', longestBroadcast(order)), 'broadcasts', index, 'parts')
  }, always)
  .overwrite((show) => ({
    ...show,
    ...openEndOf(show),
    recordings: show.recordings.map((order) => withResolution(order, show.version)),
    broadcasts: show.broadcasts.map((order) => withResolution(order, show.version)),
  }))
  .meta(showRules)

const isEmpty = (list: unknown) => Array.isArray(list) && list.length === 0
const entriesOf = <Item>(list: readonly Item[]) => (Array.isArray(list) ? [...list.entries()] : [])

export type Show = z.output<typeof show>
export type ShowDocument = z.input<typeof show>

/** Returns a show with its defaults, or every problem of the document. */
export function parseShow(document: unknown): { show: Show } | { problems: Problem[] } {
  const malformation = findMalformation(document)
  if (malformation) return { problems: [malformation] }
  const bytes = new TextEncoder().encode(JSON.stringify(document) ?? '').byteLength
  if (bytes > MAX_BYTES)
    return { problems: [{ path: '', message: `has ${bytes} bytes: at most ${MAX_BYTES} are accepted` }] }
  const parsed = show.safeParse(document, { error: messageOf })
  if (parsed.success) return { show: parsed.data }
  return { problems: problemsIn(parsed.error.issues) }
}
