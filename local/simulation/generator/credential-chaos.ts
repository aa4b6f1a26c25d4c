import type { Chaos } from '../chaos/chaos.ts'
import type { CallSite, FaultKind } from '../faults/fault.ts'
import type { SiteFaults } from '../faults/site-faults.ts'
import type { Random } from '../scheduling/random.ts'
import { createDraws } from './draws.ts'

/** Share of the shows whose credentials are replaced more often than others. */
const SHARE = 0.4
/** Seconds after a show in which the secret of its project may be replaced. */
const AFTER = 1_800

const AWS = ['lost before', 'lost after', '500', 'killed before', 'killed after', 'delayed', 'delayed'] as const
const PLATFORM = ['lost before', 'lost after', '429', '500', 'killed before', 'killed after'] as const

/** Calls of the functions that replace credentials. */
const sites: readonly (Pick<CallSite, 'caller' | 'operation'> & { readonly kinds: readonly FaultKind[] })[] = [
  { caller: 'RotateUploadKey', operation: 'secretsmanager PutSecretValue', kinds: AWS },
  { caller: 'RotateUploadKey', operation: 's3 POST', kinds: AWS },
  { caller: 'RotateUploadKey', operation: 'platform setUploadTarget', kinds: PLATFORM },
  { caller: 'RotateProjectSecret', operation: 'platform refreshSecret', kinds: PLATFORM },
  { caller: 'RotateProjectSecret', operation: 'secretsmanager PutSecretValue', kinds: AWS },
]

export interface CredentialChaos extends Required<Pick<Chaos, 'rotations' | 'revocations'>> {
  readonly faults: readonly SiteFaults[]
}

/**
 * Draws rotations that follow each other, revoked upload keys, and rotations of the project’s secret, with faults of their calls.
 * @param within seconds that the show lasts, approximately
 */
export function drawCredentialChaos(random: Random, { within }: { readonly within: number }): CredentialChaos {
  const { chance, between, oneOf, times } = createDraws(random)
  if (!chance(SHARE)) return { rotations: [], revocations: [], faults: [] }
  const first = between(0, within)
  const keys = times(oneOf([0, 1, 2, 3]), (index) => ({
    at: first + index * between(60, 1_200),
    of: 'upload key' as const,
  }))
  const secrets = times(oneOf([0, 1]), () => ({ at: between(0, within + AFTER), of: 'project secret' as const }))
  return {
    rotations: [...keys, ...secrets],
    revocations: times(oneOf([0, 0, 1]), () => between(0, within)),
    faults: times(oneOf([0, 1, 2]), () => {
      const { kinds, ...site } = oneOf(sites)
      const kind = oneOf(kinds)
      return {
        ...{ ...site, from: oneOf([1, 1, 2, 3]), times: 1, kind },
        ...(kind === 'delayed' && { seconds: between(1, 30) }),
      }
    }),
  }
}
