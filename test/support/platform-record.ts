import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Span } from '../../local/sandbox/state/spans.ts'

/** A time range that the platform recorded, in milliseconds since the epoch. */
export interface Recorded {
  readonly start: number
  /** Infinity while it lasts. */
  readonly end: number
}

/** What the sandbox recorded of the sessions of a directory, each in the order of its start. */
export interface PlatformRecord {
  /** `place` is the identity in pictures and audio: the lowest that was free when the stream was published. */
  readonly streams: readonly (Recorded & { readonly place: number })[]
  /** One entry between two pauses. */
  readonly archives: readonly (Recorded & { readonly id: string })[]
  readonly broadcasts: readonly (Recorded & { readonly id: string })[]
}

/**
 * Reads when streams, archives and broadcasts began and ended. Media is a function of these times, however late a machine
 * makes it: what a file shows is compared to them and not to the times that a test had in mind.
 * @param directory where the sandbox keeps its records
 */
export function readPlatformRecord(directory: string): PlatformRecord {
  const database = new DatabaseSync(join(directory, 'sandbox.sqlite'), { readOnly: true })
  const rows = database.prepare('select record from spans order by sequence').all()
  database.close()
  const spans = rows.map(({ record }) => JSON.parse(String(record)) as Span)
  const ofKind = (kind: Span['kind']) =>
    spans.flatMap((span) =>
      span.kind === kind ? { id: span.subject, start: span.start, end: span.end ?? Number.POSITIVE_INFINITY } : [],
    )
  return { streams: withPlaces(ofKind('stream')), archives: ofKind('archive'), broadcasts: ofKind('broadcast') }
}

function withPlaces<Stream extends Recorded>(streams: readonly Stream[]): (Stream & { readonly place: number })[] {
  const placed: (Stream & { readonly place: number })[] = []
  for (const stream of streams) {
    const taken = placed.filter(({ end }) => end > stream.start).map(({ place }) => place)
    let place = 0
    while (taken.includes(place)) place++
    placed.push({ ...stream, place })
  }
  return placed
}
