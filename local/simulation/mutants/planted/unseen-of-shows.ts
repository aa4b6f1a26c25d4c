import type { Planted } from '../mutant.ts'

/**
 * Mistakes before and after a show is live, in its records and machines. They were written without knowledge of the tests and the
 * simulation.
 */
export const unseenOfShows: readonly Planted[] = [
  {
    what: 'an edit of a scheduled show leaves the former recordings, broadcasts, scenes and dial-ins in its state',
    edits: [
      {
        file: 'lib/show/run/start/edit-scheduled.ts',
        text: 'return { ...others, ...stateOf(showId, show), ...edited }',
        instead: 'return { ...others, ...edited }',
      },
    ],
    seed: 50,
  },
  {
    what: 'the local time of a single start is compared with the call of its schedule as if it were UTC',
    edits: [
      {
        file: 'lib/show/run/start/start-scheduled.ts',
        text: '(instantOf(start.at, start.zone) ?? 0) > Date.parse(scheduledAt)',
        instead: "(instantOf(start.at, 'UTC') ?? 0) > Date.parse(scheduledAt)",
      },
    ],
    seed: 50,
  },
  {
    what: 'the sweep starts the occurrence of a series that was due before the series was posted or edited',
    edits: [
      {
        file: 'lib/show/run/sweep/check-scheduled.ts',
        text: 'Math.max(now - TOO_LATE, Date.parse(editedAt))',
        instead: 'now - TOO_LATE',
      },
    ],
    seed: 36,
  },
  {
    what: 'the wait for uploads counts from the start of the show and not from its end',
    edits: [
      {
        file: 'lib/show/run/finish/check-uploads.ts',
        text: 'state.endedAt ?? state.acceptedAt',
        instead: 'state.startedAt ?? state.acceptedAt',
      },
    ],
    seed: 26,
  },
  {
    what: 'attempts to rescue an archive after the end of a show are not counted',
    edits: [{ file: 'lib/show/run/finish/check-uploads.ts', text: 'isEnd: true', instead: 'isEnd: false' }],
    seed: 25,
  },
  {
    what: 'a truncated file in the bucket passes as an arrived recording',
    edits: [
      {
        file: 'lib/show/run/finish/recording-outcomes.ts',
        text: 'if (stored === size && size > 0) return',
        instead: 'if (stored !== undefined && size > 0) return',
      },
    ],
    seed: 1,
  },
  {
    what: "a broadcast without an ordered maximum starts with the platform's default of four hours",
    edits: [
      {
        file: 'lib/show/run/start/start-parts.ts',
        text: 'maxDuration: longestBroadcast(order),',
        instead: '...(order.maxDuration !== undefined && { maxDuration: order.maxDuration }),',
      },
    ],
    seed: 13,
  },
  {
    what: 'each attempt to stop a show, also of a closing execution, notes another time of its end',
    edits: [{ file: 'lib/show/run/stop/stop-show.ts', text: 'endedAt: state.endedAt ?? endedAt', instead: 'endedAt' }],
    seed: 11,
  },
  {
    what: 'the cursor of a list lacks the time in its key, so the pages after the first are lost',
    edits: [
      {
        file: 'lib/records/records.ts',
        text: 'cursor: last.slice(prefix.length)',
        instead: 'cursor: idInIndexKey(last)',
      },
    ],
    seed: 7,
  },
  {
    what: 'a function keeps the document of a scheduled show in memory before its first edit',
    edits: [
      {
        file: 'lib/records/records.ts',
        text: 'if (!state?.edit) return { request: accepted, isFinal }',
        instead: 'if (!state?.edit) return { request: accepted, isFinal: true }',
      },
    ],
    seed: 36,
  },
  {
    what: 'owner events are published after the state, so an interruption in between loses them',
    edits: [
      {
        file: 'lib/records/records.ts',
        text: '      await before?.(next, current.document)\n      if (await storage.writeDocument(keys.state(showId), next, current.etag)) return next\n',
        instead:
          '      if (!(await storage.writeDocument(keys.state(showId), next, current.etag))) continue\n      await before?.(next, current.document)\n      return next\n',
      },
    ],
    seed: 33,
  },
  {
    what: 'a call that creates something is repeated after a lost answer',
    edits: [
      {
        file: 'lib/platform/client/calls.ts',
        text: "repetition === 'harmless' || (repetition === 'doubtful' && (operation.repeatable || options.adopt !== undefined))",
        instead: "repetition === 'harmless' || repetition === 'doubtful'",
      },
    ],
    seed: 18,
  },
  {
    what: 'a call that was refused with a rotated secret is repeated with the same cached secret',
    edits: [
      { file: 'lib/platform/client/calls.ts', text: 'renewed = true\n      fresh = true', instead: 'renewed = true' },
    ],
    seed: 29,
  },
  {
    what: 'a connection that was reset counts as one over which nothing was sent',
    edits: [
      {
        file: 'lib/platform/client/http/exchange.ts',
        text: "code === 'ECONNREFUSED' ||",
        instead: "code === 'ECONNREFUSED' || code === 'ECONNRESET' ||",
      },
    ],
    seed: 18,
  },
  {
    what: 'the wait for an audience begins again with every child execution',
    edits: [
      {
        file: 'statemachines/show.asl.json',
        text: '"startedAt": "{% $startedAt %}"',
        instead: '"startedAt": "{% $states.context.State.EnteredTime %}"',
      },
    ],
    seed: 45,
  },
  {
    what: 'the dial-ins of a show without scenes are not dialed',
    edits: [
      {
        file: 'statemachines/show.asl.json',
        text: '$count($scenes) + $count($dialIns) > 0',
        instead: '$count($scenes) > 0',
      },
    ],
    seed: 11,
  },
  {
    what: 'a failed roll over is caught only when it timed out, so that it ends the watch',
    edits: [
      {
        file: 'statemachines/watch.asl.json',
        text: '"due": "{% $states.input.due %}"\n      },\n      "Catch": [\n        {\n          "ErrorEquals": ["States.ALL"]',
        instead:
          '"due": "{% $states.input.due %}"\n      },\n      "Catch": [\n        {\n          "ErrorEquals": ["States.Timeout"]',
      },
    ],
    seed: 30,
  },
  {
    what: 'keepDays null of a recording does not override the days of its show, so the recording is deleted',
    edits: [
      {
        file: 'lib/show/document/publishing.ts',
        text: 'own?.keepDays === undefined ? publish.keepDays : own.keepDays',
        instead: 'own?.keepDays ?? publish.keepDays',
      },
    ],
    seed: 17,
  },
  {
    what: 'a show reads the rotation lock before it notes its start, so that a rotation and the start can miss each other',
    edits: [
      {
        file: 'lib/show/run/start/accept-show.ts',
        text: '  const state = await shows.update(showId, ({ waitsFor: _, ...state }) => ({',
        instead:
          '  const waitsFor = await rotationLock.reason()\n  const state = await shows.update(showId, ({ waitsFor: _, ...state }) => ({',
      },
      {
        file: 'lib/show/run/start/accept-show.ts',
        text: '  const waitsFor = await rotationLock.reason()\n  if (waitsFor === undefined',
        instead: '  if (waitsFor === undefined',
      },
    ],
    seed: 2,
  },
  {
    what: 'participants are notified that the recording has stopped although an archive could not be stopped',
    edits: [
      {
        file: 'lib/show/run/stop/stop-show.ts',
        text: 'const { stopped, failures, areArchivesStopped } =',
        instead: 'const { stopped, failures } =',
      },
      {
        file: 'lib/show/run/stop/stop-show.ts',
        text: 'if (areArchivesStopped && wasRecorded(state)) await announce',
        instead: 'if (wasRecorded(state)) await announce',
      },
    ],
    seed: 25,
  },
  {
    what: 'an RTMP output that has nothing to send while no participant publishes counts as failed',
    edits: [
      {
        file: 'lib/show/plan/output-events.ts',
        text: "if (status !== 'connecting' || !isLive(broadcast) || isIdle(state)) return []",
        instead: "if (status !== 'connecting' || !isLive(broadcast)) return []",
      },
    ],
    seed: 1,
  },
  {
    what: "the platform's message, which may repeat tones that come from a secret, is stored in the timeline",
    edits: [
      {
        file: 'lib/show/dial-ins/dial-in-dtmf.ts',
        text: "import { TaskConfigError } from '../../tasks/errors.ts'\n",
        instead: '',
      },
      {
        file: 'lib/show/dial-ins/dial-in-dtmf.ts',
        text: "    // The platform's message may repeat the digits, which may be secret.\n    const isOurs = error instanceof TaskConfigError || typeof tones === 'string'\n",
        instead: '',
      },
      {
        file: 'lib/show/dial-ins/dial-in-dtmf.ts',
        text: 'error instanceof Error && isOurs && !isUnknown',
        instead: 'error instanceof Error && !isUnknown',
      },
    ],
    seed: 41,
  },
  {
    what: 'a signal of a cue that the platform cannot take is given up within seconds',
    edits: [
      { file: 'lib/show/controls/play-cues.ts', text: 'dueAt + RETRY_WINDOW * 1000', instead: 'dueAt + RETRY_WINDOW' },
    ],
    seed: 20,
  },
  {
    what: 'a recording that is resumed on request starts with the layout of its order instead of the last one',
    edits: [
      {
        file: 'lib/show/run/start/start-parts.ts',
        text: 'layoutOf(state.recordings, part) ?? order.layout',
        instead: 'order.layout ?? layoutOf(state.recordings, part)',
      },
    ],
    seed: 12,
  },
  {
    what: 'the next part of a recording gets no stream after the one of a participant who has left',
    edits: [
      {
        file: 'lib/show/run/watch/roll-over.ts',
        text: 'await changeStreams(id, body).catch(onError(isGone, undefined))',
        instead: 'await changeStreams(id, body)',
      },
    ],
    seed: 30,
  },
]
