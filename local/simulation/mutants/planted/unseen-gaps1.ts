import type { Planted } from '../mutant.ts'

/** Mistakes of live shows and of the sweep that no seed reached before, or that nothing judged. */
export const unseenGaps1: readonly Planted[] = [
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
