import { controlAt, type DrawSituation, editsOf, paused, situation } from './situation.ts'

const CAPTIONS = 'WEBVTT\n\n00:00:01.000 --> 00:00:03.500\nGuten Tag\n'

/** A joined recording is deleted and restored, and its parts stay. */
export const restoredRecording: DrawSituation = (draws) =>
  situation(
    { recordings: [paused('program'), { name: 'room' }] },
    {
      edits: editsOf(
        draws,
        [
          { what: 'captions', language: 'de', text: CAPTIONS },
          { what: 'delete', permanently: false },
          { what: 'restore' },
          { what: 'rebuild', posts: 1 },
        ],
        { isJoined: draws.chance(0.8), prefersParts: true },
      ),
    },
  )

/** The file of a published recording is replaced by another one, which is withheld, and accepted or rejected. */
export const withheld: DrawSituation = (draws) =>
  situation(
    { recordings: draws.chance(0.5) ? [paused('program')] : [{ name: 'program' }] },
    {
      chaos: { replacesFile: true },
      edits: editsOf(draws, [{ what: 'captions', language: 'de', text: CAPTIONS }], {
        judgement: draws.oneOf(['accept', 'reject']),
      }),
    },
  )

/** Recordings are edited until they are deleted permanently, while others are kept. */
export const deletedPermanently: DrawSituation = (draws) =>
  situation(
    { recordings: [paused('program'), { name: 'room' }] },
    {
      edits: editsOf(
        draws,
        [
          { what: 'clip', order: { name: 'Opening', from: 10, to: 40 }, posts: 2 },
          { what: 'clip', order: { name: 'Since the marker', from: 'last marker' }, posts: 1 },
          { what: 'clip', order: { name: 'Beyond', from: 100_000, to: 100_010 }, posts: 1 },
          { what: 'deleteClip' },
          { what: 'delete', permanently: draws.chance(0.5) },
        ],
        { prefersParts: true, isJoined: draws.chance(0.5), awaitsPurge: true },
      ),
      controls: [controlAt(2_400, { what: 'marker', label: 'Questions' })],
    },
  )

/** Clips of a live show are requested, of which those of MPEG-TS wait for the recording. */
export const clipped: DrawSituation = ({ between, times }) =>
  situation(
    { recordings: [{ name: 'program' }], broadcasts: [{ name: 'live', hls: { dvr: true } }] },
    {
      controls: times(3, (index) =>
        controlAt(between(60, 600) + index * 700, { what: 'clip', name: `Clip ${index}`, last: between(1, 50) }),
      ),
    },
  )

/** Clips of two broadcasts are requested by their times, some of them impossible, and one is deleted. */
export const clippedByTimes: DrawSituation = ({ between, times, oneOf }) => {
  const broadcasts = ['one', 'two'] as const
  const clips = times(6, (index) => {
    const at = 200 + index * 300 + between(0, 60)
    const from = at - between(60, 150)
    const broadcast = broadcasts[index % 2] ?? 'one'
    return controlAt(
      at,
      { what: 'clip', name: `Clip ${index}`, from, to: from + between(1, 50), broadcast },
      { key: `clip-${index}` },
    )
  })
  return situation(
    {
      recordings: [paused('program')],
      broadcasts: broadcasts.map((name) => ({ name, hls: { dvr: true } })),
      publish: { formats: ['hls', 'composite', 'poster'], access: oneOf(['public', 'signed']) },
    },
    {
      controls: [
        ...clips,
        controlAt(190, { what: 'marker', label: 'Questions' }),
        controlAt(260, { what: 'clip', name: 'Since the marker', from: 'last marker' }),
        controlAt(2_000, { what: 'clip', name: 'Ahead', from: 1_990, to: 2_500 }),
        controlAt(2_040, { what: 'clip', name: 'Reversed', from: 500, to: 400 }),
        controlAt(2_080, { what: 'clip', name: 'Before the show', from: -500, to: 10 }),
        controlAt(between(2_100, 2_400), { what: 'deleteClip', of: 'clip-4' }),
        controlAt(between(2_500, 2_600), { what: 'deleteClip', of: 'clip-5' }),
      ],
    },
  )
}

/** Advanced Insights report the usage of a show, the meetings of its session and the quality of streams. */
export const measured: DrawSituation = ({ chance }) =>
  situation(
    { recordings: [{ name: 'program' }, ...(chance(0.5) ? [{ name: 'room' }] : [])] },
    { chaos: { insights: 'advanced' } },
  )
