import type { Evidence, ExecutionEvidence, ShowEvidence } from './evidence.ts'

/** State that a show enters once it is accepted, and the one of a show that is not accepted. */
const ACCEPTED = 'Open session'
const REFUSED = 'Show refused'

/**
 * Checks the executions of shows. Each closing that is counted has had its own, a while after the one before. An execution that reports
 * a show as failed fails itself, since operators see that. A show that was accepted is not refused any more.
 */
export function closedShows({ shows, executions }: Pick<Evidence, 'shows' | 'executions'>): string[] {
  const named = new Map(executions.filter(({ machine }) => machine === 'show').map((one) => [one.name, one]))
  return shows.flatMap((show) => {
    const own = named.get(show.state?.executionName ?? show.showId)
    const closings = closingsOf(show).map((name) => ({ name, execution: named.get(name) }))
    const all = [own, ...closings.map(({ execution }) => execution)].filter((one) => one !== undefined)
    return [
      ...closings.filter(({ execution }) => !execution).map(({ name }) => `was closed without the execution ${name}`),
      ...all.flatMap((one, index) => earlyClosing(one, all[index - 1])),
      ...all.filter((one) => isHiddenFailure(one, show)).map(() => 'failed, and its execution has succeeded'),
      ...all.filter(wasRefused).map(() => 'was refused after it had been accepted'),
    ].map((problem) => `the show ${show.showId.slice(0, 12)} ${problem}`)
  })
}

const closingsOf = ({ showId, state, result }: ShowEvidence) =>
  result ? Array.from({ length: state?.closings ?? 0 }, (_, index) => `${showId}-close-${index + 1}`) : []

/** Seconds after the end of an execution from which the next one may close the show. A cause that lasts is not met too often. */
const PAUSES = [0, 300, 900, 1_800, 3_600] as const

function earlyClosing({ name, startDate }: ExecutionEvidence, before: ExecutionEvidence | undefined): string[] {
  const number = Number(/-close-(\d+)$/.exec(name)?.[1])
  if (!before?.stopDate || Number.isNaN(number)) return []
  const [pause, waited] = [PAUSES[number - 1] ?? 0, (startDate.getTime() - before.stopDate.getTime()) / 1000]
  return waited >= pause ? [] : [`was closed ${waited} s after the execution before, and not ${pause} s`]
}

/** Returns true for an execution that has written the result of a failed show, and succeeded. */
function isHiddenFailure({ status, startDate, stopDate }: ExecutionEvidence, { result }: ShowEvidence): boolean {
  if (result?.status !== 'failed' || status !== 'SUCCEEDED') return false
  const at = Date.parse(result.reportedAt)
  return at >= startDate.getTime() && at <= (stopDate?.getTime() ?? 0)
}

function wasRefused({ history }: ExecutionEvidence): boolean {
  const entered = history.flatMap(({ stateEnteredEventDetails }) => stateEnteredEventDetails?.name ?? [])
  return entered.includes(ACCEPTED) && entered.includes(REFUSED)
}
