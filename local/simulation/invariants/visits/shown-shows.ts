import type { OwnerEvent } from '../../../../lib/events/owner-events.ts'
import type { Manifest } from '../../../../lib/publish/manifest/manifest.ts'
import { joinedId } from '../../../../lib/show/document/fields/names.ts'
import type { ShowState } from '../../../../lib/show/state/state.ts'
import { exceptionsIn } from '../../trace.ts'
import type { Evidence } from '../evidence.ts'
import { answersTo, areSame, documentIn, requestIn } from './recorded-documents.ts'
import { shownDeliveries } from './shown-deliveries.ts'
import { shownExecutions } from './shown-executions.ts'

type Seen = Pick<Evidence, 'visits' | 'objects' | 'events' | 'callbacks' | 'executions' | 'trace'>
type Fields = Readonly<Record<string, unknown>>

/** Fields of a show that the API answers as they are recorded. */
const RECORDED = [
  ...['showId', 'name', 'acceptedAt', 'scheduleId', 'startedAt', 'sessionId', 'liveAt', 'plannedEndAt', 'endedAt'],
  ...['endReason', 'stopAskedAt', 'scenes', 'pauses', 'markers', 'timeline', 'occurrences', 'waitsFor', 'gaveUp'],
]
/** Fields of the record that are for the machine. */
const INTERNAL = ['version', 'controls', 'closings', 'edit', 'rescheduling', 'invitationEpoch', 'emptySeenAt']

/**
 * Checks what the API and the watch page show of a show at rest, by its records: its document, state and result, its events and
 * deliveries, its execution, and its phase.
 */
export function shownShows(evidence: Seen): string[] {
  return [
    ...statesOf(evidence),
    ...eventsOf(evidence),
    ...streamsOf(evidence),
    ...deliveriesOf(evidence),
    ...shownExecutions(evidence),
    ...shownDeliveries(evidence),
    ...pagesOf(evidence),
  ]
}

function statesOf({ visits, objects }: Seen): string[] {
  return answersTo<Fields>(visits, /^\/shows\/([^/?]+)$/).flatMap(({ captured: [showId = ''], body }) => {
    const state = documentIn<Fields>(objects, `shows/${showId}/state.json`)
    const result = documentIn<Fields>(objects, `shows/${showId}/result.json`)
    const request = requestIn(objects, showId)
    if (!state) return [`the show ${showId} is shown, and has no record`]
    const wrong = [
      ...RECORDED.filter((field) => !areSame(body[field], state[field])),
      ...(body.status === (result ?? state).status ? [] : ['status']),
      ...(areSame(body.result, result) ? [] : ['result']),
      ...(areSame(body.document, request?.show) ? [] : ['document']),
      ...['recordings', 'broadcasts', 'dialIns'].filter((field) => !areShown(body[field], state[field])),
      ...INTERNAL.filter((field) => field in body),
    ]
    return wrong.map((field) => `the show ${showId} is shown with another ${field} than it has`)
  })
}

const HIDDEN = ['order', 'askedBy', 'tonesAskedBy']

/** Returns true if every recorded field of each part is shown, but for those that are internal. */
function areShown(shown: unknown, recorded: unknown): boolean {
  const [parts, records] = [shown, recorded] as [Fields[], Fields[]]
  return (
    parts.length === records.length &&
    records.every((record, index) =>
      Object.entries(record).every(([field, value]) =>
        HIDDEN.includes(field) && !(field === 'order' && !('order' in record))
          ? !(field in (parts[index] ?? {}))
          : areSame(parts[index]?.[field], value),
      ),
    )
  )
}

/** An event on the bus, with whether its show has a callback. */
type BusDetail = OwnerEvent & { readonly callback?: boolean }

/** The list of events has those that were put on the bus, with their ids, and nothing after its own cursor. */
function eventsOf({ visits, events, objects, executions, trace }: Seen): string[] {
  const answers = answersTo<{ items: readonly OwnerEvent[] }>(visits, /^\/shows\/([^/]+)\/events(\?after=)?/)
  return answers.flatMap(({ visit, captured: [showId = '', after], body: { items } }) => {
    if (after) return items.every(isSince(visit)) ? [] : [`the events of ${showId} continue after the last one`]
    const listed = items.map(({ id }) => id)
    const sent = events.map(({ detail }) => detail as BusDetail).filter((one) => one.showId === showId)
    const missing = sent.filter(
      (one) => !listed.includes(one.id) && isKept(one, objects) && !isLost(one, { executions, trace }),
    )
    return [
      ...missing.map(({ event, id }) => `the list of events of ${showId} lacks ${event} ${id}`),
      ...(new Set(listed).size === listed.length ? [] : [`the list of events of ${showId} has an event twice`]),
      ...(areAscending(items.map(({ at }) => at)) ? [] : [`the events of ${showId} are not in order`]),
    ]
  })
}

/** Matches an event that may have been recorded while several answers were read at one time. */
const isSince =
  (visit: { readonly at: number }) =>
  ({ at }: OwnerEvent) =>
    Date.parse(at) >= visit.at

/** A stream has the events of the list as messages, the last of which carries the cursor. */
function streamsOf({ visits }: Seen): string[] {
  const lists = answersTo<{ items: readonly OwnerEvent[]; cursor: string }>(visits, /^\/shows\/([^/]+)\/events$/)
  const streams = visits.filter(
    (one) => one.isAtRest && one.status === 200 && one.headers['content-type']?.startsWith('text/event-stream'),
  )
  return streams.flatMap(({ address, answer }) => {
    const list = lists.find(({ visit }) => visit.address === address)
    if (!list) return []
    const { items, cursor } = list.body
    if (items.some(isSince(list.visit))) return []
    const [, ...messages] = answer.trimEnd().split('\n\n')
    const expected = items.map((item, index) => [
      ...(index === items.length - 1 ? [`id: ${cursor}`] : []),
      `event: ${item.event}`,
      `data: ${JSON.stringify(item)}`,
    ])
    return areSame(
      messages.map((message) => message.split('\n')),
      expected,
    )
      ? []
      : [`the stream ${address} differs from the list`]
  })
}

/**
 * Matches an event whose record is there. Clips can be deleted, recordings as well, and a file that an operator accepts replaces
 * what was published. An archive of which the start arrived late is none of the show's.
 */
function isKept({ event, id, archiveId = '', clipId, showId }: OwnerEvent, objects: Seen['objects']): boolean {
  if (event !== 'clip.published' && event !== 'recording.published') return true
  const { recordings = [], broadcasts = [] } = documentIn<ShowState>(objects, `shows/${showId}/state.json`) ?? {}
  const own = recordings.flatMap((one) => one.archiveId ?? [])
  if (event === 'clip.published')
    return (
      [...own, ...own.map(joinedId), ...broadcasts.map((one) => one.broadcastId)].includes(archiveId) &&
      [...objects.keys()].some((key) => key.endsWith(`/clips/${clipId}/clip.json`))
    )
  const manifest = documentIn<Manifest>(objects, `recordings/${archiveId}/manifest.json`)
  return (
    manifest?.publications?.some(({ executionName, status }) => id.endsWith(`/${executionName}/${status}`)) === true &&
    own.includes(archiveId)
  )
}

/** Milliseconds after an event in which it is recorded. */
const RECORDING = 60_000

/** Matches an event that a fault kept from being recorded. An owner is not notified of it. */
const isLost = ({ id, at, callback }: BusDetail, { executions, trace }: Pick<Seen, 'executions' | 'trace'>): boolean =>
  exceptionsIn(trace).some((one) => one.at >= Date.parse(at) && one.at <= Date.parse(at) + RECORDING) &&
  (!callback ||
    executions.some(
      ({ machine, input, history }) =>
        machine === 'notify' &&
        input.includes(JSON.stringify(id)) &&
        JSON.stringify(history).includes('EventNotRecordedError'),
    ))

const areAscending = (times: readonly string[]) =>
  times.every((time, index) => Date.parse(time) >= Date.parse(times[index - 1] ?? time))

interface Delivery {
  readonly status: string
  readonly event: OwnerEvent
  readonly attempts: readonly { readonly status?: number }[]
}

/** A delivery is shown as delivered if the app has accepted the event. */
function deliveriesOf({ visits, callbacks }: Seen): string[] {
  const received = new Set(callbacks.map(({ body }) => (JSON.parse(body) as OwnerEvent).id))
  return answersTo<{ items: readonly Delivery[] }>(visits, /^\/shows\/([^/]+)\/deliveries/).flatMap(
    ({ captured: [showId = ''], body: { items } }) =>
      items.flatMap(({ status, event, attempts }) => [
        ...(status === 'delivered' && !received.has(event.id)
          ? [`the event ${event.id} of ${showId} is shown as delivered, and was not received`]
          : []),
        ...(status === 'pending' && received.has(event.id) && attempts.length > 0
          ? [`the event ${event.id} of ${showId} is shown as pending after an attempt`]
          : []),
      ]),
  )
}

interface WatchedShow {
  readonly phase: string
  readonly isSeries: boolean
  readonly live: unknown
  readonly cover: unknown
  readonly recordings: readonly { readonly path: string }[]
}
const BEFORE = ['scheduled', 'starting', 'waiting']

/** The page of a show that is over says so, and links to recordings that are published. */
function pagesOf({ visits, objects }: Seen): string[] {
  return answersTo<WatchedShow>(visits, /^\/watch\/show\/([^/]+)\/state/).flatMap(
    ({ captured: [showId = ''], body }) => {
      const state = documentIn<{ status: string }>(objects, `shows/${showId}/state.json`)
      const request = requestIn(objects, showId)
      const isSeries = 'cron' in (request?.show.start ?? {})
      const isOver = state !== undefined && !BEFORE.includes(state.status)
      const lost = body.recordings.filter(({ path }) => {
        const [, archiveId = ''] = /^\/watch\/([^/?]+)/.exec(path) ?? []
        return !objects.has(`recordings/${archiveId}/manifest.json`)
      })
      return [
        ...(body.isSeries === isSeries
          ? []
          : [`the page of ${showId} is ${body.isSeries ? '' : 'not '}that of a series`]),
        ...(isSeries || body.phase === (isOver ? 'after' : 'before')
          ? []
          : [`the page of ${showId} is in the phase ${body.phase}, and the show ${state?.status}`]),
        ...(body.live === null ? [] : [`the page of ${showId} shows a live broadcast after the end`]),
        ...lost.map(({ path }) => `the page of ${showId} links to ${path.slice(0, 60)}, which is not published`),
      ]
    },
  )
}
