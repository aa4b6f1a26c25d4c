import { SFNClient } from '@aws-sdk/client-sfn'
import { z } from 'zod'
import type { Settings } from '../../../lib/constructs/deploy/settings.ts'
import { tasksFor } from '../../../lib/constructs/deploy/tasks-for.ts'
import { MIN_LIMIT, memoryOf } from '../../../lib/tasks/memory.ts'
import { messageIn, requestLambda } from '../lambda-requests.ts'
import type { Check } from './check.ts'

/** What Lambda lets the account have in the region; a problem is said in the words of Lambda. */
export interface LambdaLimits {
  readonly concurrency: number | { readonly problem: string }
  /** Megabytes of the largest function there is: no API tells what the account may give. */
  readonly largest: number | { readonly problem: string }
}

const accountSettings = z.object({ AccountLimit: z.object({ ConcurrentExecutions: z.number() }) })
const functions = z.object({
  Functions: z.array(z.object({ MemorySize: z.number().optional() })),
  NextMarker: z.string().nullish(),
})

/** Pages of 50 functions that are looked through for a large one. */
const MAX_PAGES = 20

/** Asks Lambda for the account's limits, and changes nothing. */
export async function lookAtLimits(region: string | undefined, client = clientFor(region)): Promise<LambdaLimits> {
  const unknown = { problem: 'without a region' }
  if (!region || !client) return { concurrency: unknown, largest: unknown }
  const ask = async <Schema extends z.ZodType>(schema: Schema, path: string, query = {}): Promise<z.output<Schema>> => {
    const { status, text } = await requestLambda(client, { region }, { method: 'GET', path, query })
    if (status !== 200) throw new Error(messageIn(text) ?? `Lambda answers ${status}.`)
    return schema.parse(JSON.parse(text))
  }
  const orProblem = (error: Error) => ({ problem: error.message })
  try {
    const [concurrency, largest] = await Promise.all([
      ask(accountSettings, '/2016-08-19/account-settings/').then(
        ({ AccountLimit }) => AccountLimit.ConcurrentExecutions,
        orProblem,
      ),
      largestOf((query) => ask(functions, '/2015-03-31/functions/', query)).catch(orProblem),
    ])
    return { concurrency, largest }
  } finally {
    client.destroy()
  }
}

const clientFor = (region: string | undefined) => (region ? new SFNClient({ region }) : undefined)

async function largestOf(list: (query: object) => Promise<z.output<typeof functions>>): Promise<number> {
  let largest = 0
  let Marker: string | null | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const { Functions, NextMarker } = await list(Marker ? { Marker } : {})
    largest = Math.max(largest, ...Functions.map(({ MemorySize = 0 }) => MemorySize))
    Marker = NextMarker
    if (!Marker) break
  }
  return largest
}

/** The settings against what the account may have. */
export const checkLimits = (settings: Settings, { concurrency, largest }: LambdaLimits): Check[] => [
  checkMemory(settings, largest),
  checkConcurrency(settings, concurrency),
]

function checkMemory(settings: Settings, largest: LambdaLimits['largest']): Check {
  const what = 'Lambda memory'
  const most = Math.max(...tasksFor(settings).map((task) => memoryOf(task, settings.memory)))
  if (most <= MIN_LIMIT) return { what, state: 'ok', words: `${most} MB at most, which every account gives.` }
  if (typeof largest === 'number' && largest >= most)
    return { what, state: 'ok', words: `${most} MB at most; the account has a function of ${largest} MB.` }
  const found = typeof largest === 'number' ? `its largest function has ${largest} MB` : largest.problem
  return {
    what,
    state: 'unknown',
    words:
      `A function asks for ${most} MB, and no API tells whether the account gives more than ${MIN_LIMIT} (${found}). ` +
      `Where it does not, the whole stack is rolled back: ask AWS support first, or set memory.most to ${MIN_LIMIT}.`,
  }
}

/** Functions that publishing one recording runs at once beside its pieces: hash, thumbnails, audio. */
const BESIDE_PIECES = 3
/** What AWS leaves to functions without a reservation. */
const UNRESERVED = 100

function checkConcurrency({ concurrency, reservedConcurrency }: Settings, limit: LambdaLimits['concurrency']): Check {
  const what = 'Lambda concurrency'
  if (typeof limit !== 'number')
    return { what, state: 'unknown', words: `The account’s limit was not looked at: ${limit.problem}` }
  const reserved = Object.values(reservedConcurrency).reduce<number>((sum, one) => sum + (one ?? 0), 0)
  if (reserved > 0 && limit - reserved < UNRESERVED)
    return {
      what,
      state: 'missing',
      words:
        `reservedConcurrency takes ${reserved} of the ${limit} functions that the account runs at once, and AWS leaves ` +
        `${UNRESERVED} unreserved: remove it, or raise the quota "Concurrent executions" to ${reserved + UNRESERVED}.`,
    }
  const each = concurrency + BESIDE_PIECES
  const together = Math.floor((limit - reserved) / each)
  const runs = `The account runs ${limit} functions at once, and a recording is published by up to ${each}`
  if (together >= 2) return { what, state: 'ok', words: `${runs}: ${together} side by side, more take turns.` }
  return {
    what,
    state: 'later',
    words: `${runs}, so that recordings and shows wait for each other: raise the quota "Concurrent executions", or set concurrency to ${Math.max(1, Math.floor(limit / 2) - BESIDE_PIECES)}.`,
  }
}
