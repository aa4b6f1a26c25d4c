import type { TraceEntry } from '../../trace.ts'
import type { Evidence } from '../evidence.ts'
import { invocationsIn } from '../model/invocations.ts'

/** Tasks that announce something to participants: each one thing. */
const ANNOUNCING = /^(GoLive|StopShow)(\/\d+)?$/

/** Checks that an announcement is not sent again once its show has noted it. It may be repeated before. */
export function announcedOnce({ trace }: Pick<Evidence, 'trace'>): string[] {
  const noted = new Set<string>()
  return invocationsIn(trace, (caller) => ANNOUNCING.test(caller)).flatMap(({ caller, entries, at }) => {
    const sent = entries.findIndex(({ call }) => call?.name === 'platform signalSession' && call.status < 300)
    const { show } = entries[sent] ?? {}
    if (show === undefined) return []
    const key = `${caller.replace(/\/\d+$/, '')} ${show}`
    const isRepeated = noted.has(key)
    if (entries.slice(sent).some(isNote)) noted.add(key)
    return isRepeated
      ? [`${caller} announced again what the show ${show.slice(0, 12)} had noted, at ${new Date(at).toISOString()}`]
      : []
  })
}

const isNote = ({ call }: TraceEntry) =>
  call !== undefined && /^s3 Put.*\/state\.json/.test(call.name) && call.status < 300
