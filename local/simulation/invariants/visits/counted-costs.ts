import type { Manifest } from '../../../../lib/publish/manifest/manifest.ts'
import { joinedId } from '../../../../lib/show/document/fields/names.ts'
import type { ShowResult } from '../../../../lib/show/state/result.ts'
import type { ShowState } from '../../../../lib/show/state/state.ts'
import { showIdOf } from '../../environment/direct-starts.ts'
import { exceptionsIn } from '../../trace.ts'
import type { Evidence, ExecutionEvidence } from '../evidence.ts'
import { answersTo, documentIn, requestIn } from './recorded-documents.ts'

/** US dollars for a gigabyte in S3, Standard, in a month, by the list price. */
const GIGABYTE_MONTH = 0.023

interface Item {
  readonly item: string
  readonly amount: string
  readonly usd: number
}

interface Minutes {
  readonly recordings: number
  readonly broadcasts: number
}

interface ShownCost {
  readonly estimated: { readonly minutes: Minutes }
  readonly counted: {
    readonly usd: number
    readonly items: readonly Item[]
    readonly storage: Item
    readonly minutes: Minutes
  }
  readonly missingExecutions: number
}

/**
 * Checks the cost of a show at rest: the transitions and invocations are those of its executions and publishes, each counted once, and
 * the bytes are those of its files. The estimated minutes are those of its document. After a fault some may be missing: a child execution whose start was lost is in no history.
 */
export function countedCosts({
  visits,
  objects,
  executions,
  trace,
}: Pick<Evidence, 'visits' | 'objects' | 'executions' | 'trace'>): string[] {
  const isFaulty = exceptionsIn(trace).some(({ fault }) => fault !== undefined)
  return answersTo<ShownCost>(visits, /^\/shows\/([^/]+)\/cost/).flatMap(({ captured: [showId = ''], body }) => {
    const { estimated, counted, missingExecutions } = body
    const manifests = manifestsOf(showId, objects)
    const own = executionsOf(showId, manifests, executions)
    const files = manifests.flatMap(({ source, files: published }) => [source, ...published])
    const sizes = new Map(files.map(({ key, size }) => [key, size]))
    const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0)
    const shown = (pattern: RegExp) =>
      counted.items.reduce((sum, { amount }) => sum + Number(pattern.exec(amount)?.[1]?.replaceAll(',', '') ?? 0), 0)
    const sum = counted.items.reduce((total, { usd }) => total + usd, 0)
    return [
      ...compare('transitions', shown(/^([\d,]+) transitions/), own.map(transitionsOf), isFaulty),
      ...compare('invocations', shown(/^([\d,]+) invocations/), own.map(invocationsOf), isFaulty),
      ...compare('bytes', Math.round((counted.storage.usd / GIGABYTE_MONTH) * 2 ** 30), [bytes]),
      ...compare('executions without a history', missingExecutions, []),
      ...problemsOfEstimate(estimated.minutes, showId, objects),
      ...problemsOfMinutes(counted.minutes, showId, objects),
      ...(Math.abs(sum - counted.usd) < 1e-9 ? [] : [`costs ${counted.usd}, and its items ${sum}`]),
    ].map((problem) => `the show ${showId.slice(0, 12)} ${problem}`)
  })
}

/** Seconds for which a show with an open end lasts at most, unless its document says otherwise. */
const OPEN_END = 36_000

/** Finds estimated minutes other than those of the document: each recording without its pauses, and each broadcast. */
function problemsOfEstimate(minutes: Minutes, showId: string, objects: Evidence['objects']): string[] {
  const show = requestIn(objects, showId)?.show
  if (!show) return []
  const seconds = show.duration ?? show.maxDuration ?? OPEN_END
  const recorded = show.recordings.map(({ pauses = [] }) =>
    pauses.reduce((rest, { from, to }) => rest - (Math.min(to, seconds) - Math.min(from, seconds)), seconds),
  )
  const broadcast = show.broadcasts.map(({ parts, maxDuration = seconds }) =>
    parts ? seconds : Math.min(seconds, maxDuration),
  )
  return differencesOf(minutes, { recordings: recorded, broadcasts: broadcast }, 'is estimated at')
}

/**
 * Finds minutes other than those of the recordings, by the result or the manifest, and of the broadcasts: each part until the next one
 * begins, its stop is asked for, or the show ends.
 */
function problemsOfMinutes(minutes: Minutes, showId: string, objects: Evidence['objects']): string[] {
  const state = documentIn<ShowState>(objects, `shows/${showId}/state.json`)
  if (state?.endedAt === undefined) return []
  const { endedAt, recordings, broadcasts } = state
  const result = documentIn<ShowResult>(objects, `shows/${showId}/result.json`)
  const between = (from = endedAt, to = endedAt) => Math.max(0, (Date.parse(to) - Date.parse(from)) / 1000)
  const recorded = recordings.map(({ tag, archiveId, createdAt, stoppedAt }) => {
    const manifest = documentIn<Manifest>(objects, `recordings/${archiveId}/manifest.json`)
    const stated = result?.recordings.find((one) => one.tag === tag)?.duration ?? manifest?.duration
    return stated ?? between(createdAt, stoppedAt)
  })
  const broadcast = broadcasts.map(({ name, part, createdAt, stopAskedAt }) => {
    const next = broadcasts.find((one) => one.name === name && one.part === part + 1)
    return between(createdAt, next?.createdAt ?? stopAskedAt)
  })
  return differencesOf(minutes, { recordings: recorded, broadcasts: broadcast }, 'is charged for')
}

const differencesOf = (
  minutes: Minutes,
  expected: { readonly [Kind in keyof Minutes]: readonly number[] },
  words: string,
): string[] =>
  (['recordings', 'broadcasts'] as const).flatMap((kind) => {
    const seconds = expected[kind].reduce((sum, one) => sum + one, 0)
    return Math.abs(minutes[kind] - seconds / 60) < 0.001
      ? []
      : [`${words} ${minutes[kind]} minutes of ${kind}, which take ${seconds} s`]
  })

function compare(what: string, shown: number, parts: readonly number[], maySomeBeMissing = false): string[] {
  const counted = parts.reduce((sum, part) => sum + part, 0)
  return shown === counted || (maySomeBeMissing && shown < counted)
    ? []
    : [`is charged for ${shown} ${what}, and has ${counted}`]
}

/**
 * Returns the manifests of the recordings of a show, and of those that were joined of them. An archive that the platform did not know
 * when it was published is none of the show's.
 */
function manifestsOf(showId: string, objects: Evidence['objects']): Manifest[] {
  const { recordings = [] } = documentIn<ShowState>(objects, `shows/${showId}/state.json`) ?? {}
  const ids = recordings.flatMap(({ archiveId, part }) => {
    if (archiveId === undefined) return []
    return part === 1 ? [archiveId, joinedId(archiveId)] : [archiveId]
  })
  const manifests = ids.flatMap((id) => documentIn<Manifest>(objects, `recordings/${id}/manifest.json`) ?? [])
  return manifests.filter(({ show }) => show?.showId === showId)
}

/** Returns the executions of a show with their children, and the publishes that its manifests name. */
function executionsOf(
  showId: string,
  manifests: readonly Manifest[],
  executions: Evidence['executions'],
): ExecutionEvidence[] {
  const published = new Set(
    manifests.flatMap(({ publications = [] }) => publications.map(({ executionName }) => executionName)),
  )
  return executions.filter(({ machine, name, input }) => {
    if (machine === 'publish') return published.has(name)
    if (machine === 'show' && showIdOf(name) === showId) return true // one that was started directly has its document as input
    return machine !== 'notify' && input.includes(JSON.stringify(showId))
  })
}

const invocationsOf = ({ history }: ExecutionEvidence) =>
  history.filter(({ type }) => type === 'LambdaFunctionScheduled').length

/** Step Functions charges for each state that is entered, and for each retry. */
function transitionsOf({ history }: ExecutionEvidence): number {
  const entered = history.filter(({ type }) => type.endsWith('StateEntered'))
  const tasks = entered.filter(({ type }) => type === 'TaskStateEntered').length
  const attempts = history.filter(({ type }) => /^(LambdaFunction|Task)Scheduled$/.test(type)).length
  return entered.length + Math.max(0, attempts - tasks)
}
