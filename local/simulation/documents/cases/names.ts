import { accepted, type DocumentCase, recording, refused, times } from '../document-case.ts'

const EMPTY = 'must not be empty'
const BLANK = 'must not be blank'
const CONTROLS = 'must not contain control characters'
const NAME = 'must be 1 to 64 letters, digits, dashes or underscores'
const LABEL = 'is a name that must be 1 to 64 letters, digits or _.:/-'
const LONG = 'n'.repeat(65)

const hls = { hls: {} }
const rtmp = (id: string) => ({ id, serverUrl: 'rtmp://live.example.com/app', streamName: { secret: 'documents#any' } })
const scene = (name: string, page = name) => ({ name, url: `https://app.example/${page}` })
const call = (name: string) => ({ name, uri: 'sip:desk@example.com' })

/** Returns lists in which every entry has this name. */
const named = (name: string) => ({
  recordings: [{ name }],
  scenes: [scene(name, 'page')],
  dialIns: [call(name)],
  broadcasts: [{ name, rtmp: [rtmp(name)] }],
})
const placesOfNames = [
  'recordings[0].name',
  'scenes[0].name',
  'dialIns[0].name',
  'broadcasts[0].name',
  'broadcasts[0].rtmp[0].id',
]
const refusedNames = (what: string, name: string) =>
  refused(what, named(name), Object.fromEntries(placesOfNames.map((path) => [path, NAME])))

/** Titles, names of entries, and labels. */
export const names: readonly DocumentCase[] = [
  accepted('a title of 255 characters', { name: 'n'.repeat(255) }, { show: { name: 'n'.repeat(255) } }),
  refused('a title of 256 characters', { name: 'n'.repeat(256) }, { name: 'must have at most 255 characters' }),
  refused('an empty title', { name: '' }, { name: EMPTY }),
  refused('a blank title', { name: ' ' }, { name: BLANK }),
  refused('a title of invisible characters', { name: '\u200b\u00ad' }, { name: BLANK }),
  refused('a title with a bell', { name: 'a\u0007' }, { name: CONTROLS }),
  refused('a title of two lines', { name: 'a\nb' }, { name: CONTROLS }),
  refused('a title with a line separator', { name: 'a\u2028b' }, { name: CONTROLS }),
  refused('a title that changes the direction of writing', { name: 'a\u202eb' }, { name: CONTROLS }),
  refused('a title with an isolated direction of writing', { name: 'a\u2066b' }, { name: CONTROLS }),
  accepted('names of one character', named('a'), { show: named('a') }),
  accepted('names of 64 characters', named(`${'n'.repeat(61)}-_9`)),
  refusedNames('names of 65 characters', LONG),
  refusedNames('empty names', ''),
  refusedNames('names that begin with a dash', '-a'),
  refusedNames('names with a space', 'a b'),
  refused(
    'names that are used twice',
    {
      recordings: [{ name: 'a' }, { name: 'b' }, { name: 'a' }, { name: 'a' }],
      scenes: [scene('a', 'one'), scene('a', 'two')],
      dialIns: [call('x'), call('b'), call('b')],
      broadcasts: [
        { name: 'a', ...hls },
        { name: 'b', rtmp: [rtmp('one'), rtmp('two'), rtmp('one')] },
        { name: 'b', ...hls },
      ],
    },
    {
      'recordings[2].name': 'a is used twice',
      'recordings[3].name': 'a is used twice',
      'scenes[1].name': 'a is used twice',
      'dialIns[2].name': 'b is used twice',
      'broadcasts[1].rtmp[2].id': 'one is used twice',
      'broadcasts[2].name': 'b is used twice',
    },
  ),
  refused(
    'a page that is in two scenes',
    { scenes: [scene('a', 'page'), scene('b', 'other'), scene('c', 'page')] },
    { 'scenes[2].url': 'https://app.example/page is used twice' },
  ),
  accepted('one name in several lists', { ...named('a'), recordings: [{ name: 'a' }, { name: 'A' }] }),
  accepted(
    '20 labels',
    { labels: Object.fromEntries(times(20, (number) => [`${'l'.repeat(60)}_.${number + 10}`, 'v'.repeat(256)])) },
    { show: { labels: { [`${'l'.repeat(60)}_.29`]: 'v'.repeat(256) } } },
  ),
  accepted('a label without a value', { labels: { '0:a/b-c': '' } }, { show: { labels: { '0:a/b-c': '' } } }),
  refused(
    '21 labels',
    { labels: Object.fromEntries(times(21, (number) => [`l${number}`, ''])) },
    { labels: 'must have at most 20 entries' },
  ),
  refused(
    'labels with wrong names',
    { labels: { [LONG]: '', '.a': '', 'a b': '', constructor: '', prototype: '' } },
    {
      [`labels.${LONG}`]: LABEL,
      'labels..a': LABEL,
      'labels.a b': LABEL,
      'labels.constructor': 'is a name that must not be constructor or prototype',
      'labels.prototype': 'is a name that must not be constructor or prototype',
    },
  ),
  refused(
    'labels with wrong values',
    { labels: { long: 'v'.repeat(257), lines: 'a\nb', number: 1 } },
    { 'labels.long': 'must have at most 256 characters', 'labels.lines': CONTROLS, 'labels.number': 'must be a text' },
  ),
  accepted(
    'a page with the longest texts',
    {
      page: {
        title: 't'.repeat(200),
        description: `${'d'.repeat(1_998)}\nx`,
        cover: 'https://app.example/c.jpg?size=2',
        accentColor: '#09afAF',
      },
    },
    {
      show: { page: { title: 't'.repeat(200), accentColor: '#09afAF' } },
      steps: [
        `page: ${'t'.repeat(200)}, with a description, with the cover https://app.example/c.jpg?size=2, in #09afAF`,
      ],
    },
  ),
  accepted('a page without fields', { page: {} }, { steps: ['page: Webinar'] }),
  refused(
    'a page with too long texts',
    {
      page: {
        title: 't'.repeat(201),
        description: 'd'.repeat(2_001),
        cover: 'http://app.example/c',
        accentColor: 'red',
      },
    },
    {
      'page.title': 'must have at most 200 characters',
      'page.description': 'must have at most 2000 characters',
      'page.cover': 'must be the https URL of a picture',
      'page.accentColor': 'must be a color such as #1a73e8',
    },
  ),
  refused(
    'a page with empty texts',
    { page: { title: '', description: '', accentColor: '#1a73e' } },
    {
      'page.title': EMPTY,
      'page.description': EMPTY,
      'page.accentColor': 'must be a color such as #1a73e8',
    },
  ),
  refused(
    'a page with blank texts',
    { page: { title: ' ', description: ' \n ' } },
    {
      'page.title': BLANK,
      'page.description': BLANK,
    },
  ),
  refused(
    'a page with control characters',
    { page: { title: 'a\nb', description: 'a\tb' } },
    {
      'page.title': CONTROLS,
      'page.description': CONTROLS,
    },
  ),
  refused('a recording without a name', { recordings: [{}] }, { 'recordings[0].name': 'is missing' }),
  accepted('a recording of any name', recording({ name: '0' }), {
    steps: ['recording: 0: composed, 1280x720 bestFit'],
  }),
]
