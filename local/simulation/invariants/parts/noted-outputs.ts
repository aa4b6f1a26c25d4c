import type { ShowState } from '../../../../lib/show/state/state.ts'
import { hindrancesIn, type WatchEvidence } from './watch-faults.ts'

/** Seconds for which an output may connect again, and in which a show notices that it does not. */
const CONNECTING = 60
const NOTICED = 65

type Entry = ShowState['timeline'][number]

/** Checks that an RTMP output that connects for more than a minute is noted as failed, each time, unless a fault hid it. */
export function notedOutputs(evidence: WatchEvidence): string[] {
  const hindrances = hindrancesIn(evidence)
  return evidence.shows.flatMap(({ showId, state }) => {
    const outputs = (state?.timeline ?? []).filter(({ what }) => what.startsWith('output.'))
    const ofOne = Map.groupBy(outputs, ({ name, part, id }) => `${id} of ${name}/${part}`)
    const ended = Date.parse(state?.endedAt ?? '')
    return [...ofOne].flatMap(([output, entries]) =>
      entries.flatMap((entry, index) => {
        const next = entries[index + 1]
        const [from, to] = [Date.parse(entry.at), Math.min(timeOf(next), ended)]
        const isLong = entry.what === 'output.reconnecting' && to - from > (CONNECTING + NOTICED) * 1000
        const isHidden = hindrances.some((at) => at >= from && at <= to)
        return isLong && next?.what !== 'output.failed' && !isHidden
          ? [
              `the output ${output} of the show ${showId.slice(0, 12)} connected from ${entry.at}, and is not noted as failed`,
            ]
          : []
      }),
    )
  })
}

const timeOf = (entry: Entry | undefined) => (entry ? Date.parse(entry.at) : Number.POSITIVE_INFINITY)
