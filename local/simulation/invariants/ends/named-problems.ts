import type { ShowResult } from '../../../../lib/show/state/result.ts'
import type { ShowState } from '../../../../lib/show/state/state.ts'
import type { Evidence, ShowEvidence } from '../evidence.ts'

/** Problems of a kind that a reason names. It states the number of the others. */
const NAMED = 5
/** Statuses of an output that the platform has given up. */
const DOWN: readonly string[] = ['offline', 'error']

/**
 * Checks that the reason of a result names what is lost or has failed, in the order of the document: recordings, broadcasts, outputs
 * that were off the air, scenes, dial-ins and tones. A show with such an output has not succeeded. A show that was called off before it
 * was live has lost nothing, and one that was stopped while it was starting has lost only what had started.
 */
export const namedProblems = ({ shows }: Pick<Evidence, 'shows'>): string[] =>
  shows.flatMap((show) => problemsOf(show).map((problem) => `the show ${show.showId.slice(0, 12)} ${problem}`))

function problemsOf({ state, result }: ShowEvidence): string[] {
  if (!state || !result) return []
  const isStopped = state.stopAskedAt !== undefined || state.unattended === true
  const isCalledOff = state.liveAt === undefined && isStopped
  const outputs = outputsOf(state).flatMap((output) => failureOf(output, state) ?? [])
  const isImpaired = result.status === 'degraded' || result.status === 'failed'
  return [
    ...(isCalledOff
      ? []
      : [
          ...unnamed(result, lossesIn(result, isStopped), 'recordings are lost'),
          ...unnamed(result, broadcastsIn(state), 'broadcasts failed'),
        ]),
    ...unnamed(result, [...outputs, ...scenesIn(state), ...dialInsIn(state), ...tonesIn(state)], 'problems occurred'),
    ...(outputs.length > 0 && !isImpaired ? [`is ${result.status}, although an output was off the air`] : []),
    ...(outputs.length === 0 && result.status === 'degraded' ? ['is degraded, and no output was off the air'] : []),
  ]
}

function unnamed({ reason }: ShowResult, sentences: readonly string[], others: string): string[] {
  const [, more = 0] = new RegExp(`(\\d+) more ${others}\\.`).exec(reason) ?? []
  const rest = Math.max(0, sentences.length - NAMED)
  return [
    ...sentences
      .slice(0, NAMED)
      .filter((one) => !reason.includes(one))
      .map((one) => `does not say: ${one}`),
    ...(Number(more) === rest ? [] : [`says that ${more} more ${others}, and ${rest} did`]),
  ]
}

const lossesIn = ({ recordings }: ShowResult, isStopped: boolean) =>
  recordings
    .filter((one) => one.lost !== undefined && !(isStopped && neverStarted(one)))
    .map(({ name, part }) =>
      recordings.some((one) => one.name === name && one.part !== part)
        ? `Part ${part} of the recording ${name} is lost.`
        : `The recording ${name} is lost.`,
    )

const neverStarted = ({ archiveId, problem }: ShowResult['recordings'][number]) =>
  archiveId === undefined && problem === undefined

interface Part {
  readonly name: string
  readonly part: number
}

const titleOf = ({ name, part }: Part) => (part === 1 ? name : `${name} (part ${part})`)

const broadcastsIn = ({ broadcasts = [] }: ShowState) =>
  broadcasts.flatMap(({ problem, status, ...one }) => {
    if (problem !== undefined) return [`The broadcast ${titleOf(one)} could not be started. ${problem}`]
    return status === 'failed' ? [`The broadcast ${titleOf(one)} failed.`] : []
  })

interface Output extends Part {
  readonly id: string
  readonly status: string
}

const outputsOf = ({ broadcasts = [] }: ShowState): Output[] =>
  broadcasts.flatMap(({ name, part, rtmp = [] }) => rtmp.map(({ id, status }) => ({ name, part, id, status })))

function failureOf({ name, part, id, status }: Output, { timeline }: ShowState): string | undefined {
  const failures = timeline.filter(
    (one) => one.what === 'output.failed' && one.name === name && one.part === part && one.id === id,
  ).length
  const output = `The output ${id} of the broadcast ${titleOf({ name, part })}`
  if (DOWN.includes(status)) return `${output} was ${status}.`
  if (failures === 0) return undefined
  if (status !== 'live') return `${output} was not on the air at the end.`
  return `${output} was off the air ${failures === 1 ? 'for a time' : `${failures} times`}.`
}

const scenesIn = ({ scenes = [] }: ShowState) =>
  scenes
    .filter(({ problem, status }) => problem !== undefined || status === 'failed')
    .map(({ name, problem, reason }) => `The scene ${name} failed. ${problem ?? reason ?? ''}`.trim())

const dialInsIn = ({ dialIns = [] }: ShowState) =>
  dialIns.flatMap(({ name, problem, status }) => {
    if (problem !== undefined) return [`The dial-in ${name} failed. ${problem}`]
    return status === 'unknown' ? [`The outcome of the dial-in ${name} is unknown.`] : []
  })

const tonesIn = ({ dialIns = [] }: ShowState) =>
  dialIns.flatMap(({ name, tones, tonesAskedAt }) => {
    if (tones === 'failed') return [`The tones for the dial-in ${name} could not be played.`]
    const isUnknown = tones === 'unknown' || (tones === undefined && tonesAskedAt !== undefined)
    return isUnknown ? [`It is unknown whether the tones for the dial-in ${name} were played.`] : []
  })
