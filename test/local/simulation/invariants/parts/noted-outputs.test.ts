import { describe, expect, it } from 'vitest'
import { notedOutputs } from '../../../../../local/simulation/invariants/parts/noted-outputs.ts'
import { change, faultAt, showWith, watchFaultAt } from '../made-up-evidence.ts'

const at = (seconds: number) => new Date(seconds * 1000).toISOString()
const output = (what: string, seconds: number, more: object = {}) => ({
  ...{ what: `output.${what}`, id: 'tv', name: 'live', part: 1, at: at(seconds) },
  ...more,
})
const live = { kind: 'broadcast', tag: 'a-show/live/1', name: 'live' } as const

/** A fault by which outputs lose their connections at 100 s. */
const loss = (seconds: number) => ({
  ...faultAt(100_000, 'interrupted outputs'),
  line: `  100.000 fault: 1 outputs lose their connections for ${seconds} s`,
})

/** Judges a show with a broadcast to the output `tv` that runs from 0 to 900 s by default. */
const judge = (
  timeline: readonly object[],
  { trace = [faultAt(0)], failedCalls = [watchFaultAt(9_999_999)], from = 0, to = 900, endedAt = 900 } = {},
) =>
  notedOutputs({
    shows: [
      showWith({
        request: { broadcasts: [{ name: 'live', rtmp: [{ id: 'tv' }] }] },
        state: { timeline, endedAt: at(endedAt) } as never,
      }),
    ],
    statusChanges: [change(from * 1000, live), change(to * 1000, { ...live, status: 'stopped' })],
    ...{ trace, failedCalls },
  })

describe('notedOutputs', () => {
  describe('of an output that has just started', () => {
    const problem = 'no state of the output tv of live/1 of the show a-show is noted'

    it('finds one of which no state is noted within two minutes', () => {
      expect(judge([])).toEqual([problem])
      expect(judge([output('live', 126)])).toEqual([problem])
      expect(judge([output('live', 125)])).toEqual([])
      expect(judge([output('live', 5, { id: 'radio' })])).toEqual([problem])
      expect(judge([output('live', 5, { part: 2 })])).toEqual([problem])
    })

    it('accepts one that ends soon, or that a fault hid', () => {
      expect(judge([], { to: 125 })).toEqual([])
      expect(judge([], { endedAt: 125 })).toEqual([])
      expect(judge([], { failedCalls: [watchFaultAt(100_000)] })).toEqual([])
    })
  })

  describe('of an output that has nothing to send', () => {
    const idle = (
      changes: readonly (readonly [number, string])[],
      detail = 'It has been connecting for 60 s.',
      fault = 0,
    ) =>
      notedOutputs({
        shows: [
          showWith({ request: { broadcasts: [] }, state: { timeline: [output('failed', 100, { detail })] } as never }),
        ],
        statusChanges: changes.map(([seconds, status]) => change(seconds * 1000, { status })),
        ...{ trace: [], failedCalls: [watchFaultAt(fault * 1000)] },
      })

    it('finds a failure that is noted while an archive is paused', () => {
      expect(
        idle([
          [0, 'started'],
          [30, 'paused'],
        ]),
      ).toEqual([`the output tv of live/1 is noted as failed at ${at(100)}, while nothing was published`])
    })

    it('accepts one that the platform gives up, one while archives record, and a fault', () => {
      expect(
        idle(
          [
            [0, 'started'],
            [30, 'paused'],
          ],
          'offline',
        ),
      ).toEqual([])
      expect(
        idle([
          [0, 'started'],
          [30, 'paused'],
          [50, 'started'],
        ]),
      ).toEqual([])
      expect(
        idle([
          [0, 'started'],
          [75, 'paused'],
        ]),
      ).toEqual([])
      expect(
        idle(
          [
            [0, 'started'],
            [30, 'paused'],
          ],
          undefined,
          80,
        ),
      ).toEqual([])
    })
  })

  describe('of an output that connects again', () => {
    const problem = `the output tv of live/1 of the show a-show connected from ${at(100)}, and is not noted as failed`

    it('accepts one that connects within two minutes, and one that is noted as failed', () => {
      expect(judge([output('reconnecting', 100), output('recovered', 225)])).toEqual([])
      expect(judge([output('reconnecting', 100), output('failed', 230)])).toEqual([])
    })

    it('finds one that connects for longer, and is not noted as failed', () => {
      expect(judge([output('reconnecting', 100), output('recovered', 226)])).toEqual([problem])
      expect(judge([output('reconnecting', 100), output('failed', 230, { id: 'radio' })])).toEqual([problem])
      expect(judge([output('reconnecting', 100), output('failed', 230, { part: 2 })])).toEqual([problem])
    })

    it('finds one that connects until the end of its show', () => {
      expect(judge([output('reconnecting', 100)], { endedAt: 225 })).toEqual([])
      expect(judge([output('reconnecting', 100)], { endedAt: 226 })).toEqual([problem])
    })

    it('finds a second one after a noted failure', () => {
      const first = [output('reconnecting', 10), output('failed', 75), output('recovered', 90)]
      expect(judge([...first, output('reconnecting', 100), output('recovered', 300)])).toEqual([problem])
    })

    it('accepts one that a fault of its time hid', () => {
      const timeline = [output('reconnecting', 100), output('recovered', 226)]
      expect(judge(timeline, { failedCalls: [watchFaultAt(150_000)] })).toEqual([])
      expect(judge(timeline, { failedCalls: [watchFaultAt(34_999)] })).toEqual([problem])
    })
  })

  describe('of a lost connection', () => {
    const problem = `the loss of the output tv of live/1 at ${at(100)} is not noted`
    const air = output('live', 5)
    const lost = { trace: [loss(200)] }

    it('accepts one that is noted while it lasts', () => {
      expect(judge([air, output('reconnecting', 130), output('failed', 165)], lost)).toEqual([])
      expect(judge([air, output('failed', 165)], lost)).toEqual([])
    })

    it('finds one that is not noted', () => {
      expect(judge([air], lost)).toEqual([problem])
      expect(judge([air, output('recovered', 99)], lost)).toEqual([problem])
      expect(judge([air, output('failed', 366)], lost)).toEqual([problem])
      expect(judge([air, output('failed', 130, { id: 'radio' })], lost)).toEqual([problem])
      expect(judge([air, output('failed', 130, { part: 2 })], lost)).toEqual([problem])
    })

    it('accepts one of an output that was off the air before', () => {
      expect(judge([output('failed', 99)], lost)).toEqual([])
      expect(judge([], { ...lost, failedCalls: [watchFaultAt(0)] })).toEqual([])
    })

    it('judges only losses of minutes while a part runs', () => {
      expect(judge([air], { trace: [loss(125)] })).toEqual([problem])
      expect(judge([air], { trace: [loss(124)] })).toEqual([])
      expect(judge([air], { ...lost, from: 35 })).toEqual([])
      expect(judge([air], { ...lost, to: 365 })).toEqual([])
    })

    it('accepts one that a fault hid', () => {
      expect(judge([air], { ...lost, failedCalls: [watchFaultAt(35_000)] })).toEqual([])
      expect(judge([air], { ...lost, failedCalls: [watchFaultAt(34_999)] })).toEqual([problem])
    })
  })
})
