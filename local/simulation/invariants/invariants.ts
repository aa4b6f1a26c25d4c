import { boundedHistories } from './bounded-histories.ts'
import { detectedInTime } from './detected-in-time.ts'
import { everyArchiveAccountedFor } from './every-archive-accounted-for.ts'
import { everyShowReported } from './every-show-reported.ts'
import type { Evidence } from './evidence.ts'
import { adoptedStarts } from './model/adopted-starts.ts'
import { alarmsRing } from './model/alarms-ring.ts'
import { apiAnswers } from './model/api-answers.ts'
import { boundedChildren } from './model/bounded-children.ts'
import { earlyParts } from './model/early-parts.ts'
import { eventsOfShows } from './model/events-of-shows.ts'
import { keysInUse } from './model/keys-in-use.ts'
import { markersOnce } from './model/markers-once.ts'
import { oneDefinition } from './model/one-definition.ts'
import { orderedLayouts } from './model/ordered-layouts.ts'
import { repeatedStops } from './model/repeated-stops.ts'
import { rescuedAfterFetch } from './model/rescued-after-fetch.ts'
import { settledShows } from './model/settled-shows.ts'
import { startsOnTime } from './model/starts-on-time.ts'
import { storedBytes } from './model/stored-bytes.ts'
import { usageOnce } from './model/usage-once.ts'
import { verifiedCallbacks } from './model/verified-callbacks.ts'
import { noEarlyEnd } from './no-early-end.ts'
import { noGapBetweenParts } from './no-gap-between-parts.ts'
import { noSecretShown } from './no-secret-shown.ts'
import { nothingLeftRunning } from './nothing-left-running.ts'
import { oneArchivePerPart } from './one-archive-per-part.ts'
import { clipsOfShows } from './publishing/clips-of-shows.ts'
import { joinedRecordings } from './publishing/joined-recordings.ts'
import { limitedPublishes } from './publishing/limited-publishes.ts'
import { publishedArchives } from './publishing/published-archives.ts'
import { publishedEvents } from './publishing/published-events.ts'
import { seriesKept } from './series-kept.ts'

/** The invariants that hold under every fault. Each returns one sentence for each violation. */
export const invariants = {
  'one archive per part': oneArchivePerPart,
  'no gap between parts': noGapBetweenParts,
  'noticed in time': detectedInTime,
  'no early end': noEarlyEnd,
  'nothing left running': nothingLeftRunning,
  'every archive accounted for': everyArchiveAccountedFor,
  'every show reported': everyShowReported,
  'series kept': seriesKept,
  'starts on time': startsOnTime,
  'bounded histories': boundedHistories,
  'no secret shown': noSecretShown,
  'stored bytes are those recorded': storedBytes,
  'rescued after the fetch': rescuedAfterFetch,
  'starts are adopted': adoptedStarts,
  'parts begin early': earlyParts,
  'children end within their hour': boundedChildren,
  'callbacks verify': verifiedCallbacks,
  'events of shows': eventsOfShows,
  'markers are set once': markersOnce,
  'stops are repeated': repeatedStops,
  'keys in use stay active': keysInUse,
  'executions keep their definition': oneDefinition,
  'shows are settled': settledShows,
  'layouts are those ordered': orderedLayouts,
  'the API answers as documented': apiAnswers,
  'alarms ring': alarmsRing,
  'usage is counted once': usageOnce,
  'archives are published': publishedArchives,
  'owners are notified of publishing': publishedEvents,
  'parts are joined': joinedRecordings,
  'publishes are limited': limitedPublishes,
  'clips are cut': clipsOfShows,
} as const satisfies Record<string, (evidence: Evidence) => string[]>

export type Invariant = keyof typeof invariants

export interface Broken {
  readonly invariant: Invariant
  readonly detail: string
}

export const checkInvariants = (evidence: Evidence): Broken[] =>
  (Object.keys(invariants) as Invariant[]).flatMap((invariant) =>
    invariants[invariant](evidence).map((detail) => ({ invariant, detail })),
  )
