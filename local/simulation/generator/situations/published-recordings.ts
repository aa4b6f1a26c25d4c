import type { Draws } from '../draws.ts'
import { controlAt, type DrawSituation, DURATION, editsOf, PAUSE, paused, situation } from './situation.ts'

/** Seconds for which a deployment keeps a deleted recording. */
const RESTORABLE = 7 * 86_400
/** Lists of indexes and versions have several pages. */
const SHORT_PAGES = { pageSize: 1 } as const
const CAPTIONS = 'WEBVTT\n\n00:00:01.000 --> 00:00:03.500\nGuten Tag\n'

/**
 * A joined recording is deleted and restored, and its parts stay. At last it is deleted permanently. Archives are published in turns.
 * A broadcast fails and is continued, while viewers watch it.
 */
export const restoredRecording: DrawSituation = (draws) =>
  situation(
    { recordings: [paused('program'), { name: 'room' }], broadcasts: [{ name: 'live', hls: {}, parts: true }] },
    {
      chaos: { ...SHORT_PAGES, maxPublishes: 1, failures: [{ at: 1_800, of: 'broadcast' }] },
      visits: [120, 2_100, DURATION + 5],
      edits: editsOf(
        draws,
        [
          { what: 'captions', language: 'de', text: CAPTIONS },
          { what: 'delete', permanently: false },
          { what: 'restore' },
          { what: 'rebuild', posts: 1 },
          { what: 'delete', permanently: false },
          { what: 'delete', permanently: true },
          { what: 'restore' },
          { what: 'delete', permanently: true },
          { what: 'delete', permanently: false },
        ],
        { isJoined: draws.chance(0.8), prefersParts: true },
      ),
    },
  )

/** The file of a published part, whose links were revoked, is replaced by a shorter recording, which is withheld and accepted. */
export const accepted: DrawSituation = (draws) => replacedFile(draws, 'accept', 'shorter')

/** The file of a published recording, of which clips were cut, is replaced by its damaged half, which is withheld. Another
 * file follows, and is rejected with it. */
export const rejected: DrawSituation = (draws) => replacedFile(draws, 'reject', 'half')

const LAST_CLIP = { what: 'clip', order: { name: 'The end', last: 30 }, posts: 1 } as const

const replacedFile = (draws: Draws, judgement: 'accept' | 'reject', replacesFile: 'half' | 'shorter') =>
  situation(
    { recordings: [paused('program')] },
    {
      chaos: { replacesFile },
      edits: editsOf(
        draws,
        [{ what: 'captions', language: 'de', text: CAPTIONS }, judgement === 'reject' ? LAST_CLIP : { what: 'revoke' }],
        { judgement, uploadsAgain: judgement === 'reject' },
      ),
    },
  )

/** Attempts of a task of publishing, and those with which the first execution fails to report and the second one begins. */
const ATTEMPTS = 7
const FIRST_ATTEMPTS = 2 * ATTEMPTS + 2

/**
 * One participant is recorded into a ZIP file, of which everything else is made. The first attempt to publish it is given up, and so are
 * those of its rebuild and its clip.
 */
export const composedAlone: DrawSituation = (draws) =>
  situation(
    {
      duration: draws.between(700, 1_500),
      recordings: [{ name: 'room', outputMode: 'individual' }],
      publish: {
        formats: ['composite', 'hls', 'poster', ...draws.oneOf([['faststart'], ['audio'], ['thumbnails']] as const)],
      },
    },
    {
      participants: [{ name: 'Ada' }],
      aims: [
        { operation: 'lambda WriteManifest', from: 1, times: FIRST_ATTEMPTS, kind: 'crashed before' },
        // The second execution reports twice before the rebuild.
        { operation: 'lambda WriteManifest', from: FIRST_ATTEMPTS + 3, times: 2 * ATTEMPTS, kind: 'crashed before' },
        { operation: 'lambda PublishClip', from: 1, times: ATTEMPTS, kind: 'crashed before' },
      ],
      edits: editsOf(draws, [
        { what: 'rebuild', formats: ['poster'], posts: 1 },
        { what: 'clip', order: { name: 'The end', last: 30 }, posts: 1, after: 600 },
      ]),
    },
  )

/**
 * Recordings are edited, deleted and restored until the time to restore them is over, while others are kept. The first restoration
 * is interrupted, so that the list of deletions keeps its former end.
 */
export const deletedFinally: DrawSituation = (draws) =>
  situation(
    { recordings: [paused('program'), { name: 'room' }] },
    {
      chaos: SHORT_PAGES,
      edits: editsOf(
        draws,
        [
          { what: 'clip', order: { name: 'Opening', from: 10, to: 40 }, posts: 2 },
          { what: 'clip', order: { name: 'Since the marker', from: 'last marker' }, posts: 1 },
          { what: 'clip', order: { name: 'Beyond', from: 100_000, to: 100_010 }, posts: 1 },
          { what: 'deleteClip' },
          { what: 'deleteUnknown' },
          { what: 'restoreUnknown' },
          { what: 'rebuild', posts: 1 },
          { what: 'delete', permanently: false, together: true },
          { what: 'restore', together: true },
          { what: 'restore' },
          { what: 'delete', permanently: false, after: 3_600 },
          { what: 'delete', permanently: false },
          { what: 'restore', after: RESTORABLE + 10 },
          { what: 'delete', permanently: false, after: 3_600 },
        ],
        { prefersParts: true, isJoined: draws.chance(0.5), awaitsPurge: true },
      ),
      controls: [controlAt(2_400, { what: 'marker', label: 'Questions' })],
      aims: [
        { operation: 's3 DeleteObject index/deletions/*', from: 1, times: 2, kind: 'killed before' },
        { operation: 's3 PutObject index/deletions/*', from: 2, times: 2, kind: 'killed before' },
      ],
    },
  )

/**
 * Clips of two broadcasts are requested by their times, or as the last seconds. Some are impossible, and two are deleted. Everything
 * is kept for some days only, and files are uploaded again. Links of the joined recording are revoked, a clip that begins in its pause is
 * cut, it is joined again, and its captions are deleted. The task that has waiting clips cut is interrupted.
 */
export const clippedByTimes: DrawSituation = (draws, beginning) => {
  const { between, times, oneOf } = draws
  const timeAt = (seconds: number) => new Date(beginning + seconds * 1000).toISOString()
  const resumed = { name: 'The end of the pause', from: timeAt(PAUSE.to - 100), to: timeAt(PAUSE.to + 75) }
  const broadcasts = ['one', 'two'] as const
  const clips = times(6, (index) => {
    const at = 200 + index * 300 + between(0, 60)
    const from = at - between(60, 150)
    const broadcast = broadcasts[index % 2] ?? 'one'
    return controlAt(
      at,
      { what: 'clip', name: `Clip ${index}`, from, to: from + between(1, 50), broadcast },
      { key: `clip-${index}`, posts: 1 + (index % 2) },
    )
  })
  return situation(
    {
      recordings: [paused('program')],
      broadcasts: broadcasts.map((name) => ({ name, hls: { dvr: true } })),
      publish: { formats: ['hls', 'composite', 'poster'], access: oneOf(['public', 'signed']), keepDays: 30 },
    },
    {
      chaos: { repeatsUploads: true },
      controls: [
        ...clips,
        ...times(3, (index) =>
          controlAt(2_700 + index * 250 + between(0, 200), {
            what: 'clip',
            name: `Last ${index}`,
            last: between(1, 50),
          }),
        ),
        controlAt(190, { what: 'marker', label: 'Questions' }),
        controlAt(230, { what: 'marker', label: 'Before', seconds: 100 }),
        controlAt(260, { what: 'clip', name: 'Since the marker', from: 'last marker' }),
        controlAt(2_000, { what: 'clip', name: 'Ahead', from: 1_990, to: 2_500 }),
        controlAt(2_040, { what: 'clip', name: 'Reversed', from: 500, to: 400 }),
        controlAt(2_080, { what: 'clip', name: 'Before the show', from: -500, to: 10 }),
        controlAt(between(2_100, 2_400), { what: 'deleteClip', of: 'clip-4' }),
        controlAt(between(2_500, 2_600), { what: 'deleteClip', of: 'clip-5' }),
      ],
      edits: editsOf(
        draws,
        [
          { what: 'revoke' },
          { what: 'captions', language: 'de', text: CAPTIONS },
          { what: 'clipByClock', order: resumed },
          { what: 'rebuild', posts: 1 },
          { what: 'deleteCaptions', language: 'de' },
        ],
        { isJoined: true, prefersParts: true },
      ),
      // That write is the first one of the task which has the clips cut that waited for the last part.
      aims: [{ operation: 's3 PutObject recordings/*/clips/*/clip.json', from: 21, times: 1, kind: 'killed after' }],
    },
  )
}
