import { accepted, broadcast, type DocumentCase, recording, refused } from '../document-case.ts'

const OPEN = 'is only for a show with an open end, which has duration null'
const tooLong = (seconds: number, what: string, limit: number) =>
  `must be true in a show of ${seconds} s: the platform stops ${what} after ${limit} s`

/** Ends of shows, waits, and the longest time of one part. */
export const durations: readonly DocumentCase[] = [
  accepted('a show of a second', { duration: 1 }, { show: { maxDuration: null, emptyWait: null } }),
  accepted(
    'a show of seven days',
    { duration: 604_800 },
    {
      steps: [
        'duration: 7 d from the first recording or broadcast',
        'recording: program: composed, 1280x720 bestFit, at least 42 parts of up to 4 h',
      ],
    },
  ),
  refused('a show of no time', { duration: 0 }, { duration: 'must be at least 1' }),
  refused('a show of more than seven days', { duration: 604_801 }, { duration: 'must be at most 604800' }),
  refused('a show of 1e300 seconds', { duration: 1e300 }, { duration: 'must be at most 604800' }),
  accepted(
    'an open end by default',
    { duration: null },
    {
      show: { duration: null, maxDuration: 36_000, emptyWait: 300 },
      steps: [
        'duration: open: until no participant publishes for 5 min, at the latest 10 h from the first recording or broadcast',
      ],
    },
  ),
  accepted(
    'the latest open end',
    { duration: null, maxDuration: 604_800, emptyWait: 86_400 },
    {
      show: { maxDuration: 604_800, emptyWait: 86_400 },
    },
  ),
  accepted(
    'the earliest open end',
    { duration: null, maxDuration: 1, emptyWait: 1 },
    {
      show: { maxDuration: 1, emptyWait: 1 },
      steps: [
        'duration: open: until no participant publishes for 1 s, at the latest 1 s from the first recording or broadcast',
      ],
    },
  ),
  refused(
    'an open end that is too early',
    { duration: null, maxDuration: 0, emptyWait: 0 },
    {
      maxDuration: 'must be at least 1',
      emptyWait: 'must be at least 1',
    },
  ),
  refused(
    'an open end that is too late',
    { duration: null, maxDuration: 604_801, emptyWait: 86_401 },
    {
      maxDuration: 'must be at most 604800',
      emptyWait: 'must be at most 86400',
    },
  ),
  refused(
    'a planned end with the fields of an open one',
    { maxDuration: 700, emptyWait: 60 },
    {
      maxDuration: OPEN,
      emptyWait: OPEN,
    },
  ),
  refused('a planned end with a maximum', { maxDuration: 700 }, { maxDuration: OPEN }),
  refused('a planned end with a wait', { emptyWait: 60 }, { emptyWait: OPEN }),
  accepted(
    'the shortest waits',
    { audienceWait: 1, uploadWait: 1 },
    {
      steps: ['audience: awaited for up to 1 s', 'uploads: awaited for up to 1 s after the end'],
    },
  ),
  accepted(
    'the longest waits',
    { audienceWait: 86_400, uploadWait: 86_400 },
    {
      steps: ['audience: awaited for up to 1 d', 'uploads: awaited for up to 1 d after the end'],
    },
  ),
  accepted(
    'waits by default',
    {},
    {
      show: { audienceWait: 900, uploadWait: 3_600 },
      steps: ['audience: awaited for up to 15 min', 'uploads: awaited for up to 1 h after the end'],
    },
  ),
  refused(
    'waits of no time',
    { audienceWait: 0, uploadWait: 0 },
    {
      audienceWait: 'must be at least 1',
      uploadWait: 'must be at least 1',
    },
  ),
  refused(
    'waits of more than a day',
    { audienceWait: 86_401, uploadWait: 86_401 },
    {
      audienceWait: 'must be at most 86400',
      uploadWait: 'must be at most 86400',
    },
  ),
  accepted(
    'one part as long as an archive',
    { duration: 14_400, ...recording({ parts: false }) },
    {
      steps: ['recording: program: composed, 1280x720 bestFit'],
    },
  ),
  refused(
    'one part longer than an archive',
    { duration: 14_401, ...recording({ parts: false }) },
    {
      'recordings[0].parts': tooLong(14_401, 'an archive', 14_400),
    },
  ),
  accepted(
    'two parts',
    { duration: 14_401 },
    {
      steps: ['recording: program: composed, 1280x720 bestFit, at least 2 parts of up to 4 h'],
    },
  ),
  refused(
    'one part in a show with an open end',
    { duration: null, ...recording({ parts: false }) },
    {
      'recordings[0].parts': tooLong(36_000, 'an archive', 14_400),
    },
  ),
  accepted('one part until a maximum', { duration: null, maxDuration: 14_400, ...recording({ parts: false }) }),
  refused(
    'one part in the second of two recordings',
    { duration: 20_000, recordings: [{ name: 'a' }, { name: 'b', parts: false }] },
    { 'recordings[1].parts': tooLong(20_000, 'an archive', 14_400) },
  ),
  accepted(
    'the longest broadcast in one part',
    { duration: 36_000, ...broadcast({ hls: {} }) },
    {
      show: { broadcasts: [{ parts: false, maxDuration: null }] },
      steps: ['broadcast: live: HLS, 1280x720 bestFit'],
    },
  ),
  refused(
    'a broadcast that is too long for one part',
    { duration: 36_001, ...broadcast({ hls: {} }) },
    {
      'broadcasts[0].parts': tooLong(36_001, 'this broadcast', 36_000),
    },
  ),
  accepted(
    'a broadcast in two parts',
    { duration: 36_001, ...broadcast({ hls: {}, parts: true }) },
    {
      steps: ['broadcast: live: HLS, 1280x720 bestFit, at least 2 parts of up to 10 h'],
    },
  ),
  accepted('the shortest maximum of a broadcast', { duration: 60, ...broadcast({ hls: {}, maxDuration: 60 }) }),
  refused(
    'a show that is longer than its broadcast',
    { duration: 61, ...broadcast({ hls: {}, maxDuration: 60 }) },
    {
      'broadcasts[0].parts': tooLong(61, 'this broadcast', 60),
    },
  ),
  accepted(
    'parts of a minute',
    { duration: 121, ...broadcast({ hls: {}, maxDuration: 60, parts: true }) },
    {
      steps: ['broadcast: live: HLS, 1280x720 bestFit, at least 3 parts of up to 1 min'],
    },
  ),
  refused('a maximum of a broadcast that is too short', broadcast({ hls: {}, maxDuration: 59, parts: true }), {
    'broadcasts[0].maxDuration': 'must be at least 60',
  }),
  refused('a maximum of a broadcast that is too long', broadcast({ hls: {}, maxDuration: 36_001 }), {
    'broadcasts[0].maxDuration': 'must be at most 36000',
  }),
  accepted(
    'a time with every unit',
    { duration: 93_784 },
    {
      steps: ['duration: 1 d 2 h 3 min 4 s from the first recording or broadcast'],
    },
  ),
]
