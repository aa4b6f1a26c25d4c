import type { Clock } from '../../../lib/clock.ts'
import type { Services } from '../../../lib/services.ts'
import type { Cloud } from '../../cloud/cloud.ts'
import type { Platform } from '../environment/platform/platform.ts'
import type { ResourcesWatch } from '../environment/watch-resources.ts'
import type { InjectedFaults } from '../faults/faults.ts'
import type { Random } from '../scheduling/random.ts'
import type { StackAnswers } from './stack-answers.ts'
import type { UserPolicies } from './user-policies.ts'

/** The parts of a world that a deployment calls or observes. */
export interface StackParts {
  readonly cloud: Cloud
  readonly platform: Platform
  readonly clock: Clock
  readonly observer: Services
  readonly faults: Pick<InjectedFaults, 'failedCalls'>
  readonly answers: StackAnswers
  readonly userPolicies: UserPolicies
  readonly resources: Pick<ResourcesWatch, 'changes'>
  readonly random: Pick<Random, 'hex'>
}
