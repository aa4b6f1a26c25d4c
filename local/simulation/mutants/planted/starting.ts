import type { Planted } from '../mutant.ts'

/** Mistakes in starting shows, their sessions, recordings, broadcasts and scenes. */
export const starting: readonly Planted[] = [
  {
    what: 'a recording that begins without its layout',
    edits: [
      {
        file: 'lib/show/run/start/start-parts.ts',
        text: 'const layout = layoutOf(state.recordings, part) ?? order.layout',
        instead: 'const layout = layoutOf(state.recordings, part)',
      },
    ],
    seed: 31,
  },
  {
    what: 'a tag that several recordings have',
    edits: [
      {
        file: 'lib/show/document/fields/names.ts',
        text: '`${showId}/${resource}/${part}`',
        instead: '`${showId}/${part}`',
      },
    ],
    seed: 20,
  },
  {
    what: 'archives that no attempt adopts',
    edits: [
      {
        file: 'lib/show/run/composed-resources.ts',
        text: 'if (carriedTag(found) === tag) return found',
        instead: 'if (carriedTag(found) === null) return found',
      },
      {
        file: 'lib/show/run/merge-observation.ts',
        text: 'if (unnoted && idOf(unnoted)) return entries',
        instead: 'if (!unnoted || unnoted) return entries',
      },
      {
        file: 'lib/show/run/finish/recording-outcomes.ts',
        text: ' ?? archives.find((archive) => carriedTag(archive) === tag)',
        instead: '',
      },
    ],
    seed: 31,
  },
  {
    what: 'a start that adopts nothing after a lost answer',
    edits: [
      {
        file: 'lib/show/run/adoption.ts',
        text: 'const mayExist = (error: unknown) => isTaken(error) || isUnreadable(error)',
        instead: 'const mayExist = (_error: unknown) => false',
      },
    ],
    seed: 31,
  },
  {
    what: 'a start that is not undone when the show was stopped meanwhile',
    edits: [
      {
        file: 'lib/show/run/unless-stopped.ts',
        text: 'if (resource && !wasStopped && !isOver(await shows.state(showId))) return resource',
        instead: 'if (resource && !wasStopped) return resource',
      },
    ],
    seed: 17,
  },
  {
    what: 'a start although the show was asked to stop',
    edits: [
      {
        file: 'lib/show/run/unless-stopped.ts',
        text: 'stopAskedAt !== undefined || endedAt !== undefined',
        instead: 'endedAt !== undefined',
      },
    ],
    seed: 43,
  },
  {
    what: 'a session that each attempt replaces',
    edits: [
      {
        file: 'lib/show/run/start/open-session.ts',
        text: 'sessionId: latest.sessionId ?? opened,',
        instead: 'sessionId: opened,',
      },
    ],
    harmless: 'The attempts of a task follow each other, and each reads the session that the one before has noted.',
  },
  {
    what: 'a number that is taken for a status',
    edits: [
      {
        file: 'lib/platform/client/lenient-parsing.ts',
        text: "if (schema instanceof z.ZodEnum && typeof value === 'string' && value !== '') return value",
        instead: "if (schema instanceof z.ZodEnum && value !== '') return String(value)",
      },
    ],
    seed: 31,
  },
  {
    what: 'a relayed session',
    edits: [
      {
        file: 'lib/show/run/start/open-session.ts',
        text: "'p2p.preference': 'disabled'",
        instead: "'p2p.preference': 'enabled'",
      },
    ],
    seed: 18,
  },
  {
    what: 'a session of another archive mode',
    edits: [
      { file: 'lib/show/run/start/open-session.ts', text: "archiveMode = 'manual'", instead: "archiveMode = 'always'" },
    ],
    seed: 18,
  },
  {
    what: 'an audience that is awaited a hundred times too long',
    edits: [
      {
        file: 'lib/show/run/start/check-audience.ts',
        text: 'if (waited >= audienceWait) {',
        instead: 'if (waited >= audienceWait * 100) {',
      },
    ],
    seed: 45,
  },
  {
    what: 'an audience that is never noticed',
    edits: [
      {
        file: 'lib/show/run/start/check-audience.ts',
        text: "if (streams.length > 0) return 'publishes'",
        instead: "if (streams.length < 0) return 'publishes'",
      },
    ],
    seed: 35,
  },
  {
    what: 'a show that is not live although something runs',
    edits: [
      {
        file: 'lib/show/run/start/go-live.ts',
        text: 'created.length > 0 ? { live: true',
        instead: 'created.length > 9 ? { live: true',
      },
    ],
    seed: 13,
  },
  {
    what: 'a planned end in seconds where milliseconds belong',
    edits: [
      {
        file: 'lib/show/run/start/go-live.ts',
        text: 'earliest + maxSecondsOf(show) * 1000',
        instead: 'earliest + maxSecondsOf(show)',
      },
    ],
    seed: 13,
  },
  {
    what: 'a planned end that each attempt moves',
    edits: [
      {
        file: 'lib/show/run/start/go-live.ts',
        text: 'plannedEndAt: plannedEndAt ?? new Date',
        instead: 'plannedEndAt: new Date',
      },
    ],
    seed: 25,
  },
  {
    what: 'a first part that every part takes for itself',
    edits: [
      {
        file: 'lib/show/run/start/go-live.ts',
        text: 'entry.part === 1 ? outcomes',
        instead: 'entry.part !== 1 ? outcomes',
      },
    ],
    seed: 27,
  },
  {
    what: 'a scene that is started twice after a lost answer',
    edits: [
      {
        file: 'lib/show/run/adoption.ts',
        text: 'return adoptOrStart({ clock }, find, start, isUncertain)',
        instead: 'return adoptOrStart({ clock }, async () => undefined, start, isUncertain)',
      },
    ],
    seed: 18,
  },
  {
    what: 'a scheduled start that may happen twice',
    edits: [
      {
        file: 'lib/show/run/start/start-scheduled.ts',
        text: "if ((await records.readState(showId))?.startedAt) return { showId, outcome: 'started before' }",
        instead: "if (await records.readState(showId)) return { showId, outcome: 'started before' }",
      },
    ],
    seed: 21,
  },
  {
    what: 'a series that starts once more than ordered',
    edits: [
      {
        file: 'lib/show/run/start/start-scheduled.ts',
        text: 'starts.length < count',
        instead: 'starts.length <= count',
      },
    ],
    harmless: 'The sweep removes the schedule of a series after its last start, before its next time.',
  },
  {
    what: 'a show that is accepted without a state',
    edits: [
      {
        file: 'lib/show/run/start/accept-show.ts',
        text: 'if (!(await records.readState(showId))) await records.acceptShow(accepted)',
        instead: 'if (await records.readState(showId)) await records.acceptShow(accepted)',
      },
    ],
    harmless: 'The API, the schedule and the sweep write the state before they start an execution.',
    seed: 14,
  },
  {
    what: 'a start that is not noted',
    edits: [
      {
        file: 'lib/show/run/start/accept-show.ts',
        text: '...(!state.startedAt && {',
        instead: '...(state.startedAt && {',
      },
    ],
    seed: 2,
  },
  {
    what: 'a broadcast for the wrong time',
    edits: [
      {
        file: 'lib/show/run/start/start-parts.ts',
        text: 'maxDuration: longestBroadcast(order),',
        instead: 'maxDuration: 60,',
      },
    ],
    seed: 13,
  },
  {
    what: 'a show that takes its own scene for its audience',
    edits: [
      {
        file: 'lib/show/run/start/check-audience.ts',
        text: '!scenes.some(mayPublish)) return others',
        instead: 'scenes.some(mayPublish)) return others',
      },
    ],
    seed: 23,
  },
]
