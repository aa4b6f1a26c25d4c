import fc from 'fast-check'
import { type OperationName, operations } from '../../../lib/platform/contract/operations/operations.ts'
import { uploadTarget } from './archives/memory-bucket.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** True most of the time. */
const mostly = fc.nat(5).map((number) => number > 0)
const tag = fc.constantFrom(undefined, 'a', 'b')
const streamMode = fc.constantFrom('auto', 'manual')
const layoutType = fc.constantFrom('bestFit', 'pip', 'verticalPresentation', 'custom', 'round')
const layout = fc.option(fc.record({ type: layoutType }), { nil: undefined, freq: 1 })
const nextLayout = fc.record({ type: layoutType })
const streamChange = fc.oneof(
  fc.record({ addStream: fc.constant('of the session'), hasAudio: mostly, hasVideo: mostly }),
  fc.record({ removeStream: fc.constant('of the session') }),
)

/** Bodies that matter for later steps; other operations are called as in the contract's examples. */
const bodies: Partial<Record<OperationName, fc.Arbitrary<Record<string, unknown>>>> = {
  createSession: fc.record({
    archiveMode: fc.constantFrom('always', 'manual'),
    'p2p.preference': fc.constantFrom('disabled', 'disabled', 'enabled'),
  }),
  startArchive: fc.record({
    multiArchiveTag: tag,
    outputMode: fc.constantFrom('composed', 'composed', 'individual'),
    streamMode,
    layout,
    hasVideo: mostly,
    hasAudio: mostly,
  }),
  setArchiveLayout: nextLayout,
  changeArchiveStreams: streamChange,
  startBroadcast: fc.record({
    multiBroadcastTag: tag,
    streamMode,
    layout,
    maxDuration: fc.constantFrom(60, 600, 36_000, 36_001),
    outputs: fc.constantFrom({ hls: {} }, { hls: { dvr: true } }, { hls: {} }, {}),
  }),
  setBroadcastLayout: nextLayout,
  changeBroadcastStreams: streamChange,
  setUploadTarget: fc.constantFrom(uploadTarget('none'), uploadTarget('opentok'), { type: 'ftp' }),
  muteSession: fc.record({ active: fc.boolean() }),
  startComposer: fc.record({ maxDuration: fc.constantFrom(60, 7_200), url: fc.constant('https://example.com/page') }),
}

const names = Object.keys(operations) as OperationName[]
const changing = names.filter((name) => name in bodies || /^(stop|delete|force|mute|dial)/.test(name))

/** Index of an existing resource; a negative one is of a missing resource. */
const pick = fc.oneof(
  { weight: 9, arbitrary: fc.tuple(fc.nat(9), fc.nat(9)).map(([one, other]) => Math.min(one, other)) },
  { weight: 1, arbitrary: fc.constant(-1) },
)

const call = fc
  .oneof(
    { weight: 2, arbitrary: fc.constantFrom<OperationName>('startArchive', 'startBroadcast') },
    { weight: 4, arbitrary: fc.constantFrom(...changing) },
    { weight: 1, arbitrary: fc.constantFrom(...names) },
  )
  .chain((name) =>
    fc.record({
      kind: fc.constant('call' as const),
      name: fc.constant(name),
      body: bodies[name] ?? fc.constant(undefined),
      pick,
    }),
  )
const join = fc.record({ kind: fc.constant('join' as const), pick, publish: mostly })
const leave = fc.record({ kind: fc.constant('leave' as const), pick })
const durations = [0, SECOND, 59 * SECOND, MINUTE, 10 * MINUTE, HOUR, 4 * HOUR, 12 * HOUR, 73 * HOUR]
const wait = fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(...durations) })

export type CallStep = typeof call extends fc.Arbitrary<infer Taken> ? Taken : never
export type Step = typeof step extends fc.Arbitrary<infer Taken> ? Taken : never

/** One thing that clients, callers or time do to a sandbox. */
export const step = fc.oneof(
  { weight: 6, arbitrary: call },
  { weight: 2, arbitrary: join },
  { weight: 1, arbitrary: leave },
  { weight: 2, arbitrary: wait },
)
