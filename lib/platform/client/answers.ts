import type { z } from 'zod'
import { broadcast, broadcastOperations } from '../contract/broadcasts.ts'
import { callbacks } from '../contract/callbacks.ts'
import type { OpenValue } from '../contract/open-values.ts'
import type { Response } from '../contract/operation.ts'
import type { Operations } from '../contract/operations/operations.ts'

/** The answer of an operation, normalized if deployments differ. Enums accept values that the contract does not list. */
export type Answer<O> = O extends { method: 'GET' } ? Listed<Normalized<Response<O>>> : Normalized<Response<O>>

/** A page, with the number of items that were skipped because they could not be parsed. */
type Listed<T> = T extends { count: number; items: readonly unknown[] } ? T & { readonly skipped?: number } : T

export type ItemOf<O> = Answer<O> extends { items: (infer Item)[] } | (infer Item)[] ? Item : never

/** The type of a parsed value after {@link normalize}. */
export type Normalized<T> = unknown extends T
  ? T
  : T extends readonly (infer Item)[]
    ? Normalized<Item>[]
    : T extends object
      ? { [Key in keyof T]: NormalizedField<Key, T[Key]> }
      : OpenValue<T>

/** `event` stays a literal, because it discriminates callbacks. */
type NormalizedField<Key, T> = Key extends 'event'
  ? T
  : Normalized<Key extends 'rtmp' ? Extract<T, readonly unknown[] | undefined> : T>

export type Archive = Answer<Operations['getArchive']>
/** A broadcast in answers of the client, with RTMP outputs as an array and times in milliseconds. */
export type Broadcast = Answer<Operations['getBroadcast']>
export type Call = Answer<Operations['dial']>
export type Composer = Answer<Operations['getComposer']>
export type Project = Answer<Operations['getProject']>
export type Stream = Answer<Operations['getStream']>

type ReadBroadcast = z.output<typeof broadcast>

const normalizers = new Map<z.ZodType, (answer: never) => unknown>([
  [broadcast, normalizeBroadcast],
  [callbacks.broadcast.body, normalizeBroadcast],
  [
    broadcastOperations.listBroadcasts.success.response,
    (page: { items: ReadBroadcast[] }) => ({ ...page, items: page.items.map(normalizeBroadcast) }),
  ],
])

/** Converts a parsed answer to the form that callers receive, which is the same for all deployments. */
export function normalize(schema: z.ZodType, answer: unknown): unknown {
  return normalizers.get(schema)?.(answer as never) ?? answer
}

/** Converts RTMP outputs from an object by id to an array, and times from seconds (stopBroadcast) to milliseconds. */
function normalizeBroadcast(given: ReadBroadcast): Normalized<ReadBroadcast> {
  const { broadcastUrls } = given
  const rtmp = broadcastUrls?.rtmp
  return {
    ...given,
    createdAt: toMilliseconds(given.createdAt),
    updatedAt: toMilliseconds(given.updatedAt),
    ...(broadcastUrls && {
      broadcastUrls: { ...broadcastUrls, ...(rtmp && { rtmp: Array.isArray(rtmp) ? rtmp : listById(rtmp) }) },
    }),
  } as Normalized<ReadBroadcast>
}

const listById = <Output>(byId: Readonly<Record<string, Output>>) =>
  Object.entries(byId).map(([id, output]) => ({ id, ...output }))

/** A smaller time is in seconds (until the year 5138), a larger one in milliseconds (since 1973). */
const SECONDS_BELOW = 1e11

const toMilliseconds = (time: number) => (time < SECONDS_BELOW ? time * 1000 : time)
