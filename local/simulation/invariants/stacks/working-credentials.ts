import { keys } from '../../../../lib/show/state/keys.ts'
import { exceptionsIn } from '../../trace.ts'
import type { Evidence } from '../evidence.ts'

/** Seconds before the end in which a fault may delay a rotation: it is followed up every five minutes, and holds a lock. */
const EXCUSED = 2_400
/** Seconds after the last show was settled by which a rotation that has waited for it is over. */
const FOLLOWED_UP = 900
const SETTLE = 's3 DeleteObject index/unfinished/'
/** Seconds for which shows wait at most for a secret that is replaced and not stored: half an hour. */
const AWAITED = 1_800
/** Milliseconds in which a session that is opened just before the replacement is answered. */
const AROUND = 1_000

type Seen = Pick<Evidence, 'stackState' | 'statusChanges' | 'trace' | 'objects' | 'now'>

/**
 * Checks that the stored credentials work at the end, and that the secret of the project is replaced only while no show records
 * or broadcasts. No show opens a session before the new one is stored, since the platform refuses the former one. A rotation that
 * waits for shows is over soon after the last one is settled.
 */
export function workingCredentials({ stackState, statusChanges, trace, objects, now }: Seen): string[] {
  const replacements = trace.filter(({ call }) => call?.name === 'platform refreshSecret' && call.status < 300)
  const early = replacements.flatMap(({ at }) => {
    const latest = new Map(
      statusChanges
        .filter((one) => one.at <= at && one.tag !== undefined && (one.kind === 'archive' || one.kind === 'broadcast'))
        .map((one) => [one.id, one]),
    )
    const live = [...latest.values()].find(({ status }) => status === 'started' || status === 'paused')
    return live ? [`the secret of the project was replaced while ${live.tag} was live`] : []
  })
  const problems = [...early, ...openedMeanwhile(trace)]
  if (!stackState) return problems
  const { projectSecret, uploadKey, isSecretRotating } = stackState
  const isExcused = exceptionsIn(trace).some(({ at, fault }) => fault !== undefined && at >= now - EXCUSED * 1000)
  const isUnsettled = [...objects.keys()].some((key) => key.startsWith(keys.unfinished('')))
  const settledAt = trace.findLast(({ call }) => call?.name.startsWith(SETTLE))?.at ?? 0
  const mayWait = isExcused || isUnsettled || settledAt >= now - FOLLOWED_UP * 1000
  return [
    ...problems,
    ...(uploadKey.isAccepted ? [] : ['the bucket refuses the upload key']),
    ...(isSecretRotating && !mayWait ? ['a rotation of the project’s secret did not end'] : []),
    ...(projectSecret.isAccepted || (isSecretRotating && mayWait) ? [] : ['the platform refuses the project’s secret']),
  ]
}

/** Finds sessions that are asked for between the replacement of the project’s secret and its storage. */
function openedMeanwhile(trace: Seen['trace']): string[] {
  let replacedAt = Number.NEGATIVE_INFINITY
  return trace.flatMap(({ at, call }) => {
    if (call?.name === 'platform refreshSecret' && call.status < 300) replacedAt = at
    if (call?.name === 'secretsmanager PutSecretValue') replacedAt = Number.NEGATIVE_INFINITY
    const isOpening = call?.name === 'platform createSession' && at > replacedAt + AROUND
    return isOpening && at < replacedAt + AWAITED * 1000
      ? [`a show opened its session ${(at - replacedAt) / 1000} s after the secret of the project was replaced`]
      : []
  })
}
