import { createSteppedClock, type SteppedClock } from '../../../lib/clock.ts'
import { type Cloud, type CloudOptions, createCloud } from '../../../local/cloud/cloud.ts'
import type { InvocationContext } from '../../../local/cloud/functions/function.ts'
import { createInProcessHandler, signByClock } from '../../../local/cloud/functions/in-process-handler.ts'
import { assemblyOf, type SmallTemplate } from './small-assembly.ts'

export const START = Date.parse('2026-01-01T00:00:00Z')

/** Functions of this process instead of bundles, by the function’s logical id. */
export type Handlers = Record<string, (event: never, context: InvocationContext) => unknown>

export interface SmallCloud {
  readonly cloud: Cloud
  readonly clock: SteppedClock
  /** Creates an AWS SDK client of this cloud. */
  connect<Client extends { config: { systemClockOffset: number } }>(make: new (config: never) => Client): Client
}

/** A cloud in memory under a stepped clock. */
export function createSmallCloud(
  template: SmallTemplate,
  handlers: Handlers = {},
  options: Partial<CloudOptions> = {},
): SmallCloud {
  const clock = createSteppedClock(START)
  let count = 0
  const cloud = createCloud({
    assembly: assemblyOf(template),
    parameters: {},
    apiUrl: 'http://api.invalid',
    clock,
    randomHex: (digits) => (++count).toString(16).padStart(digits, '0'),
    random: () => 0.5,
    invoke: async ({ logicalId }, event, context) => handlers[logicalId]?.(event as never, context),
    ...options,
  })
  return { cloud, clock, connect: (make) => connectTo(cloud, clock, make) }
}

export function connectTo<Client extends { config: { systemClockOffset: number } }>(
  cloud: Pick<Cloud, 'aws' | 'credentials'>,
  clock: SteppedClock,
  make: new (config: never) => Client,
): Client {
  const client = new make({
    endpoint: 'http://aws.invalid',
    region: 'us-east-1',
    credentials: cloud.credentials,
    forcePathStyle: true,
    maxAttempts: 1,
    requestHandler: createInProcessHandler(cloud.aws),
  } as never)
  signByClock(client, clock)
  return client
}

/** Returns the name of the SDK’s error for a refusal. */
export async function refusal(act: Promise<unknown>): Promise<string> {
  try {
    await act
  } catch (error) {
    return (error as Error).name
  }
  throw new Error('It was not refused.')
}
