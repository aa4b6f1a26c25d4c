import type { PlatformCallOptions } from '../../platform/client/calls.ts'
import type { PlatformClient } from '../../platform/client/client.ts'
import type { Services } from '../../services.ts'

type Call = (request?: object, options?: PlatformCallOptions<never>) => unknown

/** Returns the services with a deadline for every call of the platform. @param until milliseconds since the epoch */
export function withPlatformUntil<Connected extends Pick<Services, 'platform'>>(
  services: Connected,
  until: number,
): Connected {
  const limited =
    (call: Call): Call =>
    (request, options) =>
      call(request, { until, ...options })
  const limitEach = <Calls extends object>(calls: Calls): Calls =>
    Object.fromEntries(
      Object.entries(calls).map(([name, call]) => [name, typeof call === 'function' ? limited(call as Call) : call]),
    ) as Calls
  return Object.create(services, {
    platformUntil: { value: until },
    platform: {
      value: async (): Promise<PlatformClient> => {
        const client = await services.platform()
        return { ...limitEach(client), each: limitEach(client.each) }
      },
    },
  }) as Connected
}
