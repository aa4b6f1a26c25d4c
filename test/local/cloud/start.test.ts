import { statSync } from 'node:fs'
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { describe, expect, it } from 'vitest'
import { realClock } from '../../../lib/clock.ts'
import { openListener } from '../../../local/cloud/server.ts'
import { type CloudServerOptions, startCloud } from '../../../local/cloud/start.ts'
import { lambda, type SmallTemplate, temporaryFolder, writeAssembly } from './small-assembly.ts'

const template = (issuer: unknown): SmallTemplate => ({
  Parameters: { Issuer: { Type: 'String' } },
  Resources: {
    Media: { Type: 'AWS::S3::Bucket' },
    Answer: lambda('answer', { Environment: { Variables: { BUCKET: { Ref: 'Media' }, ISSUER: { Ref: 'Issuer' } } } }),
    Api: { Type: 'AWS::ApiGatewayV2::Api', Properties: { ProtocolType: 'HTTP' } },
    Integration: {
      Type: 'AWS::ApiGatewayV2::Integration',
      Properties: {
        IntegrationType: 'AWS_PROXY',
        IntegrationUri: { 'Fn::GetAtt': ['Answer', 'Arn'] },
        PayloadFormatVersion: '2.0',
      },
    },
    Caller: {
      Type: 'AWS::ApiGatewayV2::Authorizer',
      Properties: {
        AuthorizerType: 'JWT',
        IdentitySource: ['$request.header.Authorization'],
        JwtConfiguration: { Issuer: issuer, Audience: ['showrunner'] },
      },
    },
    Route: {
      Type: 'AWS::ApiGatewayV2::Route',
      Properties: {
        RouteKey: 'GET /me',
        AuthorizationType: 'JWT',
        AuthorizerId: { Ref: 'Caller' },
        Target: { 'Fn::Sub': 'integrations/${Integration}' },
      },
    },
  },
})
const ANSWER = `export const handler = async ({ requestContext: { authorizer } }) => ({
  who: authorizer.jwt.claims.sub, env: process.env,
})`

function optionsIn(directory: string, more: Partial<CloudServerOptions> = {}): CloudServerOptions {
  return {
    assembly: more.assembly ?? writeAssembly(directory, template({ Ref: 'Issuer' }), { answer: ANSWER }),
    parameters: ({ issuerUrl }) => ({ Issuer: issuerUrl }),
    directory: `${directory}/state`,
    clock: realClock,
    log: () => {},
    ...more,
  }
}

describe('startCloud', () => {
  it('serves the API to bearers of its tokens, and AWS to the SDK', async () => {
    using folder = temporaryFolder()
    const server = await startCloud(optionsIn(folder.path))
    const ask = (token: string) => fetch(`${server.apiUrl}/me`, { headers: { authorization: `Bearer ${token}` } })
    const token = await server.issuer.sign({ sub: 'ann' }, { audience: 'showrunner', seconds: 60, now: Date.now() })
    const { AWS_REGION, AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = server.environment
    expect(await (await ask(token)).json()).toEqual({
      who: 'ann',
      env: {
        ...{ AWS_REGION, AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY },
        AWS_LAMBDA_FUNCTION_NAME: 'Answer',
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '128',
        LAMBDA_TASK_ROOT: `${folder.path}/asset.answer`,
        BUCKET: 'small-media',
        ISSUER: server.issuerUrl,
      },
    })
    expect((await ask(`${token}x`)).status).toBe(401)

    const credentials = { accessKeyId: AWS_ACCESS_KEY_ID ?? '', secretAccessKey: AWS_SECRET_ACCESS_KEY ?? '' }
    const endpoint = AWS_ENDPOINT_URL ?? ''
    const s3 = new S3Client({ endpoint, region: AWS_REGION ?? '', credentials, forcePathStyle: true, maxAttempts: 1 })
    await s3.send(new PutObjectCommand({ Bucket: 'small-media', Key: 'a', Body: 'bytes' }))
    const object = await s3.send(new GetObjectCommand({ Bucket: 'small-media', Key: 'a' }))
    expect(await object.Body?.transformToString()).toBe('bytes')

    s3.destroy()
    await server.close()
    for (const url of [server.apiUrl, server.awsUrl]) await expect(fetch(url)).rejects.toThrow()
    // Functions are not run any more either.
    const late = new Request(`${server.apiUrl}/me`, { headers: { authorization: token } })
    expect((await server.cloud.api(late)).status).toBe(500)
  })

  it('makes custom resources before the rest, by functions that reach AWS and respond', async () => {
    using folder = temporaryFolder()
    const make = `export const handler = async ({ ResponseURL, ...request }) => {
      const aws = await fetch(process.env.AWS_ENDPOINT_URL + '/small-media')
      const api = await fetch(request.ResourceProperties.Api)
      const { StackId, RequestId, LogicalResourceId } = request
      const Data = { Statuses: aws.status + ' ' + api.status }
      const response = { Status: 'SUCCESS', PhysicalResourceId: 'made', StackId, RequestId, LogicalResourceId, Data }
      await fetch(ResponseURL, { method: 'PUT', body: JSON.stringify(response) })
    }`
    const { Resources, ...sections } = template({ Ref: 'Issuer' })
    const url = { 'Fn::GetAtt': ['Api', 'ApiEndpoint'] }
    const resources = {
      ...Resources,
      Make: lambda('make', { Timeout: 20 }),
      Made: { Type: 'Custom::Made', Properties: { ServiceToken: { 'Fn::GetAtt': ['Make', 'Arn'] }, Api: url } },
    }
    const Outputs = { Statuses: { Value: { 'Fn::GetAtt': ['Made', 'Statuses'] } } }
    const assembly = writeAssembly(
      folder.path,
      { ...sections, Resources: resources, Outputs },
      { answer: ANSWER, make },
    )
    const server = await startCloud(optionsIn(folder.path, { assembly }))
    expect(server.cloud.outputs).toEqual({ Statuses: '403 503' }) // unsigned, and not there yet
    await server.close()
  })

  it.each<[string, Partial<CloudServerOptions>, string]>([
    ['a parameter is missing', { parameters: () => ({}) }, 'The parameter Issuer has neither a value nor a default.'],
    [
      'its parameters cannot be computed',
      {
        parameters: () => {
          throw new Error('no ffmpeg')
        },
      },
      'no ffmpeg',
    ],
  ])('closes everything again when %s', async (_what, more, message) => {
    using folder = temporaryFolder()
    const urls: string[] = []
    const { parameters } = { parameters: () => ({}), ...more }
    const options = optionsIn(folder.path, {
      parameters(addresses) {
        urls.push(addresses.apiUrl, addresses.awsUrl)
        return parameters(addresses)
      },
    })
    await expect(startCloud(options)).rejects.toThrow(message)
    expect(urls).toHaveLength(2)
    for (const url of urls) await expect(fetch(url)).rejects.toThrow()
  })

  it('serves the API at the port that was opened for it, and closes that too', async () => {
    using folder = temporaryFolder()
    const apiListener = await openListener()
    const server = await startCloud(optionsIn(folder.path, { apiListener }))
    expect([server.apiUrl, (await fetch(`${server.apiUrl}/me`)).status]).toEqual([apiListener.url, 401])
    await server.close()
    await expect(fetch(apiListener.url)).rejects.toThrow()
  })

  it('accepts a token after a restart on its directory only, where the key is private', async () => {
    using folder = temporaryFolder()
    const options = optionsIn(folder.path)
    const start = (directory: string) => startCloud({ ...options, directory })
    const first = await start(`${folder.path}/state`)
    const token = await first.issuer.sign({ sub: 'ann' }, { audience: 'showrunner', seconds: 60, now: Date.now() })
    await first.close()
    expect(statSync(`${folder.path}/state/issuer.json`).mode & 0o777).toBe(0o600)
    for (const [directory, status] of [
      ['state', 200],
      ['other', 401],
    ] as const) {
      const server = await start(`${folder.path}/${directory}`)
      const headers = { authorization: `Bearer ${token}` }
      expect([directory, (await fetch(`${server.apiUrl}/me`, { headers })).status]).toEqual([directory, status])
      await server.close()
    }
  })
})
