import type { SteppedClock } from '../../../lib/clock.ts'
import type { Services } from '../../../lib/services/services.ts'
import type { Cloud } from '../../cloud/cloud.ts'
import type { Audience } from '../audience.ts'
import type { ExecutionsWatch } from '../executions.ts'
import type { Faults } from '../faults/counting.ts'
import type { Platform } from '../platform.ts'
import type { Random } from '../random.ts'
import type { ResourcesWatch } from '../resources.ts'
import type { Scheduler } from '../scheduler.ts'

/** All that chaos acts on. */
export interface Reach {
  readonly clock: SteppedClock
  readonly scheduler: Scheduler
  readonly random: Random
  readonly faults: Faults
  readonly platform: Platform
  readonly audience: Audience
  readonly resources: ResourcesWatch
  readonly executions: ExecutionsWatch
  readonly observer: Services
  readonly cloud: Pick<Cloud, 'stepFunctions' | 'events'>
}
