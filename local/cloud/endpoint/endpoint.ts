import { AwsError, refuse } from './aws-json.ts'
import { serviceOf } from './signed-requests.ts'

/** A service behind the one address of all of them. */
export interface Service {
  /** By which its requests are signed. */
  readonly name: string
  /** What `X-Amz-Target` begins with; absent for a service that has no such header. */
  readonly target?: string
  /** The signature has been checked. */
  readonly fetch: (request: Request) => Promise<Response>
  /** Answers an error in the service's own protocol; JSON unless said otherwise. */
  readonly refuse?: (error: AwsError) => Response
}

export interface EndpointOptions {
  readonly services: readonly Service[]
  /** Gets what is for no other service, and checks signatures itself. */
  readonly s3: (request: Request) => Promise<Response>
  /** @throws AwsError */
  readonly checkSignature: (request: Request, service: string) => Promise<Request>
}

/**
 * Makes the endpoint of every AWS service. Where there is no target the signature tells the service, since an address may be
 * one of S3 as well: a bucket can have any name.
 */
export function createEndpoint({ services, s3, checkSignature }: EndpointOptions) {
  return async (request: Request): Promise<Response> => {
    const target = request.headers.get('x-amz-target')
    const service = services.find((one) =>
      target === null ? !one.target && one.name === serviceOf(request) : one.target === target.split('.')[0],
    )
    if (!service && target === null) return s3(request)
    try {
      if (!service) throw new AwsError('UnknownOperationException', `${target} is not known on a laptop.`)
      return await service.fetch(await checkSignature(request, service.name))
    } catch (error) {
      if (error instanceof AwsError) return (service?.refuse ?? refuse)(error)
      throw error
    }
  }
}
