import type { Planted } from '../mutant.ts'

/** Mistakes while shows are live: parts, polls, cues and changes. */
export const running: readonly Planted[] = [
  {
    what: 'parts that do not overlap',
    edits: [
      { file: 'lib/show/plan/part-sequences.ts', text: 'export const LEAD = 120', instead: 'export const LEAD = 0' },
    ],
    seed: 42,
  },
  {
    what: 'a part that starts two seconds before the limit',
    edits: [
      { file: 'lib/show/plan/part-sequences.ts', text: 'export const LEAD = 120', instead: 'export const LEAD = 2' },
    ],
    seed: 14,
  },
  {
    what: 'a part that is stopped before the next one records',
    edits: [
      {
        file: 'lib/show/plan/part-sequences.ts',
        text: 'takesOver: isRecording(recording),',
        instead: 'takesOver: true,',
      },
    ],
    seed: 42,
  },
  {
    what: 'parts with an overlap of no time',
    edits: [
      {
        file: 'lib/show/plan/part-sequences.ts',
        text: 'export const OVERLAP = 12',
        instead: 'export const OVERLAP = -60',
      },
    ],
    seed: 42,
  },
  {
    what: 'a recording that is not continued after its limit',
    edits: [
      {
        file: 'lib/show/plan/next-parts.ts',
        text: 'if (last.runs) return plannedEnd > last.endsAt ?',
        instead: 'if (last.runs) return plannedEnd < last.endsAt ?',
      },
    ],
    seed: 13,
  },
  {
    what: 'a recording that is not continued after an interruption',
    edits: [
      {
        file: 'lib/show/plan/next-parts.ts',
        text: 'if (!last.wasInterrupted || !mayContinue(last)) return undefined',
        instead: 'if (last.wasInterrupted || !mayContinue(last)) return undefined',
      },
    ],
    seed: 42,
  },
  {
    what: 'a next part with the number of the last one',
    edits: [{ file: 'lib/show/plan/next-parts.ts', text: 'part: last.part + 1, at', instead: 'part: last.part, at' }],
    seed: 30,
  },
  {
    what: 'predecessors that nothing stops',
    edits: [
      {
        file: 'lib/show/plan/next-parts.ts',
        text: 'isFresh || (isExact && at > now)',
        instead: '!isFresh || (isExact && at > now)',
      },
    ],
    seed: 14,
  },
  {
    what: 'interruptions without a pause between parts',
    edits: [
      {
        file: 'lib/show/plan/next-parts.ts',
        text: 'const PAUSES = [0, 15, 60, 240, 960] as const',
        instead: 'const PAUSES = [0, 0, 0, 0, 0, 0, 0, 0, 0] as const',
      },
    ],
    seed: 26,
  },
  {
    what: 'a show that does not end by time',
    edits: [
      {
        file: 'lib/show/run/watch/watch-show.ts',
        text: 'if (now >= Date.parse(plannedEndAt)) return',
        instead: 'if (now < 0) return',
      },
    ],
    seed: 4,
  },
  {
    what: 'a show that ends at once',
    edits: [
      {
        file: 'lib/show/run/watch/watch-show.ts',
        text: 'if (now >= Date.parse(plannedEndAt)) return',
        instead: 'if (now < Date.parse(plannedEndAt)) return',
      },
    ],
    seed: 14,
  },
  {
    what: 'a request to stop that the watching ignores',
    edits: [
      {
        file: 'lib/show/run/watch/watch-show.ts',
        text: "if (stopAskedAt) return 'It was stopped on request.'",
        instead: "if (stopAskedAt && endedAt) return 'It was stopped on request.'",
      },
    ],
    seed: 2,
  },
  {
    what: 'a show that ends although something runs',
    edits: [
      {
        file: 'lib/show/run/watch/watch-show.ts',
        text: 'if (!isFresh || runsAnything(state) ||',
        instead: 'if (!isFresh ||',
      },
    ],
    seed: 4,
  },
  {
    what: 'a show that ends while the platform cannot be reached',
    edits: [
      {
        file: 'lib/show/run/watch/watch-show.ts',
        text: 'if (!isFresh || runsAnything(state) ||',
        instead: 'if (isFresh || runsAnything(state) ||',
      },
    ],
    seed: 10,
  },
  {
    what: 'a poll every eighty minutes',
    edits: [
      {
        file: 'lib/show/plan/poll-interval.ts',
        text: 'export const MAX_POLL_INTERVAL = 50',
        instead: 'export const MAX_POLL_INTERVAL = 5000',
      },
    ],
    seed: 10,
  },
  {
    what: 'a poll every second',
    edits: [
      {
        file: 'lib/show/plan/poll-interval.ts',
        text: 'export const MAX_POLL_INTERVAL = 50',
        instead: 'export const MAX_POLL_INTERVAL = 1',
      },
    ],
    seed: 4,
  },
  {
    what: 'an observation of another show’s archives',
    edits: [
      {
        file: 'lib/show/run/observation.ts',
        text: 'isTagOf(observed.state.showId, carriedTag(one))',
        instead: 'carriedTag(one) !== undefined',
      },
    ],
    seed: 13,
  },
  {
    what: 'an observation without the archives that a list omits',
    edits: [
      {
        file: 'lib/show/run/observation.ts',
        text: 'archives: [...seen.archives, ...archives.found],',
        instead: 'archives: seen.archives,',
      },
    ],
    harmless:
      'A list lags by seconds, and the next poll lists the archive, within the minute in which a failure is detected.',
  },
  {
    what: 'an observation without its events',
    edits: [
      {
        file: 'lib/show/run/watch/watch-show.ts',
        text: 'mergeObservation(latest, seen), ...events)',
        instead: 'mergeObservation(latest, seen))',
      },
    ],
    seed: 13,
  },
  {
    what: 'a broadcast that ends unnoticed',
    edits: [
      {
        file: 'lib/show/run/merge-observation.ts',
        text: ".map((one) => (gone.includes(one.broadcastId ?? '') ?",
        instead: ".map((one) => (gone.includes('') ?",
      },
    ],
    seed: 17,
  },
  {
    what: 'a failed recording whose owner is not notified',
    edits: [
      {
        file: 'lib/show/plan/events-between.ts',
        text: "...(status === 'failed' ? [{ what: 'recording.failed',",
        instead: "...(status === 'expired' ? [{ what: 'recording.failed',",
      },
    ],
    seed: 4,
  },
  {
    what: 'a cue that is played again and again',
    edits: [
      {
        file: 'lib/show/controls/play-cues.ts',
        text: 'cue.marker === undefined && !played.has(id)',
        instead: 'cue.marker === undefined',
      },
    ],
    seed: 9,
  },
  {
    what: 'an announcement at each attempt',
    edits: [
      {
        file: 'lib/show/controls/announce.ts',
        text: "what.startsWith('announcement.') && id === occasion",
        instead: "what.startsWith('announcement,') && id === occasion",
      },
    ],
    seed: 25,
  },
  {
    what: 'changes that are never completed',
    edits: [
      {
        file: 'lib/show/controls/pending-changes.ts',
        text: '...withControl(latest, id, { done: true, pending: undefined }),',
        instead: '...withControl(latest, id, { pending: undefined }),',
      },
    ],
    seed: 20,
  },
  {
    what: 'an event with another identity at each notice',
    edits: [
      {
        file: 'lib/show/state/timeline-events.ts',
        text: "[what, name, part ?? '', id,",
        instead: "[what, name, part ?? '', id || (globalThis.noticed = (globalThis.noticed ?? 0) + 1),",
      },
    ],
    seed: 20,
  },
  {
    what: 'a next part without the layout of the last one',
    edits: [
      {
        file: 'lib/show/run/start/start-parts.ts',
        text: 'one.part === part - 1)?.layout',
        instead: 'one.part === part)?.layout',
      },
    ],
    seed: 14,
  },
  {
    what: 'a next part with the streams of another part than the last one',
    edits: [
      {
        file: 'lib/show/run/watch/roll-over.ts',
        text: 'entries.find((one) => one.name === part.name && one.part === part.part - 1)',
        instead: 'entries.find((one) => one.name === part.name && one.part !== part.part - 1)',
      },
    ],
    seed: 30,
  },
  {
    what: 'a second change of an output that makes the state unreadable',
    edits: [{ file: 'lib/show/state/timeline.ts', text: 'z.int().min(2)', instead: 'z.int().min(4)' }],
    seed: 40,
  },
]
