import type { Planted } from '../mutant.ts'

/**
 * Mistakes in what shows share: the rate limit, names and tags, series, the queue of publishes and the bus. They were written without
 * knowledge of the tests and the simulation.
 */
export const unseenBetweenShows: readonly Planted[] = [
  {
    what: 'running occurrence searched among the oldest of a series',
    edits: [
      {
        file: 'lambdas/join/find-open-show.ts',
        text: 'occurrences.toReversed().slice(0, MAX_RUNNING)',
        instead: 'occurrences.slice(0, MAX_RUNNING).toReversed()',
      },
    ],
    seed: 36,
  },
  {
    what: 'recordings of a series listed with links of another viewer, which end at another time',
    edits: [
      {
        file: 'lambdas/watch/show/describe-series.ts',
        text: '`${visit.expires} ${visit.request.showId} ${showIds[0]}`',
        instead: '`${visit.request.showId} ${showIds[0]}`',
      },
    ],
    seed: 36,
  },
  {
    what: 'event that the bus throttles taken as published',
    edits: [
      {
        file: 'lib/aws/bus.ts',
        text: 'answer.Entries?.find(({ ErrorCode }) => ErrorCode)',
        instead: "answer.Entries?.find(({ ErrorCode }) => ErrorCode === 'InternalFailure')",
      },
    ],
    seed: 28,
  },
  {
    what: 'a dial-in that was not dialed because the show was stopped is noted as failed',
    edits: [
      {
        file: 'lambdas/show/note-failure.ts',
        text: 'if (error.Error === STOPPED) return { name }',
        instead: "if (error.Error === STOPPED && kind === 'scene') return { name }",
      },
    ],
    seed: 24,
  },
  {
    what: 'archives and broadcasts of another show whose id begins with that of a show count as its own',
    edits: [
      {
        file: 'lib/show/document/fields/names.ts',
        text: 'tag?.startsWith(`${showId}/`)',
        instead: 'tag?.startsWith(showId)',
      },
    ],
    seed: 28,
  },
  {
    what: 'no turn for completing a publish where only one publish may run at once',
    edits: [
      {
        file: 'lib/publish/queue/queued-turns.ts',
        text: 'Math.max(1, max - Math.ceil(max * LEFT_TO_READY))',
        instead: 'max - Math.ceil(max * LEFT_TO_READY)',
      },
    ],
    seed: 22,
  },
  {
    what: 'throttled publish ends as a failed one, which nothing repeats',
    edits: [
      {
        file: 'statemachines/publish.asl.json',
        text: "$failure.Error = 'Lambda.TooManyRequestsException'",
        instead: "$failure.Error = 'TooManyRequestsException'",
      },
    ],
    seed: 40,
  },
  {
    what: 'repeated attempt of an interrupted publish without its clip and formats',
    edits: [
      {
        file: 'lib/publish/start-publishing.ts',
        text: 'await services.publishExecutions.start(executionName, input)',
        instead:
          'await services.publishExecutions.start(executionName, {\n    bucket: input.bucket,\n    key: input.key,\n    etag: input.etag,\n  })',
      },
    ],
    seed: 46,
  },
  {
    what: 'the next token is counted from now and not from the tokens that were taken before',
    edits: [
      {
        file: 'lib/records/rate-limiter.ts',
        text: 'new Date(from + (left / rate) * 1000)',
        instead: 'new Date(now + (left / rate) * 1000)',
      },
    ],
    seed: 20,
  },
  {
    what: 'show leaves the list of the sweep before its usage is awaited',
    edits: [
      {
        file: 'lib/records/records.ts',
        text: "      await storage.put(keys.awaitingUsage(showId), '', 'text/plain')\n      await storage.delete(keys.unfinished(showId))\n",
        instead:
          "      await storage.delete(keys.unfinished(showId))\n      await storage.put(keys.awaitingUsage(showId), '', 'text/plain')\n",
      },
    ],
    seed: 16,
  },
  {
    what: 'invitations to an occurrence are revoked without those to its series',
    edits: [
      {
        file: 'lambdas/api/invitations.ts',
        text: '    const series = state.scheduleId === undefined ? undefined : await records.readState(state.scheduleId)\n    if (series) await revoke(series.showId)\n',
        instead: '',
      },
    ],
    seed: 39,
  },
  {
    what: 'recordings count as unchanged until their links have expired',
    edits: [
      {
        file: 'lambdas/api/recordings/recordings.ts',
        text: 'const LINKS_AGE = 300_000',
        instead: 'const LINKS_AGE = 3_600_000',
      },
    ],
    seed: 34,
  },
  {
    what: 'slower formats are made of a file that is withheld',
    edits: [
      {
        file: 'statemachines/publish.asl.json',
        text: "$states.input.status in ['replaced', 'withheld']",
        instead: "$states.input.status = 'replaced'",
      },
    ],
    seed: 4,
  },
  {
    what: 'end of a show cannot be moved by some seconds in its last minute',
    edits: [
      {
        file: 'lambdas/api/controls/planned-end.ts',
        text: 'Math.min(earliestEnd(liveAt, services.clock.now()), Date.parse(plannedEndAt))',
        instead: 'earliestEnd(liveAt, services.clock.now())',
      },
    ],
    seed: 38,
  },
  {
    what: 'lock is given up after a replacement of the secret whose outcome is uncertain',
    edits: [
      {
        file: 'lib/operations/platform-project/project-secret.ts',
        text: "import { isUncertain } from '../../show/run/platform-errors.ts'\n",
        instead: '',
      },
      {
        file: 'lib/operations/platform-project/project-secret.ts',
        text: 'endedWhen((error) => !isUncertain(error))',
        instead: 'endedWhen(() => true)',
      },
    ],
    seed: 36,
  },
  {
    what: 'show that waits for a rotation starts after one wait',
    edits: [{ file: 'statemachines/show.asl.json', text: '"Next": "Accept show"', instead: '"Next": "Open session"' }],
    seed: 36,
  },
  {
    what: 'page of a show plays a failed part of a broadcast that is continued',
    edits: [
      {
        file: 'lambdas/watch/show/show-progress.ts',
        text: 'return running.findLast(({ name }) => name === running[0]?.name)',
        instead: 'return running[0]',
      },
    ],
    seed: 22,
  },
  {
    what: 'repetition of an interrupted request to pause is refused',
    edits: [
      {
        file: 'lambdas/api/controls/pause-recording.ts',
        text: '    if (pauses.some(({ id }) => id === asked.id)) return latest // an interrupted attempt, or a lost answer\n',
        instead: '',
      },
    ],
    seed: 12,
  },
]
