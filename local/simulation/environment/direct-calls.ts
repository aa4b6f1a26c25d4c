import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3'
import { DescribeSecretCommand } from '@aws-sdk/client-secrets-manager'
import { DescribeExecutionCommand } from '@aws-sdk/client-sfn'
import type { Cloud } from '../../cloud/cloud.ts'
import type { Network } from './network.ts'

/** The parts of the cloud that answer without a request. */
export interface DirectCloud extends Pick<Cloud, 's3' | 'secrets' | 'stepFunctions'> {
  /** Entries on a page of an index, as of `withShortPages`. @default as many as asked for */
  readonly pageSize?: number | undefined
}

/** A client of the AWS SDK. Its request handler receives the options of a call. */
export interface SendingClient {
  send(command: unknown, options?: object): Promise<unknown>
}

interface DirectCall {
  /** The name of the call’s request, as in the trace. */
  readonly name: string
  /** Resolves with the output of the SDK, or undefined if only a request can be answered. */
  readonly act: () => Promise<object | undefined>
  /** Path of the URL that the request would have. @default the trace needs none */
  readonly path?: string
}

/**
 * Lets a client read and write without HTTP, XML and signatures, which take most of a simulation’s time and of which no
 * invariant depends. Only calls that succeed are answered directly. Under a fault, or when the service refuses, the same
 * call is made with the whole protocol.
 */
export function callDirectly(client: SendingClient, cloud: DirectCloud, skipProtocol: Network['skipProtocol']): void {
  const send = client.send.bind(client)
  client.send = async (command, options) => {
    const direct = options === undefined ? directCallOf(command, cloud) : undefined
    if (!direct) return send(command, options)
    const { value, passed } = await skipProtocol(direct.name, direct.act, (output) => detailsOf(direct, output))
    return value ?? send(command, { passed })
  }
}

/** Returns undefined for every other command, and for parameters that are not known here. */
function directCallOf(
  command: unknown,
  { s3, secrets, stepFunctions, pageSize = Number.POSITIVE_INFINITY }: DirectCloud,
): DirectCall | undefined {
  if (command instanceof GetObjectCommand) {
    const { Bucket: bucket = '', Key: key = '', ...rest } = command.input
    if (!key.endsWith('.json') || hasAny(rest)) return undefined
    return { name: `s3 GetObject ${key}`, act: async () => toOutput(await s3.read(bucket, key)) }
  }
  if (command instanceof PutObjectCommand) return directWriteOf(command.input, s3)
  if (command instanceof ListObjectsV2Command) {
    const { Bucket: bucket = '', Prefix: prefix = '', MaxKeys = MAX_KEYS, StartAfter: after, ...rest } = command.input
    if (hasAny(rest)) return undefined
    const limit = prefix.startsWith('index/') ? Math.min(MaxKeys, pageSize) : MaxKeys
    return {
      name: `s3 ListObjectsV2 ${prefix}`.trimEnd(),
      async act() {
        const { keys, isTruncated } = s3.list(bucket, { prefix, after, limit })
        return { ...METADATA, Contents: keys.map((Key) => ({ Key })), IsTruncated: isTruncated }
      },
    }
  }
  if (command instanceof DescribeExecutionCommand) {
    const { executionArn = '' } = command.input
    return { name: 'AWSStepFunctions DescribeExecution', act: async () => describe(stepFunctions, executionArn) }
  }
  if (command instanceof DescribeSecretCommand) {
    const { SecretId: id = '' } = command.input
    return { name: 'secretsmanager DescribeSecret', act: async () => labelsOf(secrets, id) }
  }
  return undefined
}

/** Keys of records and published files. Others may be written with keys of IAM, whose rights only the protocol checks. */
const RECORDS = /^(shows|index|recordings)\/|^observation\.json$/

function directWriteOf(input: PutObjectCommand['input'], s3: DirectCloud['s3']): DirectCall | undefined {
  const { Bucket: bucket = '', Key: key = '', Body: body, ContentType: contentType, ...others } = input
  const { ContentLength: _, IfMatch: ifMatch, IfNoneMatch: ifNoneMatch, ...rest } = others
  const isWhole = typeof body === 'string' || Buffer.isBuffer(body)
  if (!RECORDS.test(key) || contentType === undefined || !isWhole || hasAny(rest)) return undefined
  return {
    name: `s3 PutObject ${key}`,
    path: `/${bucket}/${key}`,
    async act() {
      const object = { bucket, key, bytes: typeof body === 'string' ? Buffer.from(body) : body, contentType }
      const written = await s3.write(object, { ifMatch, ifNoneMatch }).catch(() => undefined)
      return written && { ...METADATA, ETag: written.etag, ...(written.versionId && { VersionId: written.versionId }) }
    },
  }
}

/** Returns the details of a call that the trace has of its request and answer. */
const detailsOf = ({ path }: DirectCall, output: { readonly VersionId?: string }) => ({
  ...(path !== undefined && { path }),
  ...(path !== undefined && output.VersionId !== undefined && { version: output.VersionId }),
})

/** Entries on a page (Amazon S3 API reference, ListObjectsV2). */
const MAX_KEYS = 1_000
const METADATA = { $metadata: { httpStatusCode: 200 } } as const

const hasAny = (rest: object) => Object.values(rest).some((value) => value !== undefined)

function toOutput(stored: Awaited<ReturnType<DirectCloud['s3']['read']>>): object | undefined {
  if (!stored) return undefined
  const { etag: ETag, bytes } = stored
  const Body = { transformToString: async () => bytes.toString(), transformToByteArray: async () => bytes }
  return { ...METADATA, ETag, ContentLength: bytes.length, Body }
}

function describe(stepFunctions: DirectCloud['stepFunctions'], executionArn: string): object | undefined {
  try {
    return { ...METADATA, ...stepFunctions.describeExecution({ executionArn }) }
  } catch {
    return undefined // the protocol answers with the error
  }
}

function labelsOf(secrets: DirectCloud['secrets'], id: string): object | undefined {
  try {
    return { ...METADATA, ...secrets.labelsOf(id) }
  } catch {
    return undefined // the protocol answers with the error
  }
}
