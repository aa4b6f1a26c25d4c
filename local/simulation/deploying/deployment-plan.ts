import type { SiteFaults } from '../faults/site-faults.ts'

/** Changes of a project between its creation and the show. */
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

/** Seconds after which follow-ups, one each hour, have deactivated and deleted a former key. */
export const RETIRED_AFTER = 3 * 3_600
