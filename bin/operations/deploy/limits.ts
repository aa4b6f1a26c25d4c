import { SFNClient } from '@aws-sdk/client-sfn'
import { z } from 'zod'
import type { Settings } from '../../../lib/constructs/deploy/settings.ts'
import { tasksFor } from '../../../lib/constructs/deploy/tasks-for.ts'
import { MIN_LIMIT, memoryOf } from '../../../lib/tasks/memory.ts'
import { disposable } from '../../local/aws-access.ts'
import { requestLambda } from '../lambda-requests.ts'
import { type Check, later, missing, passed, unknown } from './check.ts'

/** Limits of Lambda for the account in the region. A problem is the message of Lambda. */
export interface LambdaLimits {
  readonly concurrency: number | { readonly problem: string }
  /** Megabytes of the largest existing function, since no API reports the limit of the account. */
  readonly largest: number | { readonly problem: string }
}

const accountSettings = z.object({ AccountLimit: z.object({ ConcurrentExecutions: z.number() }) })
const functions = z.object({
  Functions: z.array(z.object({ MemorySize: z.number().optional() })),
  NextMarker: z.string().nullish(),
})

/** Pages of 50 functions that are searched for the largest one. */
const MAX_PAGES = 20

/** Reads the limits of the account, without changing anything. */
export async function readLimits(region: string | undefined, client = clientFor(region)): Promise<LambdaLimits> {
  const unread = { problem: 'there is no region.' }
  if (!region || !client) return { concurrency: unread, largest: unread }
  using lambda = disposable(client)
  const get = async <Schema extends z.ZodType>(schema: Schema, path: string, query = {}): Promise<z.output<Schema>> => {
    return schema.parse(JSON.parse(await requestLambda(lambda, { region }, { method: 'GET', path, query })))
  }
  const orProblem = (error: Error) => ({ problem: error.message })
  const [concurrency, largest] = await Promise.all([
    get(accountSettings, '/2016-08-19/account-settings/').then(
      ({ AccountLimit }) => AccountLimit.ConcurrentExecutions,
      orProblem,
    ),
    largestOf((query) => get(functions, '/2015-03-31/functions/', query)).catch(orProblem),
  ])
  return { concurrency, largest }
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

/** Compares the settings with the limits of the account. */
export const checkLimits = (settings: Settings, { concurrency, largest }: LambdaLimits): Check[] => [
  checkMemory(settings, largest),
  checkConcurrency(settings, concurrency),
]

function checkMemory(settings: Settings, largest: LambdaLimits['largest']): Check {
  const what = 'Lambda memory'
  const max = Math.max(...tasksFor(settings).map((task) => memoryOf(task, settings.memory)))
  if (max <= MIN_LIMIT) return passed(what, `${max} MB at most, which every account allows.`)
  if (typeof largest === 'number' && largest >= max)
    return passed(what, `${max} MB at most. The account has a function of ${largest} MB.`)
  const found = typeof largest === 'number' ? `its largest function has ${largest} MB` : largest.problem
  return unknown(
    what,
    `A function needs ${max} MB, and no API reports whether the account allows more than ${MIN_LIMIT} (${found}). ` +
      `If it does not, the whole stack is rolled back. Ask AWS support first, or set memory.most to ${MIN_LIMIT}.`,
  )
}

/** Functions that run at once for one recording beside its pieces: hash, thumbnails and audio. */
const BESIDE_PIECES = 3
/** Concurrency that AWS keeps for functions without a reservation. */
const UNRESERVED = 100

function checkConcurrency({ concurrency, reservedConcurrency }: Settings, limit: LambdaLimits['concurrency']): Check {
  const what = 'Lambda concurrency'
  if (typeof limit !== 'number') return unknown(what, `The limit of the account was not checked: ${limit.problem}`)
  const reserved = Object.values(reservedConcurrency).reduce<number>((sum, one) => sum + (one ?? 0), 0)
  if (reserved > 0 && limit - reserved < UNRESERVED)
    return missing(
      what,
      `reservedConcurrency takes ${reserved} of the ${limit} functions that the account runs at once, but AWS keeps ` +
        `${UNRESERVED} unreserved. Remove it, or raise the quota "Concurrent executions" to ${reserved + UNRESERVED}.`,
    )
  const each = concurrency + BESIDE_PIECES
  const together = Math.floor((limit - reserved) / each)
  const capacity = `The account runs ${limit} functions at once, and publishing a recording needs up to ${each}`
  if (together >= 2) return passed(what, `${capacity}: ${together} recordings at once, more wait.`)
  return later(
    what,
    `${capacity}, so recordings and shows wait for each other. Raise the quota "Concurrent executions", or set concurrency to ${Math.max(1, Math.floor(limit / 2) - BESIDE_PIECES)}.`,
  )
}
