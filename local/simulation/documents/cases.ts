import { costs } from './cases/costs.ts'
import { crons } from './cases/cron.ts'
import { cuesOfShows } from './cases/cues.ts'
import { dialIns } from './cases/dial-ins.ts'
import { durations } from './cases/durations.ts'
import { forms } from './cases/forms.ts'
import { names } from './cases/names.ts'
import { pauses } from './cases/pauses.ts'
import { pictures } from './cases/pictures.ts'
import { publishing } from './cases/publishing.ts'
import { secrets } from './cases/secrets.ts'
import { starts } from './cases/starts.ts'
import { urls } from './cases/urls.ts'
import type { DocumentCase } from './document-case.ts'

const tables = [
  ...[names, forms, durations, pauses, pictures, cuesOfShows, publishing, crons, starts, urls, dialIns, secrets],
  costs,
]

/** Places a case of a table in the order of all: the cases of each table are spread evenly, so that a seed asks about every subject. */
const spread = (table: readonly DocumentCase[]) =>
  table.map((one, index) => ({ one, place: (index + 0.5) / table.length }))

/** Every case, in the order in which seeds ask about them. */
export const documentCases: readonly DocumentCase[] = tables
  .flatMap(spread)
  .toSorted((one, other) => one.place - other.place)
  .map(({ one }) => one)

/** Cases that a seed asks about. */
const SHARE = 25

/** Returns the descriptions of the cases of a seed. Successive seeds ask about successive cases. */
export const casesOfSeed = (seed: number): string[] =>
  Array.from({ length: SHARE }, (_, index) => {
    const one = documentCases[((seed - 1) * SHARE + index) % documentCases.length]
    return one?.what ?? ''
  })
