import { type Mutant, type Planted, type ReadSource, toMutant } from '../mutant.ts'
import { clips } from './clips.ts'
import { composing } from './composing.ts'
import { documents } from './documents.ts'
import { edits } from './edits.ts'
import { machines } from './machines.ts'
import { operations } from './operations.ts'
import { pausing } from './pausing.ts'
import { publishing } from './publishing.ts'
import { queueing } from './queueing.ts'
import { running } from './running.ts'
import { starting } from './starting.ts'
import { stopping } from './stopping.ts'
import { sweeping } from './sweeping.ts'
import { unseenBetweenShows } from './unseen-between-shows.ts'
import { unseenOfLiveShows } from './unseen-of-live-shows.ts'
import { unseenOfPublications } from './unseen-of-publications.ts'
import { unseenOfRecordings } from './unseen-of-recordings.ts'
import { unseenOfShows } from './unseen-of-shows.ts'

const ofShows = { starting, running, pausing, stopping, sweeping, operations }
const ofRecordings = { publishing, composing, queueing, clips, edits, documents, machines }
const ofUnseenShows = { unseenOfShows, unseenBetweenShows, unseenOfLiveShows }
const ofUnseenRecordings = { unseenOfRecordings, unseenOfPublications }
const lists = { ...ofShows, ...ofRecordings, ...ofUnseenShows, ...ofUnseenRecordings }

/** Returns the planted mistakes. @throws Error when the source does not have a text any more */
export const plantedMutants = (read: ReadSource): Mutant[] =>
  Object.entries(lists).flatMap(([kind, list]: [string, readonly Planted[]]) =>
    list.map((mistake) => toMutant(mistake, kind, read)),
  )
