import { accepted, type DocumentCase, refused, times } from '../document-case.ts'

const SECOND = 1_000
const DAY = 86_400_000
const FORM = 'must be a time such as 2026-12-01T19:00 or 2026-12-01T19:00+01:00'
const YEARS = 'must be in the years 1970 to 2199'
const NO_ZONE = 'must be a time zone such as Europe/Berlin'
const NO_DATE = 'must be a date such as 2027-06-30'
const berlin = 'Europe/Berlin'

const at = (time: string, zone?: string) => ({ start: { at: time, zone } })
const series = (fields: object) => ({ start: { cron: '0 0 1 1 ? 2040', ...fields } })
const secondOf = (time: number) => new Date(Math.floor(time / SECOND) * SECOND).toISOString().slice(0, 19)
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)
const noTime = (time: string, message = FORM) => refused(`a start at ${time}`, at(time), { 'start.at': message })

/** Single starts, with the time (UTC) and the stored start. */
const single: readonly (readonly [at: string, zone: string | undefined, instant: string, stored?: object])[] = [
  ['2040-06-01T19:00', undefined, '2040-06-01T19:00:00', { at: '2040-06-01T19:00', zone: 'UTC' }],
  ['2040-06-01T19:00:30', berlin, '2040-06-01T17:00:30', { at: '2040-06-01T19:00:30', zone: berlin }],
  ['2040-01-01T00:00', 'Asia/Kolkata', '2039-12-31T18:30:00'],
  ['2040-12-31T23:59:59', 'America/New_York', '2041-01-01T04:59:59'],
  ['2040-02-29T12:00', undefined, '2040-02-29T12:00:00'],
  ['2199-12-31T23:59', undefined, '2199-12-31T23:59:00'],
  ['2040-06-01T19:00Z', undefined, '2040-06-01T19:00:00', { at: '2040-06-01T19:00', zone: 'UTC' }],
  ['2040-06-01T19:00:05.123456789Z', undefined, '2040-06-01T19:00:05', { at: '2040-06-01T19:00:05', zone: 'UTC' }],
  ['2040-06-01T19:00+02:00', undefined, '2040-06-01T17:00:00', { at: '2040-06-01T17:00', zone: 'UTC' }],
  ['2040-06-01T19:00:00+02:00', berlin, '2040-06-01T17:00:00', { at: '2040-06-01T19:00', zone: berlin }],
  ['2040-06-01T19:00:30-04:00', 'America/New_York', '2040-06-01T23:00:30', { at: '2040-06-01T19:00:30' }],
  // Clocks are set back from 3:00 to 2:00.
  ['2040-10-28T02:30', berlin, '2040-10-28T00:30:00', { at: '2040-10-28T02:30', zone: berlin }],
  ['2040-10-28T02:30+02:00', berlin, '2040-10-28T00:30:00', { at: '2040-10-28T02:30', zone: berlin }],
  ['2040-10-28T02:30+01:00', berlin, '2040-10-28T01:30:00', { at: '2040-10-28T01:30', zone: 'UTC' }],
  ['2040-10-28T03:00', berlin, '2040-10-28T02:00:00'],
  ['2040-03-25T03:00', berlin, '2040-03-25T01:00:00'],
  ['2040-03-25T01:59', berlin, '2040-03-25T00:59:00'],
]

/** Starts of shows, once or in series. The world is in 2030 or 2031. */
export const starts: readonly DocumentCase[] = [
  accepted(
    'a start at once',
    {},
    {
      show: { start: null },
      steps: ['start: immediately'],
      noSteps: ['secrets', 'pause', 'scene', 'broadcast', 'cue'],
    },
  ),
  ...single.map(([time, zone, instant, stored = {}]) =>
    accepted(`a start at ${time} in ${zone ?? 'no zone'}`, at(time, zone), {
      show: { start: stored },
      nextStart: `${instant}.000Z`,
    }),
  ),
  accepted('a start at a local time in a zone', at('2040-06-01T19:00', berlin), {
    steps: ['start: 2040-06-01T19:00 in Europe/Berlin'],
  }),
  accepted('a start at a local time that occurs twice', at('2040-10-28T02:30', berlin), {
    steps: [
      'start: 2040-10-28T02:30 in Europe/Berlin, which occurs twice: at the first, 2040-10-28T00:30Z (the second is 2040-10-28T01:30Z)',
    ],
  }),
  accepted('a start in the next second', (now) => at(secondOf(now + SECOND))),
  refused(
    'a start now',
    (now) => at(secondOf(now)),
    (now) => ({
      'start.at': `has passed: it was ${secondOf(now)}.000Z`,
    }),
  ),
  refused(
    'a start a day ago',
    (now) => at(secondOf(now - DAY)),
    (now) => ({
      'start.at': `has passed: it was ${secondOf(now - DAY)}.000Z`,
    }),
  ),
  refused('a start in 1970', at('1970-01-01T00:00'), { 'start.at': 'has passed: it was 1970-01-01T00:00:00.000Z' }),
  noTime('2040-06-01'),
  noTime('2040-06-01 19:00'),
  noTime('2040-6-1T19:00'),
  noTime('2040-06-01T19:00:00.5'),
  noTime('2040-06-01T19:00:00.1234567890Z'),
  noTime('2040-06-01T19:00+0200'),
  noTime('tomorrow'),
  noTime('2040-02-30T19:00', 'is not a date'),
  noTime('2041-02-29T19:00', 'is not a date'),
  noTime('2040-06-31T19:00', 'is not a date'),
  noTime('2040-13-01T19:00', 'is not a date'),
  noTime('2040-06-01T24:00', 'is not a date'),
  noTime('2040-06-01T19:60', 'is not a date'),
  noTime('2040-06-01T19:00+24:00', 'is not a date'),
  noTime('1969-12-31T23:59', YEARS),
  noTime('2200-01-01T00:00', YEARS),
  noTime('2199-12-31T23:59-01:00', YEARS),
  noTime('1970-01-01T00:00+01:00', YEARS),
  refused('a start that clocks are set forward over', at('2040-03-25T02:30', berlin), {
    'start.at': `does not exist in ${berlin}: its clocks are set forward over it`,
  }),
  refused('a start at another offset than that of its zone', at('2040-06-01T19:00+01:00', berlin), {
    'start.at': `has another offset than ${berlin} at that time: leave out one of them`,
  }),
  refused('a start at an offset and a time that do not exist', at('2040-03-25T02:30+01:00', berlin), {
    'start.at': `has another offset than ${berlin} at that time: leave out one of them`,
  }),
  refused('an unknown zone', at('2040-06-01T19:00', 'Mars/Phobos'), { 'start.zone': NO_ZONE }),
  refused('an unknown zone of a time with an offset', at('2040-06-01T19:00+01:00', 'Berlin'), {
    'start.zone': NO_ZONE,
  }),
  refused('an offset as a zone', at('2040-06-01T19:00', '+01:00'), { 'start.zone': NO_ZONE }),
  refused('an empty zone of a series', series({ zone: '' }), { 'start.zone': NO_ZONE }),
  refused(
    'a start at a time and by an expression',
    { start: { at: '2040-06-01T19:00', cron: '0 0 1 1 ? 2040' } },
    {
      start: 'must have at or cron: they exclude each other',
    },
  ),
  refused('a start without a time', { start: {} }, { start: 'must be { at, zone } or { cron, zone }' }),
  refused('a start that is a text', { start: 'now' }, { start: 'must be { at, zone } or { cron, zone }' }),
  refused(
    'a start with an unknown field',
    { start: { at: '2040-06-01T19:00', until: '2040-07-01' } },
    {
      'start.until': 'is not a field of a show',
    },
  ),
  accepted('a series whose last year is this year', (now) => ({
    start: { cron: `* * * * ? ${new Date(now).getUTCFullYear()}` },
  })),
  accepted('a series by default', series({}), { show: { start: { zone: 'UTC', until: null, count: null } } }),
  accepted(
    'a series in a zone with every limit',
    {
      start: {
        cron: '30 9 ? 6 MON 2040',
        zone: berlin,
        until: '2040-06-30',
        except: ['2040-06-04', '2040-06-18'],
        count: 3,
      },
    },
    {
      nextStart: '2040-06-11T07:30:00.000Z',
      steps: [
        `start: every Monday at 9:30 in June in 2040 (${berlin}), until 2040-06-30, except on 2040-06-04, 2040-06-18, 3 times`,
      ],
    },
  ),
  accepted('a series that starts once', series({ count: 1 }), {
    steps: ['start: on day 1 of the month at 0:00 in January in 2040 (UTC), once'],
  }),
  accepted(
    'the longest series',
    series({ count: 500, except: times(100, (day) => dayOf(Date.UTC(2041, 0, 1 + day))) }),
  ),
  refused('a series of no start', series({ count: 0 }), { 'start.count': 'must be at least 1' }),
  refused('a series of 501 starts', series({ count: 501 }), { 'start.count': 'must be at most 500' }),
  refused('101 exceptions', series({ except: times(101, (day) => dayOf(Date.UTC(2041, 0, 1 + day))) }), {
    'start.except': 'must have at most 100 entries',
  }),
  refused('an exception that is listed twice', series({ except: ['2040-01-02', '2040-01-03', '2040-01-02'] }), {
    'start.except': 'must not have a date twice',
  }),
  refused('exceptions that are no dates', series({ except: ['2041-02-29', 'Monday'], until: '2040-1-1' }), {
    'start.except[0]': NO_DATE,
    'start.except[1]': NO_DATE,
    'start.until': NO_DATE,
  }),
  accepted('a series until its only day', series({ until: '2040-01-01' }), { nextStart: '2040-01-01T00:00:00.000Z' }),
  accepted('a series until the day before', series({ until: '2039-12-31' }), {
    show: { start: { until: '2039-12-31' } },
  }),
  accepted(
    'a series in a zone until its only day',
    { start: { cron: '0 23 1 1 ? 2040', zone: 'America/New_York', until: '2040-01-01' } },
    {
      nextStart: '2040-01-02T04:00:00.000Z',
    },
  ),
  accepted(
    'a series without its first day',
    { start: { cron: '0 9 * 6 ? 2040', except: ['2040-06-01', '2040-06-02'] } },
    {
      nextStart: '2040-06-03T09:00:00.000Z',
    },
  ),
  accepted('a series that ends today', (now) => ({ start: { cron: '* * * * ? *', until: dayOf(now) } })),
  refused(
    'a series that ended yesterday',
    (now) => ({ start: { cron: '* * * * ? *', until: dayOf(now - DAY) } }),
    (now) => ({
      'start.until': `has passed: its last day was ${dayOf(now - DAY)}`,
    }),
  ),
]
