import type { Planted } from '../mutant.ts'

/** Mistakes in the sweep and in schedules. */
export const sweeping: readonly Planted[] = [
  {
    what: 'a sweep that finds nothing to do',
    edits: [
      {
        file: 'lib/show/run/sweep/sweep.ts',
        text: 'const showIds = await Array.fromAsync(services.records.eachUnfinished())',
        instead: 'const showIds: string[] = []',
      },
    ],
    seed: 18,
  },
  {
    what: 'a sweep that handles one show only',
    edits: [
      {
        file: 'lib/show/run/sweep/sweep.ts',
        text: 'const showIds = await Array.fromAsync(services.records.eachUnfinished())',
        instead: 'const showIds = (await Array.fromAsync(services.records.eachUnfinished())).slice(0, 1)',
      },
    ],
    seed: 19,
  },
  {
    what: 'a sweep that settles a show which still runs',
    edits: [
      {
        file: 'lib/show/run/sweep/sweep.ts',
        text: "if (since < AFTERMATH || (!isQuiet && since < PLATFORM_END)) return 'left'",
        instead: "if (since < 0) return 'left'",
      },
    ],
    seed: 38,
  },
  {
    what: 'a sweep that closes a show under one name',
    edits: [
      { file: 'lib/tasks/show-machines.ts', text: '`${showId}-close-${closing}`', instead: '`${showId}-close-1`' },
    ],
    seed: 11,
  },
  {
    what: 'a sweep that gives up after one closing',
    edits: [
      { file: 'lib/show/run/sweep/sweep.ts', text: 'if (closing > MAX_CLOSINGS) {', instead: 'if (closing > 0) {' },
    ],
    seed: 19,
  },
  {
    what: 'a lost start that nothing repeats',
    edits: [
      {
        file: 'lib/show/run/sweep/sweep.ts',
        text: "if (clock.now() < Date.parse(acceptedAt) + UNBEGUN) return 'left'",
        instead: "return 'left'",
      },
    ],
    seed: 45,
  },
  {
    what: 'a scheduled show that starts a day late',
    edits: [
      {
        file: 'lib/show/run/sweep/check-scheduled.ts',
        text: 'if (late < TOO_LATE) return start',
        instead: 'if (late > TOO_LATE) return start',
      },
    ],
    seed: 48,
  },
  {
    what: 'an unscheduled series whose schedule stays',
    edits: [
      {
        file: 'lib/show/run/sweep/unschedule.ts',
        text: `  await schedules.delete(showId)
`,
        instead: '',
      },
    ],
    seed: 7,
  },
  {
    what: 'an unscheduled show without a result',
    edits: [
      {
        file: 'lib/show/run/sweep/unschedule.ts',
        text: `  await writeResult(records, state, show.labels, at)
`,
        instead: '',
      },
    ],
    seed: 7,
  },
  {
    what: 'a show that was never started and of which no alarm rings',
    edits: [
      {
        file: 'lib/show/run/sweep/check-scheduled.ts',
        text: 'onReport(await report(services, { showId, sessionId: null, reason, failure: null }))',
        instead: 'await report(services, { showId, sessionId: null, reason, failure: null })',
      },
    ],
    seed: 16,
  },
]
