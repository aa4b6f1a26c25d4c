import type { SteppedClock } from '../../../lib/clock.ts'
import type { Services } from '../../../lib/services.ts'
import type { Cloud } from '../../cloud/cloud.ts'
import type { Stack } from '../deploying/stack.ts'
import type { Audience } from '../environment/audience.ts'
import type { PublishedKeys } from '../environment/keys/published-keys.ts'
import type { Platform } from '../environment/platform/platform.ts'
import type { ExecutionsWatch } from '../environment/watch-executions.ts'
import type { ResourcesWatch } from '../environment/watch-resources.ts'
import type { InjectedFaults } from '../faults/faults.ts'
import type { Random } from '../scheduling/random.ts'
import type { OrderScheduler } from '../scheduling/scheduler.ts'

export interface ChaosTargets {
  readonly clock: SteppedClock
  readonly scheduler: OrderScheduler
  readonly random: Random
  readonly faults: InjectedFaults
  readonly platform: Platform
  readonly audience: Audience
  readonly resources: ResourcesWatch
  readonly executions: ExecutionsWatch
  readonly observer: Services
  readonly publishedKeys: PublishedKeys
  /** Deploys the assembly with other bundles and definitions. */
  readonly deploy: () => void
  readonly stack: Pick<Stack, 'revoke'>
  readonly cloud: Pick<Cloud, 'stepFunctions' | 'events' | 'aws' | 'credentials' | 'outputs'>
}
