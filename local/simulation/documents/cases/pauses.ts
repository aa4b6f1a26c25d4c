import { accepted, type DocumentCase, recording, refused, times } from '../document-case.ts'

/** Returns a change to one recording with these pauses, each from and to a second. */
const paused = (...pauses: readonly (readonly [from: number, to: number])[]) =>
  recording({ pauses: pauses.map(([from, to]) => ({ from, to })) })

/** Planned pauses, in a show of 600 s. */
export const pauses: readonly DocumentCase[] = [
  accepted('the earliest pause', paused([10, 20]), {
    steps: ['pause: program: after 10 s, for 10 s'],
  }),
  refused('a pause that is too early', paused([9, 20]), { 'recordings[0].pauses[0].from': 'must be at least 10' }),
  refused('a pause that ends too early', paused([9, 19]), {
    'recordings[0].pauses[0].from': 'must be at least 10',
    'recordings[0].pauses[0].to': 'must be at least 20',
  }),
  accepted('the latest pause', paused([580, 590]), { steps: ['pause: program: after 9 min 40 s, for 10 s'] }),
  refused('a pause that ends too late', paused([580, 591]), {
    'recordings[0].pauses[0].to': 'must be at least 10 s before the end of the show, which lasts 600 s',
  }),
  refused('a pause after the end', paused([700, 720]), {
    'recordings[0].pauses[0].to': 'must be at least 10 s before the end of the show, which lasts 600 s',
  }),
  refused('a pause that is too short', paused([100, 109]), {
    'recordings[0].pauses[0].to': 'must be at least 10 s after from',
  }),
  refused('a pause that ends before it begins', paused([100, 50]), {
    'recordings[0].pauses[0].to': 'must be at least 10 s after from',
  }),
  accepted('the shortest pauses next to each other', paused([100, 110], [120, 130], [140, 590]), {
    steps: ['pause: program: after 2 min, for 10 s', 'pause: program: after 2 min 20 s, for 7 min 30 s'],
  }),
  refused('pauses that are too close', paused([100, 110], [119, 130]), {
    'recordings[0].pauses[1].from': 'must be at least 10 s after the pause before, at 110 s',
  }),
  refused('pauses that overlap', paused([100, 200], [150, 250], [240, 245]), {
    'recordings[0].pauses[1].from': 'must be at least 10 s after the pause before, at 200 s',
    'recordings[0].pauses[2].from': 'must be at least 10 s after the pause before, at 250 s',
    'recordings[0].pauses[2].to': 'must be at least 10 s after from',
  }),
  accepted('20 pauses', paused(...times(20, (number) => [10 + number * 20, 20 + number * 20] as const))),
  refused('21 pauses', paused(...times(21, (number) => [10 + number * 20, 20 + number * 20] as const)), {
    'recordings[0].pauses': 'must have at most 20 entries',
  }),
  refused('a pause at 1e300 seconds', paused([1e300, 1e300]), {
    'recordings[0].pauses[0].from': 'must be at most 9007199254740991',
    'recordings[0].pauses[0].to': 'must be at least 10 s before the end of the show, which lasts 600 s',
  }),
  refused('a pause without its end', recording({ pauses: [{ from: 10 }] }), {
    'recordings[0].pauses[0].to': 'is missing',
  }),
  refused('a pause of half seconds', recording({ pauses: [{ from: 10.5, to: 100 }] }), {
    'recordings[0].pauses[0].from': 'must be a whole number',
  }),
  refused('a pause without parts', recording({ parts: false, pauses: [{ from: 100, to: 200 }] }), {
    'recordings[0].pauses': 'must not be set with parts false: a recording resumes in another part',
  }),
  refused('a pause of selected streams', recording({ streamMode: 'manual', pauses: [{ from: 100, to: 200 }] }), {
    'recordings[0].pauses': 'must not be set with streamMode manual: the platform forgets the selected streams',
  }),
  accepted('no pause in one part', recording({ parts: false, streamMode: 'manual', pauses: [] })),
  accepted('a pause in one of two recordings', {
    recordings: [{ name: 'a' }, { name: 'b', pauses: [{ from: 300, to: 400 }] }],
  }),
  refused(
    'wrong pauses in one of two recordings',
    { recordings: [{ name: 'a' }, { name: 'b', pauses: [{ from: 300, to: 305 }] }] },
    { 'recordings[1].pauses[0].to': 'must be at least 10 s after from' },
  ),
  accepted('a pause before an open end', {
    duration: null,
    maxDuration: 30_000,
    ...recording({ pauses: [{ from: 14_000, to: 29_990 }] }),
  }),
  refused(
    'a pause up to an open end',
    { duration: null, ...recording({ pauses: [{ from: 14_000, to: 35_991 }] }) },
    {
      'recordings[0].pauses[0].to': 'must be at least 10 s before the end of the show, which lasts 36000 s',
    },
  ),
  accepted(
    'long pauses of a long show',
    {
      duration: 60_000,
      ...recording({
        pauses: [
          { from: 14_400, to: 20_000 },
          { from: 34_401, to: 50_000 },
        ],
      }),
    },
    { steps: ['recording: program: composed, 1280x720 bestFit, at least 4 parts of up to 4 h'] },
  ),
]
