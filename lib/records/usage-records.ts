import type { z } from 'zod'
import type { Storage } from '../aws/storage/storage.ts'
import { idInIndexKey, indexPrefixes, keys } from '../show/state/keys.ts'
import { type ShowQuality, showQuality } from '../show/state/quality.ts'
import { type DayUsage, dayUsage, type ShowUsage, showUsage } from '../show/state/usage.ts'
import { StorageError } from '../tasks/errors.ts'

export interface UsageRecords {
  readShow(showId: string): Promise<ShowUsage | undefined>
  writeShow(usage: ShowUsage): Promise<void>
  readQuality(showId: string): Promise<ShowQuality | undefined>
  writeQuality(quality: ShowQuality): Promise<void>
  /** Reads the recorded days of a range, in order; both dates are included. */
  readDays(from: string, to: string): Promise<DayUsage[]>
  /** Lists the recorded dates of a range; both dates are included. */
  listDays(from: string, to: string): Promise<string[]>
  writeDay(usage: DayUsage): Promise<void>
  /** Lists the shows whose usage is awaited. */
  listAwaiting(): Promise<string[]>
  /** Removes a show from the list of those whose usage is awaited. */
  settle(showId: string): Promise<void>
}

export function createUsageRecords(storage: Storage): UsageRecords {
  const read = async <Schema extends z.ZodType>(key: string, schema: Schema): Promise<z.output<Schema> | undefined> => {
    const stored = await storage.readDocument(key)
    if (!stored) return undefined
    const parsed = schema.safeParse(stored.value)
    if (parsed.success) return parsed.data
    throw new StorageError(
      `${key} is not a document that this version of Showrunner reads: was it written by another version?`,
    )
  }
  const put = (key: string, document: ShowUsage | ShowQuality | DayUsage) =>
    storage.put(key, JSON.stringify(document), 'application/json')

  const listDays: UsageRecords['listDays'] = async (from, to) => {
    const before = new Date(Date.parse(from) - 86_400_000).toISOString().slice(0, 10)
    const limit = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1
    const { keys: found } = await storage.list('usage/', { limit, after: keys.dayUsage(before) })
    return found.map((key) => key.slice('usage/'.length, -'.json'.length)).filter((date) => date <= to)
  }

  return {
    readShow: (showId) => read(keys.usage(showId), showUsage),
    writeShow: (usage) => put(keys.usage(usage.showId), usage),
    readQuality: (showId) => read(keys.quality(showId), showQuality),
    writeQuality: (quality) => put(keys.quality(quality.showId), quality),
    listDays,
    async readDays(from, to) {
      const days = await Promise.all((await listDays(from, to)).map((date) => read(keys.dayUsage(date), dayUsage)))
      return days.filter((day) => day !== undefined)
    },
    writeDay: (usage) => put(keys.dayUsage(usage.date), usage),
    async listAwaiting() {
      const showIds: string[] = []
      for (let after: string | undefined; ; ) {
        const page = await storage.list(indexPrefixes.usage, { limit: 1_000, ...(after && { after }) })
        showIds.push(...page.keys.map(idInIndexKey))
        after = page.keys.at(-1)
        if (!page.more) return showIds
      }
    },
    settle: (showId) => storage.delete(keys.awaitingUsage(showId)),
  }
}
