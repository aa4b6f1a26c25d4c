import type { z } from 'zod'
import type { Storage } from '../aws/storage/storage.ts'
import { indexPrefixes, keys } from '../show/state/keys.ts'
import { type ShowQuality, showQuality } from '../show/state/quality.ts'
import { type DayUsage, dayUsage, type ShowUsage, showUsage } from '../show/state/usage.ts'
import { eachId } from './records.ts'
import { readStored } from './stored-documents.ts'

export type UsageRecords = ReturnType<typeof createUsageRecords>

export function createUsageRecords(storage: Storage) {
  const read = async <Schema extends z.ZodType>(key: string, schema: Schema) =>
    (await readStored(storage, key, schema))?.document
  const put = (key: string, document: ShowUsage | ShowQuality | DayUsage) =>
    storage.put(key, JSON.stringify(document), 'application/json')

  /** Lists the recorded dates of a range; both dates are included. */
  const listDays = async (from: string, to: string) => {
    const before = new Date(Date.parse(from) - 86_400_000).toISOString().slice(0, 10)
    const limit = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1
    const { keys: found } = await storage.list('usage/', { limit, after: keys.dayUsage(before) })
    return found.map((key) => key.slice('usage/'.length, -'.json'.length)).filter((date) => date <= to)
  }

  return {
    readShow: (showId: string) => read(keys.usage(showId), showUsage),
    writeShow: (usage: ShowUsage) => put(keys.usage(usage.showId), usage),
    readQuality: (showId: string) => read(keys.quality(showId), showQuality),
    writeQuality: (quality: ShowQuality) => put(keys.quality(quality.showId), quality),
    listDays,
    /** Reads the recorded days of a range, in order; both dates are included. */
    async readDays(from: string, to: string) {
      const days = await Promise.all((await listDays(from, to)).map((date) => read(keys.dayUsage(date), dayUsage)))
      return days.filter((day) => day !== undefined)
    },
    writeDay: (usage: DayUsage) => put(keys.dayUsage(usage.date), usage),
    /** Lists the shows whose usage is awaited. */
    listAwaiting: () => Array.fromAsync(eachId(storage, indexPrefixes.usage)),
    /** Removes a show from the list of those whose usage is awaited. */
    settle: (showId: string) => storage.delete(keys.awaitingUsage(showId)),
  }
}
