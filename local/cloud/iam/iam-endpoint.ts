import { AwsError } from '../endpoint/aws-json.ts'
import { writeXml, type XmlContent } from '../s3/http/xml.ts'
import type { IamAccessKeys, UserKey } from './access-keys.ts'

export interface IamOptions {
  /** Names of the stack's users. */
  readonly users: readonly string[]
  /** Returns the names of a user’s policies in the stack. @default none */
  readonly policiesOf?: (user: string) => readonly string[]
  readonly keys: IamAccessKeys
  readonly newId: () => string
}

interface Operation {
  /** Required parameters besides the user’s name. */
  readonly takes: readonly string[]
  /** Runs the operation and returns the members of the result. */
  run(user: string, input: Readonly<Record<string, string>>): Record<string, XmlContent> | undefined
}

/** Codes for refused signatures in this protocol (IAM API reference, "Common errors"). */
const CODES: Readonly<Record<string, string>> = {
  IncompleteSignatureException: 'IncompleteSignature',
  InvalidSignatureException: 'SignatureDoesNotMatch',
  MissingAuthenticationTokenException: 'MissingAuthenticationToken',
  UnrecognizedClientException: 'InvalidClientTokenId',
}

const NAMESPACE = 'https://iam.amazonaws.com/doc/2010-05-08/'
const VERSION = '2010-05-08'

/** Creates an endpoint of IAM’s Query protocol, with the operations for replacing a user’s access key. */
export function createIamEndpoint({ users, policiesOf = () => [], keys, newId }: IamOptions) {
  const operations: Readonly<Record<string, Operation>> = {
    CreateAccessKey: {
      takes: [],
      run(user) {
        const key = keys.add(user)
        return { AccessKey: { ...describe(key), SecretAccessKey: key.secretAccessKey } }
      },
    },
    ListAccessKeys: {
      takes: [],
      run: (user) => ({ AccessKeyMetadata: { member: keys.list(user).map(describe) }, IsTruncated: false }),
    },
    ListUserPolicies: {
      takes: [],
      run: (user) => ({ PolicyNames: { member: [...policiesOf(user)] }, IsTruncated: false }),
    },
    UpdateAccessKey: {
      takes: ['AccessKeyId', 'Status'],
      run(user, { AccessKeyId = '', Status }) {
        if (Status !== 'Active' && Status !== 'Inactive') throw invalid('Status must be Active or Inactive.')
        keys.setStatus(user, AccessKeyId, Status)
        return undefined
      },
    },
    DeleteAccessKey: {
      takes: ['AccessKeyId'],
      run(user, { AccessKeyId = '' }) {
        keys.remove(user, AccessKeyId)
        return undefined
      },
    },
  }
  const write = (root: Record<string, XmlContent>, status = 200) =>
    new Response(writeXml(root, NAMESPACE), { status, headers: { 'content-type': 'text/xml' } })
  /** Answers an error as this service does. */
  const refuse = ({ name, message: Message, status }: AwsError) => {
    const Code = Object.hasOwn(CODES, name) ? CODES[name] : name
    return write({ ErrorResponse: { Error: { Type: 'Sender', Code, Message }, RequestId: newId() } }, status)
  }

  const answer = (parameters: URLSearchParams): Response => {
    const { Action: name = '', Version: version, UserName: user = '', ...input } = Object.fromEntries(parameters)
    const operation = Object.hasOwn(operations, name) ? operations[name] : undefined
    if (!operation || version !== VERSION)
      throw new AwsError('InvalidAction', `${name} of version ${version} is not supported locally.`)
    const unknown = Object.keys(input).find((one) => !operation.takes.includes(one))
    if (unknown !== undefined) throw invalid(`${unknown} is not supported locally.`)
    const missing = operation.takes.find((one) => !input[one])
    if (missing !== undefined) throw invalid(`${missing} must be given.`)
    if (!users.includes(user)) throw new AwsError('NoSuchEntity', `The user with name ${user} cannot be found.`, 404)
    const result = operation.run(user, input)
    const metadata = { ResponseMetadata: { RequestId: newId() } }
    return write({ [`${name}Response`]: { ...(result && { [`${name}Result`]: result }), ...metadata } })
  }

  return {
    refuse,
    /** Handles a request whose signature is checked. */
    async fetch(request: Request): Promise<Response> {
      try {
        return answer(new URLSearchParams(await request.text()))
      } catch (error) {
        if (error instanceof AwsError) return refuse(error)
        throw error
      }
    },
  }
}

const invalid = (message: string) => new AwsError('ValidationError', message)

const describe = ({ user, accessKeyId, status, created }: UserKey) => ({
  UserName: user,
  AccessKeyId: accessKeyId,
  Status: status,
  CreateDate: new Date(created).toISOString().replace(/\.\d+Z$/, 'Z'),
})
