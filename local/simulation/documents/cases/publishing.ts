import { accepted, type DocumentCase, forbidden, recording, refused } from '../document-case.ts'

const ALL = ['poster', 'faststart', 'hls', 'renditions', 'thumbnails', 'audio', 'chapters', 'composite']
const DAYS = [1, 7, 14, 30, 60, 90, 180, 365, 730]
const PART = 'renditions are part of hls: ask for hls as well'
const EVERYTHING = 'poster, faststart, hls, renditions, thumbnails, audio, chapters'
const publish = (fields: object) => ({ publish: fields })
const own = (fields: object) => recording({ publish: fields })

/** Formats of recordings, access to them, and the days for which they are kept. */
export const publishing: readonly DocumentCase[] = [
  accepted(
    'publishing by default',
    {},
    {
      show: { publish: { formats: ALL.slice(0, -1), access: 'signed', keepDays: null } },
      steps: [`publish: ${EVERYTHING}, for callers of the API, kept permanently`],
    },
  ),
  accepted('no formats', publish({ formats: [] }), {
    show: { publish: { formats: [] } },
    steps: ['publish: only the manifest, for callers of the API, kept permanently'],
  }),
  accepted('every format for the public', publish({ formats: ALL, access: 'public' }), {
    show: { publish: { formats: ALL, access: 'public' } },
    steps: [`publish: ${ALL.join(', ')}, public, kept permanently`],
  }),
  forbidden(
    'a public show of an operator',
    publish({ access: 'public' }),
    'A show with public recordings (publish.access) requires the role admin',
  ),
  forbidden(
    'a public recording of an operator',
    {
      recordings: [
        { name: 'a' },
        { name: 'b', publish: { access: 'signed' } },
        { name: 'c', publish: { access: 'public' } },
      ],
    },
    'A show with public recordings (recordings[2].publish.access) requires the role admin',
  ),
  {
    ...accepted('signed recordings of an operator', { publish: { access: 'signed' }, ...own({ access: 'signed' }) }),
    role: 'operator',
  },
  accepted(
    'a recording without formats in a public show',
    { publish: { access: 'public' }, ...own({ formats: [] }) },
    {
      steps: ['publish: program: only the manifest, public, kept permanently'],
    },
  ),
  accepted('former names of formats', publish({ formats: ['streamable', 'sound'] }), {
    show: { publish: { formats: ['faststart', 'audio'] } },
  }),
  refused('9 formats', publish({ formats: [...ALL, 'poster'] }), { 'publish.formats': 'must have at most 8 entries' }),
  refused(
    'renditions without hls',
    { publish: { formats: ['renditions'] }, ...own({ formats: ['renditions'] }) },
    {
      'publish.formats': PART,
      'recordings[0].publish.formats': PART,
    },
  ),
  accepted('renditions with hls', publish({ formats: ['renditions', 'hls'] })),
  refused(
    'an unknown access',
    { publish: { access: 'private' }, ...own({ access: 'all' }) },
    {
      'publish.access': 'must be "signed" or "public"',
      'recordings[0].publish.access': 'must be "signed" or "public"',
    },
  ),
  ...DAYS.map((keepDays) =>
    accepted(
      `a recording that is kept for ${keepDays} days`,
      { publish: { keepDays } },
      {
        show: { publish: { keepDays } },
        steps: [`publish: ${EVERYTHING}, for callers of the API, deleted after ${keepDays} days`],
      },
    ),
  ),
  refused(
    'a recording that is kept for two days',
    { publish: { keepDays: 2 }, ...own({ keepDays: 0 }) },
    {
      'publish.keepDays': `must be ${DAYS.join(' or ')}`,
      'recordings[0].publish.keepDays': `must be ${[...DAYS, null].join(' or ').replace(/ $/, ' null')}`,
    },
  ),
  refused('a show that keeps recordings for null days', publish({ keepDays: null }), {
    'publish.keepDays': `must be ${DAYS.join(' or ')}`,
  }),
  accepted(
    'a recording with its own publishing',
    {
      publish: { keepDays: 30, formats: ['poster'] },
      recordings: [
        { name: 'a' },
        { name: 'b', publish: { access: 'public' } },
        { name: 'c', publish: { keepDays: null, formats: [] } },
        { name: 'd', publish: { keepDays: 7 } },
      ],
    },
    {
      show: { recordings: [{ publish: null }, { publish: { access: 'public' } }, { publish: { formats: [] } }] },
      steps: [
        'publish: poster, for callers of the API, deleted after 30 days',
        'publish: b: poster, public, deleted after 30 days',
        'publish: c: only the manifest, for callers of the API, kept permanently',
        'publish: d: poster, for callers of the API, deleted after 7 days',
      ],
    },
  ),
  accepted(
    'recordings that all have their own publishing',
    { publish: { keepDays: 1 }, ...own({ access: 'signed' }) },
    {
      noSteps: [`publish: ${EVERYTHING}, for callers of the API, deleted after 1 days`],
      steps: [`publish: program: ${EVERYTHING}, for callers of the API, deleted after 1 days`],
    },
  ),
]
