import type { Planted } from '../mutant.ts'

/** Mistakes in stopping, rescuing and reporting shows. */
export const stopping: readonly Planted[] = [
  {
    what: 'a throttled stop that is taken for done',
    edits: [
      {
        file: 'lib/show/run/platform-errors.ts',
        text: 'error instanceof PlatformConflictError || error instanceof PlatformNotFoundError',
        instead: 'error instanceof PlatformConflictError || error instanceof PlatformThrottledError',
      },
    ],
    seed: 18,
  },
  {
    what: 'a stop that is not repeated after a failure',
    edits: [
      {
        file: 'lib/show/run/stop/stop-show.ts',
        text: 'if (problems.length > 0) throw firstRetryable(problems)',
        instead: 'if (problems.length < 0) throw firstRetryable(problems)',
      },
      {
        file: 'lib/show/run/finish/check-uploads.ts',
        text: 'await stopResources(services, { state, sessionId, seen }) // failures',
        instead: '// failures',
      },
      {
        file: 'lib/show/run/sweep/sweep.ts',
        text: 'if (!isQuiet) await stopResources(services, { state, sessionId, seen })',
        instead: '',
      },
    ],
    seed: 21,
  },
  {
    what: 'archives that are not stopped',
    edits: [
      {
        file: 'lib/show/run/stop/stop-resources.ts',
        text: '...archives.map((archiveId) => () => client.stopArchive({ archiveId })),',
        instead: '',
      },
    ],
    seed: 25,
  },
  {
    what: 'broadcasts that are not stopped',
    edits: [
      {
        file: 'lib/show/run/stop/stop-resources.ts',
        text: '...broadcasts.map((broadcastId) => () => client.stopBroadcast({ broadcastId })),',
        instead: '',
      },
    ],
    seed: 14,
  },
  {
    what: 'scenes that are not stopped',
    edits: [
      {
        file: 'lib/show/run/stop/stop-resources.ts',
        text: '...composers.map((composerId) => () => client.stopComposer({ composerId })),',
        instead: '',
      },
    ],
    seed: 2,
  },
  {
    what: 'calls that are not hung up',
    edits: [
      {
        file: 'lib/show/run/stop/stop-resources.ts',
        text: "connectionId && status !== 'ended' ?",
        instead: "connectionId && status === 'ended' ?",
      },
    ],
    seed: 19,
  },
  {
    what: 'a reason that is replaced by the last one',
    edits: [
      {
        file: 'lib/show/run/stop/stop-show.ts',
        text: 'endReason: state.endReason ?? reasonOf(state),',
        instead: "endReason: 'It ended.',",
      },
    ],
    seed: 11,
  },
  {
    what: 'an end that each attempt moves',
    edits: [
      { file: 'lib/show/run/stop/stop-show.ts', text: 'endedAt: state.endedAt ?? endedAt,', instead: 'endedAt,' },
    ],
    seed: 11,
  },
  {
    what: 'a show that is not marked as ending',
    edits: [{ file: 'lib/show/run/stop/stop-show.ts', text: "status: 'ending',", instead: 'status: state.status,' }],
    seed: 46,
  },
  {
    what: 'uploads that are not awaited',
    edits: [
      {
        file: 'lib/show/run/finish/check-uploads.ts',
        text: 'if (!isAll && waited < show.uploadWait) {',
        instead: 'if (!isAll && waited < 0) {',
      },
    ],
    seed: 19,
  },
  {
    what: 'uploads that are awaited for ever',
    edits: [
      {
        file: 'lib/show/run/finish/check-uploads.ts',
        text: 'if (!isAll && waited < show.uploadWait) {',
        instead: 'if (!isAll) {',
      },
    ],
    seed: 26,
  },
  {
    what: 'an archive that counts as stored with any size',
    edits: [
      {
        file: 'lib/show/run/finish/recording-outcomes.ts',
        text: 'if (stored === size && size > 0) return',
        instead: 'if (stored !== undefined) return',
      },
    ],
    seed: 1,
  },
  {
    what: 'a stored archive that counts as lost',
    edits: [
      {
        file: 'lib/show/run/finish/recording-outcomes.ts',
        text: 'if (stored === size && size > 0) return',
        instead: 'if (stored === size && size > 1e9) return',
      },
    ],
    seed: 13,
  },
  {
    what: 'a file under the key of another form',
    edits: [{ file: 'lib/show/state/keys.ts', text: "composed: 'archive.mp4'", instead: "composed: 'archive.m4v'" }],
    seed: 10,
  },
  {
    what: 'an archive that is marked rescued and never fetched',
    edits: [
      {
        file: 'lib/show/run/finish/rescue-archive.ts',
        text: 'if ((await storage.sizeOf(key)) !== size) {',
        instead: 'if (size < 0) {',
      },
    ],
    seed: 25,
  },
  {
    what: 'rescued bytes that are not compared with the checksum',
    edits: [
      {
        file: 'lib/show/run/finish/rescue-archive.ts',
        text: "else if (sha256 !== undefined && hash.digest('base64') !== sha256)",
        instead: "else if (sha256 === undefined && hash.digest('base64') !== sha256)",
      },
    ],
    seed: 25,
  },
  {
    what: 'a rescued file that may be too short',
    edits: [
      {
        file: 'lib/show/run/finish/rescue-archive.ts',
        text: 'if (bytes < size) problem =',
        instead: 'if (bytes < 0) problem =',
      },
    ],
    harmless: 'A shorter file does not have the checksum that the platform reports.',
  },
  {
    what: 'stranded archives that nothing rescues',
    edits: [
      {
        file: 'lib/show/plan/rescue-policy.ts',
        text: "status === 'available' && !rescued",
        instead: "status === 'available' && rescued",
      },
    ],
    seed: 13,
  },
  {
    what: 'a rescue that is tried for ever',
    edits: [
      {
        file: 'lib/show/plan/rescue-policy.ts',
        text: '...(isEnd && { rescueTries: (one.rescueTries ?? 0) + 1 })',
        instead: '...(isEnd && { rescueTries: 1 })',
      },
    ],
    seed: 25,
  },
  {
    what: 'a lost recording in a show that succeeded',
    edits: [
      {
        file: 'lib/show/plan/show-outcome.ts',
        text: 'isInterrupted || lost.length > 0 ||',
        instead: 'isInterrupted ||',
      },
    ],
    seed: 44,
  },
  {
    what: 'a failed broadcast in a show that succeeded',
    edits: [
      {
        file: 'lib/show/plan/show-outcome.ts',
        text: 'lost.length > 0 || unsent.length > 0',
        instead: 'lost.length > 0',
      },
    ],
    seed: 6,
  },
  {
    what: 'a stopped show that succeeded',
    edits: [
      {
        file: 'lib/show/plan/show-outcome.ts',
        text: "if (state.stopAskedAt) return 'stopped'",
        instead: "if (state.stopAskedAt) return 'succeeded'",
      },
    ],
    seed: 11,
  },
  {
    what: 'a result without its last event',
    edits: [
      {
        file: 'lib/show/run/finish/report.ts',
        text: `    ended(result),
  )`,
        instead: '  )',
      },
    ],
    seed: 33,
  },
  {
    what: 'a state without the outcome',
    edits: [{ file: 'lib/show/run/finish/report.ts', text: 'status: result.status }),', instead: '}),' }],
    seed: 33,
  },
  {
    what: 'a result without the overlaps of its parts',
    edits: [
      {
        file: 'lib/show/run/finish/recording-outcomes.ts',
        text: 'return overlap > 0 ?',
        instead: 'return overlap < 0 ?',
      },
    ],
    seed: 42,
  },
  {
    what: 'a show with an open end is ended by an old note of its emptiness while the platform does not answer',
    edits: [
      {
        file: 'lib/show/run/watch/watch-show.ts',
        text: 'if (!isEmpty || now < timeOfEmptyEnd(request, state)) return undefined',
        instead: 'if (now < timeOfEmptyEnd(request, state)) return undefined',
      },
    ],
    seed: 6,
  },
]
