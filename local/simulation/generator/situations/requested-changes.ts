import type { ShowDocument } from '../../../../lib/show/document/show.ts'
import { addresses } from '../../environment/addresses.ts'
import { randomNextLayout } from '../layouts.ts'
import { localTimeOf } from '../start-times.ts'
import { CALLS_OF_A_SCHEDULE } from '../strikes/aims.ts'
import { controlAt, type DrawSituation, DURATION, editsOf, outputOf, paused, situation } from './situation.ts'

/** Layouts other than the default. */
const OTHER_LAYOUTS = ['pip', 'verticalPresentation', 'horizontalPresentation'] as const

/** Starts of a series: more than those among which its page and its invitations search for a running one. */
const STARTS = 4

/** Calls of the sweep, with their repetitions, until a show that begins within forty minutes can no longer be started. */
const SWEEPS = 66

/** Seconds by which the upload of a first part begins late: it arrives after its show. */
const FIRST_UPLOAD = 10_000

/**
 * Layouts are changed, twice in each request, before the next parts of a recording and a broadcast begin. Uploads begin late, so
 * the show ends slowly. The file of a part is replaced by one with other pictures, which is accepted.
 */
export const nextLayouts: DrawSituation = (draws) => {
  const change = (at: number, name: 'program' | 'live') => {
    const of = name === 'program' ? { recording: name } : { broadcast: name }
    const layouts = draws.someOf(OTHER_LAYOUTS, 2).map((type) => ({ ...of, layout: { type } }))
    return controlAt(at, { what: 'change', layouts })
  }
  return situation(
    { recordings: [paused('program')], broadcasts: [{ name: 'live', hls: {}, parts: true, maxDuration: 110 }] },
    {
      controls: [
        change(draws.between(10, 100), 'program'),
        change(draws.between(110, 200), 'live'),
        change(draws.between(1_600, 2_000), 'program'),
      ],
      chaos: { slowUploads: [400, 400], replacesFile: 'other' },
      edits: editsOf(draws, [], { judgement: 'accept' }),
      visits: [120, DURATION + 150, DURATION + 300],
    },
  )
}

/**
 * The only recording is paused and resumed on request, twice, a message is sent and repeated, the show is marked, and
 * participants are muted, arranged and disconnected. In its last minute, its end is moved by some seconds. Its beginning and its
 * end are announced. Everyone may watch the recordings. The first part arrives after the show. Before that, its deletion is
 * refused, and the links of the second part are revoked. That part is rebuilt while no picture can be decoded. Advanced Insights
 * report the usage of the show, the meetings of its session and the quality of streams.
 */
export const controlled: DrawSituation = (draws) => {
  const { between } = draws
  const signal = { type: 'chat', data: 'Hello' }
  const from = between(60, 600)
  return situation(
    {
      recordings: [{ name: 'program' }],
      announcements: { recordingStarted: signal, recordingStopped: signal },
      publish: { access: 'public' },
      uploadWait: 600,
    },
    {
      chaos: {
        insights: 'advanced',
        slowUploads: [FIRST_UPLOAD],
        undecodable: { at: DURATION + 300, seconds: FIRST_UPLOAD - DURATION - 300 },
      },
      edits: editsOf(draws, [
        { what: 'deleteUploading', permanently: false },
        { what: 'deleteUploading', permanently: true },
        { what: 'revoke' },
        { what: 'rebuild', posts: 1 },
      ]),
      controls: [
        controlAt(from, { what: 'pause', recording: 'program' }, { posts: 2 }),
        controlAt(from + between(20, 900), { what: 'resume', recording: 'program' }, { posts: 2 }),
        controlAt(between(1_700, 1_800), { what: 'marker', label: 'Questions' }, { posts: 3 }),
        ...[700, 730, 760].map((at) => controlAt(at, { what: 'signal', signal }, { key: 'signal' })),
        controlAt(between(1_900, 2_000), { what: 'marker', label: 'Before', seconds: between(0, 1_600) }),
        controlAt(between(2_100, 2_200), { what: 'marker', label: 'Beyond', seconds: DURATION }),
        controlAt(3_000, { what: 'pause', recording: 'program' }),
        controlAt(3_000 + between(60, 300), { what: 'resume', recording: 'program' }),
        controlAt(2_300, { what: 'mute', active: true, except: 'Ada' }),
        controlAt(2_330, { what: 'mute', active: false }),
        controlAt(2_360, { what: 'mute', participant: 'Ada' }),
        controlAt(2_390, { what: 'layoutClasses', participant: 'Grace', layoutClasses: ['focus'] }),
        controlAt(2_420, { what: 'signal', signal, participant: 'Grace' }),
        controlAt(between(2_450, 2_900), { what: 'disconnect', participant: 'Grace' }),
        controlAt(DURATION - 20, { what: 'change', duration: DURATION + 10 }),
      ],
    },
  )
}

/**
 * Controls are refused, because the show, its recordings or their states do not allow them, or their key was used for another
 * one. The layout of a recording is changed before its pause, which is interrupted after its note and asked for again.
 */
export const refused: DrawSituation = (draws) => {
  const { between } = draws
  const layout = randomNextLayout(draws)
  const refusedControls = [
    { what: 'pause', recording: 'unknown' },
    { what: 'pause', recording: 'whole' },
    { what: 'pause', recording: 'selected' },
    { what: 'resume', recording: 'program' },
    { what: 'stopBroadcast', broadcast: 'unknown' },
    { what: 'change', layouts: [{ recording: 'unknown', layout }] },
    { what: 'change', layouts: [{ recording: 'program', layout }], streams: [{ recording: 'program', add: 'Ada' }] },
    { what: 'change', streams: [{ recording: 'selected', add: 'Ada', hasAudio: false }] },
    { what: 'change', endsIn: -60 },
    { what: 'change', endsIn: 2 },
    { what: 'change', duration: 700_000 },
    { what: 'broadcast', order: { name: 'live', hls: {} } },
    { what: 'broadcast', order: { name: 'short', hls: {}, maxDuration: 60 } },
    { what: 'disconnect', participant: 'unknown' },
    { what: 'layoutClasses', participant: 'unknown', layoutClasses: ['focus'] },
    { what: 'clip', name: 'Of another broadcast', last: 10, broadcast: 'unknown' },
  ] as const
  const from = between(300, 600)
  return situation(
    {
      recordings: [
        { name: 'program', layout: { type: 'bestFit' } },
        { name: 'whole', parts: false },
        { name: 'selected', streamMode: 'manual', parts: true },
      ],
      broadcasts: [{ name: 'live', hls: {} }],
    },
    {
      aims: [{ operation: 'platform stopArchive', from: 1, times: 1, kind: 'killed before' }],
      controls: [
        ...refusedControls.map((control, index) => controlAt(10 + 12 * index, control, { key: `refused-${index}` })),
        controlAt(from - 60, { what: 'change', layouts: [{ recording: 'program', layout: { type: 'pip' } }] }),
        controlAt(from, { what: 'pause', recording: 'program' }),
        controlAt(from + 60, { what: 'pause', recording: 'whole' }, { key: `pause-${from}` }),
        controlAt(from + 120, { what: 'pause', recording: 'program' }),
        controlAt(from + 240, { what: 'resume', recording: 'program' }),
        controlAt(from + 360, { what: 'resume', recording: 'program' }),
      ],
    },
  )
}

/**
 * The platform fails while a broadcast or a dial-in is added. It throttles layouts of a caller, which the show completes later,
 * refuses those of cues, and cannot take the signal of another one. Functions share two calls in a second then.
 */
export const failingAdditions: DrawSituation = (draws) => {
  const { between, oneOf } = draws
  const throttled = between(20, 40)
  const layout = randomNextLayout(draws)
  return situation(
    {
      recordings: [{ name: 'program' }],
      broadcasts: [{ name: 'live', hls: {} }],
      cues: [
        ...[900, 1_500].map((at) => ({ at, recording: 'program', layout: randomNextLayout(draws) })),
        { at: 2_100, signal: { type: 'chat', data: 'Questions?' } },
      ],
    },
    {
      chaos: { callsPerSecond: 2 },
      controls: [
        controlAt(between(60, 300), { what: 'broadcast', order: { name: 'second', hls: {} } }),
        controlAt(between(400, 600), { what: 'dialIn', order: { name: 'guest', uri: 'sip:answer@pbx.example' } }),
        controlAt(between(700, 800), {
          what: 'change',
          layouts: [
            { recording: 'program', layout: { type: 'pip' } },
            { recording: 'program', layout },
            { broadcast: 'live', layout },
          ],
          endsIn: 2_400,
        }),
      ],
      aims: [
        { operation: 'platform startBroadcast', from: 2, times: between(1, 40), kind: oneOf(['500', '429']) },
        { operation: 'platform dial', from: 1, times: between(1, 40), kind: oneOf(['500', '429']) },
        { operation: 'platform setArchiveLayout', from: 1, times: 1, kind: '429', seconds: 7 },
        { operation: 'platform setArchiveLayout', from: 3, times: 1, kind: '429', seconds: 7 },
        { operation: 'platform setBroadcastLayout', from: 1, times: throttled, kind: '429' },
        { operation: 'platform setArchiveLayout', from: 5, times: 2, kind: '400' },
        { operation: 'platform signalSession', from: 1, times: 12, kind: '500' },
      ],
    },
  )
}

/** Seconds for which the platform describes the first archives that are published. */
const DESCRIBED = [2, 8] as const

/**
 * A show that is scheduled by its local time is replaced before its start, twice at once, and in vain once it has begun. Its recordings arrive
 * together, and the platform describes the first two slowly, while another one waits for its turn.
 */
export const replaced: DrawSituation = ({ between, oneOf, times }, beginning) => {
  const zone = oneOf(['Asia/Kolkata', 'America/New_York'])
  const start = (seconds: number) => ({ at: localTimeOf(beginning + seconds * 1000, zone), zone })
  const show = (index: number) => ({
    ...{ version: 1 as const, name: `Edition ${index}`, duration: between(600, 1_800) },
    ...{ start: start(60 * between(60, 90)), recordings: times(index, (number) => ({ name: `camera-${number}` })) },
  })
  const at = between(60, 900)
  const replace = (index: number, seconds: number, after: 'posted' | 'live') =>
    controlAt(seconds, { what: 'replace', show: show(index) }, { after, key: `replace-${index}` })
  return situation(
    { start: start(60 * between(45, 120)), recordings: [{ name: 'program' }] },
    {
      aims: DESCRIBED.map((seconds, index) => ({
        ...{ operation: 'platform getArchive', from: index + 1, times: 1, kind: 'slow', seconds },
      })),
      controls: [
        replace(1, at, 'posted'),
        replace(2, at + 600, 'posted'),
        replace(3, at + 600, 'posted'),
        replace(4, 60, 'live'),
      ],
    },
  )
}

/**
 * The second start of a series has another document than the first. Its schedule calls in vain, and the sweep starts it. Two more follow.
 * For hours before the first start, a secret is missing. That of the project is replaced just before, with an uncertain outcome.
 */
export const series: DrawSituation = ({ between }) => {
  const minute = between(10, 50)
  const start = { cron: `${minute} 3,5,6,7,23 * * ? *`, count: STARTS }
  const firstStart = 3 * 3_600 + minute * 60
  const document = (name: string): ShowDocument => ({
    ...{ version: 1, name, start, duration: between(300, 900), recordings: [{ name: 'program' }] },
  })
  const broadcasts = [{ name: 'elsewhere', rtmp: [outputOf('one')] }]
  const replace = { what: 'replace', show: document('A series, continued') } as const
  return situation(
    { ...document('A series'), broadcasts },
    {
      occurrences: STARTS,
      controls: [controlAt(16_200, replace, { after: 'posted' })], // between the first two starts
      chaos: { rotations: [{ at: firstStart - 100, of: 'project secret' }] },
      aims: [
        { operation: 'lambda StartShow', from: 2, times: CALLS_OF_A_SCHEDULE, kind: 'crashed before' },
        { operation: 'platform refreshSecret', from: 1, times: 1, kind: 'delayed', seconds: 75 },
      ],
    },
  )
}

/**
 * A schedule calls in vain, and the sweep starts its show. The execution of the show is aborted, and so are those that close it.
 */
export const swept: DrawSituation = ({ between, times }, beginning) => {
  const start = between(1_200, 2_400)
  const abortedAt = start + between(900, 1_500)
  return situation(
    {
      start: { at: new Date(beginning + start * 1000).toISOString() },
      recordings: [{ name: 'program' }],
      broadcasts: [{ name: 'live', hls: {} }],
    },
    {
      aims: [{ operation: 'lambda StartShow', from: 1, times: CALLS_OF_A_SCHEDULE, kind: 'crashed before' }],
      chaos: { aborts: times(8, (index) => abortedAt + index + (index < 4 ? 0 : 600)), slowUploads: [3_000] },
    },
  )
}

/**
 * The schedules of two shows call in vain, and no sweep runs, until it is too late to start them. The sweep that ends one is
 * interrupted.
 */
export const missed: DrawSituation = ({ between }, beginning) => {
  const at = new Date(beginning + between(1_200, 2_400) * 1000).toISOString()
  const crashed = { from: 1, kind: 'crashed before' } as const
  const show = (name: string): ShowDocument => ({
    ...{ version: 1, name, start: { at }, duration: DURATION, recordings: [{ name: 'program' }] },
    callback: { url: `${addresses.app}/events` },
  })
  return situation(show('A missed show'), {
    others: [{ at: 10, show: show('Another missed show') }],
    aims: [
      { operation: 'lambda StartShow', times: 2 * CALLS_OF_A_SCHEDULE, ...crashed },
      { operation: 'lambda SweepShows', times: SWEEPS, ...crashed },
      { operation: 's3 PutObject shows/*/result.json', from: 1, times: 1, kind: 'killed before' },
    ],
  })
}
