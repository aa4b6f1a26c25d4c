import { describe, expect, it } from 'vitest'
import type {
  ExecutionAnswer,
  KnownRecording,
  ListedDelivery,
  Show,
  TimelineEvent,
} from '../../../../web/console/answers.ts'
import { type FailureSources, failuresOf } from '../../../../web/console/failures/failures.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 20, 20, 0, seconds)).toISOString()
const NOW = Date.parse(at(120))
const part = { name: 'program', part: 1, tag: 'a-show/program/1', archiveId: 'a-1' }
const show = {
  ...{ showId: 'a-show', name: 'A show', status: 'live', acceptedAt: at(0), liveAt: at(0), plannedEndAt: at(600) },
  ...{ recordings: [part], broadcasts: [], scenes: [], dialIns: [], timeline: [] },
} satisfies Show

/** Returns code, start and end of each failure, in seconds. */
const shown = (changes: Partial<Show>, sources: Partial<FailureSources> = {}, now = NOW) => {
  const seconds = (time: string | undefined) => time && (Date.parse(time) - Date.parse(at(0))) / 1000
  const none = { recordings: [], executions: [], deliveries: [] }
  return failuresOf({ show: { ...show, ...changes }, ...none, ...sources }, now).map(({ code, since, until }) =>
    [code, seconds(since), ...(until ? [seconds(until)] : [])].join(' '),
  )
}

const event = (seconds: number, what: string, more: Partial<TimelineEvent> = {}): TimelineEvent => ({
  ...{ at: at(seconds), what, name: 'program', part: 1 },
  ...more,
})

describe('failuresOf', () => {
  it('finds nothing wrong with a show that runs as planned', () => {
    expect(shown({ timeline: [event(1, 'recording.started'), event(2, 'control.layout')] })).toEqual([])
  })

  it('lists what lasts before what the show has survived', () => {
    const timeline = [
      event(1, 'recording.failed', { detail: 'The platform failed.' }),
      event(2, 'cue.failed', { name: undefined, id: 'cue-1' }),
      event(5, 'recording.started', { part: 2 }),
    ]
    expect(shown({ timeline })).toEqual(['cue.failed 2', 'recording.failed 1 5'])
  })

  it('ends the failure of an output by its own events, and counts a lost connection once', () => {
    const output = { name: 'live', id: 'backup' }
    const timeline = [
      event(1, 'output.reconnecting', output),
      event(61, 'output.failed', output),
      event(70, 'output.live', { name: 'live', id: 'other' }),
    ]
    expect(shown({ timeline })).toEqual(['output.failed 61'])
    expect(shown({ timeline: [...timeline, event(80, 'output.recovered', output)] })).toEqual(['output.failed 61 80'])
  })

  it('names a task that is being retried, and one whose credentials are refused', () => {
    const executionOf = (status: 'running' | 'succeeded', error: string): ExecutionAnswer => ({
      ...{ showId: 'a-show', machine: 'show', name: 'a-show', status: 'running', startedAt: at(0) },
      ...{ closings: [], redrivable: false },
      states: [
        {
          ...{ id: 4, name: 'Start recording', type: 'Task', status, enteredAt: at(1) },
          ...(status === 'succeeded' && { exitedAt: at(9) }),
          attempts: [{ startedAt: at(1), endedAt: at(2), error, cause: '503' }, { startedAt: at(5) }],
        },
      ],
    })
    const unavailable = 'PlatformUnavailableError'
    expect(shown({}, { executions: [executionOf('running', unavailable)] })).toEqual(['task.retried 2'])
    expect(shown({}, { executions: [executionOf('succeeded', unavailable)] })).toEqual(['task.retried 2 9'])
    expect(shown({}, { executions: [executionOf('running', 'PlatformAuthError')] })).toEqual(['task.refused 2'])
  })

  it('names a show that is overdue', () => {
    expect(shown({ plannedEndAt: at(0) }, {}, NOW + 1_800_000)).toEqual(['show.overdue 0'])
    expect(shown({ plannedEndAt: at(0) })).toEqual([])
  })

  it('keeps what a person can act on once the show is over', () => {
    const lost = { ...part, lost: 'The upload failed.' }
    const timeline = [event(2, 'dialIn.failed', { name: 'call' }), event(30, 'recording.failed')]
    const result = { recordings: [lost], broadcasts: [], scenes: [], dialIns: [], reason: 'It ended.' }
    const over = { endedAt: at(30), timeline, result } as Partial<Show>
    expect(shown({ ...over, status: 'failed' })).toEqual(['show.failed 30', 'recording.lost 30'])
    expect(shown({ ...over, status: 'cancelled' })).toEqual([])
  })

  it('names recordings that are not published completely', () => {
    const published = (more: object) =>
      ({ archiveId: 'a-1', createdAt: at(40), status: 'complete', ...more }) as KnownRecording
    const over = { status: 'succeeded', endedAt: at(30) } as const
    const recordings = (more: object) => shown(over, { recordings: [published(more)] })
    expect(recordings({})).toEqual([])
    expect(recordings({ status: 'failed', message: 'No video.' })).toEqual(['recording.unpublished 40'])
    expect(recordings({ message: 'Lacks renditions.' })).toEqual(['recording.damaged 40'])
    const withheld = { etag: 'e', since: at(50), differences: ['Its size differs.'] }
    expect(recordings({ withheld })).toEqual(['recording.withheld 50'])
    expect(recordings({ withheld: { ...withheld, acceptedAt: at(60) } })).toEqual([])
  })

  it('names events that the app does not accept', () => {
    const delivery = (status: ListedDelivery['status'], answer: number) =>
      ({
        ...{ deliveryId: status, status, event: { event: 'show.ended' } },
        attempts: [{ at: at(3), status: answer }],
      }) as ListedDelivery
    const deliveries = [delivery('delivered', 200), delivery('failing', 503), delivery('refused', 400)]
    expect(shown({}, { deliveries })).toEqual(['delivery.failing 3', 'delivery.refused 3'])
  })
})
