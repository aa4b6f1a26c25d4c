import type { z } from 'zod'
import { broadcast, broadcastOperations } from '../contract/broadcasts.ts'
import { callbacks } from '../contract/callbacks.ts'
import type { OpenValue } from '../contract/open-values.ts'
import type { Response } from '../contract/operation.ts'
import type { Operations } from '../contract/operations/operations.ts'

/**
 * The answer of an operation: the contract's response, in one form where deployments differ. Enums are open, since a
 * platform may send values that the contract does not list.
 */
export type Answer<O> = O extends { method: 'GET' } ? Listed<Plain<Response<O>>> : Plain<Response<O>>

/** A page, with the number of its items that were skipped because they could not be read. */
type Listed<T> = T extends { count: number; items: readonly unknown[] } ? T & { readonly skipped?: number } : T

/** One item of the list that an operation answers. */
export type ItemOf<O> = Answer<O> extends { items: (infer Item)[] } | (infer Item)[] ? Item : never

export type Plain<T> = unknown extends T
  ? T
  : T extends readonly (infer Item)[]
    ? Plain<Item>[]
    : T extends object
      ? { [Key in keyof T]: PlainField<Key, T[Key]> }
      : OpenValue<T>

/** Callbacks are discriminated by their `event`. */
type PlainField<Key, T> = Key extends 'event'
  ? T
  : Plain<Key extends 'rtmp' ? Extract<T, readonly unknown[] | undefined> : T>

export type Archive = Answer<Operations['getArchive']>
export type Broadcast = Answer<Operations['getBroadcast']>
export type Call = Answer<Operations['dial']>
export type Composer = Answer<Operations['getComposer']>
export type Project = Answer<Operations['getProject']>
export type Stream = Answer<Operations['getStream']>

type ReadBroadcast = z.output<typeof broadcast>

const plainForms = new Map<z.ZodType, (answer: never) => unknown>([
  [broadcast, plainBroadcast],
  [callbacks.broadcast.body, plainBroadcast],
  [
    broadcastOperations.listBroadcasts.success.response,
    (page: { items: ReadBroadcast[] }) => ({ ...page, items: page.items.map(plainBroadcast) }),
  ],
])

/** Brings an answer that fits its schema into the one form callers see. */
export function toPlain(schema: z.ZodType, answer: unknown): unknown {
  return plainForms.get(schema)?.(answer as never) ?? answer
}

/** RTMP outputs are an array or an object by id. Times count milliseconds, or seconds in the answer of stopBroadcast. */
function plainBroadcast(given: ReadBroadcast): Plain<ReadBroadcast> {
  const { broadcastUrls } = given
  const rtmp = broadcastUrls?.rtmp
  return {
    ...given,
    createdAt: toMilliseconds(given.createdAt),
    updatedAt: toMilliseconds(given.updatedAt),
    ...(broadcastUrls && {
      broadcastUrls: { ...broadcastUrls, ...(rtmp && { rtmp: Array.isArray(rtmp) ? rtmp : listById(rtmp) }) },
    }),
  } as Plain<ReadBroadcast>
}

const listById = <Output>(byId: Readonly<Record<string, Output>>) =>
  Object.entries(byId).map(([id, output]) => ({ id, ...output }))

/** Below this a time counts seconds (until the year 5138), above it milliseconds (since 1973). */
const SECONDS_BELOW = 1e11

const toMilliseconds = (time: number) => (time < SECONDS_BELOW ? time * 1000 : time)
