import type { Planted } from '../mutant.ts'

/** Mistakes while a show is live. They were written without knowledge of the tests and the simulation. */
export const unseenOfLiveShows: readonly Planted[] = [
  {
    what: 'the tolerance for clocks has the wrong sign, so composers of the first seconds of a show are not adopted',
    edits: [
      {
        file: 'lib/show/run/adoption.ts',
        text: 'Date.parse(acceptedAt) - MAX_CLOCK_SKEW',
        instead: 'Date.parse(acceptedAt) + MAX_CLOCK_SKEW',
      },
    ],
    seed: 18,
  },
  {
    what: 'a stray archive with the tag of a noted part takes the place of the noted one',
    edits: [
      {
        file: 'lib/show/run/merge-observation.ts',
        text: 'if (unnoted && idOf(unnoted)) return entries',
        instead: 'if (unnoted && idOf(unnoted) === id) return entries',
      },
    ],
    seed: 42,
  },
  {
    what: 'a broadcast that the platform does not know any more is not noted as gone',
    edits: [
      {
        file: 'lib/show/run/observation.ts',
        text: 'gone: [...broadcasts.gone, ...composers.gone]',
        instead: 'gone: [...composers.gone]',
      },
    ],
    seed: 10,
  },
  {
    what: 'the next part of an RTMP broadcast starts before the part with the same stream keys is stopped',
    edits: [
      {
        file: 'lib/show/run/watch/roll-over.ts',
        text: '  const stopped = isExclusive && before ? [await stopBroadcastPart(services, before)] : []\n  const started = await startBroadcastPart(services, part)\n',
        instead:
          '  const started = await startBroadcastPart(services, part)\n  const stopped = isExclusive && before ? [await stopBroadcastPart(services, before)] : []\n',
      },
    ],
    seed: 30,
  },
  {
    what: 'the next poll is not set for the time of the next cue',
    edits: [
      { file: 'lib/show/run/watch/watch-show.ts', text: '      timeOfNextCue(show, state, now),\n', instead: '' },
    ],
    seed: 9,
  },
  {
    what: 'the second announcement of a show is taken for a repetition of the first',
    edits: [
      {
        file: 'lib/show/controls/announce.ts',
        text: "what.startsWith('announcement.') && id === occasion",
        instead: "what.startsWith('announcement.')",
      },
    ],
    seed: 38,
  },
  {
    what: 'a pending change that the platform could not take for the moment is skipped when the changes continue',
    edits: [
      { file: 'lib/show/controls/pending-changes.ts', text: 'made: error.index }', instead: 'made: error.index + 1 }' },
    ],
    seed: 20,
  },
  {
    what: 'the first of several layout changes of one request, not the last, is kept for the next parts',
    edits: [
      { file: 'lib/show/controls/apply-changes.ts', text: 'layouts.findLast((one)', instead: 'layouts.find((one)' },
    ],
    seed: 14,
  },
  {
    what: 'two simultaneous callbacks of an answered call both play its tones',
    edits: [
      {
        file: 'lib/show/dial-ins/dial-in-dtmf.ts',
        text: '?.tonesAskedBy !== askedBy',
        instead: '?.tonesAskedAt === undefined',
      },
    ],
    seed: 24,
  },
  {
    what: 'the lead before the next part is not shortened for a broadcast with a short maximum',
    edits: [
      { file: 'lib/show/plan/part-sequences.ts', text: 'Math.min(LEAD, seconds / 4) * 1000', instead: 'LEAD * 1000' },
    ],
    seed: 14,
  },
  {
    what: 'an earlier request to resume a recording also ends its later pauses',
    edits: [{ file: 'lib/show/state/pauses.ts', text: '...resumed.filter((at) => at >= from)', instead: '...resumed' }],
    seed: 38,
  },
  {
    what: 'the second failure of an RTMP output has the identity of the first and is dropped',
    edits: [
      {
        file: 'lib/show/plan/output-events.ts',
        text: 'entries.filter((entry) => entry.what === what).length + 1',
        instead: 'entries.filter((entry) => entry.what === what).length',
      },
    ],
    seed: 40,
  },
  {
    what: 'the next poll may be later than the planned end, so the show is stopped late',
    edits: [
      {
        file: 'lib/show/plan/poll-interval.ts',
        text: 'Math.min(Date.parse(plannedEndAt), next, nextStep(steps, now))',
        instead: 'Math.min(next, nextStep(steps, now))',
      },
    ],
    seed: 42,
  },
  {
    what: 'a broadcast that failed while the show was live does not make the show fail',
    edits: [
      {
        file: 'lib/show/plan/show-outcome.ts',
        text: "({ status, problem }) => problem || status === 'failed'",
        instead: '({ problem }) => problem',
      },
    ],
    seed: 29,
  },
  {
    what: 'the forecast states the end of a planned pause as its length',
    edits: [
      { file: 'lib/show/plan/forecast/show-steps.ts', text: 'for ${inTime(to - from)}', instead: 'for ${inTime(to)}' },
    ],
    seed: 3,
  },
  {
    what: 'an archive that the platform pauses while no participant publishes counts as one that does not run',
    edits: [
      {
        file: 'lib/show/state/part-entries.ts',
        text: "status === 'started' || status === 'paused'",
        instead: "status === 'started'",
      },
    ],
    seed: 6,
  },
  {
    what: 'listeners count as a participant who has published, so the wait for an empty session begins at once',
    edits: [
      {
        file: 'lib/show/run/start/check-audience.ts',
        text: "check.is === 'present' && check.publishes && request.show.duration === null",
        instead: "check.is === 'present' && request.show.duration === null",
      },
    ],
    seed: 6,
  },
  {
    what: 'the secrets of a series that stay unusable are reported to its owner at every check',
    edits: [
      {
        file: 'lib/show/run/sweep/check-secrets-ahead.ts',
        text: 'const fresh = problems.filter(({ reference }) => !state.invalidSecrets?.includes(reference.secret))',
        instead: 'const fresh = problems',
      },
    ],
    seed: 36,
  },
  {
    what: "the sweep looks for the execution of a show by the show's id although it may have another name",
    edits: [
      {
        file: 'lib/show/run/sweep/sweep.ts',
        text: 'showExecutions.describe(executionName ?? showId)',
        instead: 'showExecutions.describe(showId)',
      },
    ],
    seed: 28,
  },
  {
    what: 'RTMP outputs are missing in what a show takes from a shared observation',
    edits: [
      {
        file: 'lib/show/run/watch/observe-together.ts',
        text: '...(hlsStatus && { hlsStatus }), rtmp },',
        instead: '...(hlsStatus && { hlsStatus }) },',
      },
    ],
    seed: 2,
  },
  {
    what: 'streams that were selected without audio or video get both tracks in the next part',
    edits: [
      {
        file: 'lib/show/run/watch/roll-over.ts',
        text: '.map(({ streamId, ...tracks }) => ({ addStream: streamId, ...tracks }))',
        instead: '.map(({ streamId }) => ({ addStream: streamId, hasAudio: true, hasVideo: true }))',
      },
    ],
    seed: 30,
  },
  {
    what: 'a show whose only recording is paused on request, without planned pauses, counts as ended',
    edits: [
      {
        file: 'lib/show/run/watch/watch-show.ts',
        text: 'if (show.recordings.some((order) => isPausedAt(order, state, now))) return undefined',
        instead:
          'if (show.recordings.some((order) => order.pauses !== undefined && isPausedAt(order, state, now))) return undefined',
      },
    ],
    seed: 38,
  },
  {
    what: 'a stranded archive of a running show is rescued only when the platform has just deleted it',
    edits: [{ file: 'lib/show/plan/rescue-policy.ts', text: 'RESCUE_AGE = 129_600', instead: 'RESCUE_AGE = 259_200' }],
    seed: 42,
  },
]
