import { boundedHistories } from './bounded-histories.ts'
import { detectedInTime } from './detected-in-time.ts'
import { everyArchiveAccountedFor } from './every-archive-accounted-for.ts'
import { everyShowReported } from './every-show-reported.ts'
import type { Evidence } from './evidence.ts'
import { noGapBetweenParts } from './no-gap-between-parts.ts'
import { noSecretShown } from './no-secret-shown.ts'
import { nothingLeftRunning } from './nothing-left-running.ts'
import { oneArchivePerPart } from './one-archive-per-part.ts'
import { seriesKept } from './series-kept.ts'

/** The invariants that hold under every fault. Each returns one sentence for each violation. */
export const invariants = {
  'one archive per part': oneArchivePerPart,
  'no gap between parts': noGapBetweenParts,
  'noticed in time': detectedInTime,
  'nothing left running': nothingLeftRunning,
  'every archive accounted for': everyArchiveAccountedFor,
  'every show reported': everyShowReported,
  'series kept': seriesKept,
  'bounded histories': boundedHistories,
  'no secret shown': noSecretShown,
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
