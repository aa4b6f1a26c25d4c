import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { ListExecutionsCommand, SFNClient } from '@aws-sdk/client-sfn'
import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import { createSigner, sha256 } from '../../../../local/cloud/s3/http/signature.ts'
import { connectTo, createSmallCloud, refusal, START } from '../small-cloud.ts'

const template = {
  Resources: {
    Upload: { Type: 'AWS::SecretsManager::Secret', Properties: { Name: 'upload', SecretString: 'hidden' } },
  },
}
const read = new GetSecretValueCommand({ SecretId: 'upload' })

/** A cloud that sees requests of the SDK only after `change` has had its way with them. */
function behind(change: (request: Request) => Request | Promise<Request>) {
  const { cloud, clock } = createSmallCloud(template)
  return connectTo({ ...cloud, aws: async (request) => cloud.aws(await change(request)) }, clock, SecretsManagerClient)
}
const withHeaders = (request: Request, change: (headers: Headers) => void) => {
  const changed = new Request(request)
  change(changed.headers)
  return changed
}

describe('createSignatureCheck', () => {
  it('lets in what the SDK signs with a key of this cloud', async () => {
    const { connect } = createSmallCloud(template)
    await expect(connect(SecretsManagerClient).send(read)).resolves.toMatchObject({ SecretString: 'hidden' })
    // Past the check, to the service itself.
    const list = new ListExecutionsCommand({ stateMachineArn: 'arn:aws:states:us-east-1:000000000000:stateMachine:x' })
    expect(await refusal(connect(SFNClient).send(list))).toBe('StateMachineDoesNotExist')
  })

  it('refuses keys of others', async () => {
    const { cloud, clock } = createSmallCloud(template)
    const { accessKeyId, secretAccessKey } = cloud.credentials
    const as = (credentials: typeof cloud.credentials) =>
      refusal(connectTo({ ...cloud, credentials }, clock, SecretsManagerClient).send(read))
    expect(await as({ accessKeyId: 'AKIAOTHER', secretAccessKey })).toBe('UnrecognizedClientException')
    expect(await as({ accessKeyId, secretAccessKey: 'guessed' })).toBe('InvalidSignatureException')
  })

  it.each<[string, (request: Request) => Request | Promise<Request>, string]>([
    [
      'without a signature',
      (request) => withHeaders(request, (headers) => headers.delete('authorization')),
      'MissingAuthenticationTokenException',
    ],
    [
      'with another way of signing',
      (request) => withHeaders(request, (headers) => headers.set('authorization', 'Basic YTpi')),
      'IncompleteSignatureException',
    ],
    [
      'with another body',
      async (request) => new Request(request, { body: (await request.text()).replace('upload', 'uploaD') }),
      'InvalidSignatureException',
    ],
    [
      'for another operation',
      (request) => withHeaders(request, (headers) => headers.set('x-amz-target', 'secretsmanager.DescribeSecret')),
      'InvalidSignatureException',
    ],
    [
      'for another service',
      (request) => withHeaders(request, (headers) => headers.set('x-amz-target', 'AWSEvents.PutEvents')),
      'InvalidSignatureException',
    ],
    [
      'of another day',
      (request) => withHeaders(request, (headers) => headers.set('x-amz-date', '20260102T000000Z')),
      'IncompleteSignatureException',
    ],
  ])('refuses requests %s', async (_what, change, code) => {
    expect(await refusal(behind(change).send(read))).toBe(code)
  })

  it('refuses a signature for another service, and one that leaves out what is asked for', async () => {
    const { cloud } = createSmallCloud(template)
    const { accessKeyId, secretAccessKey } = cloud.credentials
    const send = (names: string[], service = 'secretsmanager') => {
      const scope = {
        accessKeyId,
        day: '20260101',
        region: 'us-east-1',
        service,
        time: '20260101T000000Z',
      }
      const [body, target] = ['{"SecretId":"upload"}', 'secretsmanager.GetSecretValue']
      const headers = new Headers({ host: 'aws.invalid', 'x-amz-date': scope.time, 'x-amz-target': target })
      const request = { method: 'POST', path: '/', query: new URLSearchParams(), headers }
      const signature = createSigner(secretAccessKey, scope).signRequest(request, names, sha256(body))
      const credential = `${accessKeyId}/${scope.day}/${scope.region}/${scope.service}/aws4_request`
      const signed = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names.join(';')}, Signature=${signature}`
      headers.set('authorization', signed)
      return cloud.aws(new Request('http://aws.invalid/', { method: 'POST', headers, body }))
    }
    expect((await send(['host', 'x-amz-date', 'x-amz-target'])).status).toBe(200)
    expect((await send(['host', 'x-amz-date', 'x-amz-target'], 's3')).status).toBe(403)
    expect((await send(['host', 'x-amz-date'])).status).toBe(403)
  })

  it('refuses requests that are more than five minutes off', async () => {
    const { cloud } = createSmallCloud(template)
    const at = (time: number) => connectTo(cloud, createSteppedClock(time), SecretsManagerClient).send(read)
    await expect(at(START + 290_000)).resolves.toBeDefined()
    expect(await refusal(at(START + 310_000))).toBe('InvalidSignatureException')
    expect(await refusal(at(START - 310_000))).toBe('InvalidSignatureException')
  })
})
