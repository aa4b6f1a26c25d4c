import type { ShowDocument } from '../../../../lib/show/document/show.ts'
import { addresses } from '../../environment/addresses.ts'
import { EXISTING_SESSION } from '../show.ts'
import {
  controlAt,
  type DrawSituation,
  DURATION,
  editsOf,
  outputOf,
  PAUSE,
  paused,
  STREAM_KEYS,
  situation,
} from './situation.ts'

const callee = (name: string) => `sip:${name}@pbx.example`

/** Attempts of a task that no execution of a show exceeds. */
const ATTEMPTS = 12

/** Seconds of a slow call, for which its client still waits. */
const SLOW = 8

/** A show that is stopped before its audience is there. */
const calledOff: ShowDocument = {
  ...{ version: 1, name: 'A show that is called off', duration: 600, recordings: [{ name: 'program' }] },
  dialIns: [{ name: 'guest', uri: callee('answer') }],
  scenes: [{ name: 'slides', url: 'https://scenes.example/slides' }],
}

/** Shows beside another one: more than observe each for itself. */
const OTHERS = 24

/**
 * A show is stopped while its only recording is paused, or one of two. Other shows begin, run and end beside it. Their RTMP
 * outputs lose their connections for minutes.
 */
export const stoppedInPause: DrawSituation = ({ between, chance, times }) => {
  const second = chance(0.5) ? [{ name: 'room' }] : []
  const stop = controlAt(between(PAUSE.from + 30, PAUSE.to - 300), { what: 'stop' })
  const other = (index: number): ShowDocument => ({
    ...{ version: 1, name: `Show ${index}`, duration: between(300, 1_500), recordings: [{ name: 'program' }] },
    ...(index % 4 === 0 && { broadcasts: [{ name: 'live', hls: {}, rtmp: [outputOf('one')] }] }),
    ...(index % 8 === 1 && { scenes: [{ name: 'slides', url: 'https://scenes.example/slides' }] }),
  })
  return situation(
    { recordings: [paused('program'), ...second] },
    {
      secrets: STREAM_KEYS,
      controls: [stop],
      chaos: { unstableOutputs: times(2, (index) => ({ at: 450 + 300 * index, seconds: 180 })) },
      others: times(OTHERS, (index) => ({ at: between(30, 600), show: other(index) })),
    },
  )
}

/**
 * A broadcast that is not continued fails, and the recording of its show does not. The event app answers with errors for a while.
 * The show has an open end, and listeners wait for a participant who publishes. Another one follows, while the platform cannot be
 * asked for streams.
 */
export const failedBroadcast: DrawSituation = ({ between }) => {
  const failsAt = between(60, 600)
  const outage = between(60, 1_200)
  const emptyWait = between(120, 240)
  return situation(
    {
      ...{ duration: null, maxDuration: 2 * DURATION, emptyWait },
      recordings: [{ name: 'program' }],
      broadcasts: [{ name: 'live', hls: {} }],
      callback: { url: `${addresses.app}/events` },
    },
    {
      chaos: { failures: [{ at: failsAt, of: 'broadcast' }] },
      appOutages: [{ at: 0, seconds: outage, answers: 500 }],
      participants: [
        { name: 'Linus', publishes: false },
        { name: 'Ada', joinsAt: emptyWait + between(120, 300), leavesAt: 1_500 },
        { name: 'Grace', joinsAt: 1_530, leavesAt: DURATION - emptyWait },
      ],
      aims: [{ operation: 'platform listStreams', from: 45, times: 18, kind: '500' }],
      visits: [120, DURATION + 40, DURATION + 60],
    },
  )
}

/** All participants leave, after which the platform ends a broadcast and knows it no longer. The event app wants no more events. */
export const forgottenBroadcast: DrawSituation = ({ between }) => {
  const leavesAt = between(120, 900)
  return situation(
    {
      recordings: [{ name: 'program' }],
      broadcasts: [{ name: 'live', hls: {} }],
      callback: { url: `${addresses.app}/events` },
    },
    {
      appOutages: [{ at: 30, seconds: 600, answers: 410 }],
      participants: ['Ada', 'Grace'].map((name) => ({ name, leavesAt })),
      chaos: { forgetsBroadcasts: true },
    },
  )
}

/** A recording fails, and so do the parts that follow it. The file of the last part arrives after Showrunner has ceased to wait. */
export const failedAgainAndAgain: DrawSituation = ({ between, times }) => {
  const first = between(60, 300)
  return situation(
    { recordings: [{ name: 'program' }], uploadWait: between(300, 900) },
    {
      chaos: {
        slowUploads: times(5, () => 20_000),
        failures: times(between(2, 4), (index) => ({ at: first + index, of: 'archive', isNextPart: index > 0 })),
      },
    },
  )
}

/**
 * Recordings and broadcasts reach the limits of the platform, and are continued, although the first task that does so fails. One
 * recording has selected streams, one of them without video. The first one leaves. The server of the event app accepts connections and answers nothing
 * for a while.
 */
export const handedOver: DrawSituation = ({ between }) =>
  situation(
    {
      duration: between(15_000, 20_000),
      recordings: [
        { name: 'program' },
        { name: 'room', outputMode: 'individual' },
        { name: 'stage', streamMode: 'manual' },
      ],
      broadcasts: [
        { name: 'live', hls: { dvr: true }, parts: true, maxDuration: between(3_600, 14_400) },
        { name: 'elsewhere', rtmp: [outputOf('one')], parts: true, maxDuration: 7_200 },
      ],
      callback: { url: `${addresses.app}/events` },
    },
    {
      secrets: STREAM_KEYS,
      participants: [{ name: 'Ada', leavesAt: 12_000 }, { name: 'Grace' }],
      aims: [{ operation: 'lambda RollOver', from: 1, times: 8, kind: 'crashed before' }], // one more than a task has attempts
      appOutages: [{ at: 0, seconds: between(60, 1_200), answers: 'silence' }],
      controls: [
        controlAt(600, { what: 'change', streams: [{ recording: 'stage', add: 'Ada' }] }),
        controlAt(630, { what: 'change', streams: [{ recording: 'stage', add: 'Grace', hasVideo: false }] }),
      ],
    },
  )

/**
 * The platform posts callbacks about calls, each arrives twice at once: tones are played once a call is answered. One callee does
 * not answer. Another show is stopped while the platform dials for it and starts its scene, both slowly.
 */
export const calledBack: DrawSituation = ({ between, oneOf }) => {
  return situation(
    {
      recordings: [{ name: 'program' }],
      dialIns: [
        { name: 'menu', uri: callee(oneOf(['answer', 'instant'])), tones: 'pp1713#' },
        { name: 'short', uri: callee('hangup-600') },
        { name: 'unanswered', uri: callee(oneOf(['busy', 'decline', 'noanswer'])) },
      ],
      callback: { url: `${addresses.app}/events` },
    },
    {
      chaos: { callbacks: true, events: { twice: 1, late: 0, latest: 0 } },
      others: [{ at: 20, show: calledOff, stoppedAfter: SLOW / 2 }],
      aims: [
        { operation: 'platform dial', from: 4, times: 1, kind: 'slow', seconds: SLOW },
        { operation: 'platform startComposer', from: 1, times: 1, kind: 'slow', seconds: SLOW },
      ],
      controls: [
        controlAt(between(60, 300), { what: 'dialIn', order: { name: 'guest', uri: callee('answer'), tones: '12#' } }),
        controlAt(between(400, 900), { what: 'tones', digits: '1' }),
        controlAt(between(1_000, 1_500), { what: 'disconnect', dialIn: 'menu' }, { posts: 2 }),
      ],
    },
  )
}

/**
 * Answers to dials are lost, so that only callbacks of the platform name the calls, and so is the answer to the start of a scene,
 * which lists show later. The show is stopped while it dials, and while broadcasts are added. The event app answers with
 * redirects for a while.
 */
export const lostDials: DrawSituation = ({ between, oneOf, times }) => {
  const stopAt = between(900, 1_500)
  return situation(
    {
      recordings: [{ name: 'program' }],
      dialIns: [
        { name: 'first', uri: callee('answer'), tones: '1#' },
        { name: 'second', uri: callee('hangup-600') },
      ],
      scenes: [{ name: 'slides', url: 'https://scenes.example/slides' }],
      callback: { url: `${addresses.app}/events` },
    },
    {
      chaos: { callbacks: true, listLag: 4 },
      appOutages: [{ at: 0, seconds: 600, answers: 302 }],
      aims: [
        { operation: 'platform dial', from: 1, times: between(2, 3), kind: oneOf(['lost after', 'killed after']) },
        { operation: 'platform playDtmfToConnection', from: 1, times: 1, kind: '400' },
        { operation: 'platform startComposer', from: 1, times: 1, kind: 'lost after' },
        { operation: 's3 PutObject callbacks/*', from: 30, times: 2, kind: 'killed after' },
      ],
      controls: [
        controlAt(between(60, 600), { what: 'dialIn', order: { name: 'third', uri: callee('answer') } }),
        controlAt(stopAt, { what: 'dialIn', order: { name: 'last', uri: callee('answer') } }),
        ...times(4, (index) =>
          controlAt(
            stopAt,
            { what: 'broadcast', order: { name: `late-${index}`, hls: {} } },
            { key: `broadcast-${index}` },
          ),
        ),
        controlAt(stopAt, { what: 'stop' }),
      ],
    },
  )
}

/**
 * The execution of a show is started directly, with its document. The task that reports it ends once it has written the result,
 * and is not repeated with success: the sweep has to notify the event app. The bus refuses the first events of what has begun. The file
 * of the recording is replaced by its first half before all of it is published, and rejected. A show in the same session, whose id begins with that of
 * the first, is paused and lasts longer.
 */
export const startedDirectly: DrawSituation = (draws) =>
  situation(
    {
      session: { id: EXISTING_SESSION },
      recordings: [{ name: 'program' }],
      broadcasts: [{ name: 'live', hls: {} }],
      callback: { url: `${addresses.app}/events` },
    },
    {
      startsDirectly: true,
      chaos: { replacesReadyFile: true },
      aims: [
        { operation: 's3 PutObject shows/*/result.json', from: 1, times: 1, kind: 'killed after' },
        { operation: 'lambda ReportShow', from: 2, times: ATTEMPTS, kind: 'crashed before' },
        { operation: 'AWSEvents PutEvents', from: 2, times: 3, kind: '429', form: 'entry' },
      ],
      session: 'routed',
      companion: {
        at: 20,
        show: { version: 1, name: 'A longer show', duration: DURATION, recordings: [paused('program')] },
      },
      controls: [controlAt(draws.between(60, 600), { what: 'change', endsIn: draws.between(600, 2_000) })],
      edits: editsOf(draws, [], { judgement: 'reject' }),
    },
  )
