import { REVOCATION } from '../../chaos/revocation.ts'
import { exceptionsIn } from '../../trace.ts'
import type { Evidence } from '../evidence.ts'

/** Seconds that a revocation takes at most, with its rotation. */
const REVOKED_WITHIN = 1_200
/** Statuses of archives whose upload may use any former key. */
const UNDER_WAY: ReadonlySet<string> = new Set(['started', 'paused', 'stopped'])
/** Seconds after its start for which a list may miss an archive, and a task may work with the list. */
const LAG = 300

/**
 * Checks that a rotation retires no upload key that may be in use: no upload of the platform is refused, and no key is
 * deactivated while an archive is not uploaded. An operator may revoke a key nevertheless.
 */
export function keysInUse({
  trace,
  keyChanges,
  statusChanges,
}: Pick<Evidence, 'trace' | 'keyChanges' | 'statusChanges'>): string[] {
  const revocations = exceptionsIn(trace).filter(({ fault }) => fault === REVOCATION)
  const isRevoked = (at: number, within = Number.POSITIVE_INFINITY) =>
    revocations.some((one) => one.at <= at && at <= one.at + within)
  const refused = trace.filter(
    ({ at, call }) =>
      call?.caller === 'platform' && call.name.startsWith('s3 ') && call.status === 403 && !isRevoked(at),
  )
  const archives = [
    ...Map.groupBy(
      statusChanges.filter(({ kind }) => kind === 'archive'),
      ({ id }) => id,
    ),
  ]
  return [
    ...refused.map(
      ({ call }) => `an upload of the platform was refused with 403, since its key is retired: ${call?.path}`,
    ),
    ...keyChanges.flatMap(({ at, action, accessKeyId }) => {
      if (action !== 'deactivated' || isRevoked(at, REVOKED_WITHIN * 1000)) return []
      const waiting = archives.find(([, changes]) => {
        const latest = changes.findLast((one) => one.at <= at) // uploads of the same moment may have come first
        const isKnown = (changes[0]?.at ?? at) < at - LAG * 1000
        return isKnown && latest !== undefined && UNDER_WAY.has(latest.status)
      })
      return waiting
        ? [`the upload key ${accessKeyId} was deactivated while the archive ${waiting[0]} was not uploaded`]
        : []
    }),
  ]
}
