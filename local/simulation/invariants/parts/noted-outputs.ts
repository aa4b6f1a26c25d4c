import { isTagOf } from '../../../../lib/show/document/fields/names.ts'
import type { ShowState } from '../../../../lib/show/state/state.ts'
import { partRunsOf } from './part-runs.ts'
import { hindrancesIn, type WatchEvidence, watchFaultsIn } from './watch-faults.ts'

/** Seconds for which an output may connect again, and in which a show notices that it does not. */
const CONNECTING = 60
const NOTICED = 65

/** Matches events by which a loss is noted. */
const LOSSES = /^output\.(reconnecting|failed)$/

type Entry = ShowState['timeline'][number]

/** Matches a fault by which outputs lose their connections. */
const LOST = /outputs lose their connections for (\d+) s/

/**
 * Checks that the first state of each RTMP output is noted. One that connects for more than a minute is noted as failed, each
 * time, and so is each connection that is lost for minutes, unless a fault hid it. One that has nothing to send has not failed.
 */
export const notedOutputs = (evidence: WatchEvidence): string[] => [
  ...unseen(evidence),
  ...unfailed(evidence),
  ...unnoted(evidence),
  ...failedIdle(evidence),
]

/** Seconds for which nothing is published, so that each observation shows it. */
const IDLE = 30

/** Finds outputs that are noted as connecting for too long while nothing is published that they could send. */
function failedIdle(evidence: WatchEvidence): string[] {
  const faults = watchFaultsIn(evidence)
  return evidence.shows.flatMap(({ showId, state }) => {
    const changes = evidence.statusChanges.filter(({ kind, tag }) => kind === 'archive' && isTagOf(showId, tag))
    const archives = [...Map.groupBy(changes, ({ id }) => id).values()]
    return (state?.timeline ?? []).filter(isConnecting).flatMap(({ id, name, part, at }) => {
      const time = Date.parse(at)
      const isIdle = archives.some((one) => {
        const last = one.findLast((change) => change.at <= time)
        return last?.status === 'paused' && last.at < time - IDLE * 1000
      })
      return isIdle && !faults.some((fault) => fault >= time - IDLE * 1000 && fault <= time)
        ? [`the output ${id} of ${name}/${part} is noted as failed at ${at}, while nothing was published`]
        : []
    })
  })
}

/** The platform gives up an output with another status. */
const isConnecting = ({ what, detail = '' }: Entry) => what === 'output.failed' && detail.includes('connecting')

function unseen(evidence: WatchEvidence): string[] {
  const hindrances = hindrancesIn(evidence)
  return evidence.shows.flatMap(({ showId, request, state }) =>
    partRunsOf(showId, 'broadcast', evidence.statusChanges).flatMap((run) => {
      const { from, name, part } = run
      const until = from + (CONNECTING + NOTICED) * 1000
      const isJudged = run.to > until && Date.parse(state?.endedAt ?? '') > until
      if (!isJudged || hindrances.some((at) => at >= from - NOTICED * 1000 && at <= until)) return []
      const noted = (state?.timeline ?? []).filter(
        (one) =>
          one.what.startsWith('output.') && one.name === name && one.part === part && Date.parse(one.at) <= until,
      )
      const { rtmp = [] } = request?.show.broadcasts.find((one) => one.name === name) ?? {}
      return rtmp
        .filter(({ id }) => noted.every((one) => one.id !== id))
        .map(({ id }) => `no state of the output ${id} of ${name}/${part} of the show ${showId.slice(0, 12)} is noted`)
    }),
  )
}

function unnoted(evidence: WatchEvidence): string[] {
  const hindrances = hindrancesIn(evidence)
  const losses = evidence.trace.flatMap(({ at, line }) => {
    const seconds = Number(LOST.exec(line)?.[1] ?? 0)
    return seconds >= CONNECTING + NOTICED ? [{ from: at, to: at + (seconds + NOTICED) * 1000 }] : []
  })
  // While a recording is paused, an output may have nothing to send.
  const shows = evidence.shows.filter(
    ({ request, state }) => !state?.pauses && !request?.show.recordings.some(({ pauses }) => pauses?.length),
  )
  return shows.flatMap(({ showId, request, state }) =>
    partRunsOf(showId, 'broadcast', evidence.statusChanges).flatMap((run) => {
      const { rtmp = [] } = request?.show.broadcasts.find(({ name }) => name === run.name) ?? {}
      const during = losses.filter(({ from, to }) => run.from + NOTICED * 1000 < from && to < run.to)
      return during.flatMap(({ from, to }) => {
        if (hindrances.some((at) => at >= from - NOTICED * 1000 && at <= to)) return []
        const isDown = (output: string) => {
          const before = (state?.timeline ?? []).findLast(
            ({ what, id, name, at }) =>
              what.startsWith('output.') && id === output && name === run.name && Date.parse(at) < from,
          )
          return before === undefined || LOSSES.test(before.what)
        }
        const isNoted = (output: string) =>
          (state?.timeline ?? []).some(
            ({ what, id, name, part, at }) =>
              LOSSES.test(what) &&
              id === output &&
              name === run.name &&
              part === run.part &&
              Date.parse(at) >= from &&
              Date.parse(at) <= to,
          )
        return rtmp
          .filter(({ id }) => !isDown(id) && !isNoted(id))
          .map(
            ({ id }) =>
              `the loss of the output ${id} of ${run.name}/${run.part} at ${new Date(from).toISOString()} is not noted`,
          )
      })
    }),
  )
}

function unfailed(evidence: WatchEvidence): string[] {
  const hindrances = hindrancesIn(evidence)
  return evidence.shows.flatMap(({ showId, state }) => {
    const runs = partRunsOf(showId, 'broadcast', evidence.statusChanges)
    const outputs = (state?.timeline ?? []).filter(({ what }) => what.startsWith('output.'))
    const ofOne = Map.groupBy(outputs, ({ name, part, id }) => `${id} of ${name}/${part}`)
    const ended = Date.parse(state?.endedAt ?? '')
    return [...ofOne].flatMap(([output, entries]) =>
      entries.flatMap((entry, index) => {
        const next = entries[index + 1]
        const run = runs.find(({ name, part }) => name === entry.name && part === entry.part)
        const [from, to] = [Date.parse(entry.at), Math.min(timeOf(next), ended, run?.to ?? ended)]
        const isLong = entry.what === 'output.reconnecting' && to - from > (CONNECTING + NOTICED) * 1000
        const isHidden = hindrances.some((at) => at >= from - NOTICED * 1000 && at <= to)
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
