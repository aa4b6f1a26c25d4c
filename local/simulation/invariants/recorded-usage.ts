import { AUTH_HEADER } from '../../../lib/platform/contract/tokens.ts'
import type { DayUsage, ShowUsage } from '../../../lib/show/state/usage.ts'
import { addresses } from '../environment/addresses.ts'
import { createToken, readProjects } from '../environment/platform/account-requests.ts'
import type { World } from '../world.ts'

type Minutes = Readonly<Record<string, number | null>>

/** A record of usage, and what Insights report for exactly its time. */
export interface UsageEvidence {
  readonly key: string
  readonly recorded: Minutes
  readonly reported: Minutes
  /** Ids of the meetings that it lists. */
  readonly meetings: readonly string[]
}

/** Reads the records of usage, and queries Insights for each, without the client of the product. */
export async function readUsage(world: World): Promise<UsageEvidence[]> {
  const { storage } = world.observer
  const keys = [...(await listAll(storage, 'usage/')), ...(await listAll(storage, 'shows/')).filter(isUsage)]
  const read = keys.map(async (key): Promise<UsageEvidence[]> => {
    const record = (await storage.readDocument(key))?.value as DayUsage | ShowUsage
    const { minutes } = record
    if (!minutes) return [] // they are not known yet
    const range = 'date' in record ? dayOf(record.date) : { start: record.from, end: record.to }
    const meetings = 'meetings' in record ? (record.meetings ?? []).map(({ meetingId }) => meetingId) : []
    return [{ key, recorded: minutes, reported: await query(world, range, Object.keys(minutes)), meetings }]
  })
  return (await Promise.all(read)).flat()
}

const isUsage = (key: string) => key.endsWith('/usage.json')

async function listAll(storage: World['observer']['storage'], prefix: string): Promise<string[]> {
  const all: string[] = []
  for (let after: string | undefined; ; after = all.at(-1)) {
    const { keys, more } = await storage.list(prefix, { limit: 1_000, ...(after && { after }) })
    all.push(...keys)
    if (!more) return all
  }
}

function dayOf(date: string) {
  const start = `${date}T00:00:00.000Z`
  return { start, end: new Date(Date.parse(start) + 86_400_000).toISOString() }
}

/** Sums the minutes of one range. The interval is a month, so that the intervals of a record cannot repeat a mistake. */
async function query(
  { platform, clock }: World,
  { start, end }: { readonly start: string; readonly end: string },
  kinds: readonly string[],
): Promise<Minutes> {
  const apiKey = platform.projectKey
  const projects = await readProjects(platform, clock.now())
  const { secret = '' } = projects.find(({ id }) => id === apiKey) ?? {}
  const list = `projectData(start: "${start}", end: "${end}", interval: [MONTHLY])`
  const text = `{ project(projectId: ${apiKey}) { ${list} { resources { usage { ${kinds.join(' ')} } } } } }`
  const token = createToken({ iss: apiKey, ist: 'project', secret, now: clock.now() })
  const headers = { [AUTH_HEADER]: token, 'content-type': 'application/json' }
  const request = { method: 'POST', headers, body: JSON.stringify({ query: text }) }
  const answer = await platform.sandbox.fetch(new Request(`${addresses.insights}/graphql`, request))
  const { data, errors } = (await answer.json()) as Answer
  if (!data) throw new Error(`Insights refuse to report usage: ${JSON.stringify(errors)}`)
  const all = data.project.projectData.resources.map(({ usage }) => usage)
  const sum = (kind: string) => {
    const known = all.flatMap((usage) => usage?.[kind] ?? [])
    return known.length > 0 ? known.reduce((total, minutes) => total + minutes, 0) : null
  }
  return Object.fromEntries(kinds.map((kind) => [kind, sum(kind)]))
}

interface Answer {
  readonly data?: {
    readonly project: { readonly projectData: { readonly resources: { readonly usage: Minutes | null }[] } }
  }
  readonly errors?: unknown
}
