import type { CallSite, FaultKind } from '../faults/fault.ts'
import type { SiteFaults } from '../faults/site-faults.ts'
import { createDraws, type Draws } from '../generator/draws.ts'
import type { Random } from '../scheduling/random.ts'

/** What happens between the creation of a project and the show. */
export const projectChanges = [
  /** The event of the creation is delivered again. */
  'repeat',
  /** An update that changes nothing. */
  'same',
  /** The project is suspended and made active again. */
  'suspend',
  /** An update to another name, which is rolled back. */
  'rename',
  /** The creation of another project while the secret holds a key. */
  'another',
  /** A creation without a name, as a mistaken template orders it. */
  'nameless',
] as const
export type ProjectChange = (typeof projectChanges)[number]

/** The deployment of a stack before the show, and its removal afterwards, as data that can be shrunk. */
export interface DeploymentPlan {
  /** Undefined for a stack whose project exists already. */
  readonly project?: {
    /** Number of projects that had its name before. */
    readonly namesakes: number
    readonly changes: readonly ProjectChange[]
    /** True if its secret is rotated before the show. */
    readonly isRotated: boolean
    /** The project at the removal: its own, deleted by hand, or another one, whose key was put into the secret by hand. */
    readonly atRemoval: 'own' | 'deleted' | 'another'
  }
  /** True if an update of the stack is rolled back before its removal. */
  readonly isRolledBack: boolean
  /** True if the upload key is rotated before the removal. */
  readonly isKeyRotated: boolean
  /** Seconds for which IAM lists the deleted policy. */
  readonly policyLag: number
  /** True if the project is deleted before the keys. */
  readonly isProjectFirst: boolean
  /** True if events of the removal are delivered twice. */
  readonly isRemovedTwice: boolean
  /** Faults before the show and during the removal. */
  readonly faults: readonly SiteFaults[]
}

/** Seconds from the beginning of a deployment to the beginning of the show. */
export const DEPLOYMENT_SECONDS = 7_200

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
