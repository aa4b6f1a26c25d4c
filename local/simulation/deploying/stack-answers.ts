import { addresses } from '../environment/addresses.ts'

/** An answer for a custom resource, as it was received. */
export interface StackAnswer {
  readonly Status: string
  readonly Reason?: string
  readonly PhysicalResourceId?: string
  readonly StackId?: string
  readonly RequestId?: string
  readonly LogicalResourceId?: string
  readonly Data?: Readonly<Record<string, string>>
}

/**
 * Returns the physical id with which CloudFormation sends later requests. If it has received none, it generates one from the names
 * of the stack and the resource (github.com/aws-cloudformation/cloudformation-coverage-roadmap/issues/1814 and
 * github.com/remind101/empire/issues/918).
 * @param random hexadecimal digits that make the generated id unique
 */
export const physicalIdOf = (
  answer: Pick<StackAnswer, 'PhysicalResourceId'> | undefined,
  { stack, logicalId }: { readonly stack: string; readonly logicalId: string },
  random: () => string,
): string => answer?.PhysicalResourceId || `${stack}-${logicalId}-${random().toUpperCase()}`

const PATH = '/cloudformation-custom-resource-response/'

export type StackAnswers = ReturnType<typeof createStackAnswers>

/**
 * Receives the answers for custom resources. CloudFormation reads the first answer to a request, and S3 accepts later ones at the
 * same address.
 * @param newId makes addresses that cannot be guessed
 */
export function createStackAnswers(newId: () => string) {
  const receivers = new Map<string, (answer: StackAnswer) => void>()
  const receive = async (request: Request, path: string): Promise<Response> => {
    const receiver = receivers.get(path)
    if (request.method !== 'PUT' || !receiver) return new Response(null, { status: 403 })
    receiver((await request.json()) as StackAnswer)
    return new Response(null, { status: 200 })
  }
  return {
    /** Returns an address. Each answer to it is passed on. */
    expect(receiver: (answer: StackAnswer) => void): string {
      const path = `${PATH}${newId()}`
      receivers.set(path, receiver)
      return addresses.aws + path
    },
    /** Wraps AWS to receive the answers. */
    read:
      (aws: (request: Request) => Promise<Response>) =>
      async (request: Request): Promise<Response> => {
        const { pathname } = new URL(request.url)
        return pathname.startsWith(PATH) ? receive(request, pathname) : aws(request)
      },
  }
}
