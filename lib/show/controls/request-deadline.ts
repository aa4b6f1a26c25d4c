import type { CallOptions } from '../../platform/client/calls.ts'
import type { PlatformClient } from '../../platform/client/client.ts'
import type { Services } from '../../services.ts'

type Call = (request?: object, options?: CallOptions<never>) => unknown

/**
 * Returns the services with a platform that no call takes longer than `until`, in milliseconds since the epoch: attempts are
 * cut short then, and none begins later. Everything else is the same.
 */
export function withPlatformUntil<Reach extends Pick<Services, 'platform'>>(services: Reach, until: number): Reach {
  const limited =
    (call: Call): Call =>
    (request, options) =>
      call(request, { until, ...options })
  const limitEach = <Calls extends object>(calls: Calls): Calls =>
    Object.fromEntries(
      Object.entries(calls).map(([name, call]) => [name, typeof call === 'function' ? limited(call as Call) : call]),
    ) as Calls
  return Object.create(services, {
    platform: {
      value: async (): Promise<PlatformClient> => {
        const client = await services.platform()
        return { ...limitEach(client), each: limitEach(client.each) }
      },
    },
  }) as Reach
}
