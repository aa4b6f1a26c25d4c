import type { z } from 'zod'
import { broadcast, broadcastOperations } from '../contract/broadcasts.ts'
import type { Response } from '../contract/operation.ts'

/** What an operation resolves with: the contract's response, where deployments differ in one form. */
export type Answer<O> = Plain<Response<O>>

type Plain<T> = unknown extends T
  ? T
  : T extends readonly (infer Item)[]
    ? Plain<Item>[]
    : T extends object
      ? { [Key in keyof T]: Key extends 'rtmp' ? Extract<T[Key], readonly unknown[] | undefined> : Plain<T[Key]> }
      : T

type Broadcast = z.output<typeof broadcast>

const plainForms = new Map<z.ZodType, (answer: never) => unknown>([
  [broadcast, plainBroadcast],
  [
    broadcastOperations.listBroadcasts.success.response,
    (page: { items: Broadcast[] }) => ({ ...page, items: page.items.map(plainBroadcast) }),
  ],
])

/** Brings an answer that fits its schema into the one form callers see. */
export function toPlain(schema: z.ZodType, answer: unknown): unknown {
  return plainForms.get(schema)?.(answer as never) ?? answer
}

/** RTMP outputs come as an array or keyed by id, times in milliseconds or (E22) in seconds. */
function plainBroadcast(given: Broadcast): Plain<Broadcast> {
  const { broadcastUrls } = given
  const rtmp = broadcastUrls?.rtmp
  return {
    ...given,
    createdAt: toMilliseconds(given.createdAt),
    updatedAt: toMilliseconds(given.updatedAt),
    ...(broadcastUrls && {
      broadcastUrls: { ...broadcastUrls, ...(rtmp && { rtmp: Array.isArray(rtmp) ? rtmp : listById(rtmp) }) },
    }),
  } as Plain<Broadcast>
}

const listById = <Output>(byId: Readonly<Record<string, Output>>) =>
  Object.entries(byId).map(([id, output]) => ({ id, ...output }))

/** Below this a time counts seconds (until the year 5138), above it milliseconds (since 1973). */
const SECONDS_BELOW = 1e11

const toMilliseconds = (time: number) => (time < SECONDS_BELOW ? time * 1000 : time)
