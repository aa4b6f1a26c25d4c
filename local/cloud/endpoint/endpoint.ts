import { AwsError, refuse } from './aws-json.ts'
import { signedServiceOf } from './signed-requests.ts'

/** A service behind the common address. */
export interface Service {
  /** Name in the signatures of its requests. */
  readonly name: string
  /** Prefix of its `X-Amz-Target`; absent for a service without that header. */
  readonly target?: string
  /** Handles a request whose signature is valid. */
  readonly fetch: (request: Request) => Promise<Response>
  /** Answers an error in the service’s protocol. @default JSON */
  readonly refuse?: (error: AwsError) => Response
}

export interface EndpointOptions {
  readonly services: readonly Service[]
  /** Handles all other requests, and checks their signatures itself. */
  readonly s3: (request: Request) => Promise<Response>
  /** @throws AwsError when the signature is not valid */
  readonly checkSignature: (request: Request, service: string) => Promise<Request>
}

/**
 * Creates the endpoint of all AWS services. Without a target the signature identifies the service, since buckets may
 * have any name and so any path may be S3’s.
 */
export function createEndpoint({ services, s3, checkSignature }: EndpointOptions) {
  return async (request: Request): Promise<Response> => {
    const target = request.headers.get('x-amz-target')
    const service = services.find((one) =>
      target === null ? !one.target && one.name === signedServiceOf(request) : one.target === target.split('.')[0],
    )
    if (!service && target === null) return s3(request)
    try {
      if (!service) throw new AwsError('UnknownOperationException', `${target} is not supported locally.`)
      return await service.fetch(await checkSignature(request, service.name))
    } catch (error) {
      if (error instanceof AwsError) return (service?.refuse ?? refuse)(error)
      throw error
    }
  }
}
