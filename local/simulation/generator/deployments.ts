import { type DeploymentPlan, projectChanges } from '../deploying/deployment-plan.ts'
import type { CallSite, FaultKind } from '../faults/fault.ts'
import type { Random } from '../scheduling/random.ts'
import { createDraws, type Draws } from './draws.ts'

/** Share of the seeds with a deployment. */
const SHARE = 0.45

const PLATFORM = ['lost before', 'lost after', '429', '500', 'killed before', 'killed after'] as const
const AWS = [...PLATFORM, '400', 'delayed'] as const
const LAMBDA = ['throttled', 'crashed before', 'crashed after', 'timed out after'] as const

/** Calls that a deployment can fail at, with the kinds of faults. */
const sites: readonly (Pick<CallSite, 'caller' | 'operation'> & { readonly kinds: readonly FaultKind[] })[] = [
  ...['createProject', 'createProject', 'createProject', 'getProject', 'listProjects', 'listArchives'].map((name) => ({
    ...{ caller: 'ManageProject', operation: `platform ${name}`, kinds: PLATFORM },
  })),
  ...['setProjectStatus', 'deleteProject'].map((name) => ({
    ...{ caller: 'ManageProject', operation: `platform ${name}`, kinds: PLATFORM },
  })),
  ...['secretsmanager GetSecretValue', 'secretsmanager PutSecretValue'].map((operation) => ({
    ...{ caller: 'ManageProject', operation, kinds: AWS },
  })),
  ...['ManageProject', 'DeleteUploadKeys'].flatMap((name) => [
    { caller: name, operation: 'cloudformation answer', kinds: PLATFORM },
    { caller: 'cloud', operation: `lambda ${name}`, kinds: LAMBDA },
  ]),
  { caller: 'DeleteUploadKeys', operation: 's3 POST', kinds: ['lost before', 'lost after', '500', 'killed after'] },
  ...['refreshSecret', 'refreshSecret', 'getProject'].map((name) => ({
    ...{ caller: 'RotateProjectSecret', operation: `platform ${name}`, kinds: PLATFORM },
  })),
  ...['secretsmanager PutSecretValue', 'secretsmanager UpdateSecretVersionStage'].map((operation) => ({
    ...{ caller: 'RotateProjectSecret', operation, kinds: AWS },
  })),
  ...['secretsmanager PutSecretValue', 'secretsmanager PutSecretValue', 's3 POST'].map((operation) => ({
    ...{ caller: 'RotateUploadKey', operation, kinds: AWS },
  })),
]

/** Draws a deployment. More than half of the seeds have none. */
export function drawDeployment(random: Random): DeploymentPlan | undefined {
  const draws = createDraws(random)
  const { chance, oneOf, between, times } = draws
  if (!chance(SHARE)) return undefined
  const isManaged = chance(0.85)
  return {
    ...(isManaged && { project: drawProject(draws) }),
    isRolledBack: chance(0.3),
    isKeyRotated: chance(0.4),
    policyLag: oneOf([0, 0, between(1, 20)]),
    isProjectFirst: chance(0.5),
    isRemovedTwice: chance(0.3),
    faults: times(oneOf([0, 1, 2, 3]), () => {
      const { kinds, ...site } = oneOf(sites)
      const kind = oneOf(kinds)
      const strikes = { from: oneOf([1, 1, 2, 3]), times: chance(0.2) ? 4 : 1, kind }
      return { ...site, ...strikes, ...(kind === 'delayed' && { seconds: between(1, 30) }) }
    }),
  }
}

function drawProject({ chance, oneOf, someOf, between }: Draws): NonNullable<DeploymentPlan['project']> {
  return {
    namesakes: oneOf([0, 1, 2]),
    changes: someOf(projectChanges, between(0, 3)),
    isRotated: chance(0.6),
    atRemoval: oneOf(['own', 'own', 'own', 'deleted', 'another']),
  }
}
